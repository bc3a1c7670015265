// @ts-check
// The page's own controls, such as pills and sliders: what is chosen with them is told to the drawings at once.

import { choose } from "./choices.js";
import { byKey, numberStep } from "./streamlit_page.js";

/** @typedef {unknown[] | null} Options  What a control offers, in its order; null for a slider or a box of numbers. */

const STEPS = [numberStep(1), numberStep(-1)].join();
const STEP_KEYS = ["ArrowUp", "ArrowDown"];
const CHANGES = { subtree: true, attributeFilter: ["aria-checked", "aria-valuetext", "value"] };
/** @type {WeakMap<Element, {options: Options, value: unknown}>} */
const watched = new WeakMap(); // the controls, each with its options and the value that was read last

/**
 * Tell the drawings from now on what is chosen with these controls.
 * @param {Record<string, Options>} controls  By the keys of their settings.
 */
export function watchControls(controls) {
  for (const [key, options] of Object.entries(controls)) {
    const control = document.querySelector(byKey(key));
    if (!control) continue;
    const isNew = !watched.has(control);
    watched.set(control, { options, value: valueOf(control, options) });
    if (!isNew) continue;
    if (numberBox(control)) {
      onSteps(control, key);
      continue;
    }
    const read = () => tell(control, key);
    new MutationObserver(read).observe(control, CHANGES);
    control.addEventListener("change", read);
  }
}

/** @param {Element} control @returns {HTMLInputElement | null} */
const numberBox = (control) => control.querySelector('input[type="number"]');

/**
 * Tell the drawings the number after each step of a number box. What is typed into it is left to the server: the box may
 * refuse it, and may write fewer digits than it sends.
 * @param {Element} control
 * @param {string} key
 */
function onSteps(control, key) {
  const afterwards = () => {
    watched.set(control, { options: null, value: valueOf(control, null) }); // the server may have set another number
    requestAnimationFrame(() => tell(control, key));
  };
  control.addEventListener("keydown", (event) => {
    if (STEP_KEYS.includes(/** @type {KeyboardEvent} */ (event).key)) afterwards();
  });
  control.addEventListener("click", ({ target }) => {
    if (/** @type {Element} */ (target).closest(STEPS)) afterwards();
  });
}

/**
 * @param {Element} control
 * @param {string} key
 */
function tell(control, key) {
  const last = watched.get(control);
  const value = last && valueOf(control, last.options);
  if (!last || value === undefined || value === last.value) return;
  last.value = value;
  choose({ [key]: value });
}

/**
 * Return what is chosen with a box of numbers, a slider, a switch or a row of buttons; undefined if nothing is.
 * @param {Element} control
 * @param {Options} options
 */
function valueOf(control, options) {
  const number = numberBox(control);
  if (number) {
    const { rangeOverflow, rangeUnderflow } = number.validity;
    return number.value === "" || rangeOverflow || rangeUnderflow ? undefined : Number(number.value);
  }
  /** @type {HTMLInputElement | null} */
  const slider = control.querySelector('input[type="range"]');
  if (slider) return options ? options[Number(slider.value)] : Number(slider.value);
  /** @type {HTMLInputElement | null} */
  const box = control.querySelector('input[type="checkbox"]');
  if (box) return box.checked;
  const buttons = [...control.querySelectorAll('[role="radio"]')];
  return options?.[buttons.findIndex((button) => button.getAttribute("aria-checked") === "true")];
}
