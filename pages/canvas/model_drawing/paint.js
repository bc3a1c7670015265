// @ts-check
// The boxes and lines of a drawn model on any surface: on the screen and in the saved files alike.

import { fromLab, hex, readable, rgbOf, toLab } from "../runtime/colours.js";
import { ellipsis, textWidth } from "../runtime/text.js";
import { isForced } from "../runtime/theme.js";
import { INSET, numbersOf, sized, SMALL, TITLE } from "./layout.js";

/** @import { Pen, Surface, TextStyle } from "../runtime/surface.js" */
/** @import { Theme } from "../runtime/theme.js" */
/** @import { Edge, Head, Layout, Model, Part, Place, Words } from "./layout.js" */
/** @typedef {[x: number, y: number]} Point */

/** @type {Record<string, string>} */
const HUES = { weights: "#d8437d", answer: "#12889a", classes: "#12889a" };
const MEMORY = "#7a4fcb"; // the line from the encoder's output
const QUIET = ["norm", "text", "gap"];
const [STREAM, LINE, HEAD] = [5, 1.6, 4.5];

/** Mix the first colour with `share` of the second. @param {string} first @param {string} second @param {number} share */
export const mixed = (first, second, share) => {
  const [a, b] = [first, second].map((colour) => toLab(rgbOf(colour)));
  return hex(fromLab(a.map((x, i) => (1 - share) * x + share * b[i])));
};

/** @param {Theme} theme @param {string} kind */
function coloursOf(theme, kind) {
  const hue = kind === "q" || kind === "k" || kind === "v" ? theme[kind] : HUES[kind];
  if (isForced()) return { fill: theme.background, stroke: theme.text };
  if (hue) return { fill: mixed(theme.background, hue, 0.14), stroke: mixed(theme.background, hue, 0.75) };
  const fill = QUIET.includes(kind) ? theme.background : theme.panel;
  return { fill, stroke: mixed(theme.background, theme.text, 0.36) };
}

/** @param {Place} place @returns {Point} */
const middle = ({ x, y, w, h }) => [x + w / 2, y + h / 2];

/**
 * Paint a model.
 * @param {Surface} surface
 * @param {Theme} theme
 * @param {Model} model
 * @param {Layout} layout
 */
export function paintModel(surface, theme, { piles, edges }, layout) {
  const { rects, scale } = layout;
  const framed = new Set(layout.frames);
  const boxes = piles.flatMap(({ ranks }) => ranks.flatMap(({ boxes, frame }) => [...boxes, ...(frame ? [frame] : [])]));
  const named = new Map(boxes.map((box) => [box.key, box]));
  for (const head of layout.headed ? layout.heads : []) paintHead(surface, theme, head, layout);
  for (const [key, box] of named) if (framed.has(key)) paintFrame(surface, theme, box, layout);
  const order = ["tied", "stream", "skip", "branch", "return", "memory", "inner"];
  for (const kind of order) for (const edge of edges) if (edge.kind === kind) paintEdge(surface, theme, edge, layout);
  for (const [key, box] of named) {
    if (framed.has(key)) continue;
    if (box.kind === "add") paintAdd(surface, theme, box, rects[key], layout);
    else paintBox(surface, theme, box, rects[key], layout);
  }
}

/** @type {(surface: Surface, theme: Theme, head: Head, layout: Layout) => void} */
function paintHead(surface, theme, { title, x, y, width }, { look, scale }) {
  /** @type {TextStyle} */
  const style = { ...sized({ size: 12.5, weight: 600 }, scale), baseline: "middle", fill: theme.muted };
  surface.text(ellipsis(theme, title, width, style), x, y + look.head / 2 - 3 * scale, style);
}

/** @type {(surface: Surface, theme: Theme, box: Part, layout: Layout) => void} */
function paintFrame(surface, theme, box, { rects, words, look, scale }) {
  const { x, y, w, h } = rects[box.key];
  const stroke = mixed(theme.background, theme.text, 0.36);
  surface.rect(x, y, w, h, { fill: isForced() ? theme.background : theme.panel, stroke, radius: 7 * scale });
  const past = rects[box.key].lane ? look.lane + 1 * scale : 0; // the stream runs through the frame
  paintLine(surface, theme, box, words[box.key].words, x + past, y + look.title / 2 + 1, w - past, scale);
}

/** @param {{size: number, weight?: number}} font @param {number} scale @returns {TextStyle} */
const middling = (font, scale) => ({ ...sized(font, scale), baseline: "middle" });

