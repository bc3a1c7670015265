// @ts-check
// One query against all keys. The table is plain HTML, rewritten while the temperature is turned; the values are a
// canvas of one pixel a number, stretched over its cell, and so is the mix below them.

import { colourTables, signedIndex, weightColour } from "../runtime/colours.js";
import { component, sheetsOf } from "../runtime/component.js";
import { make, onColours, partsOf, placeIn } from "../runtime/dom.js";
import { cellAt } from "../runtime/grid.js";
import { keysOf, legendCanvas } from "../runtime/legend.js";
import { hatch, indexImage } from "../runtime/pixels.js";
import { saveBar } from "../runtime/save.js";
import { stateOf } from "../runtime/state.js";
import { contextOf } from "../runtime/surface.js";
import { ellipsis, format, isolate } from "../runtime/text.js";
import { readTheme } from "../runtime/theme.js";
import { tooltip } from "../runtime/tips.js";
import { cut, entropyBits, mixOf, softmaxAt } from "./softmax.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "soft_dictionary.css");

/** @import { Data, Send } from "../runtime/component.js" */
/** @import { Surface, TextStyle } from "../runtime/surface.js" */
/** @import { Side, Theme } from "../runtime/theme.js" */
/** @import { Packed } from "../runtime/unpack.js" */
/** @typedef {{query: string, keys: string[], name: string, temperature?: number, tells: boolean}} Meta */
/** @typedef {{scores: Packed, values: Packed, allowed: Packed<Uint8Array>}} Arrays  values: (keys, numbers). */
/** @typedef {"temperature" | "reading" | "heading" | "rows" | "total" | "legend" | "save"} Part */
/** @typedef {Record<Part, HTMLElement> & {slider: HTMLInputElement, reset: HTMLButtonElement, mix: HTMLCanvasElement}} Parts */
/** @typedef {{cell: HTMLElement, level: HTMLElement, number: HTMLElement}} Weight  Where the weight of a key is shown. */

const MARKUP = `
<div class="dial">
  <div class="turned"><label for="temperature">Temperature</label>
    <span class="said" aria-hidden="true" data-part="temperature"></span></div>
  <input id="temperature" type="range" min="-200" max="200" step="1" value="0" data-part="slider">
  <div class="marks" aria-hidden="true">
    <span>0.01<br>exact look-up</span><span>1<br>what the model used</span><span>100<br>plain average</span></div>
  <button type="button" data-part="reset">Back to T = 1</button>
</div>
<p class="reading" data-part="reading"></p>
<div class="scroll">
  <table>
    <thead><tr><th scope="col" class="k">Key</th><th scope="col" class="number">Score</th>
      <th scope="col">Weight</th><th scope="col" class="v" data-part="heading"></th></tr></thead>
    <tbody data-part="rows"></tbody>
    <tfoot><tr><th scope="row" colspan="2">Σ weight × value</th><td class="total" data-part="total"></td>
      <td class="cells"><canvas role="img" aria-label="The mixed value" data-part="mix"></canvas></td></tr></tfoot>
  </table>
</div>
<div class="foot"><span data-part="legend"></span><span data-part="save"></span></div>`;

/** @type {Side[]} */
const SIDES = ["q", "k", "v"];

