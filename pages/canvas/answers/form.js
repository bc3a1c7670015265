// A question with a way to answer it, on a page of the app or on any other. The page has answers.css among its style
// sheets and gives the custom properties --st-text-color, --st-background-color, --st-secondary-background-color,
// --st-border-color, --st-primary-color and --st-font.
//
// spec: { kind, question, options: [{ name, text }], labels, rows, formula, unit, value, locked, send, name }; fields
// that a kind does not use may be missing. value: an answer that was given before, or null. locked: shows `value` and
// takes no answer. send: the words on the button.
// Each kind is a function (box, spec, changed) -> { show(value), read(), missing }: `show` takes an answer or null,
// `read` returns the answer, or null while it is not complete, and `missing` says then what to do. It calls
// changed(words) when the learner changes the answer; a screen reader says the words.

import { child, make, put } from "../runtime/dom.js";
import { cell } from "./kinds/cell.js";
import { choice } from "./kinds/choice.js";
import { formula } from "./kinds/formula.js";
import { number } from "./kinds/number.js";
import { order } from "./kinds/order.js";
import { row } from "./kinds/row.js";
import { token } from "./kinds/token.js";

const KINDS = { cell, choice, formula, number, order, row, token };
const forms = new WeakMap(); // by the element that each is mounted in

// Draws the question into `element`, and calls onAnswer(answer) when the learner sends one. To draw the same question
// again keeps an answer that is half made.
export function mount(element, spec, onAnswer) {
  const asked = askedBy(spec);
  if (forms.get(element)?.asked !== asked) forms.set(element, new Form(element, spec, asked));
  forms.get(element).update(spec, onAnswer);
}

const askedBy = ({ kind, question, options, labels, rows, formula, unit }) =>
  JSON.stringify([kind, question, options, labels, rows, formula, unit]);

class Form {
  constructor(element, spec, asked) {
    this.asked = asked;
    this.value = null; // the last that was given with a spec
    this.touched = false; // whether the learner has changed the answer since it was shown or sent
    const form = child(element, "form", "answer-form");
    this.box = make("fieldset", spec.kind);
    put(this.box, "legend", "", spec.question);
    this.kind = KINDS[spec.kind](put(this.box, "div", "ways"), full(spec), (words) => this.change(words));
    this.kind.show(null);
    this.button = Object.assign(make("button", "send"), { type: "submit" });
    this.said = make("p", "said");
    this.said.role = "status";
    form.replaceChildren(this.box, this.button, this.said);
    form.noValidate = true;
    form.onsubmit = (event) => (event.preventDefault(), this.send());
    this.form = form;
  }

  update(spec, onAnswer) {
    this.onAnswer = onAnswer;
    const value = spec.value ?? null;
    const isNew = JSON.stringify(value) !== JSON.stringify(this.value);
    if (spec.locked) this.touched = false;
    if (spec.locked || (isNew && !this.touched)) this.kind.show(value);
    this.value = value;
    this.form.ariaLabel = spec.name || "Your answer";
    this.form.classList.toggle("locked", Boolean(spec.locked));
    this.box.disabled = this.button.hidden = Boolean(spec.locked);
    this.button.textContent = spec.send || "Answer";
    if (spec.locked) this.said.textContent = value === null ? "No answer was given." : "";
  }

  change(words = "") {
    this.touched = true;
    this.said.textContent = words;
  }

  send() {
    const answer = this.kind.read();
    this.said.textContent = answer === null ? this.kind.missing : "";
    if (answer === null) return;
    this.touched = false;
    this.onAnswer(answer);
  }
}

const full = (spec) => ({ ...spec, options: spec.options ?? [], labels: spec.labels ?? [], rows: spec.rows ?? [] });
