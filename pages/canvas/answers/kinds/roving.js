// Buttons of which one is in the tab order; arrow keys move the focus among them.

import { put } from "../../runtime/dom.js";

// A button with a label; `name` is what a screen reader says.
export function pressable(parent, label, name) {
  const button = Object.assign(put(parent, "button", "pick"), { type: "button", ariaLabel: name });
  put(button, "bdi", "", label);
  return button;
}

// Marks the chosen button, if any, and puts it, or else the first, in the tab order.
export function press(buttons, chosen) {
  for (const button of buttons) button.setAttribute("aria-pressed", button === chosen);
  stopAt(buttons, chosen ?? buttons[0]);
}

const stopAt = (buttons, stop) => buttons.forEach((button) => (button.tabIndex = button === stop ? 0 : -1));

// target(key, place) returns the place that a key leads to, or undefined for a key that is not for moving.
export function rove(parent, buttons, target) {
  parent.onkeydown = (event) => {
    const from = buttons.indexOf(event.target.closest("button"));
    if (from < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = target(event.key, from);
    if (to === undefined) return;
    event.preventDefault();
    const next = buttons[to] ?? buttons[from];
    stopAt(buttons, next);
    next.focus();
  };
}
