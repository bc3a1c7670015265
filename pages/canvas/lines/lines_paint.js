// What the lines are and how they are painted. `view` is a TokenLines: labels.q and labels.k, weights (H, Q, K) in one
// row, the shown heads, floor (the threshold), row (pixels), type (font size), theme, and the active token or null.

import { weightColour } from "../runtime/colours.js";
import { ellipsis, isolate } from "../runtime/text.js";

// More lines than this are neither seen apart nor drawn in one frame; the strongest are kept.
const LINE_LIMIT = 6000;

// One colour a head, told apart by hue and lightness, none of them the colour of queries, keys or values.
const HEADS_LIGHT =
  "#cc6677 #332288 #44aa99 #882255 #999933 #5fb6dc #aa4499 #117733 #8c5a2b #5b6b7f #7fb800 #c1272d #9a8ce0 #1b4f72 #e78ac3 #c2a83e";
const HEADS_DARK =
  "#e58a98 #8577d8 #5cc9b7 #c9578f #b9b94c #88ccee #cf77c3 #3fa860 #c08a55 #93a3b8 #a5dd2a #f0645f #c3b9ff #5c9bc9 #f5addb #e3cb66";

export const shortWeight = (w) => (w === 0 ? "0" : w < 0.005 ? "<0.01" : w.toFixed(2));
export const percent = (share) => (share > 0 && share < 0.005 ? "<1" : String(Math.round(100 * share))) + "%";

// Indices of the strongest weights of the shown heads that are above 0 and not below `floor`, weakest first, and
// what the threshold hides. Counting by w ** (1/4) keeps small weights apart; of the last bin every n-th is taken.
export function strongest(weights, shown, size, floor) {
  const bins = new Uint32Array(1025);
  const bin = (w) => Math.min(1024, (Math.sqrt(Math.sqrt(w)) * 1024) | 0);
  const passing = (each) => {
    for (const head of shown)
      for (let i = head * size; i < (head + 1) * size; i++) if (weights[i] > 0 && weights[i] >= floor) each(i);
  };
  let [mass, kept, count] = [0, 0, 0];
  for (const head of shown) for (let i = head * size; i < (head + 1) * size; i++) mass += weights[i];
  passing((i) => {
    bins[bin(weights[i])]++;
    kept += weights[i];
    count++;
  });
  let [cut, room] = [1024, LINE_LIMIT];
  while (cut >= 0 && bins[cut] <= room) room -= bins[cut--];
  const step = cut < 0 ? 1 : Math.ceil(bins[cut] / Math.max(1, room));
  const lines = [];
  let seen = 0;
  passing((i) => {
    const at = bin(weights[i]);
    if (at > cut || (at === cut && room > 0 && seen++ % step === 0)) lines.push(i);
  });
  lines.sort((a, b) => weights[a] - weights[b]);
  return { lines, count, hidden: mass > 0 ? Math.max(0, 1 - kept / mass) : 0 };
}

export const headColour = (theme, head) => (theme.dark ? HEADS_DARK : HEADS_LIGHT).split(" ")[head % 16];
export const pairs = (view) => view.labels.q.length * view.labels.k.length;
const otherSide = (side) => (side === "q" ? "k" : "q");

// Where the weight between the active token and token `other` of the other side stands.
function weightAt(view, head, other) {
  const { side, index } = view.active;
  const [query, key] = side === "q" ? [index, other] : [other, index];
  return head * pairs(view) + query * view.labels.k.length + key;
}

// For each token of the other side: its weight in each shown head, and their mean.
export function activeWeights(view) {
  return view.labels[otherSide(view.active.side)].map((_, other) => {
    const heads = view.shown.map((head) => view.weights[weightAt(view, head, other)]);
    return { heads, mean: heads.reduce((a, b) => a + b, 0) / Math.max(1, heads.length) };
  });
}

// One head: colour from the weight scale. Several: the head's colour, as opaque as the weight. `fan` is the side at
// which lines of several heads end one below the other instead of on one point.
export function drawCurves(view, surface, lines, { left, right, height }, top, fan) {
  const { row, theme, shown } = view;
  const [size, keys, middle] = [pairs(view), view.labels.k.length, (left + right) / 2];
  const single = view.meta.heads.length === 1;
  const apart = Math.min(3, (row - 6) / shown.length);
  for (const line of lines) {
    const [w, pair, head] = [Math.min(1, view.weights[line]), line % size, Math.floor(line / size)];
    const lower = fan ? apart * (shown.indexOf(head) - (shown.length - 1) / 2) : 0;
    const y1 = (Math.floor(pair / keys) + 0.5) * row - top + (fan === "q" ? lower : 0);
    const y2 = ((pair % keys) + 0.5) * row - top + (fan === "k" ? lower : 0);
    if (Math.max(y1, y2) < 0 || Math.min(y1, y2) > height) continue;
    const stroke = single ? weightColour(theme, w) : headColour(theme, head);
    const style = { stroke, lineWidth: 0.75 + 0.14 * row * w, alpha: single ? 1 : Math.max(0.04, w) };
    surface.curve([left, y1, middle, y1, middle, y2, right, y2], style);
  }
}

