// The glossary's terms as buttons, group by group, and the words of the one that is chosen.

import { component, sheetsOf } from "../runtime/component.js";
import { child, make, put } from "../runtime/dom.js";
import { glossary, parts } from "../terms/terms.js";

const [styles, { terms, groups, names }] = await Promise.all([
  sheetsOf(import.meta.url, "../runtime/shared.css", "term_map.css"),
  glossary(),
]);

function explain(panel, name, live, choose) {
  const { text, paper } = terms[name];
  panel.replaceChildren(make("h2", "", name));
  const words = put(panel, "p", "words");
  for (const [part, isTerm] of parts(text)) words.append(isTerm ? button(part, choose, "inline") : part);
  const line = put(panel, "p", "live");
  if (live[name]) line.append(make("span", "", "In this model: "), make("bdi", "", live[name]));
  put(panel, "p", "paper", paper);
}

function button(form, choose, className) {
  const made = Object.assign(make("button", className, form), { type: "button" });
  made.onclick = () => choose(names[form.toLowerCase()]);
  return made;
}

function layOut(map, choose) {
  for (const [group, held] of Object.entries(groups)) {
    const part = put(map, "section", "part");
    put(part, "h3", "", group);
    const list = put(part, "ul");
    for (const name of held) put(list, "li").append(button(name, choose, "term"));
  }
}

// Shown at once; what the server says of it comes later, and is the same.
function show(root, name) {
  explain(root.panel, name, root.live, root.choose);
  for (const term of root.map.querySelectorAll("button.term"))
    term.setAttribute("aria-pressed", String(term.textContent === name));
}

export default component(styles, (root, { meta }, send) => {
  root.live = meta.live;
  root.choose = (name) => {
    show(root, name);
    send("pick", name);
  };
  root.panel ??= Object.assign(child(root, "div", "explained"), { ariaLive: "polite" });
  if (!root.map) layOut((root.map = child(root, "div", "map")), (name) => root.choose(name));
  Object.assign(root.map, { role: "group", ariaLabel: meta.name });
  show(root, meta.chosen);
});
