// @ts-check
// Buttons of which one is in the tab order; arrow keys move the focus among them.

import { around, placeOf, put } from "../../runtime/dom.js";

/**
 * Append a button with a label; `name` is what a screen reader says.
 * @param {HTMLElement} parent
 * @param {string} label
 * @param {string} name
 */
export function pressable(parent, label, name) {
  const button = Object.assign(put(parent, "button", "pick"), { type: "button", ariaLabel: name });
  put(button, "bdi", "", label);
  return button;
}

/**
 * Mark the chosen button, if any, and put it, or else the first, in the tab order.
 * @param {HTMLElement[]} buttons
 * @param {HTMLElement} [chosen]
 */
export function press(buttons, chosen) {
  for (const button of buttons) button.setAttribute("aria-pressed", String(button === chosen));
  stopAt(buttons, chosen ?? buttons[0]);
}

/** @param {HTMLElement[]} buttons @param {HTMLElement} stop */
const stopAt = (buttons, stop) => buttons.forEach((button) => (button.tabIndex = button === stop ? 0 : -1));

/**
 * Move the focus among buttons by keys.
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} buttons
 * @param {(key: string, place: number) => number | undefined} target  Returns the place that a key leads to, or undefined
 *   for a key that is not for moving.
 */
export function rove(parent, buttons, target) {
  parent.onkeydown = (event) => {
    const from = placeOf(buttons, around(event, "button"));
    if (from < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = target(event.key, from);
    if (to === undefined) return;
    event.preventDefault();
    const next = buttons[to] ?? buttons[from];
    stopAt(buttons, next);
    next.focus();
  };
}
