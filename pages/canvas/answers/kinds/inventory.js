// @ts-check
// Several questions one below another, each with radio buttons and none needed, and a word of one's own.

import { put } from "../../runtime/dom.js";

/** @import { Kind } from "../form.js" */

const WHY = "By this word your answers can be found among those of another day. Take none that gives your name away.";

/** Ask for an option of each question. @type {Kind} */
export function inventory(box, { items, most }, changed) {
  const asked = items.map(({ question, options }, i) => {
    const group = put(box, "fieldset", "choice");
    put(group, "legend", "", `${i + 1}. ${question}`);
    return options.map((text, j) => {
      const label = put(group, "label", "option");
      const input = Object.assign(put(label, "input"), { type: "radio", name: `choice-${i}`, value: String(j) });
      put(label, "span", "", text);
      return input;
    });
  });
  const label = put(box, "label", "word");
  put(label, "span", "", "Your word (may stay empty)");
  const word = Object.assign(put(label, "input"), { type: "text", maxLength: most, autocomplete: "off" });
  put(box, "p", "hint", WHY);
  box.onchange = () => changed();
  return {
    show(value) {
      asked.forEach((inputs, i) => inputs.forEach((input, j) => (input.checked = value?.choices[i] === j)));
      word.value = value?.word ?? "";
    },
    read() {
      const choices = asked.map((inputs) => inputs.findIndex((input) => input.checked)).map((j) => (j < 0 ? null : j));
      return choices.every((choice) => choice === null) ? null : { choices, word: word.value };
    },
    missing: "Answer at least one question first.",
  };
}
