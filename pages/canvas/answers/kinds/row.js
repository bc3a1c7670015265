// @ts-check
// A row of attention weights, drawn: a bar for each label. A finger, or a mouse that is held down, draws the bar under it.
// Each bar has a slider for the keyboard and for screen readers, which is not seen.

import { put } from "../../runtime/dom.js";

/** @import { Kind } from "../form.js" */
/** @typedef {{share: HTMLElement, track: HTMLElement, level: HTMLElement, input: HTMLInputElement}} Bar */

const MOST = 100; // the height of a full bar
const STEP = 5;
const SLIP = 10; // pixels that a finger goes into the next bar before it draws that one

/** Ask for a weight for each label. @type {Kind} */
export function row(box, { labels }, changed) {
  const weights = labels.map(() => 0);
  put(box, "p", "hint", "Draw a bar for each. Only the proportions count: together they are 100%.");
  const line = put(box, "div", "bars");
  line.style.setProperty("--count", String(labels.length));
  const bars = labels.map((label, i) => bar(line, label, `${label}, ${i + 1} of ${labels.length}`));
  const paint = () => sharesOf(weights).forEach((share, i) => fill(bars[i], labels[i], weights[i], share));
  /** @param {number} i @param {number} weight */
  const set = (i, weight) => {
    if (weights[i] === weight) return;
    weights[i] = weight;
    paint();
    changed();
  };
  bars.forEach(({ input }, i) => (input.oninput = () => set(i, Number(input.value))));
  draw(line, bars, set);
  return {
    show(/** @type {number[] | null} */ value) {
      if (value && isSame(sharesOf(value), sharesOf(weights))) return; // the bars stay as high as they were drawn
      const top = Math.max(0, ...(value ?? []));
      labels.forEach((_, i) => (weights[i] = value && top ? (MOST * value[i]) / top : 0));
      paint();
    },
    read: () => (weights.some((weight) => weight > 0) ? [...weights] : null),
    missing: "Draw at least one bar first.",
  };
}

/** @param {HTMLElement} line @param {string} label @param {string} name @returns {Bar} */
function bar(line, label, name) {
  const element = put(line, "div", "bar");
  const share = put(element, "span", "share");
  const track = put(element, "div", "track");
  const level = put(track, "div", "level");
  const input = put(track, "input");
  Object.assign(input, { type: "range", min: 0, max: MOST, step: STEP, ariaLabel: name });
  input.ariaOrientation = "vertical";
  const under = put(element, "bdi", "label", label);
  share.ariaHidden = under.ariaHidden = "true"; // the slider says the label and the weight to a screen reader
  return { share, track, level, input };
}

/** @param {Bar} bar @param {string} label @param {number} weight @param {number} part */
function fill({ share, level, input }, label, weight, part) {
  const words = Math.round(100 * part) + "%";
  share.textContent = words;
  level.style.height = weight + "%";
  input.value = String(weight);
  input.ariaValueText = label + ": " + words;
}

/** @param {number[]} weights */
function sharesOf(weights) {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum ? weight / sum : 0));
}

/** @param {number[]} first @param {number[]} second */
const isSame = (first, second) => first.every((share, i) => Math.abs(share - second[i]) < 1e-6);

/**
 * Call set(i, weight) while one finger or the mouse draws, from bar to bar of one line.
 * @param {HTMLElement} line
 * @param {Bar[]} bars
 * @param {(i: number, weight: number) => void} set
 */
function draw(line, bars, set) {
  let at = -1;
  /** @param {number} i */
  const boxOf = (i) => bars[i].track.getBoundingClientRect();
  /** @param {PointerEvent} event */
  const step = ({ clientX, clientY }) => {
    const { top, height } = boxOf(at);
    const next = bars.findIndex((_, i) => {
      const box = boxOf(i);
      return box.top === top && i !== at && clientX > box.left + SLIP && clientX < box.right - SLIP;
    });
    if (next >= 0) at = next;
    const share = Math.min(1, Math.max(0, 1 - (clientY - top) / height));
    set(at, STEP * Math.round((share * MOST) / STEP));
  };
  line.onpointerdown = (event) => {
    const place = bars.findIndex(({ track }) => event.target instanceof Node && track.contains(event.target));
    if (place < 0 || event.button || !event.isPrimary || line.closest("fieldset")?.disabled) return;
    event.preventDefault(); // so that no text is selected
    line.setPointerCapture(event.pointerId);
    at = place;
    step(event);
  };
  line.onpointermove = (event) => event.isPrimary && at >= 0 && step(event);
  line.onpointerup = line.onpointercancel = () => (at = -1);
}