/**
 * Write the title on the left; shape and parameters on the right, on the same line.
 * @type {(surface: Surface, theme: Theme, box: Part, words: Words, x: number, y: number, w: number, scale: number) => void}
 */
function paintLine(surface, theme, box, [shape, count], x, y, w, scale) {
  const [title, small] = [middling(TITLE, scale), middling(SMALL, scale)];
  const inset = INSET * scale;
  surface.text(ellipsis(theme, box.title, w - 2 * inset, title), x + inset, y, { ...title, fill: theme.text });
  let right = x + w - inset;
  for (const [word, fill] of [[count, theme.text], [shape, theme.muted]]) {
    if (!word) continue;
    surface.text(word, right, y, { ...small, align: "right", fill });
    right -= textWidth(theme, word, small) + 12 * scale;
  }
}

/** @type {(surface: Surface, theme: Theme, box: Part, place: Place, layout: Layout) => void} */
function paintBox(surface, theme, box, { x, y, w, h }, { words, scale }) {
  const { fill, stroke } = coloursOf(theme, box.kind);
  const dash = box.kind === "gap" ? [4, 4] : [];
  if (box.kind === "layer")
    for (const shift of [4, 2]) surface.rect(x + shift * scale, y + shift * scale, w, h, { fill, stroke, radius: 5 * scale });
  surface.rect(x, y, w, h, { fill, stroke, dash, radius: 5 * scale });
  const { lines, words: said } = words[box.key];
  if (lines === 1) return paintLine(surface, theme, box, said, x, y + h / 2, w, scale);
  if (!said[0] && !said[1]) return paintLine(surface, theme, box, said, x, y + h / 2, w, scale);
  const inset = INSET * scale;
  const [title, small] = [middling(TITLE, scale), middling(SMALL, scale)];
  const quiet = box.kind === "gap" ? theme.muted : theme.text;
  const [first, second, third] = lines === 3 ? [0.22, 0.53, 0.81] : [0.3, 0.72, 0.72];
  surface.text(ellipsis(theme, box.title, w - 2 * inset, title), x + inset, y + h * first, { ...title, fill: quiet });
  if (said[0]) surface.text(ellipsis(theme, said[0], w - 2 * inset, small), x + inset, y + h * second, { ...small, fill: theme.muted });
  const end = lines === 3 ? x + inset : x + w - inset;
  if (said[1]) surface.text(said[1], end, y + h * third, { ...small, align: lines === 3 ? "left" : "right", fill: theme.text });
}

/** @type {(surface: Surface, theme: Theme, box: Part, rect: Place, layout: Layout) => void} */
function paintAdd(surface, theme, box, rect, { look, lanes, scale }) {
  const [[x, y], arm] = [middle(rect), 5 * scale];
  const pen = { stroke: theme.text, lineWidth: 1.5 * scale };
  surface.rect(rect.x, rect.y, rect.w, rect.h, { fill: theme.background, ...pen, radius: rect.w / 2 });
  surface.line(x - arm, y, x + arm, y, pen);
  surface.line(x, y - arm, x, y + arm, pen);
  const style = { ...middling(SMALL, scale), fill: theme.muted };
  const left = lanes[rect.stack] - look.lane + look.branch + 34 * scale;
  surface.text(box.title + ", " + numbersOf(box.shape), left, y, style);
}

// ---- lines

/**
 * Paint a path along right angles, by its corners, with an arrow at its end.
 * @type {(surface: Surface, points: Point[], style: Pen, scale: number, arrow?: boolean) => void}
 */
function route(surface, points, style, scale, arrow = true) {
  for (let i = 1; i < points.length; i++) surface.line(...points[i - 1], ...points[i], style);
  if (!arrow) return;
  const [[a, b], [x, y]] = points.slice(-2);
  const [dx, dy] = [Math.sign(Math.round(x - a)), Math.sign(Math.round(y - b))];
  const size = HEAD * scale;
  for (const side of [-1, 1]) {
    const [u, v] = [x - dx * size + side * dy * size * 0.8, y - dy * size + side * dx * size * 0.8];
    surface.line(u, v, x, y, style);
  }
}

/** @param {Place} rect @param {number} scale */
const entryOf = (rect, scale) => rect.x + 22 * scale;

