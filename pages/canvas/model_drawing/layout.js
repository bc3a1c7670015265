// @ts-check
// Where every box of a drawn model stands, in pixels, for the room there is. The stream runs down a lane on the left of
// each pile; branches stand to the right of it.

import { textWidth } from "../runtime/text.js";

/** @import { Theme } from "../runtime/theme.js" */
/**
 * A part of a model. learns: whether it has parameters to learn; does: what a click does, "" for nothing; share: of the
 * width of its rank.
 * @typedef {{key: string, kind: string, title: string, shape: string, parameters: number, about: string, share: number,
 *   learns: boolean, does: string}} Part
 */
/** @typedef {{boxes: Part[], frame: Part | null, branch: boolean}} Rank  Boxes beside each other, perhaps in a frame. */
/** @typedef {{stack: string, title: string, ranks: Rank[]}} Pile */
/** @typedef {{source: string, target: string, kind: string}} Edge  A line from box to box, by their keys. */
/** @typedef {{piles: Pile[], edges: Edge[], compact: boolean}} Model  compact: boxes of two lines. */
/** @typedef {{x: number, y: number, w: number, h: number, stack: string, lane?: boolean}} Place */
/** @typedef {[shape: string, count: string]} Words */
/** @typedef {{lines: number, words: Words}} Written  What is written in a box, and in how many lines. */
/** @typedef {Record<keyof typeof LOOK["large"] | "margin", number>} Look */
/**
 * rects, words: by the keys of boxes; frames: the keys of those that are; lanes: x of the stream, by stack; heads: titles
 * of piles, drawn if `headed`; column: the width of a pile; stacked: whether piles stand below each other.
 * @typedef {{look: Look, scale: number, stacked: boolean, rects: Record<string, Place>, words: Record<string, Written>,
 *   frames: string[], lanes: Record<string, number>, heads: Head[], headed: boolean, column: number, width: number,
 *   height: number}} Layout
 */
/** @typedef {{title: string, x: number, y: number, width: number}} Head */

const LOOK = {
  large: { lane: 9, branch: 32, gap: 17, inner: 14, before: 9, row: 24, thin: 21, two: 37, three: 52, add: 15, title: 22, inlet: 12, pad: 9, foot: 10, side: 24, between: 62, head: 19, most: 490 },
  small: { lane: 7, branch: 16, gap: 13, inner: 9, before: 13, row: 38, thin: 38, two: 38, three: 38, add: 16, title: 24, inlet: 0, pad: 5, foot: 7, side: 14, between: 24, head: 22, most: 340 },
};
const STACKED = 600; // with less room, two piles stand below each other

/** The letters of titles. */
export const TITLE = { size: 13, weight: 600 };
/** The letters of all else. */
export const SMALL = { size: 11.5 };
/** Pixels between the sides of a box and its words. */
export const INSET = 9;

/**
 * Return a style with its letters so many times larger.
 * @template {{size?: number}} S
 * @param {S} style
 * @param {number} scale
 */
export const sized = (style, scale) => ({ ...style, size: (style.size ?? 12) * scale });

/** @type {[number, string][]} */
const UNITS = [[1e9, "B"], [1e6, "M"], [1e3, "k"]];

/** @param {number} count */
const brief = (count) => {
  for (const [size, letter] of UNITS)
    if (count >= size) return Number((count / size).toPrecision(3)) + letter;
  return String(count);
};

const THIN = ["norm", "layer"];
const UNCOUNTED = ["text", "answer", "gap"];

/** The part of a shape behind its names. @param {string} shape */
export const numbersOf = (shape) => shape.slice(shape.lastIndexOf(" = ") < 0 ? 0 : shape.lastIndexOf(" = ") + 3);

/** Return what may be written of a box besides its title: the longest words first. @param {Part} box @returns {Words[]} */
function wordings({ shape, parameters, kind }) {
  const numbers = numbersOf(shape);
  const counted = UNCOUNTED.includes(kind) ? [""] : [parameters.toLocaleString("en-US"), brief(parameters)];
  const [exact, least] = [counted[0], counted[counted.length - 1]];
  const said = exact && exact + (parameters === 1 ? " parameter" : " parameters");
  const tight = numbers.replaceAll(" × ", "×");
  return [[shape, said], [shape, exact], [numbers, exact], [tight, exact], [tight, least]];
}

/**
 * Return the words of one box of this width: beside its title, below it, or in two lines below it; a frame has one line.
 * @param {Theme} theme
 * @param {Part} box
 * @param {number} width
 * @returns {Written}
 */
