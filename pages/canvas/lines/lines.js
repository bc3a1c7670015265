// @ts-check
// Tokens in two columns, a curve for each weight. Two canvases lie under the columns: one holds all lines and is
// painted when data, threshold or scroll change; the other holds the pointed token's lines. Pointing hides the
// first and paints the second, so it costs at most heads x tokens curves.

import { component, sheetsOf } from "../runtime/component.js";
import { around, buttonsOf, make, onWidth, partsOf } from "../runtime/dom.js";
import { saveBar } from "../runtime/save.js";
import { stateOf } from "../runtime/state.js";
import { canvasSurface, sharpCanvas } from "../runtime/surface.js";
import { isolate, sizeOf } from "../runtime/text.js";
import { readTheme } from "../runtime/theme.js";
import { drawActive, drawCurves, drawWhole, headColour, wholeSize } from "./lines_paint.js";
import { largest, pairs, percent, strongest } from "./strongest.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "lines.css");

/** @import { Data, Send } from "../runtime/component.js" */
/** @import { Theme } from "../runtime/theme.js" */
/** @import { Packed } from "../runtime/unpack.js" */
/** @import { Box, Side, Token } from "./strongest.js" */
/**
 * pinned: the query; controlled, tells: whether the page listens to what is pinned, and to the threshold.
 * @typedef {{queries: string[], keys: string[], heads: string[], name: string, caption: string, threshold: number,
 *   pinned: number | null, controlled: boolean, tells: boolean}} Meta
 */
/** @typedef {"heads" | "threshold" | "reading" | "scroll" | "stage" | "q" | "k" | "caption" | "save"} Part */
/** @typedef {Record<Part, HTMLElement> & {slider: HTMLInputElement, all: HTMLCanvasElement, some: HTMLCanvasElement}} Parts */

const MARKUP = `
<div class="controls">
  <div class="heads" role="group" aria-label="Heads shown" data-part="heads"></div>
  <div class="threshold"><label for="threshold">Hide weak lines</label>
    <input id="threshold" type="range" min="0" max="1000" step="1" data-part="slider">
    <span class="said" aria-hidden="true" data-part="threshold"></span></div>
</div>
<p class="reading" aria-hidden="true" data-part="reading"></p>
<div class="ends" aria-hidden="true"><span class="q">Queries</span><span class="k">Keys</span></div>
<div class="scroll" data-part="scroll">
  <div class="stage" data-part="stage">
    <div class="view"><canvas data-part="all"></canvas><canvas data-part="some"></canvas></div>
    <div class="column q" role="group" aria-label="Queries" data-part="q"></div>
    <div class="column k" role="group" aria-label="Keys" data-part="k"></div>
  </div>
</div>
<div class="foot"><span class="caption" data-part="caption"></span><span data-part="save"></span></div>`;

/** @type {Side[]} */
const SIDES = ["q", "k"];

