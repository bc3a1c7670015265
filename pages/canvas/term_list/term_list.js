// @ts-check
// The glossary as a list: each term, as a button, above its words.

import { component, sheetsOf } from "../runtime/component.js";
import { child, make, put } from "../runtime/dom.js";
import { glossary, parts } from "../terms/terms.js";

const [styles, { terms }] = await Promise.all([
  sheetsOf(import.meta.url, "../runtime/shared.css", "term_list.css"),
  glossary(),
]);

/** @import { Data } from "../runtime/component.js" */

/** @param {HTMLElement} list @param {string} name @param {(name: string) => void} choose */
function entry(list, name, choose) {
  const { text, paper } = terms[name];
  const item = put(list, "div", "entry");
  const button = Object.assign(make("button", "", name), { type: "button" });
  button.onclick = () => choose(name);
  put(item, "dt").append(button);
  const words = put(item, "dd");
  for (const [part, isTerm] of parts(text)) words.append(isTerm ? make("em", "", part) : part);
  if (paper) put(words, "small", "", paper);
}

export default component(styles, (root, /** @type {Data<{name: string, terms: string[]}>} */ { meta }, send) => {
  const list = child(root, "dl", "entries");
  list.ariaLabel = meta.name;
  list.replaceChildren();
  for (const name of meta.terms) entry(list, name, (chosen) => send("pick", chosen));
});
