// @ts-check
// The tokens on their way through the drawing: buttons and keys, chips that move from box to box, and beside the drawing
// what is at the box that they have reached.

import { colourTables, signedIndex, weightIndex } from "../runtime/colours.js";
import { child, make, put } from "../runtime/dom.js";
import { indexImage } from "../runtime/pixels.js";
import { trainOf } from "./train.js";

/** @import { Theme } from "../runtime/theme.js" */
/** @import { Packed } from "../runtime/unpack.js" */
/** @import { Layout, Part } from "./layout.js" */
/**
 * What is at one box: a row of `columns` of the `width` numbers for each token that is shown, coloured by their largest
 * |number|, `scale`; weights: whether they lie in [0, 1]; told: the last words of each row.
 * @typedef {{box: string, stack: string, title: string, unit: string, told: string[], columns: number, width: number,
 *   weights: boolean, scale: number, limit: string}} Step
 */
/** @typedef {{pieces: string[], places: number[], left: number}} Tokens  left: how many are not shown. */
/** @typedef {[label: string, share: number, words: string]} Answer */
/** @typedef {{steps: Step[], tokens: Record<string, Tokens>, answer: Answer[], after: string}} Flow  tokens: by stack. */

const PAUSE = 1100; // milliseconds at each box while it plays

const BUTTONS = [
  ["start", "Start", "Back to the first box"],
  ["back", "Back", "One box back: left arrow"],
  ["play", "Play", "Play or pause: space"],
  ["step", "Step", "One box on: right arrow"],
];

/** The tokens at one step of their way. */
export class FlowPlayer {
  at = 0; // the number of the step
  timer = 0; // the timer while it plays
  resting = 0; // the timer until the last move has ended
  /** @type {Flow | null} */
  flow = null;
  /** @type {Packed[]} */
  strips = []; // the numbers of each step
  /** @type {Map<string, Part>} */
  named = new Map();
  /** @type {Theme} */
  theme;
  shown = ""; // names the chips that are drawn

  /**
   * @param {HTMLElement} panel
   * @param {(moved: boolean) => void} arrived  Is called at every step; moved: whether the visitor made it.
   * @param {(step: number) => void} rested  Is called when it stands.
   */
  constructor(panel, arrived, rested) {
    this.panel = panel;
    this.arrived = arrived;
    this.rested = rested;
    this.bar = child(panel, "div", "bar");
    for (const [name, text, words] of BUTTONS) {
      const button = child(this.bar, "button", name);
      Object.assign(button, { type: "button", textContent: text, ariaLabel: words });
      button.dataset.tip = words;
      button.onclick = () => this.press(name);
    }
    this.slider = child(this.bar, "input", "seek");
    Object.assign(this.slider, { type: "range", min: 0, ariaLabel: "Step" });
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.told = Object.assign(child(panel, "div", "told"), { ariaLive: "polite" });
    this.heading = child(this.told, "h4", "heading");
    this.about = child(this.told, "p", "about");
    this.rows = child(panel, "div", "rows");
    this.more = child(panel, "p", "more");
    this.answer = child(panel, "div", "answer");
  }

  /** @type {(flow: Flow, strips: Packed[], named: Map<string, Part>, theme: Theme) => void} */
  update(flow, strips, named, theme) {
    [this.flow, this.strips, this.named, this.theme] = [flow, strips, named, theme];
    this.slider.max = String(this.last);
    this.at = Math.min(this.at, this.last);
    this.draw();
  }

  get last() {
    return (this.flow?.steps.length ?? 0) - 1;
  }

  get playing() {
    return Boolean(this.timer);
  }

  /** Do what a button does. @param {string} name */
  press(name) {
    if (name === "play") return this.playing ? this.pause() : this.play();
    this.go(name === "start" ? 0 : name === "back" ? this.at - 1 : this.at + 1);
  }

  play() {
    if (this.at >= this.last) this.move(0);
    else this.move(this.at + 1);
    this.timer = setInterval(() => {
      if (!this.panel.isConnected) return clearInterval(this.timer);
      if (this.at >= this.last) return this.pause();
      this.move(this.at + 1);
    }, PAUSE);
    this.label();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.label();
    this.rested(this.at);
  }

