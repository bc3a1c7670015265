// @ts-check
// What the class sees on the projector.

import { ask, at, fill, follow, gainParts, make, paragraph, put, root, say, showGone, spread } from "./common.js";
import { drawingFrame, showChoice } from "./drawing.js";

/** @import { Spec } from "../../canvas/answers/form.js" */
/** @import { Gain, Group, Lesson } from "./common.js" */
/** @import { Choice } from "../../canvas/runtime/framed.js" */
/** @import { Drawing } from "./drawing.js" */
/** @typedef {{answered: number, right?: number}} Vote */
/** @typedef {{address: string, svg: string, why: string}} Code  An address as a QR code; why: it has none. */
/**
 * What the server says the class sees; messages.py makes it.
 * @typedef {{version: number, title: string, lesson: Lesson | null, sentence: string, changed: boolean, pace: string, number: number, count: number, state: string,
 *   code: string, joined: number, connected: number, answered: number, text?: string, problem?: string, form?: Spec,
 *   vote?: number, spread?: Group[], outcome?: {truth: string, class: string}, explanation?: string[], vary?: string, drawing?: Drawing, framed?: string, choice?: Choice | null,
 *   gain?: Gain | null, results?: {question: string, votes: Vote[]}[]}} View
 */

const key = location.pathname.split("/").pop();
const SCALES = [1, 0.92, 0.84, 0.76, 0.68, 0.6];
let view = /** @type {View} */ (/** @type {unknown} */ (null)); // null until the server has said what is seen
/** @type {Code | null} */
let code = null;

/** @returns {Promise<true | string>} */
async function load() {
  const { status, content } = await ask(`projector/${key}/state`);
  if (status === 404) return showGone(view ?? {}), "gone";
  if (status !== 200) return content.error;
  code ??= await qr(content.code);
  draw(content);
  return true;
}

/** @param {string} letters @returns {Promise<Code>} */
async function qr(letters) {
  const address = new URL("class/" + letters, root).href;
  const { status, content } = await ask(`projector/${key}/qr?at=${encodeURIComponent(address)}`);
  return status === 200 ? content : { address, svg: "", why: "" };
}

/** @param {View} next */
function draw(next) {
  view = next;
  const { state, title, form } = view;
  document.body.dataset.state = state;
  say("title", title);
  fill(at("join"), [view.code, code], () => joinParts(view.code));
  say("count", count());
  say("place", state === "over" || state === "free" ? "" : `Question ${view.number} of ${view.count}`);
  const parts = form ? questionParts : state === "over" ? resultParts : state === "free" ? freeParts : waitingParts;
  fill(at("main"), { ...view, version: 0, joined: 0, connected: 0, answered: form ? 0 : view.answered, drawing: null, framed: null, choice: null }, parts);
  drawDrawing();
  fit();
}

/**
 * Show the drawing of the question beside what is right, with what the teacher has chosen in the same drawing; or the
 * view of the page, where the question has no drawing.
 */
function drawDrawing() {
  const { drawing, framed, choice } = view;
  const box = at("drawing");
  box.hidden = !drawing && !framed;
  fill(box, { drawing, framed }, () => {
    if (drawing) return [drawingFrame(new URL(`class/projector/${key}/drawing/${drawing.name}#large`, root), {})];
    return framed ? [Object.assign(make("iframe"), { src: new URL(framed, root).href, title: "The picture of the page" })] : [];
  });
  const frame = box.querySelector("iframe");
  if (frame && drawing) showChoice(frame, choice);
}

/** Make the letters smaller until everything is on the screen. */
function fit() {
  for (const scale of SCALES) {
    document.body.style.setProperty("--scale", String(scale));
    if (document.documentElement.scrollHeight <= innerHeight) return;
  }
}

function count() {
  const { state, joined, answered, vote } = view;
  if (state === "over" || state === "free" || !view.form) return joined === 1 ? "1 is here" : `${joined} are here`;
  return `${answered} of ${joined} ${vote === 2 ? "have voted again" : "have answered"}`;
}

