// @ts-check
// The phone of a learner: one question at a time. The phone keeps its answer until the server has it.

import { ask, at, fill, focusOn, follow, joining, lessonAddress, link, make, memory, paragraph, put, RETRY, root, say } from "./common.js";
import { showEnd, showGone, spread } from "./common.js";
import { drawingFrame } from "./drawing.js";

/** @import { Spec } from "../../canvas/answers/form.js" */
/** @import { Group, Lesson } from "./common.js" */
/** @import { Drawing } from "./drawing.js" */
/** @typedef {{right?: boolean, sentence?: string, answer?: string, truth: string, rows?: Group[]}} Outcome */
/** @typedef {{question: string, right: boolean, truth: string, because: string, answer?: string, instead?: string}} Checked */
/** @typedef {{sentence: string, sheets: {title: string, items: Checked[]}[]}} Sheets  What was right of one's answers to the inventory. */
/** @typedef {{number: number, vote: number, edition: number, answer: unknown}} Pending  An answer to a vote on a question. */
/**
 * What the server says a phone shows; messages.py makes it.
 * @typedef {{version: number, ticket: string, title: string, lesson: Lesson | null, sentence: string, edition: number, changed: boolean, pace: string, number: number, count: number,
 *   state: string, stuck: boolean, text?: string, problem?: string, form?: Spec, vote: number, voted?: boolean,
 *   spread?: Group[], outcome?: Outcome, explanation?: string[], vary?: string, drawing?: Drawing,
 *   sheets?: Sheets | null, summary?: {question: string, right: boolean | null}[],
 *   lessons?: (Lesson & {sentence: string})[]}} View
 */
/** @typedef {{id: string, lesson?: Lesson | null, sentence?: string, pending?: Pending | null}} Held */

/** @type {typeof import("../../canvas/answers/form.js")} */
const { mount } = await import(new URL(document.documentElement.dataset.form ?? "", document.baseURI).href);
const code = (location.pathname.split("/").pop() ?? "").toUpperCase();
const key = "class:" + code;
/** @type {Held} */
const held = { id: "", ...memory.read(key) }; // pending: an answer that is not sent yet
let view = /** @type {View} */ (/** @type {unknown} */ (null)); // null until the server has said what is shown
let notice = ""; // about the answer that was sent last
let unsent = ""; // why the answer that is kept is not sent
let isCleared = false; // whether the teacher has cleared the vote since this phone answered

/** @param {Partial<Held>} changes */
function keep(changes) {
  memory.write(key, Object.assign(held, changes));
}

async function join() {
  const answer = await ask("join", { body: { code, id: held.id } });
  if (answer.status === 200) keep({ id: answer.content.id });
  return answer;
}

/** @returns {Promise<true | string>} */
async function load() {
  if (!held.id || view === null) {
    const { status, content } = await join();
    if (status === 400 || (status === 404 && !held.id)) {
      return showEnd("There is no such class", content.error, joining("Type the five letters")), "gone";
    }
    if (status === 404) return gone();
    if (status !== 200) return content.error;
  }
  if (held.pending && !(await sendPending())) return unsent;
  const { status, content } = await ask(code + "/state", { id: held.id });
  if (status === 404) return gone();
  if (status === 403) held.id = "";
  if (status !== 200) return content.error;
  draw(content);
  return true;
}

function gone() {
  showGone(held);
  memory.write(key, {});
  return "gone";
}

/** @type {Record<string, string>} */
const LINES = {
  waiting: "Wait until your teacher opens the question.",
  closed: "The vote is closed.",
  spread: "Talk about it with your neighbour.",
  "closed again": "The vote is closed.",
  "spread again": "The vote is closed.",
};
const CHANGED = "Your teacher has changed the sentence.";
const ANSWERED = "Your answer is in. You can change it until the vote closes.";

