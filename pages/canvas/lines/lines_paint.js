// @ts-check
// The colours of the lines and how they are painted.

import { weightColour } from "../runtime/colours.js";
import { ellipsis, isolate, sizeOf } from "../runtime/text.js";
import { activeWeights, otherSide, pairs, shortWeight, weightAt } from "./strongest.js";

/** @import { Surface, TextStyle } from "../runtime/surface.js" */
/** @import { Theme } from "../runtime/theme.js" */
/** @import { Box, Side, Token, View } from "./strongest.js" */
/** @typedef {Pick<Surface, "curve" | "text" | "rect">} Painter */

// One colour a head, told apart by hue and lightness, none of them the colour of queries, keys or values.
const HEADS_LIGHT =
  "#cc6677 #332288 #44aa99 #882255 #999933 #5fb6dc #aa4499 #117733 #8c5a2b #5b6b7f #7fb800 #c1272d #9a8ce0 #1b4f72 #e78ac3 #c2a83e";
const HEADS_DARK =
  "#e58a98 #8577d8 #5cc9b7 #c9578f #b9b94c #88ccee #cf77c3 #3fa860 #c08a55 #93a3b8 #a5dd2a #f0645f #c3b9ff #5c9bc9 #f5addb #e3cb66";

/** Return the colour of a head. @param {Theme} theme @param {number} head */
export const headColour = (theme, head) => (theme.dark ? HEADS_DARK : HEADS_LIGHT).split(" ")[head % 16];
/**
 * Paint lines. One head: colour from the weight scale. Several: the head's colour, as opaque as the weight.
 * @param {View} view
 * @param {Painter} surface
 * @param {number[]} lines
 * @param {Box} box
 * @param {number} top  How far the tokens are scrolled.
 * @param {Side} [fan]  The side at which lines of several heads end one below the other instead of on one point.
 */
export function drawCurves(view, surface, lines, { left, right, height }, top, fan) {
  const { row, theme, shown } = view;
  const [size, keys, middle] = [pairs(view), view.labels.k.length, (left + right) / 2];
  const single = view.heads.length === 1;
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

/**
 * Paint the lines of one token, and at their other ends its weights: a number, and a bar for each of several heads.
 * @param {View} view
 * @param {Token} token
 * @param {Painter} surface
 * @param {Box} box
 * @param {number} top
 */
export function drawActive(view, token, surface, box, top) {
  const { row, theme, shown, floor } = view;
  const { side } = token;
  const bar = shown.length > 1 ? Math.max(2, Math.min(6, 44 / shown.length)) : 0;
  const number = { size: Math.min(12.5, row - 5), inCell: true };
  const room = Math.max(36, 2.6 * sizeOf(theme, number)) + (bar ? bar * shown.length + 6 : 0);
  const inner = side === "q" ? { ...box, right: box.right - room } : { ...box, left: box.left + room };
  const weights = activeWeights(view, token);
  const lines = weights
    .flatMap((_, other) => shown.map((head) => weightAt(view, token, head, other)))
    .filter((line) => view.weights[line] > 0 && view.weights[line] >= floor)
    .sort((a, b) => view.weights[a] - view.weights[b]);
  drawCurves(view, surface, lines, inner, top, otherSide(side));
  weights.forEach(({ heads, mean }, other) => {
    const y = (other + 0.5) * row - top;
    if (y < -row || y > box.height + row) return;
    const fill = mean > 0 && mean >= floor ? theme.text : theme.muted;
    const x = side === "q" ? box.right - 4 : box.left + 4;
    const align = side === "q" ? "right" : "left";
    surface.text(shortWeight(mean), x, y, { ...number, fill, align, baseline: "middle" });
    if (bar && mean > 0) drawBars(view, surface, heads, side === "q" ? inner.right + 2 : inner.left - 2 - bar * heads.length, y, bar);
  });
}

/** @type {(view: View, surface: Painter, heads: number[], x: number, y: number, bar: number) => void} */
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
/** @param {View} view */
const legendRows = (view) => (view.heads.length > 1 ? view.shown.length : 0);
/** Return width and height of the saved picture. @param {View} view */
export const wholeSize = (view) => [
  view.box.width + 2 * MARGIN.x,
  view.box.rows * view.row + MARGIN.y + 16 + legendRows(view) * NAME_ROW,
];

/** Move a surface's origin to the picture's, below its headings. @param {Surface} surface @returns {Painter} */
const moved = (surface) => ({
  curve: (points, style) => surface.curve(points.map((at, i) => at + (i % 2 ? MARGIN.y : MARGIN.x)), style),
  text: (string, x, y, style) => surface.text(string, x + MARGIN.x, y + MARGIN.y, style),
  rect: (x, y, w, h, style) => surface.rect(x + MARGIN.x, y + MARGIN.y, w, h, style),
});

/** Paint the saved picture. @param {View} view @param {Surface} surface */
export function drawWhole(view, surface) {
  const { theme, row, type, box } = view;
  const [inside, whole] = [moved(surface), { ...box, height: box.rows * row }];
  if (view.active) drawActive(view, view.active, inside, whole, 0);
  else drawCurves(view, inside, view.lines, whole, 0);
  if (legendRows(view))
    view.shown.forEach((head, i) => {
      const y = whole.height + 12 + i * NAME_ROW;
      inside.rect(0, y - 4, 16, 8, { fill: headColour(theme, head) });
      inside.text(isolate(view.heads[head]), 24, y, { size: 12, baseline: "middle" });
    });
  /** @type {{side: Side, title: string, x: number, bar: number, align: "left" | "right", room: number}[]} */
  const sides = [
    { side: "q", title: "Queries", x: box.left - 13, bar: box.left - 5, align: "right", room: box.left - 16 },
    { side: "k", title: "Keys", x: box.right + 13, bar: box.right + 2, align: "left", room: box.width - box.right - 16 },
  ];
  for (const { side, title, x, bar, align, room } of sides) {
    inside.text(title, x, -16, { align, size: 13, weight: 600, fill: theme.ink[side] });
    inside.rect(bar, 0, 3, view.labels[side].length * row, { fill: theme[side] });
    view.labels[side].forEach((label, i) => {
      /** @type {TextStyle} */
      const style = { align, size: type, baseline: "middle" };
      inside.text(isolate(ellipsis(theme, label, room, style)), x, (i + 0.5) * row, style);
    });
  }
}
