// @ts-check
// A plan that a teacher puts together: questions of lessons, ticked in their order, and questions of their own; saved to
// a file and opened from one. The server checks every plan and says what is wrong with it.

import { ask, make, put } from "./common.js";

/** @typedef {{lesson: string, question: number} | {own: string, options: string[], right: number, explanation: string}} Content */
/** @typedef {{title: string, question: string, minutes: number, content: Content}} Row  A question; title: of its lesson. */
/** @typedef {{title: string, rows: Row[]}} Part  A lesson with its questions. */
/** @typedef {Record<"title" | "sentence" | "question" | "option" | "explanation" | "options" | "questions" | "bytes", number>} Limits */
/** @typedef {{format: string, version: number, title: string, sentence: string, questions: Content[], inventory?: true}} Plan */

const FORMAT = "attention-explorer-plan";
const VERSION = 1;

/** @param {Content} content */
const nameOf = (content) => JSON.stringify(content);

/** @param {string} text @param {string} className @param {() => unknown} onclick */
function button(text, className, onclick) {
  return Object.assign(make("button", className, text), { type: "button", onclick });
}

/**
 * Put an input with its label into a parent.
 * @template {"input" | "textarea"} K
 * @param {Node} parent
 * @param {string} name
 * @param {K} tag
 * @param {number} maxLength
 */
function field(parent, name, tag, maxLength) {
  const label = put(parent, "label", "field");
  put(label, "span", "", name);
  return Object.assign(put(label, tag), { maxLength });
}

/**
 * Make the box in which a plan is put together.
 * @param {{lessons: Part[], limits: Limits, sentence: () => string, inventory: () => boolean, onOpen: (sentence: string, inventory: boolean) => void, onChange: () => void}} page
 *   sentence, inventory: return the sentence that the teacher has typed, and whether the inventory is asked; onOpen is
 *   given those of a file.
 */