export function written(theme, box, width, framed = false) {
  const [title, small] = [TITLE, SMALL].map((style) => sized(style, theme.scale));
  const room = width - 2 * INSET * theme.scale;
  const [named, space] = [textWidth(theme, box.title, title), 12 * theme.scale];
  /** @param {string} word */
  const widthOf = (word) => (word ? textWidth(theme, word, small) + space : 0);
  const all = wordings(box);
  /** @param {Words} words @param {number} taken */
  const fits = ([shape, count], taken) => taken + widthOf(shape) + widthOf(count) <= room;
  const short = framed ? all.map(([, count]) => /** @type {Words} */ (["", count])) : [];
  const line = [...all.slice(0, 3), ...short].find((words) => fits(words, named));
  if (line || framed) return { lines: 1, words: line ?? ["", ""] };
  const second = all.find((words) => fits(words, -space));
  return second ? { lines: 2, words: second } : { lines: 3, words: all.slice(2).find((words) => words.every((word) => widthOf(word) - space <= room)) ?? all[all.length - 1] };
}

/**
 * Lay out a model.
 * @param {Theme} theme
 * @param {Model} model
 * @param {number} room
 * @param {number} margin  Pixels round all of it.
 * @returns {Layout}
 */
export function layOut(theme, { piles, compact }, room, margin = 1) {
  const scale = theme.scale;
  const sizes = Object.entries(LOOK[compact ? "small" : "large"]).map(([name, size]) => [name, size * scale]);
  const look = /** @type {Look} */ (Object.fromEntries([...sizes, ["margin", margin]]));
  const stacked = !compact && piles.length > 1 && room < STACKED * scale;
  const beside = stacked ? 1 : piles.length;
  const width = Math.min(look.most, (room - 2 * margin - (beside - 1) * look.between) / beside);
  const headed = compact || piles.length > 1;
  /** @type {Layout} */
  const found = { look, scale, stacked, rects: {}, words: {}, frames: [], lanes: {}, heads: [], headed, column: width, width: 0, height: 0 };
  let [left, top, bottom] = [margin, margin - 1, 0];
  for (const pile of piles) {
    const end = place(theme, pile, found, left, stacked ? bottom : top, width, compact);
    bottom = Math.max(bottom, end + (stacked ? look.gap : 0));
    left += stacked ? 0 : width + look.between;
  }
  const right = stacked ? margin + width : left - look.between;
  return Object.assign(found, { width: Math.ceil(right + margin), height: Math.ceil(bottom + Math.max(look.gap, margin)) });
}

/**
 * Place one pile; return where it ends.
 * @type {(theme: Theme, pile: Pile, found: Layout, left: number, top: number, width: number, compact: boolean) => number}
 */
function place(theme, pile, found, left, top, width, compact) {
  const { look, rects, words } = found;
  const right = left + width - look.side;
  found.lanes[pile.stack] = left + look.lane;
  found.heads.push({ title: pile.title, x: left, y: top, width });
  let y = top + (found.headed ? look.head : 1) - look.gap;
  let frame = /** @type {Part | null} */ (null);
  const close = () => {
    if (frame) rects[frame.key].h = (y += look.foot) - rects[frame.key].y;
    frame = null;
  };
  for (const rank of pile.ranks) {
    const start = left + (rank.branch ? look.branch : 0);
    const inside = rank.frame && rank.frame.key === frame?.key;
    if (!inside) close();
    y += inside ? look.inner : rank.boxes[0].kind === "add" ? look.before : look.gap;
    if (rank.frame && !inside) {
      frame = rank.frame;
      rects[frame.key] = { x: start, y, w: right - start, h: 0, stack: pile.stack, lane: compact };
      words[frame.key] = written(theme, frame, right - start, true);
      found.frames.push(frame.key);
      y += look.title + (frame.kind === "cross-attention" ? look.inlet : 0);
    }
    y += row(theme, rank, pile.stack, found, start + (frame ? look.pad : 0), y, right - (frame ? look.pad : 0), compact);
  }
  close();
  return y;
}

/**
 * Place the boxes of one rank between two ends; return its height.
 * @type {(theme: Theme, rank: Rank, stack: string, found: Layout, from: number, y: number, to: number, compact: boolean) =>
 *   number}
 */
function row(theme, { boxes }, stack, { look, rects, words, lanes }, from, y, to, compact) {
  if (boxes[0].kind === "add") {
    rects[boxes[0].key] = { x: lanes[stack] - look.add / 2, y, w: look.add, h: look.add, stack };
    return look.add;
  }
  const between = 8 * theme.scale;
  const shares = boxes.reduce((sum, box) => sum + box.share, 0);
  const unit = (to - from - between * (shares - 1)) / shares; // a box of two shares has the gap between them too
  let [x, lines] = [from, 1];
  for (const box of boxes) {
    const w = unit * box.share + between * (box.share - 1);
    rects[box.key] = { x, y, w, h: 0, stack };
    words[box.key] = written(theme, box, w);
    lines = Math.max(lines, compact ? 2 : words[box.key].lines);
    x += w + between;
  }
  const least = THIN.includes(boxes[0].kind) ? look.thin : look.row;
  const h = [least, look.two, look.three][lines - 1];
  for (const box of boxes) {
    rects[box.key].h = h;
    words[box.key].lines = lines;
  }
  return h;
}
