// @ts-check
// The glossary's terms as buttons, group by group, and the words of the one that is chosen.

import { component, sheetsOf } from "../runtime/component.js";
import { child, make, put } from "../runtime/dom.js";
import { stateOf } from "../runtime/state.js";
import { glossary, parts } from "../terms/terms.js";

const [styles, { terms, groups, names }] = await Promise.all([
  sheetsOf(import.meta.url, "../runtime/shared.css", "term_map.css"),
  glossary(),
]);

/** @import { Data, Send } from "../runtime/component.js" */
/** @typedef {{name: string, chosen: string, live: Record<string, string>}} Meta  live: of a term, what it is in this model. */
/** @typedef {(name: string) => void} Choose */

/** @param {HTMLElement} panel @param {string} name @param {Record<string, string>} live @param {Choose} choose */
function explain(panel, name, live, choose) {
  const { text, paper } = terms[name];
  panel.replaceChildren(make("h2", "", name));
  const words = put(panel, "p", "words");
  for (const [part, isTerm] of parts(text)) words.append(isTerm ? button(part, choose, "inline") : part);
  const line = put(panel, "p", "live");
  if (live[name]) line.append(make("span", "", "In this model: "), make("bdi", "", live[name]));
  put(panel, "p", "paper", paper);
}

/** @param {string} form @param {Choose} choose @param {string} className */
function button(form, choose, className) {
  const made = Object.assign(make("button", className, form), { type: "button" });
  made.onclick = () => choose(names[form.toLowerCase()]);
  return made;
}

/** @param {HTMLElement} map @param {Choose} choose */
function layOut(map, choose) {
  for (const [group, held] of Object.entries(groups)) {
    const part = put(map, "section", "part");
    put(part, "h3", "", group);
    const list = put(part, "ul");
    for (const name of held) put(list, "li").append(button(name, choose, "term"));
  }
}

class TermMap {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.panel = Object.assign(child(root, "div", "explained"), { ariaLive: "polite" });
    this.map = child(root, "div", "map");
    layOut(this.map, (name) => this.choose(name));
  }

  /** @param {Meta} meta @param {Send} send */
  update(meta, send) {
    Object.assign(this.map, { role: "group", ariaLabel: meta.name });
    this.live = meta.live;
    this.send = send;
    this.show(meta.chosen);
  }

  /** Show a term at once; what the server says of it comes later, and is the same. @param {string} name */
  choose(name) {
    this.show(name);
    this.send?.("pick", name);
  }

  /** @param {string} name */
  show(name) {
    explain(this.panel, name, this.live ?? {}, (chosen) => this.choose(chosen));
    for (const term of this.map.querySelectorAll("button.term"))
      term.setAttribute("aria-pressed", String(term.textContent === name));
  }
}

export default component(styles, (root, /** @type {Data<Meta>} */ { meta }, send) =>
  stateOf(root, TermMap).update(meta, send),
);