export function planBuilder({ lessons, limits, sentence, inventory, onOpen, onChange }) {
  /** @type {Row[]} */
  let rows = [];
  const box = make("div", "builder");
  const title = field(box, "The title of the plan", "input", limits.title);
  title.oninput = onChange;
  const tools = put(box, "p", "files");
  const said = Object.assign(put(box, "p", "problem"), { role: "status" });
  put(box, "h2", "", "Its questions");
  const list = put(box, "ol", "chosen");
  const sum = put(box, "p", "quiet");
  const ticks = put(box, "div", "ticks");

  /** @returns {Plan} */
  const plan = () => {
    const questions = rows.map(({ content }) => content);
    const made = { format: FORMAT, version: VERSION, title: title.value, sentence: sentence(), questions };
    return inventory() ? { ...made, inventory: true } : made;
  };

  /** @param {Plan} asked @returns {Promise<any>} What the server says of a plan; null if it cannot be used. */
  async function checked(asked) {
    const { status, content } = await ask("plans", { body: { plan: asked } });
    said.textContent = status === 200 ? "" : content.error;
    return status === 200 ? content : null;
  }

  /** @param {Row[]} next */
  function set(next) {
    if (next.length > limits.questions) return (said.textContent = `A plan has at most ${limits.questions} questions.`);
    rows = next;
    draw();
    onChange();
  }

  /** @param {number} from @param {number} by */
  function move(from, by) {
    const next = [...rows];
    next.splice(from + by, 0, ...next.splice(from, 1));
    set(next);
    const moved = list.children[from + by];
    const same = moved.querySelector(by < 0 ? ".up:enabled" : ".down:enabled") ?? moved.querySelector("button:enabled");
    /** @type {HTMLButtonElement} */ (same).focus();
  }

  function draw() {
    list.replaceChildren(...rows.map(item));
    const minutes = Math.round(rows.reduce((total, row) => total + row.minutes, 0));
    const count = rows.length === 1 ? "1 question" : `${rows.length} questions`;
    sum.textContent = rows.length ? `${count}, about ${minutes} minutes.` : "None yet. Tick questions below.";
    const held = new Set(rows.map(({ content }) => nameOf(content)));
    for (const tick of ticks.querySelectorAll("input")) tick.checked = held.has(tick.value);
  }

  /** @param {Row} row @param {number} i */
  function item({ question, title: lesson }, i) {
    const line = make("li");
    const text = put(line, "span");
    put(text, "span", "", question);
    put(text, "span", "quiet", lesson);
    const up = button("↑", "up", () => move(i, -1));
    const down = button("↓", "down", () => move(i, 1));
    const out = button("✕", "out", () => (set(rows.filter((_, other) => other !== i)), title.focus()));
    up.disabled = i === 0;
    down.disabled = i === rows.length - 1;
    up.ariaLabel = `Move question ${i + 1} up`;
    down.ariaLabel = `Move question ${i + 1} down`;
    out.ariaLabel = `Leave out question ${i + 1}`;
    line.append(up, down, out);
    return line;
  }

  /** @param {Part} lesson @param {number} i */
  function tickable({ title: name, rows: offered }, i) {
    const part = make("details");
    put(part, "summary", "", `${i + 1} · ${name}`);
    const all = button("All of this lesson", "", () => {
      const held = new Set(rows.map(({ content }) => nameOf(content)));
      set([...rows, ...offered.filter(({ content }) => !held.has(nameOf(content)))]);
    });
    for (const row of offered) {
      const label = put(part, "label", "tick");
      const tick = Object.assign(put(label, "input"), { type: "checkbox", value: nameOf(row.content) });
      tick.onchange = () => {
        set(tick.checked ? [...rows, row] : rows.filter(({ content }) => nameOf(content) !== tick.value));
        tick.checked = rows.some(({ content }) => nameOf(content) === tick.value);
      };
      put(label, "span", "", row.question);
    }
    part.append(all);
    return part;
  }

  function ownQuestion() {
    const part = make("details", "own");
    put(part, "summary", "", "A question of your own");
    const question = field(part, "The question", "textarea", limits.question);
    const options = Array.from({ length: limits.options }, (_, i) => {
      const line = put(part, "div", "own-option");
      const text = field(line, `Option ${i + 1}`, "input", limits.option);
      const label = put(line, "label", "is-right");
      const right = Object.assign(put(label, "input"), { type: "radio", name: "own-right", value: String(i + 1) });
      label.append(" is right");
      return { text, right };
    });
    const explanation = field(part, "Why it is right, shown after the answer (may stay empty)", "textarea", limits.explanation);
    const problem = Object.assign(make("p", "problem"), { role: "status" });
    part.append(button("Add this question", "", add), problem);

    async function add() {
      const right = options.findIndex((option) => option.right.checked) + 1;
      const texts = options.map(({ text }) => text.value);
      const own = { own: question.value, options: texts, right, explanation: explanation.value };
      const { status, content } = await ask("plans", { body: { plan: { ...plan(), title: "", questions: [own] } } });
      problem.textContent = status === 200 ? "" : content.error.replace("Question 1", "Your question");
      if (status !== 200) return;
      set([...rows, content.rows[0]]);
      for (const box of [question, explanation, ...options.map(({ text }) => text)]) box.value = "";
      for (const option of options) option.right.checked = false;
      question.focus();
    }
    return part;
  }

  async function save() {
    const found = await checked(plan());
    if (!found) return;
    const file = new Blob([JSON.stringify(found.file, null, 1) + "\n"], { type: "application/json" });
    const stem = found.title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "") || "plan";
    const link = Object.assign(make("a"), { href: URL.createObjectURL(file), download: stem + ".json" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  /** @param {File} file */
  async function open(file) {
    if (file.size > limits.bytes) return (said.textContent = "This file is too large for a plan.");
    let held;
    try {
      held = JSON.parse(await file.text());
    } catch {
      return (said.textContent = "This file is no plan of Attention Explorer.");
    }
    const found = await checked(held ?? {});
    if (!found) return;
    title.value = found.title;
    onOpen(found.text, found.inventory);
    set(found.rows);
  }

  const opener = put(tools, "label", "opener");
  opener.append("Open a saved plan ");
  const chooser = Object.assign(put(opener, "input"), { type: "file", accept: ".json,application/json" });
  chooser.onchange = async () => {
    if (chooser.files?.[0]) await open(chooser.files[0]);
    chooser.value = "";
  };
  tools.append(button("Save this plan", "", save));
  ticks.append(...lessons.map(tickable), ownQuestion());
  draw();
  return { box, plan };
}
