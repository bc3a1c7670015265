// A question with a way to answer it, on a page of the app or on any other. The page has answers.css among its style
// sheets and gives the custom properties --st-text-color, --st-background-color, --st-secondary-background-color,
// --st-border-color, --st-primary-color and --st-font.
//
// spec: { kind, question, options: [{ name, text }], labels, rows, formula, unit, value, locked, send, name }; fields
// that a kind does not use may be missing. value: an answer that was given before, or null. locked: shows `value` and
// takes no answer. send: the words on the button. name: of the form, for screen readers.
//
// Each kind is a function (box, spec, changed) -> { show(value), read(), missing }: `show` takes an answer or null,
// `read` returns the answer, or null while it is not complete, and `missing` then says what to do. A kind calls
// changed(words) when the learner changes the answer; the words, if any, are said to those who do not see the change.

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

const full = (spec) => ({ ...spec, options: spec.options ?? [], labels: spec.labels ?? [], rows: spec.rows ?? [] });

class Form {
  constructor(element, spec, asked) {
    this.asked = asked;
    this.value = null; // the last that was given with a spec
    this.touched = false; // whether the learner has changed the answer since it was shown or sent
    this.form = child(element, "form", "answer-form");
    this.box = make("fieldset", spec.kind);
    this.box.role = "group"; // what takes arrow keys from a clicker goes by it
    put(this.box, "legend", "", spec.question);
    this.kind = KINDS[spec.kind](put(this.box, "div", "way"), full(spec), (words) => this.change(words));
    this.kind.show(null);
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

  update(spec, onAnswer) {
    this.onAnswer = onAnswer;
    const [value, locked] = [spec.value ?? null, Boolean(spec.locked)];
    const isNew = JSON.stringify(value) !== JSON.stringify(this.value);
    if (locked) this.touched = false;
    if (locked || (isNew && !this.touched)) this.kind.show(value);
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
    const answer = this.kind.read();
    this.said.textContent = answer === null ? this.kind.missing : "";
    if (answer === null) return;
    this.touched = false;
    this.onAnswer(answer);
  }
}
