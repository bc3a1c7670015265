// @ts-check
// The teacher's page: where the class is, what to do next, and what nobody else sees.

import { ask, at, COMPUTING, fill, focusOn, follow, gainParts, link, make, paragraph, put, root, say, showEnd, showGone, spread } from "./common.js";
import { drawingFrame, showChoice } from "./drawing.js";

/** @import { Gain, Group, Lesson } from "./common.js" */
/** @import { Choice } from "../../canvas/runtime/framed.js" */
/** @import { Drawing } from "./drawing.js" */
/** @typedef {{do: string, to?: number | string | boolean}} Action */
/** @typedef {{number: number, question: string, votes: {answered: number, right?: number}[], problem: string, minutes: number, lesson: string}} Row */
/**
 * What the server says the teacher sees; teaching.py makes it.
 * @typedef {{title: string, lesson: Lesson | null, sentence: string, characters: number, rewordable: boolean, pace: string, locked: boolean, clearable: boolean, number: number, edition: number, choice: Choice | null, drawing?: Drawing, count: number, state: string, seconds: number,
 *   minutes: number, answered: number, joined: number, connected: number, stuck: number, advice?: string, text?: string,
 *   question: string, problem?: string, look: {page: string, settings: Record<string, string>} | null, spread?: Group[], gain?: Gain | null,
 *   notes?: string, truth?: string, explanation?: string[], vary?: string, code: string, projector: string, screens: Row[],
 *   actions: (Action & {label: string})[]}} View
 */

const code = location.pathname.split("/").pop();
let view = /** @type {View} */ (/** @type {unknown} */ (null)); // null until the server has said what is seen
let began = 0; // when the present state began, by this device's clock

/** @type {Record<string, string>} */
const STATES = {
  waiting: "The question is not open yet.",
  open: "The vote is open.",
  closed: "The vote is closed.",
  spread: "The spread is shown, without what is right.",
  second: "The second vote is open.",
  "closed again": "The second vote is closed.",
  "spread again": "The spread is shown, without what is right.",
  reveal: "It is shown what is right.",
  explain: "The explanation is shown.",
  over: "The lesson is over.",
};

const NOT_HERE =
  "Go on in the browser that opened it. If that was this one, its cookies were deleted, or this page stands in a frame of another site; then open it in a tab of its own.";

/** @returns {Promise<true | string>} */
async function load() {
  const { status, content } = await ask(`teacher/${code}/state`);
  if (status === 404) return showGone(view ?? {}), "gone";
  if (status === 401) {
    const open = link("Open a class, or go back to yours", new URL("class/teach", root).href);
    return showEnd("This browser does not lead this class", NOT_HERE, open), "gone";
  }
  if (status !== 200) return content.error;
  draw(content);
  return true;
}

/** Do something, and give the focus to what is new; whether it was done. @param {Action} action @param {HTMLElement} clicked */
async function act(action, clicked) {
  const { number, state } = view;
  let isDone = false;
  const buttons = document.querySelectorAll("button");
  buttons.forEach((button) => (button.disabled = true));
  try {
    const body = { ...action, number, state };
    const { status, content } = await ask(`teacher/${code}/act`, action.do === "sentence" ? { body, patience: COMPUTING } : { body });
    isDone = status === 200;
    say("note", status === 200 ? "" : content.error);
    if (content.state === "gone") return showGone(view), true;
    if (status === 200) draw(content);
    else refresh();
  } finally {
    buttons.forEach((button) => (button.disabled = false));
  }
  const same = [...at("tools").querySelectorAll("button")].find((button) => button.dataset.do === action.do);
  if (clicked.isConnected) clicked.focus();
  else if (same) same.focus();
  else if (at("state")) focusOn(at("state"));
  return isDone;
}

/** @param {string} id */
const contentOf = (id) => /** @type {Element} */ (at(id).querySelector(".content"));

/** @param {View} next */
function draw(next) {
  view = next;
  began = Date.now() - 1000 * view.seconds;
  const free = view.pace === "free" && view.state !== "over";
  say("title", view.title);
  say("place", `Question ${view.number} of ${view.count}`);
  say("state", free ? "Everyone works at their own pace." : STATES[view.state]);
  fill(at("counts"), [view.answered, view.joined, view.connected, view.stuck], countParts);
  tick();
  fill(at("actions"), [view.actions, view.number, view.state], actionParts);
  say("advice", view.advice ?? "");
  fill(at("question"), [view.text, view.question, view.problem, view.look, view.sentence], questionParts);
  at("spread").hidden = !view.spread && !view.gain;
  fill(contentOf("spread"), [view.spread, view.gain, view.state, view.number], spreadParts);
  drawDrawing();
  const notes = noteParts();
  at("notes").hidden = notes.length === 0;
  fill(contentOf("notes"), [view.notes, view.truth, view.explanation, view.vary], ...notes);
  fill(at("join"), [view.code, view.projector], joinParts);
  fill(at("screens"), [view.screens, view.number, view.state], screenParts);
  fill(at("tools"), [view.pace, view.locked, view.clearable, view.rewordable, view.number, view.sentence], toolParts);
}

