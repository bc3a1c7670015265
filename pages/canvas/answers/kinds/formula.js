// @ts-check
// A formula with gaps: in each gap one of the options is chosen.

import { make, put } from "../../runtime/dom.js";

/** @import { Kind, Option } from "../form.js" */

const GAP = "___";

/** Ask for an option in each gap of a formula. @type {Kind} */
export function formula(box, { formula: text, options }, changed) {
  const line = put(box, "div", "line");
  const count = text.split(GAP).length - 1;
  /** @type {HTMLSelectElement[]} */
  const selects = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const parts = word.split(GAP);
    const together = put(line, "span", "together"); // a line breaks between words, never beside a gap
    parts.forEach((part, i) => {
      if (i) selects.push(gap(together, options, `gap ${selects.length + 1} of ${count}`));
      if (part) put(together, "span", "", part);
    });
  }
  line.onchange = () => changed();
  return {
    show: (value) => selects.forEach((select, i) => (select.value = value?.[i] ?? "")),
    read: () => (selects.every((select) => select.value) ? selects.map((select) => select.value) : null),
    missing: count > 1 ? "Fill every gap first." : "Fill the gap first.",
  };
}

/** @param {HTMLElement} parent @param {Option[]} options @param {string} name */
function gap(parent, options, name) {
  const select = Object.assign(parent.appendChild(make("select")), { ariaLabel: name });
  for (const option of [{ name: "", text: "…" }, ...options])
    put(select, "option", "", option.text).value = option.name;
  return select;
}
