// What the class sees on the projector.

import { ask, at, fill, follow, make, paragraph, put, root, say, showGone, spread } from "./common.js";

const key = location.pathname.split("/").pop();
const SCALES = [1, 0.92, 0.84, 0.76, 0.68, 0.6];
let view = null;
let code = null; // { address, svg, why } of the QR code

async function load() {
  const { status, content } = await ask(`projector/${key}/state`);
  if (status === 404) return showGone(view ?? {}), "gone";
  if (status !== 200) return content.error;
  code ??= await qr(content.code);
  draw(content);
  return true;
}

async function qr(letters) {
  const address = new URL("class/" + letters, root).href;
  const { status, content } = await ask(`projector/${key}/qr?at=${encodeURIComponent(address)}`);
  return status === 200 ? content : { address, svg: "", why: "" };
}

function draw(next) {
  view = next;
  const { state, lesson, form } = view;
  document.body.dataset.state = state;
  say("title", lesson.title);
  fill(at("join"), [view.code, code], () => joinParts(view.code));
  say("count", count());
  say("place", state === "over" || state === "free" ? "" : `Question ${view.number} of ${view.count}`);
  const parts = form ? questionParts : { over: resultParts, free: freeParts }[state] ?? waitingParts;
  fill(at("main"), { ...view, version: 0, joined: 0, connected: 0, answered: form ? 0 : view.answered }, parts);
  fit();
}

// Makes the letters smaller until everything is on the screen.
function fit() {
  for (const scale of SCALES) {
    document.body.style.setProperty("--scale", scale);
    if (document.documentElement.scrollHeight <= innerHeight) return;
  }
}

function count() {
  const { state, joined, answered, vote } = view;
  if (state === "over" || state === "free" || !view.form) return joined === 1 ? "1 is here" : `${joined} are here`;
  return `${answered} of ${joined} ${vote === 2 ? "have voted again" : "have answered"}`;
}

function joinParts(letters) {
  return [document.createTextNode(bare(code.address).slice(0, -letters.length)), make("b", "", letters)];
}

const bare = (address) => address.replace(/^https?:\/\//, "");

function waitingParts() {
  const parts = [];
  if (view.number === 1) {
    const box = make("div", "welcome");
    if (code.svg) box.append(Object.assign(make("img"), { src: code.svg, alt: "QR code of " + code.address }));
    const text = put(box, "div");
    put(text, "p", "", "Join on your phone:");
    put(text, "p", "address", bare(code.address).slice(0, -view.code.length - 1));
    put(text, "p", "letters", view.code);
    if (code.why) put(text, "p", "quiet", code.why);
    parts.push(box);
  }
  parts.push(make("p", "sentence", view.sentence));
  if (view.text) parts.push(paragraph(view.text));
  if (view.problem) parts.push(paragraph(view.problem, "problem"));
  return parts;
}

function questionParts() {
  const { form, state, spread: groups, outcome, explanation, vary } = view;
  const parts = [make("p", "sentence", view.sentence), make("h2", "", form.question)];
  if (!groups) parts.push(...ways(form));
  if (state === "second") parts.push(make("p", "hint", "Vote again."));
  if (groups) {
    const box = make("div", form.kind === "row" ? "spread row" : "spread");
    parts.push(box);
    box.append(...spread(groups));
  }
  if (outcome) {
    parts.push(make("p", "verdict", "The model: " + outcome.truth));
    if (outcome.class) parts.push(make("p", "", outcome.class));
  }
  parts.push(...(explanation ?? []).map((text) => paragraph(text)));
  if (vary) parts.push(paragraph("**Try it.** " + vary));
  return parts;
}

// What can be answered, as far as it is more than what everybody sees on the phone.
function ways({ kind, options, labels, formula }) {
  if (kind === "formula") return [make("p", "formula", formula.replaceAll("___", "▢"))];
  if (kind === "choice") {
    const list = make("ul", "options");
    options.forEach(({ text }) => put(list, "li", "", text));
    return [list];
  }
  if (kind === "number" || kind === "cell") return [];
  const line = make("p", "tokens");
  labels.forEach((label) => put(line, "bdi", "", label));
  return [line];
}

function freeParts() {
  return [make("p", "hint", "Everyone works at their own pace."), ...resultParts()];
}

function resultParts() {
  const list = make("ol", "results");
  for (const { question, votes } of view.results) {
    const item = put(list, "li");
    put(item, "span", "", question);
    put(item, "b", "", votes.map(told).join(", then ") || "–");
  }
  return [make("h2", "", view.state === "over" ? "The end of the lesson" : "Answers so far"), list];
}

const told = ({ answered, right }) => (right === undefined ? `${answered} answered` : `${right} of ${answered} right`);

addEventListener("resize", fit);
follow({
  load,
  address: () => new URL(`class/projector/${key}/events`, root),
  take: draw,
});