/** @param {View} next */
function draw(next) {
  const focused = document.activeElement;
  const isSameQuestion = view && view.number === next.number && view.edition === next.edition;
  if (view && !isSameQuestion) notice = "";
  const isSameVote = isSameQuestion && view.vote === next.vote;
  isCleared = Boolean(isSameVote && !next.voted && (view.voted || isCleared));
  view = next;
  keep({ lesson: view.lesson, sentence: view.sentence });
  const { state, form, outcome } = view;
  say("title", view.title);
  say("place", state === "over" ? "" : `Question ${view.number} of ${view.count}`);
  at("sentence").hidden = state === "over" || !view.sentence;
  say("sentence", view.sentence);
  fill(at("text"), view.text, () => (view.text ? [paragraph(view.text)] : []));
  const isAsked = Boolean(form) && !outcome && !view.sheets;
  at("question").hidden = !isAsked;
  if (form && isAsked) mount(at("question"), { ...form, value: pendingValue() ?? form.value }, send);
  say("note", line());
  section("outcome", view.sheets || (view.outcome && [outcome, view.explanation]), view.sheets ? sheetParts : outcomeParts);
  section("picture", view.drawing, pictureParts);
  section("spread", view.spread, () => spread(view.spread ?? []));
  section("summary", view.summary, summaryParts);
  at("next").hidden = !(view.pace === "free" && state === "explain");
  at("stuck").hidden = state === "over";
  at("stuck").ariaPressed = String(view.stuck);
  /** @type {HTMLElement} */ (at("stuck").nextElementSibling).hidden = !view.stuck;
  say("news", news());
  if (focused && at("main").contains(focused) && isLost(focused)) focusOn(newest());
}

/** Whether something cannot have the focus any more. @param {Element} element */
const isLost = (element) => element.getClientRects().length === 0 || element.matches(":disabled");

/** What is new on the screen. */
function newest() {
  const id = view.outcome || (view.sheets && !view.summary) ? "outcome-title" : view.summary ? "summary-title" : view.spread ? "spread-title" : "";
  if (id) return at(id);
  return (view.form && at("question").querySelector("legend")) || (line() ? at("note") : at("sentence"));
}