function spreadParts() {
  if (view.gain) return gainParts(view.gain);
  const parts = spread(view.spread ?? []);
  if (!["reveal", "explain"].includes(view.state) || !view.answered) return parts;
  const save = Object.assign(make("button", "", "Save this slide as PNG"), { type: "button" });
  save.onclick = saveSlide;
  return [...parts, save];
}

/** Save the question with its answers as a picture, which the server writes as SVG. */
async function saveSlide() {
  const { status, content } = await ask(`teacher/${code}/slides/${view.number}`, { patience: COMPUTING });
  if (status !== 200) return say("note", content.error);
  const image = Object.assign(make("img"), { src: "data:image/svg+xml," + encodeURIComponent(content.svg) });
  await image.decode();
  const canvas = Object.assign(make("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  Object.assign(make("a"), { href: canvas.toDataURL("image/png"), download: content.name }).click();
}

/** Show the drawing that the projector shows, with what was chosen in it. */
function drawDrawing() {
  const { drawing, choice, projector } = view;
  at("drawing").hidden = !drawing;
  fill(contentOf("drawing"), drawing, () => {
    if (!drawing) return [];
    const address = new URL(`class/projector/${projector}/drawing/${drawing.name}`, root);
    const frame = drawingFrame(address, { told: sendChoice, grows: true });
    showChoice(frame, choice);
    return [frame];
  });
}

/** @type {Choice | null} */
let unsent = null;
let isSending = false;

/** Let the projector's drawing show what was chosen here: the last choice, and one request at a time. @param {Choice} choice */
async function sendChoice(choice) {
  unsent = choice;
  if (isSending) return;
  isSending = true;
  const { number, edition } = view;
  while (unsent) {
    const body = { ...unsent, number, edition };
    unsent = null;
    const { status, content } = await ask(`teacher/${code}/choice`, { body });
    say("note", status === 200 || status === 409 ? "" : content.error);
  }
  isSending = false;
}

function countParts() {
  const { answered, joined, connected, stuck } = view;
  /** @param {string | number} value @param {string} text */
  const number = (value, text) => {
    const box = make("span", "number");
    box.append(make("b", "", value), " " + text);
    return box;
  };
  const away = joined - connected;
  const parts = [number(`${answered} of ${joined}`, "answered"), number(stuck, "stuck")];
  return away > 0 ? [...parts, number(away, "asleep or away")] : parts;
}

function tick() {
  const seconds = Math.max(0, Math.round((Date.now() - began) / 1000));
  const passed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const planned = `Planned for this question: ${view.minutes} ${view.minutes === 1 ? "minute" : "minutes"}`;
  at("time").textContent = `${passed} since the last step. ${planned}.`;
}

setInterval(() => view && at("time") && tick(), 1000);

/** @param {string} text @param {string} className @param {Action} action */
function button(text, className, action) {
  const made = Object.assign(make("button", className, text), { type: "button" });
  made.dataset.do = action.do;
  made.onclick = () => act(action, made);
  return made;
}

const actionParts = () => view.actions.map(({ label, ...action }, i) => button(label, i ? "" : "main", action));

function questionParts() {
  const parts = view.sentence ? [make("p", "sentence", view.sentence)] : [];
  if (view.text) parts.push(paragraph(view.text));
  parts.push(make("p", "asked", view.question));
  if (view.problem) parts.push(make("p", "problem", view.problem));
  if (!view.look) return parts;
  const { page, settings } = view.look;
  const open = link("Open the page that this is about", new URL(`${page}?${new URLSearchParams(settings)}`, root).href);
  Object.assign(open, { target: "_blank", rel: "noopener" });
  const line = make("p", "quiet");
  put(line, "span").append(open);
  return [...parts, line];
}

function noteParts() {
  /** @type {HTMLElement[]} */
  const parts = view.notes ? [paragraph(view.notes)] : [];
  if (!view.truth) return parts;
  const details = make("details");
  put(details, "summary", "", "What is right");
  details.append(paragraph(view.truth, "verdict"), ...(view.explanation ?? []).map((text) => paragraph(text)));
  if (view.vary) details.append(paragraph("**Try it.** " + view.vary));
  return [...parts, details];
}

const ONLY_HERE = "Only this browser leads the class. On a computer that others use, close the class before you leave.";

function joinParts() {
  const address = new URL("class/" + view.code, root).href;
  const image = Object.assign(make("img"), { alt: "QR code of " + address, width: 160, height: 160, hidden: true });
  const where = make("p", "quiet", address);
  ask(`projector/${view.projector}/qr?at=${encodeURIComponent(address)}`).then(({ status, content }) => {
    if (status !== 200) return; // the address stands there anyway
    Object.assign(image, { src: content.svg, hidden: !content.svg, alt: "QR code of " + content.address });
    where.textContent = content.why || content.address;
  });
  const letters = make("p", "letters", view.code);
  const open = link("Open the projector", new URL("class/projector/" + view.projector, root).href, "main");
  Object.assign(open, { target: "_blank", rel: "noopener" });
  const opens = make("p");
  opens.append(open);
  return [letters, image, where, opens, make("p", "quiet", ONLY_HERE)];
}

function screenParts() {
  const isMixed = view.screens.some(({ lesson }) => lesson !== view.screens[0].lesson);
  return view.screens.map(({ number, question, votes, problem, minutes, lesson }, i) => {
    const item = make("li", number === view.number ? "here" : "");
    if (isMixed && lesson !== view.screens[i - 1]?.lesson) put(item, "span", "part", lesson);
    const go = button(question, "link", { do: "screen", to: number });
    if (number === view.number) go.setAttribute("aria-current", "step");
    item.append(go);
    const told = votes.map(({ answered, right }) => (right === undefined ? `${answered} answered` : `${right} of ${answered} right`));
    put(item, "span", problem ? "problem" : "quiet", problem || told.join(", then ") || `${minutes} min`);
    return item;
  });
}

function toolParts() {
  const together = view.pace === "together";
  const pace = button("Let everyone go at their own pace", "", { do: "pace", to: "free" });
  const hold = button("Bring everyone together again", "", { do: "pace", to: "together" });
  const lock = button("Nobody else may join", "", { do: "lock", to: !view.locked });
  lock.ariaPressed = String(view.locked);
  const clear = button("Clear this vote", "", { do: "clear" });
  clear.onclick = () => asked(clear, "Its answers are gone then, and everybody votes again.", [
    button("Clear all answers to this question", "main", { do: "clear" }),
  ]);
  const saved = make("p");
  const slides = link("Slides to print", new URL(`class/teacher/${code}/slides`, root).href);
  Object.assign(slides, { target: "_blank", rel: "noopener" });
  saved.append(counts(), " · ", slides);
  const close = Object.assign(make("button", "", "Close the class"), { type: "button" });
  close.onclick = () => asked(close, "The answers are gone then. Save their counts first:", [
    counts("main"),
    button("Close it for everyone", "", { do: "close" }),
  ]);
  const change = Object.assign(make("button", "", "Change the sentence"), { type: "button" });
  change.onclick = () => reword(change);
  return [together ? pace : hold, lock, ...(view.rewordable ? [change] : []), ...(view.clearable ? [clear] : []), saved, close];
}

const ANEW = "This question then begins anew: its answers are gone. Later questions about this sentence change, too.";

/** Ask for another sentence in the place of a button. @param {HTMLButtonElement} clicked */
function reword(clicked) {
  const form = make("form", "asked-first");
  const label = put(form, "label", "", "The sentence of this question");
  const sentence = Object.assign(put(label, "textarea"), { rows: 2, maxLength: view.characters, value: view.sentence });
  put(form, "p", "quiet", ANEW);
  const change = put(form, "button", "main", "Change it for everyone");
  const keep = Object.assign(put(form, "button", "", "Leave it as it is"), { type: "button" });
  keep.onclick = () => (form.replaceWith(clicked), clicked.focus());
  form.onsubmit = async (event) => {
    event.preventDefault();
    say("note", "One moment…");
    if ((await act({ do: "sentence", to: sentence.value }, change)) && form.isConnected) form.replaceWith(clicked);
  };
  clicked.replaceWith(form);
  sentence.focus();
}

function counts(className = "") {
  const made = link("Counts as CSV", new URL(`class/teacher/${code}/counts.csv`, root).href, className);
  made.download = "";
  return made;
}

/**
 * Ask in the place of a button before what cannot be taken back.
 * @param {HTMLButtonElement} clicked
 * @param {string} why
 * @param {HTMLElement[]} ways
 */
function asked(clicked, why, ways) {
  const box = make("div", "asked-first");
  const said = put(box, "p", "", why);
  const keep = Object.assign(make("button", "", "Leave it as it is"), { type: "button" });
  keep.onclick = () => (box.replaceWith(clicked), clicked.focus());
  box.append(...ways, keep);
  for (const way of ways) if (way instanceof HTMLButtonElement) way.addEventListener("click", () => box.replaceWith(clicked));
  clicked.replaceWith(box);
  focusOn(said);
}

const refresh = follow({
  load,
  address: () => new URL(`class/teacher/${code}/events`, root),
  take: draw,
});