class SoftDictionary {
  temperature = 1;
  /** @type {number | null} */
  told = null; // the temperature that the page knows
  /** @type {number[]} */
  weights = [];
  mix = new Float64Array();
  width = 0; // how many numbers a value has
  row = 0; // pixels of a row, where letters are of the usual size
  limit = 0; // the largest |number| of the values
  /** @type {Weight[]} */
  cells = [];
  /** @type {Theme} */
  theme;
  /** @type {Meta} */
  meta;
  /** @type {Send} */
  send;
  /** @type {Float32Array} */
  scores;
  /** @type {Float32Array} */
  values;
  /** @type {Uint8Array} */
  allowed;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    root.role = "group";
    root.classList.add("dictionary");
    root.insertAdjacentHTML("beforeend", MARKUP);
    this.part = /** @type {Parts} */ (partsOf(root));
    this.tip = tooltip(root);
    this.part.slider.oninput = () => this.turn();
    this.part.slider.onchange = () => this.tell();
    this.part.slider.ondblclick = this.part.reset.onclick = () => {
      this.part.slider.value = "0";
      this.turn();
      this.tell();
    };
    this.explain(this.part.mix, () => ["Σ weight × value", this.mix]);
  }

  /** Tell the page of a temperature when the slider is let go, never while it moves. */
  tell() {
    this.told = this.temperature;
    if (this.meta.tells) this.send("temperature", Number(this.temperature.toPrecision(4)));
  }

  /** @param {Meta} meta @param {Arrays} arrays @param {Send} send */
  update(meta, arrays, send) {
    this.send = send;
    if (meta.temperature !== undefined && Math.abs(Math.log10(meta.temperature / (this.told ?? 1))) > 0.002) {
      this.told = meta.temperature;
      this.part.slider.value = String(Math.round(100 * Math.log10(meta.temperature)));
    }
    const [{ values: scores }, { values, shape }, { values: allowed }] = [arrays.scores, arrays.values, arrays.allowed];
    Object.assign(this, { meta, scores, values, allowed, width: shape[1] });
    const { root, part } = this;
    const row = scores.length <= 16 ? 28 : scores.length <= 32 ? 23 : 18;
    this.row = row;
    root.style.setProperty("--size", (row > 20 ? 14 : 12) + "px");
    root.classList.toggle("ruled", this.width <= 32 && row > 20);
    root.ariaLabel = meta.name;
    part.heading.textContent = "Value (" + this.width + " numbers)";
    this.limit = values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    onColours(root, () => this.draw());
    this.draw();
    saveBar(part.save, meta.name, () => this.saveSize(), (surface) => this.paint(surface));
  }

  draw() {
    this.theme = readTheme(this.root);
    this.root.style.setProperty("--row", Math.max(this.row, 1.4 * this.theme.least) + "px");
    for (const side of SIDES) this.root.style.setProperty("--" + side, this.theme.ink[side]);
    this.root.style.setProperty("--bar", weightColour(this.theme, 0.6));
    this.fill();
    this.legend();
    this.turn();
  }

  fill() {
    this.cells = [];
    const rows = this.meta.keys.map((label, i) => {
      const row = make("tr", this.allowed[i] ? "" : "masked");
      const head = Object.assign(make("th", "k"), { scope: "row" });
      const name = Object.assign(make("span", "label", label), { dir: "ltr" });
      name.dataset.tip = label;
      head.append(name);
      const [cell, share, track, level, number] = [make("td", "weight"), make("div", "share"), make("span", "track"), make("i"), make("b")];
      track.append(level);
      share.append(track, number);
      cell.append(share);
      this.cells.push({ cell, level, number });
      row.append(head, make("td", "number", format(this.scores[i])), cell);
      return row;
    });
    const cell = make("td", "cells");
    const canvas = Object.assign(make("canvas"), { role: "img", ariaLabel: "The values, one row a key" });
    cell.rowSpan = rows.length;
    cell.append(canvas);
    rows[0]?.append(cell);
    this.part.rows.replaceChildren(...rows);
    this.show(canvas, this.values, rows.length);
    this.explain(canvas, (row) => [this.meta.keys[row], this.values.subarray(row * this.width, (row + 1) * this.width)]);
  }

  /** @param {Float32Array | Float64Array} values @param {number} rows */
  image = (values, rows) =>
    indexImage(colourTables(this.theme).signed, Array.from(values, (x) => signedIndex(this.limit ? x / this.limit : 0)), rows, this.width);

  /** @param {HTMLCanvasElement} canvas @param {Float32Array | Float64Array} values @param {number} rows */
  show(canvas, values, rows) {
    Object.assign(canvas, { width: this.width, height: rows });
    contextOf(canvas).drawImage(this.image(values, rows), 0, 0);
  }

  /**
   * Say the number under the pointer. at(row): the name and the numbers of a row.
   * @param {HTMLCanvasElement} canvas
   * @param {(row: number) => [string, Float32Array | Float64Array]} at
   */
  explain(canvas, at) {
    canvas.onpointermove = (event) => {
      const [rows, cols] = [canvas.height, this.width];
      const grid = { rows, cols, row: canvas.clientHeight / rows, col: canvas.clientWidth / cols };
      const cell = cellAt(grid, ...placeIn(canvas, event));
      if (!cell) return this.tip.hide();
      const [label, numbers] = at(cell[0]);
      const words = [format(numbers[cell[1]]), isolate(label) + ", number " + (cell[1] + 1)];
      this.tip.show(event.clientX, event.clientY, words);
    };
    canvas.onpointerleave = () => this.tip.hide();
  }

  turn() {
    const { part } = this;
    this.temperature = 10 ** (part.slider.valueAsNumber / 100);
    this.weights = softmaxAt(this.scores, this.allowed, this.temperature);
    this.mix = mixOf(this.weights, this.values, this.width);
    part.temperature.textContent = this.dial();
    part.slider.setAttribute("aria-valuetext", part.temperature.textContent);
    part.reset.disabled = this.temperature === 1;
    this.weights.forEach((w, i) => {
      const { cell, level, number } = this.cells[i];
      cell.dataset.weight = String(w);
      level.style.width = 100 * w + "%";
      number.textContent = cut(w);
    });
    part.total.textContent = this.total();
    part.mix.dataset.mix = JSON.stringify([...this.mix]);
    this.show(part.mix, this.mix, 1);
    part.reading.textContent = this.reading();
  }

  total = () => "sum " + this.weights.reduce((a, b) => a + b, 0).toFixed(3);
  dial = () => "T = " + Number(this.temperature.toPrecision(3));

  reading() {
    const label = "The query " + isolate(this.meta.query);
    if (!this.allowed.includes(1)) return label + " may attend to no key, so all weights are 0 and the mix is 0.";
    const most = Math.max(...this.weights);
    const best = this.meta.keys.filter((_, i) => this.weights[i] === most).slice(0, 3).map(isolate).join(", ");
    const [spread, open] = [2 ** entropyBits(this.weights), this.allowed.reduce((a, b) => a + b, 0)];
    const keys = open === 1 ? "the 1 key it may attend to" : "the " + open + " keys it may attend to";
    return label + " uses about " + spread.toFixed(1) + " of " + keys + "; the largest weight is " + cut(most) + ", on " + best + ".";
  }

  legend() {
    const keys = keysOf(this.theme, "signed", this.limit, this.allowed.includes(0) ? "masked: weight 0" : "");
    legendCanvas(this.part.legend, this.theme, keys);
  }

  // ---- the saved picture

  saveSize = () => [760, 34 * 2 + this.row * (this.scores.length + 1) + 28];
  
  /** @param {Surface} surface */
  paint(surface) {
    const { theme } = this;
    const [row, top] = [this.row, 68];
    /** @type {TextStyle} */
    const small = { size: 12, baseline: "middle" };
    /** @param {number} i */
    const y = (i) => top + (i + 0.5) * row;
    surface.text(this.dial() + ". " + this.reading(), 16, 22, { size: 12 });
    const domain = ", from " + format(-this.limit) + " (purple) to " + format(this.limit) + " (orange)";
    /** @type {[string, number, string][]} */
    const heads = [["Key", 16, theme.ink.k], ["Score", 163, theme.text], ["Weight", 216, theme.text]];
    heads.push([this.part.heading.textContent + domain, 400, theme.ink.v]);
    for (const [label, x, fill] of heads) surface.text(label, x, 54, { size: 12, weight: 600, fill });
    this.meta.keys.forEach((label, i) => {
      surface.text(isolate(ellipsis(theme, label, 120, small)), 16, y(i), small);
      surface.text(format(this.scores[i]), 196, y(i), { ...small, align: "right", fill: this.allowed[i] ? theme.text : theme.muted });
      if (this.allowed[i]) surface.rect(216, y(i) - 5, 110 * this.weights[i], 10, { fill: weightColour(theme, 0.6) });
      else hatch(surface, theme, 216, y(i) - 5, 110, 10);
      surface.text(cut(this.weights[i]), 376, y(i), { ...small, align: "right" });
    });
    surface.image(this.image(this.values, this.scores.length), 400, top, 344, row * this.scores.length);
    const under = y(this.scores.length) + 10;
    surface.text("Σ weight × value", 16, under, { ...small, weight: 600 });
    surface.text(this.total(), 216, under, small);
    surface.image(this.image(this.mix, 1), 400, under - row / 2, 344, row);
  }
}

export default component(styles, (root, /** @type {Data<Meta, Arrays>} */ { meta, arrays }, send) =>
  stateOf(root, SoftDictionary).update(meta, arrays, send),
);
