// @ts-check
// One of several options: radio buttons.

import { put } from "../../runtime/dom.js";

/** @import { Kind } from "../form.js" */

/** Ask for one option. @type {Kind} */
export function choice(box, { options }, changed) {
  const inputs = options.map(({ name, text }) => {
    const label = put(box, "label", "option");
    const input = Object.assign(put(label, "input"), { type: "radio", name: "choice", value: name });
    put(label, "span", "", text);
    return input;
  });
  box.onchange = () => changed();
  return {
    show: (value) => inputs.forEach((input) => (input.checked = input.value === value)),
    read: () => inputs.find((input) => input.checked)?.value ?? null,
    missing: "Choose one of the answers first.",
  };
}
