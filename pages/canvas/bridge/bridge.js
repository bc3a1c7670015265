// @ts-check
// Words of two texts as buttons, and lines from the one that is pointed at, touched or focused to those of the other text.

import { hex, rgbOf } from "../runtime/colours.js";
import { component, sheetsOf } from "../runtime/component.js";
import { around, buttonsOf, child, drawn, make, placeOf, put } from "../runtime/dom.js";
import { saveBar } from "../runtime/save.js";
import { stateOf } from "../runtime/state.js";
import { ellipsis, isolate, signWords } from "../runtime/text.js";
import { readTheme } from "../runtime/theme.js";
import { route } from "./routes.js";

/** @import { Data } from "../runtime/component.js" */
/** @import { Surface } from "../runtime/surface.js" */
/** @import { Packed } from "../runtime/unpack.js" */
/** @import { Box } from "./routes.js" */
/** @typedef {"read" | "written"} Half  The text that was read, or the one that was written. */
/** @typedef {{side: Half, at: number}} Place  A word. */
/** @typedef {{curves: number[][], width: number, alpha: number}} Line */
/**
 * told: words in bold; glosses: what stands below the written words; opened: the written word that is shown first;
 * above, below: captions; language: of the written words, "" for that of the page.
 * @typedef {{name: string, read: string[], written: string[], told: number[], glosses: string[], opened: number,
 *   above: string, below: string, language: string}} Meta
 */
/** @typedef {Pick<Meta, Half> & {weights: ArrayLike<number>}} Picture  weights: a row for each written word. */

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "bridge.css");
const SVG = "http://www.w3.org/2000/svg";
const [HUE, MARGIN] = ["#d8437d", 16]; // of the lines, as in bridge.css; round the picture in a file
const [WIDE, SLIM] = [7, 4]; // pixels of a weight of 1: of a line on its own, and of one in a gap between words
/** @type {Half[]} */
const HALVES = ["read", "written"]; // the two lists, from top to bottom
const [LEAST, NAMED] = [0.02, 3]; // the weakest line that is drawn; how many words a sentence names

/**
 * Return the weights of one word towards the other text: a row for a written word, a column for one that was read.
 * @param {Picture} picture
 * @param {Place} place
 * @returns {number[]}
 */
export function weightsOf({ weights, written, read }, { side, at }) {
  const keys = read.length;
  if (side === "written") return read.map((_, key) => weights[at * keys + key]);
  return written.map((_, row) => weights[row * keys + at]);
}

/** Write a share, 0 to 1, as a percentage. @param {number} share */
export const percent = (share) =>
  share > 0.99 && share < 1 ? "more than 99%" : Math.round(100 * share) + "%";

/**
 * Say in one sentence which words of the other text have the largest weights.
 * @param {Picture} picture
 * @param {Place} place
 */
export function sentence(picture, place) {
  const [weights, others] = [weightsOf(picture, place), place.side === "written" ? picture.read : picture.written];
  const order = weights.map((_, i) => i).sort((a, b) => weights[b] - weights[a]);
  const named = order.filter((i) => weights[i] >= LEAST).slice(0, NAMED);
  const list = named.map((i) => `“${isolate(others[i])}” (${percent(weights[i])})`);
  const listed = list.length > 1 ? list.slice(0, -1).join(", ") + " and " + list.at(-1) : list[0];
  const word = `“${isolate(picture[place.side][place.at])}”`;
  if (place.side === "written") return listed ? `To write ${word}, the model looked at ${listed}.` : "";
  return listed ? `The model looked at ${word} to write ${listed}.` : `The model looked at ${word} for no word.`;
}

/**
 * Show the words as buttons in a list.
 * @param {HTMLElement} list
 * @param {string[]} words
 * @param {number[]} told
 * @param {string[]} glosses  below them, for the eyes alone: the sentence says the same of the word that is chosen
 */
