// @ts-check
// The glossary as a list: each term above its words, as a button that opens its card.

import { component, sheetsOf } from "../runtime/component.js";
import { child, make, put } from "../runtime/dom.js";
import { glossary, openTerm, parts } from "../terms/terms.js";

const [styles, { terms }] = await Promise.all([
  sheetsOf(import.meta.url, "../runtime/shared.css", "term_list.css"),
  glossary(),
]);

/** @import { Data } from "../runtime/component.js" */

/** @param {HTMLElement} list @param {string} name */
function entry(list, name) {
  const { text, paper } = terms[name];
  const item = put(list, "div", "entry");
  const button = Object.assign(make("button", "", name), { type: "button" });
  button.onclick = () => openTerm(button, name);
  put(item, "dt").append(button);
  const words = put(item, "dd");
  for (const [part, isTerm] of parts(text)) words.append(isTerm ? make("em", "", part) : part);
  if (paper) put(words, "small", "", paper);
}

export default component(styles, (root, /** @type {Data<{name: string, terms: string[]}>} */ { meta }) => {
  const list = child(root, "dl", "entries");
  list.ariaLabel = meta.name;
  list.replaceChildren();
  for (const name of meta.terms) entry(list, name);
});
