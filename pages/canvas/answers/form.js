// @ts-check
// A question with a way to answer it, on a page of the app or on any other. The page has answers.css among its style
// sheets and gives the custom properties --st-text-color, --st-background-color, --st-secondary-background-color,
// --st-border-color, --st-primary-color and --st-font.

import { child, make, put } from "../runtime/dom.js";
import { cell } from "./kinds/cell.js";
import { choice } from "./kinds/choice.js";
import { formula } from "./kinds/formula.js";
import { inventory } from "./kinds/inventory.js";
import { number } from "./kinds/number.js";
import { order } from "./kinds/order.js";
import { row } from "./kinds/row.js";
import { token } from "./kinds/token.js";

/** @typedef {{name: string, text: string}} Option */
/** @typedef {{question: string, options: string[]}} Item  One of several questions; see kinds/inventory.js. */
/** @typedef {{options: Option[], labels: string[], rows: string[], formula: string, unit: string, items: Item[], most: number}} Filled */
/**
 * A question; fields that its kind does not use may be missing. value: an answer that was given before, or null. locked:
 * it shows `value` and takes no answer. send: the words on the button. name: of the form, for screen readers.
 * @typedef {Partial<Filled> & {kind: keyof typeof KINDS, question: string, value?: any, locked?: boolean, send?: string,
 *   name?: string}} Spec
 */
/**
 * A way to answer. show: takes an answer or null; read: returns the answer, or null while it is not complete; missing:
 * says then what to do.
 * @typedef {{show: (value: any) => void, read: () => any, missing: string}} Way
 */
/**
 * Makes a way to answer in a box. It calls changed(words) when the learner changes the answer; the words, if any, are said
 * to those who do not see the change.
 * @typedef {(box: HTMLElement, spec: Filled, changed: (words?: string) => void) => Way} Kind
 */

const KINDS = { cell, choice, formula, inventory, number, order, row, token };
/** @type {WeakMap<HTMLElement, Form>} */
const forms = new WeakMap(); // the forms, by the element that each is mounted in

/**
 * Draw a question into an element, and call onAnswer(answer) when the learner sends one. To draw the same question again
 * keeps an answer that is half made.
 * @param {HTMLElement} element
 * @param {Spec} spec
 * @param {(answer: any) => void} onAnswer
 */
export function mount(element, spec, onAnswer) {
  const asked = askedBy(spec);
  const known = forms.get(element);
  const form = known?.asked === asked ? known : new Form(element, spec, asked);
  forms.set(element, form);
  form.update(spec, onAnswer);
}

/** @param {Spec} spec */
const askedBy = ({ kind, question, options, labels, rows, formula, unit, items }) =>
  JSON.stringify([kind, question, options, labels, rows, formula, unit, items]);

/** @param {Spec} spec @returns {Filled} */
const full = ({ options, labels, rows, formula, unit, items, most }) => ({
  options: options ?? [],
  labels: labels ?? [],
  rows: rows ?? [],
  formula: formula ?? "",
  unit: unit ?? "",
  items: items ?? [],
  most: most ?? 0,
});

class Form {
  /** @type {any} */
  value = null; // the last answer that came with a spec
  touched = false; // whether the learner has changed the answer since it was shown or sent
  wasLocked = false;

  /** @param {HTMLElement} element @param {Spec} spec @param {string} asked */
  constructor(element, spec, asked) {
    this.asked = asked;
    this.form = child(element, "form", "answer-form");
    this.box = make("fieldset", spec.kind);
    this.box.role = "group"; // the listener for a presenter's clicker knows the form by it
    put(this.box, "legend", "", spec.question);
    /** @type {Kind} */
    const kind = KINDS[spec.kind];
    this.way = kind(put(this.box, "div", "way"), full(spec), (words) => this.change(words));
    this.way.show(null);
    const foot = make("div", "foot");
    this.button = Object.assign(put(foot, "button", "send"), { type: "submit" });
    this.said = Object.assign(put(foot, "p", "said"), { role: "status" });
    this.spoken = Object.assign(make("p", "spoken"), { ariaLive: "polite" });
    this.form.replaceChildren(this.box, foot, this.spoken);
    this.form.noValidate = true;
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.send();
    };
  }

  /** @param {Spec} spec @param {(answer: any) => void} onAnswer */
  update(spec, onAnswer) {
    this.onAnswer = onAnswer;
    const [value, locked] = [spec.value ?? null, Boolean(spec.locked)];
    const isNew = JSON.stringify(value) !== JSON.stringify(this.value);
    if (locked) this.touched = false;
    if (locked || (isNew && !this.touched)) this.way.show(value);
    this.value = value;
    this.form.ariaLabel = spec.name || "Your answer";
    this.form.classList.toggle("locked", locked);
    this.box.disabled = this.button.hidden = locked;
    this.button.textContent = spec.send || "Answer";
    if (locked || this.wasLocked) this.said.textContent = locked && value === null ? "No answer was given." : "";
    this.wasLocked = locked;
  }

  change(words = "") {
    this.touched = true;
    this.said.textContent = "";
    this.spoken.textContent = words;
  }

  send() {
    if (this.box.disabled) return;
    const answer = this.way.read();
    this.said.textContent = answer === null ? this.way.missing : "";
    if (answer === null) return;
    this.touched = false;
    this.onAnswer?.(answer);
  }
}