/** @param {string} letters */
function joinParts(letters) {
  return [document.createTextNode(bare(code?.address ?? "").slice(0, -letters.length)), make("b", "", letters)];
}

/** @param {string} address */
const bare = (address) => address.replace(/^https?:\/\//, "");

function waitingParts() {
  /** @type {HTMLElement[]} */
  const parts = [];
  if (view.number === 1 && code) {
    const box = make("div", "welcome");
    if (code.svg) box.append(Object.assign(make("img"), { src: code.svg, alt: "QR code of " + code.address }));
    const text = put(box, "div");
    put(text, "p", "", "Join on your phone:");
    put(text, "p", "address", bare(code.address).slice(0, -view.code.length - 1));
    put(text, "p", "letters", view.code);
    if (code.why) put(text, "p", "quiet", code.why);
    parts.push(box);
  }
  parts.push(...sentenceParts());
  if (view.text) parts.push(paragraph(view.text));
  if (view.problem) parts.push(paragraph(view.problem, "problem"));
  return parts;
}

/** The sentence, and that it is another one while the class may not have noticed. */
function sentenceParts() {
  const isNew = view.changed && ["waiting", "open"].includes(view.state);
  const parts = view.sentence ? [make("p", "sentence", view.sentence)] : [];
  return isNew ? [make("p", "hint", "The sentence has changed."), ...parts] : parts;
}

function questionParts() {
  const { form, state, spread: groups, outcome, explanation, vary, gain } = view;
  if (!form) return [];
  /** @type {HTMLElement[]} */
  const parts = [...sentenceParts(), make("h2", "", form.question)];
  if (gain) return [...parts, ...gainParts(gain)];
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

/** Show what can be answered, as far as it is more than what everybody sees on the phone. @param {Spec} form */
function ways({ kind, options = [], labels = [], rows = [], formula = "" }) {
  if (kind === "formula") return [make("p", "formula", formula.replaceAll("___", "▢"))];
  if (kind === "choice") {
    const list = make("ul", "options");
    options.forEach(({ text }) => put(list, "li", "", text));
    return [list];
  }
  if (kind === "number") return [];
  if (kind === "inventory") return [paragraph(view.text ?? "")];
  if (kind === "cell") return [emptyTable(rows, labels)];
  const line = make("p", "tokens");
  labels.forEach((label) => put(line, "bdi", "", label));
  return [line];
}

/** Make the table whose cells the phones choose from. @param {string[]} rows @param {string[]} columns */
function emptyTable(rows, columns) {
  const table = make("table", "cells");
  table.ariaLabel = "rows are queries, columns are keys";
  const top = put(put(table, "thead"), "tr");
  put(top, "td", "quiet", "query ↓ key →").ariaHidden = "true";
  columns.forEach((label) => put(Object.assign(put(top, "th"), { scope: "col" }), "bdi", "", label));
  const body = put(table, "tbody");
  for (const label of rows) {
    const line = put(body, "tr");
    put(Object.assign(put(line, "th"), { scope: "row" }), "bdi", "", label);
    columns.forEach(() => put(line, "td"));
  }
  return table;
}

function freeParts() {
  return [make("p", "hint", "Everyone works at their own pace."), ...resultParts()];
}

function resultParts() {
  const list = make("ol", "results");
  for (const { question, votes } of view.results ?? []) {
    const item = put(list, "li");
    put(item, "span", "", question);
    put(item, "b", "", votes.map(told).join(", then ") || "–");
  }
  const gained = view.gain ? gainParts(view.gain) : [];
  return [make("h2", "", view.state === "over" ? "The end of the lesson" : "Answers so far"), ...gained, list];
}

/** @param {Vote} vote */
const told = ({ answered, right }) => (right === undefined ? `${answered} answered` : `${right} of ${answered} right`);

addEventListener("resize", fit);
follow({
  load,
  address: () => new URL(`class/projector/${key}/events`, root),
  take: draw,
});
