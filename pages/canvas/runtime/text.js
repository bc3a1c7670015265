// @ts-check
// Words and numbers, and how wide they are.

/** @import { Theme } from "./theme.js" */
/**
 * Pixels, CSS weight, whether all letters are as wide, and whether it is a number in a cell, which may be smaller.
 * @typedef {{size?: number, weight?: number, mono?: boolean, inCell?: boolean}} Font
 */

/**
 * Keep a visitor's label from reordering the text around it; its index stays on the left, as in "3:שלום".
 * @param {string} label
 */
export const isolate = (label) => "\u2066" + label + "\u2069";

/** @type {Record<string, string>} */
const SIGNS = {
  "(end)": "Marks where the text stops. The model reads and writes it like a word.",
  "(start)": "Marks where the text begins. The model reads it before the first word.",
  "(pad)": "Fills up a shorter text, so that texts of different lengths fit in one table.",
  "(unknown)": "Stands for what the vocabulary does not hold.",
};

/** Explain a special sign such as "(unknown)"; "" for a word. @param {string} piece */
export const signWords = (piece) => SIGNS[piece] ?? "";

/**
 * Say, on a new line of a tooltip, what a sign of the model's own stands for, or the mark of a piece that goes on with
 * a word; "" for any other piece.
 * @param {string} piece
 */
export function markWords(piece) {
  if (signWords(piece)) return "\n" + signWords(piece);
  return piece.length > 1 && piece.startsWith("·") ? "\n·: goes on with the word before it" : "";
}

/**
 * Write a number for a person, with so many significant digits.
 * @param {number} x
 * @param {number} digits
 */
export function format(x, digits = 3) {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "NaN" : x > 0 ? "inf" : "−inf";
  const size = Math.abs(x);
  const plain = size >= 1e-3 && size < 1e5;
  const [, power] = x.toExponential(digits - 1).split("e").map(Number);
  if (!plain) return x.toExponential(digits - 1).replace("e+", "e").replaceAll("-", "−");
  return (power >= digits ? String(Number(x.toPrecision(digits))) : x.toPrecision(digits)).replace("-", "−");
}

const IN_CELL = 7 / 8; // the least size of a number in a cell, of that of other words

/**
 * Return the pixels of a font's letters: what it asks for, or the least of the theme.
 * @param {Partial<Theme>} theme
 * @param {Font} font
 */
export const sizeOf = (theme, { size = 12, inCell = false }) => Math.max(size, (theme?.least ?? 0) * (inCell ? IN_CELL : 1));

/**
 * Write a font as CSS does.
 * @param {Partial<Theme>} theme
 * @param {Font} font
 */
export const fontOf = (theme, { weight = 400, mono = false, ...font } = {}) =>
  weight + " " + sizeOf(theme, font) + "px " + ((mono ? theme?.mono : theme?.font) ?? "sans-serif");

const measure = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

/**
 * Return how many pixels wide a text is.
 * @param {Partial<Theme>} theme
 * @param {string} string
 * @param {Font} [font]
 */
export function textWidth(theme, string, font) {
  measure.font = fontOf(theme, font);
  return measure.measureText(string).width;
}

/**
 * Cut a text by whole characters, with an ellipsis, to at most `width` pixels.
 * @param {Partial<Theme>} theme
 * @param {string} string
 * @param {number} width
 * @param {Font} [style]
 */
export function ellipsis(theme, string, width, style) {
  if (textWidth(theme, string, style) <= width) return string;
  const parts = [...new Intl.Segmenter().segment(string.slice(0, 400))].map((part) => part.segment);
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(theme, parts.slice(0, middle).join("") + "…", style) <= width) low = middle;
    else high = middle - 1;
  }
  return low ? parts.slice(0, low).join("") + "…" : "";
}
