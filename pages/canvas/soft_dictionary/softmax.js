// @ts-check
// The numbers of one look-up.

/**
 * Return softmax(score / T) over the allowed keys, less the largest score before exp; all zeros when none is allowed.
 * @param {Float32Array} scores
 * @param {Uint8Array} allowed
 * @param {number} temperature
 * @returns {number[]}
 */
export function softmaxAt(scores, allowed, temperature) {
  const largest = scores.reduce((most, score, i) => (allowed[i] ? Math.max(most, score) : most), -Infinity);
  const exps = Array.from(scores, (score, i) => (allowed[i] ? Math.exp((score - largest) / temperature) : 0));
  const sum = exps.reduce((a, b) => a + b, 0);
  return exps.map((x) => (sum > 0 ? x / sum : 0));
}

/**
 * Return the sum of the values, each times its weight.
 * @param {number[]} weights
 * @param {Float32Array} values  A row for each weight.
 * @param {number} width  Of a row.
 */
export function mixOf(weights, values, width) {
  const mix = new Float64Array(width);
  weights.forEach((w, row) => {
    if (w > 0) for (let e = 0; e < width; e++) mix[e] += w * values[row * width + e];
  });
  return mix;
}

/** Return the entropy of weights in bits. @param {number[]} weights */
export const entropyBits = (weights) => weights.reduce((sum, w) => (w > 0 ? sum - w * Math.log2(w) : sum), 0);
/** Write a weight with three decimals. @param {number} w */
export const cut = (w) => (w === 0 ? "0" : w < 0.001 ? "<0.001" : w.toFixed(3));