class TokenLines {
  /** @type {Token | null} */
  pointed = null;
  /** @type {Token | null} */
  pinned = null;
  /** @type {number[]} */
  shown = []; // heads
  /** @type {Record<Side, string[]>} */
  labels = { q: [], k: [] };
  /** @type {string[]} */
  heads = [];
  /** @type {number[]} */
  lines = [];
  floor = 0;
  /** @type {Meta} */
  meta;
  /** @type {Float32Array} */
  weights;
  /** @type {Send} */
  send;
  /** @type {Theme} */
  theme;
  /** @type {Box} */
  box;
  row = 0;
  type = 0;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    root.role = "group";
    root.classList.add("lines");
    root.insertAdjacentHTML("beforeend", MARKUP);
    this.part = /** @type {Parts} */ (partsOf(root));
    for (const side of SIDES) this.listen(side, this.part[side]);
    this.part.scroll.onscroll = () => this.paint();
    this.part.slider.oninput = () => {
      this.floor = (this.part.slider.valueAsNumber / 1000) ** 2;
      this.choose();
      this.paint();
    };
    this.part.slider.onchange = () => this.meta.tells && this.send("threshold", this.floor);
    onWidth(this.part.stage, () => this.layout());
  }

  /** @param {Meta} meta @param {Float32Array} weights @param {Send} send */
  update(meta, weights, send) {
    const before = /** @type {Meta | undefined} */ (this.meta);
    [this.meta, this.heads, this.weights, this.send] = [meta, meta.heads, weights, send];
    this.fill("q", meta.queries);
    this.fill("k", meta.keys);
    if (before?.heads.join() !== meta.heads.join()) this.shown = meta.heads.map((_, head) => head);
    if (before?.threshold !== meta.threshold) {
      this.floor = meta.threshold;
      this.part.slider.value = String(Math.round(1000 * Math.sqrt(this.floor)));
    }
    this.adoptPin(!before);
    this.root.ariaLabel = meta.name;
    this.part.caption.textContent = meta.caption;
    this.choose();
    this.layout();
    saveBar(this.part.save, meta.name, () => wholeSize(this), (surface) => drawWhole(this, surface));
  }

  /** Pin what the page says, which owns the query when it listens; a pinned key is the browser's own. @param {boolean} first */
  adoptPin(first) {
    const own = this.pinned?.side === "k" && this.meta.pinned === null;
    if (first || (this.meta.controlled && !own))
      this.pinned = this.meta.pinned === null ? null : { side: "q", index: this.meta.pinned };
    if (!this.isThere(this.pinned)) this.pinned = null;
    if (!this.isThere(this.pointed)) this.pointed = null;
  }

  /** @param {Token | null} token */
  isThere = (token) => token !== null && token.index < this.labels[token.side].length;

  /** @param {Side} side @param {string[]} labels */
  fill(side, labels) {
    if (labels.join("\n") === this.labels[side].join("\n")) return;
    this.labels[side] = labels;
    const buttons = labels.map((label, index) => {
      const button = make("button", "", label);
      Object.assign(button, { type: "button", dir: "ltr", tabIndex: index ? -1 : 0, ariaPressed: "false" });
      button.ariaLabel = this.kind(side) + " " + label;
      Object.assign(button.dataset, { index, tip: label });
      return button;
    });
    this.part[side].replaceChildren(...buttons);
    this.pointed = null;
  }

  /** @param {Side} side @param {HTMLElement} column */
  listen(side, column) {
    /** @param {(token: Token, event: any) => void} act @returns {(event: Event) => void} */
    const withToken = (act) => (event) => {
      const button = around(event, "button");
      if (button) act({ side, index: Number(button.dataset.index) }, event);
    };
    column.onpointerover = withToken((token, { pointerType }) => pointerType === "mouse" && this.point(token));
    column.onpointerleave = () => this.point(null);
    const focused = withToken((token, { target }) => {
      this.point(token);
      target.ariaLabel = this.kind(side) + " " + this.labels[side][token.index] + largest(this, token);
    });
    column.addEventListener("focusin", focused);
    column.addEventListener("focusout", () => this.point(null));
    column.onclick = withToken((token) => this.pin(token));
    column.onkeydown = withToken((token, event) => this.move(event, token));
  }

  /** @param {KeyboardEvent} event @param {Token} from */
  move(event, from) {
    /** @type {Record<string, Side>} */
    const columns = { ArrowLeft: "q", ArrowRight: "k" };
    const side = columns[event.key] ?? from.side;
    const last = this.labels[side].length - 1;
    /** @type {Record<string, number>} */
    const rows = { ArrowUp: from.index - 1, ArrowDown: from.index + 1, Home: 0, End: last };
    if (event.key === "Escape" && this.pinned) this.pin(this.pinned);
    else if (!(event.key in rows) && !(event.key in columns)) return;
    event.preventDefault();
    if (event.key === "Escape") return;
    const buttons = buttonsOf(this.part[side]);
    const to = buttons[Math.min(last, Math.max(0, rows[event.key] ?? from.index))];
    for (const button of buttons) button.tabIndex = button === to ? 0 : -1;
    to?.focus();
  }

  /** @param {Token | null} token */
  point(token) {
    if (this.pointed?.side === token?.side && this.pointed?.index === token?.index) return;
    this.pointed = token;
    this.show();
  }

  /** Pin a token, or let it go. @param {Token} token */
  pin(token) {
    const again = this.pinned?.side === token.side && this.pinned?.index === token.index;
    const sent = this.pinned?.side === "q" ? this.pinned.index : -1;
    this.pinned = again ? null : token;
    this.pointed = null;
    const query = this.pinned?.side === "q" ? this.pinned.index : -1;
    if (this.meta.controlled && query !== sent) this.send("pin", query);
    this.show();
  }

  legend() {
    const names = this.meta.heads;
    const buttons = names.map((name, head) => {
      const button = Object.assign(make("button"), { type: "button" });
      button.dataset.tip = "Show or hide " + name + "\ndouble click: only this one";
      button.style.setProperty("--head", headColour(this.theme, head));
      button.setAttribute("aria-pressed", String(this.shown.includes(head)));
      button.append(make("i"), name);
      button.onclick = () => this.toggle(this.shown.includes(head) ? this.shown.filter((h) => h !== head) : [...this.shown, head]);
      button.ondblclick = () => this.toggle([head]);
      return button;
    });
    this.part.heads.replaceChildren(...(names.length > 1 ? buttons : []));
  }

  /** @param {number[]} shown */
  toggle(shown) {
    this.shown = shown.sort((a, b) => a - b);
    buttonsOf(this.part.heads).forEach((button, head) => button.setAttribute("aria-pressed", String(shown.includes(head))));
    this.choose();
    this.paint();
    this.show();
  }

  // ---- what is drawn

  /** @param {Side} side */
  kind = (side) => (side === "q" ? "query" : "key");

  choose() {
    const { lines, count, hidden } = strongest(this.weights, this.shown, pairs(this), this.floor);
    this.lines = lines;
    const parts = ["below " + Number(this.floor.toPrecision(2)), "hides " + percent(hidden) + " of the weight"];
    if (lines.length < count) parts.push("strongest " + lines.length + " of " + count + " lines drawn");
    this.part.threshold.textContent = parts.join(" · ");
    this.part.slider.setAttribute("aria-valuetext", parts.join(", "));
  }

  get active() {
    return this.pointed ?? this.pinned;
  }


  show() {
    const active = this.active;
    this.root.dataset.active = active ? active.side + active.index : "";
    for (const button of this.root.querySelectorAll(".column .on")) button.classList.remove("on");
    for (const button of this.root.querySelectorAll(".column [aria-pressed=true]")) button.setAttribute("aria-pressed", "false");
    if (active) this.part[active.side].children[active.index].classList.add("on");
    if (this.pinned) this.part[this.pinned.side].children[this.pinned.index].setAttribute("aria-pressed", "true");
    const hint = "Point at a token to see its lines alone; click or tap to keep them.";
    this.part.reading.textContent = active ? isolate(this.labels[active.side][active.index]) + largest(this, active) + "." : hint;
    this.part.all.style.visibility = active ? "hidden" : "visible";
    this.paintActive();
  }

  layout() {
    this.theme = readTheme(this.root);
    for (const side of SIDES) {
      this.root.style.setProperty("--" + side, this.theme[side]);
      this.root.style.setProperty("--ink-" + side, this.theme.ink[side]);
    }
    this.legend();
    const rows = Math.max(this.labels.q.length, this.labels.k.length);
    const [row, type] = rows <= 12 ? [32, 15] : rows <= 28 ? [26, 13.5] : rows <= 60 ? [24, 13.5] : [17, 11.5];
    this.row = Math.round(Math.max(row * this.theme.scale, 1.25 * this.theme.least));
    this.type = sizeOf(this.theme, { size: type * this.theme.scale });
    this.root.style.setProperty("--row", this.row + "px");
    this.root.style.setProperty("--size", this.type + "px");
    const { stage, q, k, scroll } = this.part;
    this.root.style.setProperty("--left", q.offsetWidth + "px");
    this.root.style.setProperty("--right", k.offsetWidth + "px");
    const height = Math.min(rows * this.row, scroll.clientHeight);
    this.box = { left: q.offsetWidth + 2, right: k.offsetLeft - 2, width: stage.clientWidth, height, rows };
    this.paint();
    this.show();
  }

  paint() {
    const { all, scroll } = this.part;
    const surface = canvasSurface(sharpCanvas(all, this.box.width, this.box.height), this.theme);
    drawCurves(this, surface, this.lines, this.box, scroll.scrollTop);
    this.paintActive();
  }

  paintActive() {
    const { some, scroll } = this.part;
    const surface = canvasSurface(sharpCanvas(some, this.box.width, this.box.height), this.theme);
    if (this.active) drawActive(this, this.active, surface, this.box, scroll.scrollTop);
  }
}

export default component(styles, (root, /** @type {Data<Meta, {weights: Packed}>} */ { meta, arrays }, send) =>
  stateOf(root, TokenLines).update(meta, arrays.weights.values, send),
);