/** @type {(surface: Surface, theme: Theme, edge: Edge, layout: Layout) => void} */
function paintEdge(surface, theme, { source, target, kind }, layout) {
  const { rects, lanes, scale } = layout;
  const [from, to] = [rects[source], rects[target]];
  const thin = { stroke: theme.text, lineWidth: LINE * scale };
  const thick = { stroke: mixed(theme.background, theme.text, 0.55), lineWidth: STREAM * scale };
  const lane = lanes[to.stack];
  const [low, high] = [from.y + from.h, to.y];
  if (kind === "stream" || kind === "skip") return surface.line(lane, low, lane, high, thick);
  if (kind === "branch") {
    const [turn, entry] = [low + 6 * scale, entryOf(to, scale)];
    return route(surface, [[lane, turn], [entry, turn], [entry, high]], thin, scale);
  }
  if (kind === "return") {
    const [entry, y] = [entryOf(from, scale), middle(to)[1]];
    return route(surface, [[entry, low], [entry, y], [to.x + to.w, y]], thin, scale);
  }
  if (kind === "inner") return paintInner(surface, from, to, thin, scale, layout.frames.includes(target));
  if (kind === "memory") return paintMemory(surface, theme, source, target, layout);
  paintTied(surface, theme, from, to, layout);
}

/**
 * Join boxes that stand beside each other from side to side, those below each other where they overlap.
 * @type {(surface: Surface, from: Place, to: Place, style: Pen, scale: number, framed: boolean) => void}
 */
function paintInner(surface, from, to, style, scale, framed) {
  const y = middle(from)[1];
  if (from.y === to.y && to.x < from.x) return route(surface, [[from.x, y], [to.x + to.w, y]], style, scale * 0.8);
  if (from.y === to.y) return route(surface, [[from.x + from.w, y], [to.x, y]], style, scale * 0.8);
  const ends = [Math.max(from.x, to.x), Math.min(from.x + from.w, to.x + to.w)];
  const x = framed ? entryOf(to, scale) : (ends[0] + ends[1]) / 2;
  route(surface, [[x, from.y + from.h], [x, to.y]], style, scale);
}

/**
 * Paint the line from the encoder's output along the space between the piles, or along their right side, to keys and values.
 * @type {(surface: Surface, theme: Theme, source: string, target: string, layout: Layout) => void}
 */
function paintMemory(surface, theme, source, target, { rects, stacked, column, look, scale }) {
  const [from, to] = [rects[source], rects[target]];
  const x = stacked ? look.margin + column - 7 * scale : from.x + from.w + look.side + look.between * 0.4;
  /** @type {Point} */
  const start = [from.x + from.w, middle(from)[1]];
  const heads = ["k", "v"].map((name) => rects[target + "." + name]).filter(Boolean);
  const y = heads.length ? heads[0].y - 8 * scale : middle(to)[1];
  const stroke = isForced() ? theme.text : hex(readable(rgbOf(MEMORY), rgbOf(theme.background), 4.5));
  const style = { stroke, lineWidth: 2 * scale };
  const far = stacked ? heads[0] : heads[heads.length - 1];
  const end = far ? middle(far)[0] : stacked ? to.x + to.w : to.x;
  const halo = { stroke: theme.background, lineWidth: 6 * scale };
  if (!stacked) route(surface, [[x + 4 * scale, y], [to.x - 2 * scale, y]], halo, scale, false);
  route(surface, [start, [x, start[1]], [x, y], [end, y]], style, scale, !heads.length);
  for (const head of heads) route(surface, [[middle(head)[0], y], [middle(head)[0], head.y]], style, scale);
}

/**
 * Join boxes that share their parameters, above and below the boxes: what stands beside them is left free.
 * @type {(surface: Surface, theme: Theme, from: Place, to: Place, layout: Layout) => void}
 */
function paintTied(surface, theme, from, to, { stacked, lanes, column, look, scale }) {
  const style = { stroke: theme.muted, lineWidth: 1.4 * scale, dash: [3, 4] };
  const near = 6 * scale;
  const [[a], [b]] = [from, to].map(middle);
  const above = to.y - near;
  if (from.stack !== to.stack && !stacked) {
    return route(surface, [[a, from.y], [a, above], [b, above], [b, to.y]], style, scale, false);
  }
  const x = lanes[to.stack] - look.lane + column - look.side + 9 * scale;
  const [end, turn] = from.stack === to.stack ? [from.y + from.h, from.y + from.h + near] : [from.y, from.y - near];
  route(surface, [[a, end], [a, turn], [x, turn], [x, above], [b, above], [b, to.y]], style, scale, false);
}