function fill(list, words, told, glosses) {
  words.forEach((word, i) => {
    const button = buttonsOf(list)[i] ?? put(put(list, "li", ""), "button", "word");
    const item = /** @type {HTMLElement} */ (button.parentElement);
    item.querySelector(".gloss")?.remove();
    if (glosses.length) Object.assign(put(item, "bdi", "gloss"), { textContent: glosses[i] || " ", ariaHidden: "true" });
    button.type = "button";
    button.replaceChildren(make("bdi", "", word));
    button.classList.toggle("told", told.includes(i));
    if (signWords(word)) button.dataset.tip = signWords(word);
    else delete button.dataset.tip;
  });
  while (list.children.length > words.length) list.lastElementChild?.remove();
}

/** @param {Element} element @param {DOMRect} home @returns {Box} */
const boxOf = (element, home) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left - home.left, y: top - home.top, width, height };
};

/** @param {number[]} one @param {number[]} other @param {number} share */
const mix = (one, other, share) => one.map((part, i) => part + (other[i] - part) * share);

class Bridge {
  /** @type {Place | null} */
  kept = null; // the word that was clicked
  words = ""; // the words of both texts
  /** @type {Line[]} */
  lines = [];
  /** @type {Picture} */
  picture;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    const stage = child(root, "div", "bridge");
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("aria-hidden", "true");
    stage.append(this.svg); // the lines are behind the words
    this.above = child(stage, "p", "above");
    const read = child(stage, "ol", "read");
    child(stage, "div", "gap");
    const written = child(stage, "ol", "written");
    this.below = child(stage, "p", "below"); // the gloss is below the word, because the lines come from above
    this.stage = stage;
    this.said = child(root, "p", "said");
    this.lists = { read, written };
    this.listen(read, "read");
    this.listen(written, "written");
  }

  /** @param {HTMLElement} list @param {Half} side */
  listen(list, side) {
    /** @param {Event} event */
    const at = (event) => placeOf(buttonsOf(list), around(event, "button"));
    /** @param {Event} event */
    const point = (event) => {
      if (at(event) < 0) return;
      this.said.ariaLive = "polite"; // read out where a word was chosen; what a new text changes, the page says itself
      this.show({ side, at: at(event) });
    };
    list.onpointerover = point;
    list.addEventListener("focusin", point);
    list.onclick = (event) => at(event) >= 0 && this.show((this.kept = { side, at: at(event) }));
    list.onkeydown = (event) => {
      const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
      if (step) buttonsOf(list)[at(event) + step]?.focus();
    };
  }

  /** @param {Meta} meta @param {ArrayLike<number>} weights */
  update(meta, weights) {
    const { read, written } = meta;
    this.picture = { read, written, weights };
    Object.assign(this.stage, { role: "group", ariaLabel: meta.name });
    this.above.textContent = meta.above;
    this.below.textContent = meta.below;
    this.lists.read.ariaLabel = meta.above;
    Object.assign(this.lists.written, { ariaLabel: "The words that were written", lang: meta.language });
    this.said.ariaLive = "off";
    saveBar(this.root, meta.name, () => this.size(), (surface) => this.paint(surface));
    fill(this.lists.read, read, [], []);
    fill(this.lists.written, written, meta.told, meta.glosses);
    if (this.words !== (this.words = JSON.stringify([read, written]))) this.kept = null;
    const opened = () => this.kept ?? { side: "written", at: Math.min(meta.opened, written.length - 1) };
    this.stage.onpointerleave = () => this.show(opened());
    if (written.length) drawn(this.stage, () => this.show(opened()));
  }

  /** Show what a word has to do with the other text. @param {Place} place */
  show(place) {
    const weights = weightsOf(this.picture, place);
    for (const side of HALVES)
      buttonsOf(this.lists[side]).forEach((button, i) => {
        const share = side === place.side ? 0 : weights[i];
        button.style.setProperty("--share", Math.round(100 * share) + "%");
        button.classList.toggle("chosen", side === place.side && i === place.at);
      });
    this.lines = this.linesOf(place, weights);
    this.drawLines();
    this.said.textContent = sentence(this.picture, place);
  }

  /** Return a line for each weight that is large enough to be seen. @param {Place} place @param {number[]} weights */
  linesOf(place, weights) {
    const home = this.stage.getBoundingClientRect();
    const [upper, lower] = HALVES.map((side) => buttonsOf(this.lists[side]).map((each) => boxOf(each, home)));
    return weights.flatMap((weight, i) => {
      if (!(weight >= LEAST)) return [];
      const [from, to] = place.side === "read" ? [upper[place.at], lower[i]] : [upper[i], lower[place.at]];
      const curves = route(from, upper, to, lower);
      return [{ curves, width: 1 + (curves.length > 1 ? SLIM : WIDE) * weight, alpha: 0.25 + 0.75 * weight }];
    });
  }

  drawLines() {
    const { width, height } = this.stage.getBoundingClientRect();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.replaceChildren(
      ...this.lines.map(({ curves, width, alpha }) => {
        const path = document.createElementNS(SVG, "path");
        const [[x, y]] = curves;
        path.setAttribute("d", `M${x} ${y}` + curves.map((curve) => "C" + curve.slice(2).join(" ")).join(""));
        path.setAttribute("stroke-width", String(width));
        path.setAttribute("stroke-opacity", String(alpha));
        return path;
      }),
    );
  }

  /** Paint the picture as it stands, for a file: words, captions, lines and the sentence. @param {Surface} surface */
  paint(surface) {
    const theme = readTheme(this.stage);
    const home = this.stage.getBoundingClientRect();
    const buttons = HALVES.flatMap((side) => buttonsOf(this.lists[side]));
    const size = parseFloat(getComputedStyle(buttons[0]).fontSize);
    /** @param {number} share */
    const tint = (share) => hex(mix(rgbOf(theme.panel), rgbOf(HUE), share / 2));
    /** @param {Box} box */
    const at = ({ x, y, ...box }) => ({ x: x + MARGIN, y: y + MARGIN, ...box });
    for (const { curves, width, alpha } of this.lines)
      for (const curve of curves)
        surface.curve(curve.map((each) => each + MARGIN), { stroke: HUE, lineWidth: width, alpha });
    for (const button of buttons) {
      const { x, y, width, height } = at(boxOf(button, home));
      const [chosen, told] = ["chosen", "told"].map((name) => button.classList.contains(name));
      const share = parseFloat(button.style.getPropertyValue("--share")) / 100 || 0;
      const frame = chosen || told ? { stroke: theme.text, lineWidth: chosen ? 2 : 1 } : {};
      surface.rect(x, y, width, height, { fill: tint(share), radius: 8, ...frame });
      const weight = told ? 600 : 400;
      const word = ellipsis(theme, button.textContent, width - 8, { size, weight });
      surface.text(word, x + width / 2, y + height / 2, { size, weight, align: "center", baseline: "middle" });
    }
    for (const gloss of this.stage.querySelectorAll(".gloss")) {
      const { x, y, width, height } = at(boxOf(gloss, home));
      const style = /** @type {const} */ ({ size: 13, fill: theme.muted, align: "center", baseline: "middle" });
      surface.text((gloss.textContent ?? "").trim(), x + width / 2, y + height / 2, style);
    }
    for (const caption of [this.above, this.below]) {
      const { x, y, height } = at(boxOf(caption, home));
      surface.text(caption.textContent, x, y + height / 2, { size: 13, fill: theme.muted, baseline: "middle" });
    }
    const { width, height } = home;
    const said = ellipsis(theme, this.said.textContent, width, { size: 15 });
    surface.text(said, MARGIN, height + 2 * MARGIN, { size: 15 });
  }

  size() {
    const { width, height } = this.stage.getBoundingClientRect();
    return [width + 2 * MARGIN, height + 3 * MARGIN];
  }
}

export default component(styles, (root, /** @type {Data<Meta, {weights: Packed}>} */ { meta, arrays }) =>
  stateOf(root, Bridge).update(meta, arrays.weights.values),
);