// The active token's lines, and at their other ends its weights: a number, and a bar for each of several heads.
export function drawActive(view, surface, box, top) {
  const { row, theme, shown, floor } = view;
  const { side } = view.active;
  const bar = shown.length > 1 ? Math.max(2, Math.min(6, 44 / shown.length)) : 0;
  const room = 36 + (bar ? bar * shown.length + 6 : 0);
  const inner = side === "q" ? { ...box, right: box.right - room } : { ...box, left: box.left + room };
  const weights = activeWeights(view);
  const lines = weights
    .flatMap((_, other) => shown.map((head) => weightAt(view, head, other)))
    .filter((line) => view.weights[line] > 0 && view.weights[line] >= floor)
    .sort((a, b) => view.weights[a] - view.weights[b]);
  drawCurves(view, surface, lines, inner, top, otherSide(side));
  weights.forEach(({ heads, mean }, other) => {
    const y = (other + 0.5) * row - top;
    if (y < -row || y > box.height + row) return;
    const fill = mean > 0 && mean >= floor ? theme.text : theme.muted;
    const [x, align] = side === "q" ? [box.right - 4, "right"] : [box.left + 4, "left"];
    surface.text(shortWeight(mean), x, y, { fill, align, size: Math.min(12.5, row - 5), baseline: "middle" });
    if (bar && mean > 0) drawBars(view, surface, heads, side === "q" ? inner.right + 2 : inner.left - 2 - bar * heads.length, y, bar);
  });
}

function drawBars(view, surface, heads, x, y, bar) {
  const tall = view.row - 6;
  surface.rect(x, y - tall / 2, bar * heads.length, tall, { fill: view.theme.panel });
  heads.forEach((w, i) => {
    const fill = headColour(view.theme, view.shown[i]);
    if (w > 0) surface.rect(x + i * bar, y + tall / 2 - w * tall, bar - 0.5, w * tall, { fill });
  });
}

// ---- the saved picture: the same lines, with the tokens painted beside them

const MARGIN = { x: 16, y: 48 };
const NAME_ROW = 18; // one line of the legend, below the picture
const legendRows = (view) => (view.meta.heads.length > 1 ? view.shown.length : 0);
export const wholeSize = (view) => [
  view.box.width + 2 * MARGIN.x,
  view.box.rows * view.row + MARGIN.y + 16 + legendRows(view) * NAME_ROW,
];

// A surface whose origin is the picture's, below its headings.
const moved = (surface) => ({
  curve: (points, style) => surface.curve(points.map((at, i) => at + (i % 2 ? MARGIN.y : MARGIN.x)), style),
  text: (string, x, y, style) => surface.text(string, x + MARGIN.x, y + MARGIN.y, style),
  rect: (x, y, w, h, style) => surface.rect(x + MARGIN.x, y + MARGIN.y, w, h, style),
});

export function drawWhole(view, surface) {
  const { theme, row, type, box } = view;
  const [inside, whole] = [moved(surface), { ...box, height: box.rows * row }];
  if (view.active) drawActive(view, inside, whole, 0);
  else drawCurves(view, inside, view.lines, whole, 0);
  if (legendRows(view))
    view.shown.forEach((head, i) => {
      const y = whole.height + 12 + i * NAME_ROW;
      inside.rect(0, y - 4, 16, 8, { fill: headColour(theme, head) });
      inside.text(isolate(view.meta.heads[head]), 24, y, { size: 12, baseline: "middle" });
    });
  const sides = {
    q: { title: "Queries", x: box.left - 13, bar: box.left - 5, align: "right", room: box.left - 16 },
    k: { title: "Keys", x: box.right + 13, bar: box.right + 2, align: "left", room: box.width - box.right - 16 },
  };
  for (const [side, { title, x, bar, align, room }] of Object.entries(sides)) {
    inside.text(title, x, -16, { align, size: 13, weight: 600, fill: theme.ink[side] });
    inside.rect(bar, 0, 3, view.labels[side].length * row, { fill: theme[side] });
    view.labels[side].forEach((label, i) => {
      const style = { align, size: type, baseline: "middle" };
      inside.text(isolate(ellipsis(theme, label, room, style)), x, (i + 0.5) * row, style);
    });
  }
}
