// The tokens on their way through the drawing: buttons and keys, chips that move from box to box, and beside the drawing
// what is at the box that they have reached.

import { colourTables, signedIndex, weightIndex } from "../runtime/colours.js";
import { child, make, put } from "../runtime/dom.js";
import { indexImage } from "../runtime/pixels.js";
import { trainOf } from "./train.js";

const PAUSE = 1100; // milliseconds at each box while it plays

const BUTTONS = [
  ["start", "Start", "Back to the first box"],
  ["back", "Back", "One box back: left arrow"],
  ["play", "Play", "Play or pause: space"],
  ["step", "Step", "One box on: right arrow"],
];

export class FlowPlayer {
  // arrived(moved): called at every step; moved: whether the visitor made it. rested(step): called when it stands.
  constructor(root, panel, arrived, rested) {
    Object.assign(this, { root, panel, arrived, rested, at: 0, timer: 0 });
    this.bar = child(panel, "div", "bar");
    for (const [name, text, words] of BUTTONS) {
      const button = child(this.bar, "button", name);
      Object.assign(button, { type: "button", textContent: text, ariaLabel: words });
      button.dataset.tip = words;
      button.onclick = () => this.press(name);
    }
    this.slider = Object.assign(child(this.bar, "input", "seek"), { type: "range", min: 0, ariaLabel: "Step" });
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.told = Object.assign(child(panel, "div", "told"), { ariaLive: "polite" });
    this.heading = child(this.told, "h4", "heading");
    this.about = child(this.told, "p", "about");
    this.rows = child(panel, "div", "rows");
    this.more = child(panel, "p", "more");
    this.answer = child(panel, "div", "answer");
  }

  update(flow, strips, named, theme) {
    Object.assign(this, { flow, strips, named, theme });
    this.slider.max = flow.steps.length - 1;
    this.at = Math.min(this.at, flow.steps.length - 1);
    this.draw();
  }

  get playing() {
    return Boolean(this.timer);
  }

  press(name) {
    const moves = { start: 0, back: this.at - 1, step: this.at + 1 };
    if (name === "play") return this.playing ? this.pause() : this.play();
    this.go(moves[name]);
  }

  play() {
    if (this.at >= this.flow.steps.length - 1) this.move(0);
    else this.move(this.at + 1);
    this.timer = setInterval(() => {
      if (!this.root.isConnected) return clearInterval(this.timer);
      if (this.at >= this.flow.steps.length - 1) return this.pause();
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

  // A step by hand: it no longer plays.
  go(step) {
    clearInterval(this.timer);
    this.timer = 0;
    this.move(step);
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rested(this.at), 700);
  }

  move(step) {
    this.at = Math.max(0, Math.min(step, this.flow.steps.length - 1));
    this.draw(true);
  }

  label() {
    child(this.bar, "button", "play").textContent = this.playing ? "Pause" : "Play";
  }

  draw(moved = false) {
    const { flow, at } = this;
    const step = flow.steps[at];
    const box = this.named.get(step.box);
    this.slider.value = at;
    this.slider.ariaValueText = "step " + (at + 1) + " of " + flow.steps.length + ", " + step.title;
    this.label();
    const count = "Step " + (at + 1) + " of " + flow.steps.length;
    this.heading.replaceChildren(make("span", "count", count), document.createTextNode(step.title));
    this.about.textContent = box.about;
    this.fill(step);
    this.panel.classList.toggle("resting", at === 0);
    this.arrived(moved);
  }

  fill(step) {
    const shown = this.flow.tokens[step.stack];
    const head = make("div", "line names");
    const numbers = step.columns < step.width ? step.columns + " of " + step.width.toLocaleString("en-US") + " numbers" : step.columns + " numbers";
    head.append(make("span", "", "token"), make("span", "", step.columns ? numbers : ""), make("span", "value", step.unit));
    const lines = shown.pieces.map((piece, i) => this.line(step, piece, shown.places[i], i));
    this.rows.replaceChildren(head, ...lines);
    const left = shown.left ? "and " + shown.left.toLocaleString("en-US") + " more tokens before the last. " : "";
    const scale = step.weights ? "Colours: 0 to 1." : "Colours: " + step.limit + " (purple) to " + step.limit.replace("−", "") + " (orange).";
    this.more.textContent = left + (step.columns ? scale : "");
    this.conclude(step);
  }

  line(step, piece, place, i) {
    const line = make("div", "line");
    line.append(Object.assign(make("bdi", "piece", piece), { title: place + ": " + piece }));
    const cell = put(line, "span", "strip");
    if (step.columns) cell.append(this.image(step, i));
    put(line, "span", "value", step.told[i]);
    return line;
  }

  image(step, i) {
    const { values } = this.strips[this.at];
    const row = values.subarray(i * step.columns, (i + 1) * step.columns);
    const tables = colourTables(this.theme);
    const [table, index] = step.weights ? [tables.weight, weightIndex] : [tables.signed, (x) => signedIndex(step.scale ? x / step.scale : 0)];
    const canvas = indexImage(table, Array.from(row, index), 1, step.columns);
    canvas.className = "numbers";
    return canvas;
  }

  // What the model makes of it all, at the last box.
  conclude(step) {
    const last = this.at === this.flow.steps.length - 1;
    this.answer.hidden = !last || !this.flow.answer.length;
    if (this.answer.hidden) return;
    const title = make("p", "after", this.flow.after);
    const lines = this.flow.answer.map(([label, share, words]) => {
      const line = make("div", "line");
      line.append(make("bdi", "piece", label));
      put(put(line, "span", "track"), "i").style.width = 100 * share + "%";
      put(line, "span", "value", words);
      return line;
    });
    this.answer.replaceChildren(title, ...lines);
  }

  // The chips of the tokens, which go to the box of this step.
  chips(train, layout) {
    const { flow, at } = this;
    const { x, y, wide, each, bare, pieces, others } = trainOf(flow, at, layout);
    const told = JSON.stringify([flow.steps[at].stack, pieces]);
    if (train.told !== told) {
      train.told = told;
      train.replaceChildren(...pieces.map((piece) => make("bdi", "chip", piece)), ...(others ? [make("span", "chip rest", others)] : []));
    }
    train.classList.toggle("bare", bare);
    train.style.setProperty("--wide", each + "px");
    train.style.transform = "translate(" + x + "px, " + y + "px)";
    train.style.width = wide + "px";
  }
}
