// A row of attention weights, drawn: a bar for each label. A finger or mouse that is held down draws the bar that it is
// over. Each bar is a slider for the keyboard and for screen readers.

import { put } from "../../runtime/dom.js";

const MOST = 100;
const STEP = 5;
const SLIP = 10; // pixels by which a finger may leave a bar before it draws the next one

export function row(box, { labels }, changed) {
  const weights = labels.map(() => 0);
  const bars = labels.map((label, i) => bar(box, label, `${label}, ${i + 1} of ${labels.length}`));
  const paint = () => shares(weights).forEach((share, i) => fill(bars[i], labels[i], weights[i], share));
  const set = (i, weight) => {
    if (weights[i] === weight) return;
    weights[i] = weight;
    paint();
    changed();
  };
  bars.forEach(({ input }, i) => (input.oninput = () => set(i, Number(input.value))));
  drawn(box, bars, set);
  return {
    show(value) {
      if (value && isSame(shares(value), shares(weights))) return; // as it was drawn, not as it was stored
      const top = Math.max(...(value ?? []), 0);
      labels.forEach((_, i) => (weights[i] = value && top ? Math.round((MOST * value[i]) / top) : 0));
      paint();
    },
    read: () => (weights.some((weight) => weight > 0) ? [...weights] : null),
    missing: "Give at least one some weight first.",
  };
}

function bar(box, label, name) {
  const element = put(box, "label", "bar");
  const share = put(element, "output", "share");
  const track = put(element, "span", "track");
  const level = put(track, "span", "level");
  const input = Object.assign(put(track, "input"), { type: "range", min: 0, max: MOST, step: STEP, ariaLabel: name });
  input.ariaOrientation = "vertical";
  put(element, "bdi", "label", label);
  share.ariaHidden = "true";
  return { element, share, track, level, input };
}

function fill({ share, level, input }, label, weight, part) {
  const words = Math.round(100 * part) + " %";
  share.textContent = words;
  level.style.setProperty("height", weight + "%");
  input.value = weight;
  input.ariaValueText = label + ": " + words;
}

function shares(weights) {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum ? weight / sum : 0));
}

const isSame = (first, second) => first.every((share, i) => Math.abs(share - second[i]) < 1e-6);

// Draws with one finger, or with the mouse, from bar to bar.
function drawn(box, bars, set) {
  let at = -1;
  const over = ({ clientX, clientY }, slip) =>
    bars.findIndex(({ track }) => {
      const { left, right, top, bottom } = track.getBoundingClientRect();
      return clientX >= left + slip && clientX <= right - slip && clientY >= top - 200 && clientY <= bottom + 200;
    });
  const draw = ({ clientY }) => {
    const { top, height } = bars[at].track.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, 1 - (clientY - top) / height));
    set(at, STEP * Math.round((share * MOST) / STEP));
  };
  box.onpointerdown = (event) => {
    const place = bars.findIndex(({ track }) => track.contains(event.target));
    if (place < 0 || event.button || !event.isPrimary || box.parentElement.disabled) return;
    event.preventDefault();
    at = place;
    box.setPointerCapture(event.pointerId);
    draw(event);
  };
  box.onpointermove = (event) => {
    if (at < 0) return;
    draw(event);
  };
  box.onpointerup = box.onpointercancel = () => (at = -1);
}