  /** Go to a step by hand: it no longer plays. @param {number} step */
  go(step) {
    clearInterval(this.timer);
    this.timer = 0;
    this.move(step);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rested(this.at), 700);
  }

  /** @param {number} step */
  move(step) {
    this.at = Math.max(0, Math.min(step, this.last));
    this.draw(true);
  }

  label() {
    child(this.bar, "button", "play").textContent = this.playing ? "Pause" : "Play";
  }

  draw(moved = false) {
    const { flow, at } = this;
    if (!flow) return;
    const step = flow.steps[at];
    this.slider.value = String(at);
    this.slider.ariaValueText = "step " + (at + 1) + " of " + flow.steps.length + ", " + step.title;
    this.label();
    const count = "Step " + (at + 1) + " of " + flow.steps.length;
    this.heading.replaceChildren(make("span", "count", count), document.createTextNode(step.title));
    this.about.textContent = this.named.get(step.box)?.about ?? "";
    this.fill(flow, step);
    this.panel.classList.toggle("resting", at === 0);
    this.arrived(moved);
  }

  /** @param {Flow} flow @param {Step} step */
  fill(flow, step) {
    const shown = flow.tokens[step.stack];
    const head = make("div", "line names");
    const numbers = step.columns < step.width ? step.columns + " of " + step.width.toLocaleString("en-US") + " numbers" : step.columns + " numbers";
    head.append(make("span", "", "token"), make("span", "", step.columns ? numbers : ""), make("span", "value", step.unit));
    const lines = shown.pieces.map((piece, i) => this.line(step, piece, shown.places[i], i));
    this.rows.replaceChildren(head, ...lines);
    const left = shown.left ? "and " + shown.left.toLocaleString("en-US") + " more tokens before the last. " : "";
    const scale = step.weights ? "Colours: 0 to 1." : "Colours: " + step.limit + " (purple) to " + step.limit.replace("−", "") + " (orange).";
    this.more.textContent = left + (step.columns ? scale : "");
    this.conclude(flow);
  }

  /** @type {(step: Step, piece: string, place: number, i: number) => HTMLElement} */
  line(step, piece, place, i) {
    const line = make("div", "line");
    line.append(Object.assign(make("bdi", "piece", piece), { title: place + ": " + piece }));
    const cell = put(line, "span", "strip");
    if (step.columns) cell.append(this.image(step, i));
    put(line, "span", "value", step.told[i]);
    return line;
  }

  /** @param {Step} step @param {number} i */
  image(step, i) {
    const { values } = this.strips[this.at];
    const row = values.subarray(i * step.columns, (i + 1) * step.columns);
    const tables = colourTables(this.theme);
    /** @param {number} x */
    const index = (x) => (step.weights ? weightIndex(x) : signedIndex(step.scale ? x / step.scale : 0));
    const canvas = indexImage(step.weights ? tables.weight : tables.signed, Array.from(row, index), 1, step.columns);
    canvas.className = "numbers";
    return canvas;
  }

  /** Show what the model makes of it all, at the last box. @param {Flow} flow */
  conclude(flow) {
    this.answer.hidden = this.at !== this.last || !flow.answer.length;
    if (this.answer.hidden) return;
    const title = make("p", "after", flow.after);
    const lines = flow.answer.map(([label, share, words]) => {
      const line = make("div", "line");
      line.append(make("bdi", "piece", label));
      put(put(line, "span", "track"), "i").style.width = 100 * share + "%";
      put(line, "span", "value", words);
      return line;
    });
    this.answer.replaceChildren(title, ...lines);
  }

  /** Move the chips of the tokens to the box of this step. @param {HTMLElement} train @param {Layout} layout */
  chips(train, layout) {
    const { flow, at } = this;
    if (!flow) return;
    const { x, y, wide, each, bare, pieces, others } = trainOf(flow, at, layout);
    const shown = JSON.stringify([flow.steps[at].stack, pieces]);
    if (this.shown !== shown) {
      this.shown = shown;
      train.replaceChildren(...pieces.map((piece) => make("bdi", "chip", piece)), ...(others ? [make("span", "chip rest", others)] : []));
    }
    train.classList.toggle("bare", bare);
    train.style.setProperty("--wide", each + "px");
    train.style.transform = "translate(" + x + "px, " + y + "px)";
    train.style.width = wide + "px";
  }
}