/** What a screen reader says when the screen changes; the line below the question speaks for itself. */
function news() {
  const { state, form, outcome, number, count, text = "", changed, sentence } = view;
  if (outcome) return outcome.sentence ?? `The model: ${outcome.truth}`;
  if (view.sheets && state !== "over") return view.sheets.sentence;
  if (view.spread) return "What the class says is shown.";
  if (state === "over") return "The end of the lesson.";
  const asked = form && !form.locked ? ` ${text.replaceAll(/\*\*|`/g, "")} ${form.question}` : "";
  return `Question ${number} of ${count}.${changed ? ` ${CHANGED} “${sentence}”` : ""}${asked}`;
}

function line() {
  const { state, form, problem } = view;
  if (problem) return problem;
  if (held.pending) return `${unsent} Your answer is kept, and is sent as soon as it can be.`.trim();
  if (notice) return notice;
  if (isCleared && form && !form.locked) return "Your teacher has cleared this vote. Answer again.";
  if (view.changed && state === "waiting") return `${CHANGED} ${LINES.waiting}`;
  if (view.changed && state === "open" && !view.voted) return CHANGED;
  if (state === "second" && !view.voted) return "Vote again: the same answer, or another.";
  if (state === "open" || state === "second") return view.voted && !form?.locked ? ANSWERED : "";
  return view.outcome || view.sheets ? "" : (LINES[state] ?? "");
}

/** @param {string} id @param {unknown} content @param {() => Node[]} parts */
function section(id, content, parts) {
  at(id).hidden = !content;
  fill(/** @type {Element} */ (at(id).querySelector(".content")), content, () => (content ? parts() : []));
}

function outcomeParts() {
  if (!view.outcome) return [];
  const { right, sentence, answer, truth } = view.outcome;
  /** @type {HTMLElement[]} */
  const parts = [];
  if (sentence) parts.push(make("p", right ? "verdict right" : "verdict", (right ? "✓ " : "") + sentence));
  const list = make("dl");
  if (answer) pair(list, "You", answer);
  pair(list, "The model", truth);
  parts.push(list);
  if (view.outcome.rows) parts.push(...spread(view.outcome.rows, ["you", "the model"]));
  parts.push(...(view.explanation ?? []).map((text) => paragraph(text)));
  if (view.vary) parts.push(paragraph("**Try it.** " + view.vary));
  return parts;
}

/** What was right of one's answers to the inventory, and for the others what is. */
function sheetParts() {
  if (!view.sheets) return [];
  /** @type {HTMLElement[]} */
  const parts = [make("p", "verdict", view.sheets.sentence)];
  for (const { title, items } of view.sheets.sheets) {
    parts.push(make("h3", "", title));
    const list = make("ol", "results");
    for (const { question, right, truth, because, answer, instead } of items) {
      const item = put(list, "li", right ? "right" : "");
      put(item, "span", "", question);
      if (answer) put(item, "b", "", `You: ${answer} ${instead}`.trim());
      put(item, "b", "", `${right ? "✓ right" : "Right"}: ${truth}`);
      put(item, "p", "quiet", because);
    }
    parts.push(list);
  }
  return parts;
}

/** Offer the picture that the projector shows; it is loaded only by those who want it. */
function pictureParts() {
  if (!view.drawing) return [];
  const { name, kilobytes } = view.drawing;
  const address = new URL(`class/${code}/drawing/${name}?ticket=${encodeURIComponent(view.ticket)}`, root);
  const see = Object.assign(make("button", "", "See the picture"), { type: "button" });
  const size = make("p", "quiet", `It loads ${kilobytes} kB.`);
  see.onclick = () => {
    size.remove();
    see.replaceWith(drawingFrame(address, { grows: true }));
    focusOn(at("picture-title"));
  };
  return [see, size];
}

/** @param {HTMLElement} list @param {string} name @param {string} text */
function pair(list, name, text) {
  list.append(make("dt", "", name), make("dd", "", text));
}

function summaryParts() {
  const rows = view.summary ?? [];
  const right = rows.filter((row) => row.right).length;
  const list = make("ol", "results");
  for (const row of rows) {
    const item = make("li", row.right ? "right" : "");
    const verdict = row.right === null ? "no answer" : row.right ? "✓ right" : "look at this again";
    item.append(make("span", "", row.question), make("b", "", verdict));
    list.append(item);
  }
  const lessons = view.lessons ?? [];
  const alone = lessons.map((lesson) => {
    const name = lessons.length > 1 ? `Take “${lesson.title}” on your own` : "Take the lesson on your own";
    const line = make("p");
    line.append(link(name, lessonAddress(lesson, lesson.sentence), lessons.length > 1 ? "" : "main"));
    return line;
  });
  return [make("p", "verdict", `${right} of ${rows.length} right.`), list, ...alone];
}

// Answers.

function pendingValue() {
  const { number, vote, edition, answer } = held.pending ?? {};
  return number === view.number && vote === view.vote && edition === view.edition ? answer : undefined;
}

/** @param {unknown} answer */
function send(answer) {
  notice = "";
  keep({ pending: { number: view.number, vote: view.vote, edition: view.edition, answer } });
  say("note", "Sending…");
  trySending();
}

async function trySending() {
  if (await sendPending()) return refresh(); // what is shown after an answer
  say("note", line());
  setTimeout(trySending, RETRY);
}

/** @type {Promise<boolean> | null} */
let sending = null;
const sendPending = () => (sending ??= sendNow().finally(() => (sending = null)));

/** Send the answer that is kept; whether the server has taken or refused it. */
async function sendNow() {
  while (held.pending) {
    const pending = held.pending;
    const { status, content } = await ask(code + "/answer", { id: held.id, body: pending });
    unsent = content.error ?? "";
    if (status === 403) held.id = ""; // the next load joins again
    if ([0, 403, 408, 429].includes(status) || status >= 500) return false;
    if (status === 400 || status === 409) notice = content.error + " Your answer was not counted.";
    if (held.pending === pending) keep({ pending: null });
  }
  return true;
}

at("stuck").onclick = async () => {
  const { content } = await ask(code + "/stuck", { id: held.id, body: { stuck: !view.stuck } });
  if ("stuck" in content) draw({ ...view, stuck: content.stuck });
};

at("next").onclick = async () => {
  const { status, content } = await ask(code + "/next", { id: held.id, body: { number: view.number } });
  if (status !== 200) return refresh();
  draw(content);
  scrollTo(0, 0);
  focusOn(newest());
};

const refresh = follow({
  load,
  address: () => new URL(`class/${code}/events?ticket=${encodeURIComponent(view.ticket)}`, root),
  shared: () => key + " " + view.ticket,
  take({ version, drawing }) {
    if (version !== view.version) setTimeout(refresh, 300 * Math.random());
    else if (drawing?.name !== view.drawing?.name) draw({ ...view, drawing });
  },
});
