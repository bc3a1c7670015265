// @ts-check
// The lines that are drawn: which weights they are, and what is said of them.

import { isolate } from "../runtime/text.js";

/** @import { Theme } from "../runtime/theme.js" */
/** @typedef {"q" | "k"} Side  Queries on the left, keys on the right. */
/** @typedef {{side: Side, index: number}} Token */
/** @typedef {{left: number, right: number, width: number, height: number, rows: number}} Box  Where lines begin and end. */
/**
 * What is painted. weights: (H, Q, K), row by row; shown: the heads that are; floor: the least weight; lines: indices of
 * weights; row, type: pixels of a row and of its letters; active: the token whose lines are shown alone.
 * @typedef {{labels: Record<Side, string[]>, heads: string[], weights: Float32Array, shown: number[], floor: number,
 *   lines: number[], row: number, type: number, box: Box, theme: Theme, active: Token | null}} View
 */

// More lines than this are neither seen apart nor drawn in one frame; the strongest are kept.
const LINE_LIMIT = 6000;

/** Write a weight with two decimals. @param {number} w */
export const shortWeight = (w) => (w === 0 ? "0" : w < 0.005 ? "<0.01" : w.toFixed(2));
/** Write a share, 0 to 1, as a percentage. @param {number} share */
export const percent = (share) => (share > 0 && share < 0.005 ? "<1" : String(Math.round(100 * share))) + "%";

/**
 * Return the indices of the strongest weights of the shown heads that are above 0 and not below `floor`, weakest first,
 * how many there are, and the share of the weight that is below.
 *
 * Counting by w ** (1/4) keeps small weights apart; of the last bin every n-th is taken.
 * @param {Float32Array} weights
 * @param {number[]} shown
 * @param {number} size  Weights of one head.
 * @param {number} floor
 */
export function strongest(weights, shown, size, floor) {
  const bins = new Uint32Array(1025);
  /** @param {number} w */
  const bin = (w) => Math.min(1024, (Math.sqrt(Math.sqrt(w)) * 1024) | 0);
  /** @param {(index: number) => void} each */
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
  /** @type {number[]} */
  const lines = [];
  let seen = 0;
  passing((i) => {
    const at = bin(weights[i]);
    if (at > cut || (at === cut && room > 0 && seen++ % step === 0)) lines.push(i);
  });
  lines.sort((a, b) => weights[a] - weights[b]);
  return { lines, count, hidden: mass > 0 ? Math.max(0, 1 - kept / mass) : 0 };
}

/** Count the pairs of a query and a key. @param {Pick<View, "labels">} view */
export const pairs = (view) => view.labels.q.length * view.labels.k.length;
/** Return the other side. @param {Side} side @returns {Side} */
export const otherSide = (side) => (side === "q" ? "k" : "q");

/**
 * Return the index of the weight between a token and token `other` of the other side.
 * @type {(view: View, token: Token, head: number, other: number) => number}
 */
export function weightAt(view, { side, index }, head, other) {
  const [query, key] = side === "q" ? [index, other] : [other, index];
  return head * pairs(view) + query * view.labels.k.length + key;
}

/**
 * Return, for each token of the other side, its weight in each shown head, and their mean.
 * @param {View} view
 * @param {Token} token
 */
export function activeWeights(view, token) {
  return view.labels[otherSide(token.side)].map((_, other) => {
    const heads = view.shown.map((head) => view.weights[weightAt(view, token, head, other)]);
    return { heads, mean: heads.reduce((a, b) => a + b, 0) / Math.max(1, heads.length) };
  });
}

/**
 * Say to which tokens of the other side a token has the largest weights.
 * @param {View} view
 * @param {Token} token
 */
export function largest(view, token) {
  const { side } = token;
  const labels = view.labels[otherSide(side)];
  const order = activeWeights(view, token).map(({ mean }, i) => [mean, i]).filter(([w]) => w > 0).sort((a, b) => b[0] - a[0]);
  if (!order.length) return side === "q" ? " attends to nothing" : " is attended to by nothing";
  const named = order.slice(0, 3).map(([w, i]) => isolate(labels[i]) + " " + shortWeight(w));
  const over = view.shown.length > 1 ? " (mean of " + view.shown.length + " heads)" : "";
  return (side === "q" ? " attends most to " : " is attended to most by ") + named.join(", ") + over;
}
