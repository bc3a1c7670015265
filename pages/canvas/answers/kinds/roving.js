// Buttons of which one is in the tab order; keys move the focus among the others.

// All sizes of text have room for it: the label alone is on the button, and `name` is what a screen reader says.
import { put } from "../../runtime/dom.js";

export function pressable(parent, label, name) {
  const button = Object.assign(put(parent, "button", "pick"), { type: "button", ariaLabel: name });
  put(button, "bdi", "", label);
  return button;
}

// Marks the chosen button, if any, and puts it, or the first, in the tab order.
export function press(buttons, chosen) {
  const stop = chosen ?? buttons[0];
  for (const button of buttons) {
    button.setAttribute("aria-pressed", button === chosen);
    button.tabIndex = button === stop ? 0 : -1;
  }
}

// target(key, place) returns the place of the button that a key leads to, or undefined for a key that leads nowhere.
export function rove(parent, buttons, target) {
  parent.onkeydown = (event) => {
    const from = buttons.indexOf(event.target.closest("button"));
    const to = from < 0 ? undefined : target(event.key, from);
    if (to === undefined) return;
    event.preventDefault();
    const next = buttons[to] ?? buttons[from];
    buttons.forEach((button) => (button.tabIndex = button === next ? 0 : -1));
    next.focus();
  };
}
