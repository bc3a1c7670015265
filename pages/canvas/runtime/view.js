// @ts-check
// The description of a picture of cells, as a Stage needs it.

import { cellAt, cellRect, outline } from "./grid.js";
import { format, isolate } from "./text.js";

/** @import { Band, Cell, Grid, Rect } from "./grid.js" */
/** @import { Panel } from "./panel.js" */
/** @import { Surface } from "./surface.js" */
/** @import { Theme } from "./theme.js" */
/**
 * What a drawing says of its picture.
 * @typedef {object} Picture
 * @property {[number, number]} size  Width and height in pixels.
 * @property {string} label  What a screen reader calls the picture.
 * @property {Cell | null} [start]  The cell where the keyboard begins.
 * @property {(surface: Surface) => void} paint
 * @property {(cell: Cell) => string[]} words  The cell's value, then its row and its column.
 * @property {(surface: Surface, cell: Band) => void} [mark]  Marks what is pointed at.
 * @property {((cell: Cell) => void) | null} [send]  Does what a click does.
 * @property {string} [hint]  What a click does in words, after "Click".
 * @property {boolean} [leaves]  Whether a click goes to another page.
 * @property {(cell: Cell | null) => void} [pointed]  Is told what is pointed at.
 */
/**
 * The same with the shape of the picture, [rows, columns], and where its cells are.
 * @typedef {Picture & Required<Pick<Picture, "mark">> & {start: Cell | null, send: ((cell: Cell) => void) | null,
 *   shape: [number, number], at: (x: number, y: number) => Cell | null, rect: (cell: Cell) => Rect}} View
 */

/**
 * Return the view of a picture of cells.
 * @template {Picture} P
 * @param {Theme} theme
 * @param {Grid} grid
 * @param {P} picture
 * @returns {P & View}
 */
export const viewOf = (theme, grid, picture) => ({
  start: null,
  send: null,
  mark: (surface, cell) => outline(surface, theme, cellRect(grid, cell), 2),
  ...picture,
  shape: [grid.rows, grid.cols],
  at: (x, y) => cellAt(grid, x, y),
  rect: (cell) => cellRect(grid, cell),
});

/** Name a matrix with its shape. @param {string} title @param {number[]} shape */
export const sizedLabel = (title, [rows, cols]) => title + ", " + rows + " rows, " + cols + " columns";

/** @type {Record<string, string>} */
const ONE = { queries: "query", keys: "key", values: "value", tokens: "token" };

/** @param {string} axis @param {string[]} labels @param {number} index */
const named = (axis, labels, index) => (ONE[axis] ?? axis) + " " + (labels.length ? isolate(labels[index]) : index);

/**
 * Say the value of a panel's cell, then its row and its column, each under the name of its axis.
 * @param {Panel} panel
 * @param {Cell} cell
 * @param {number} digits
 */
export function cellWords({ values, shape, scale, rows, cols, rowAxis, colAxis, absent }, [i, j], digits = 7) {
  const value = values[i * shape[1] + j];
  const mask = value ? "may attend" : "may not attend";
  const hidden = absent || (scale === "weight" ? "0 (hidden)" : "−inf (masked)");
  const said = scale === "mask" ? mask : value === -Infinity ? hidden : format(value, digits);
  return [said, named(rowAxis || "row", rows, i), named(colAxis || "column", cols, j)];
}
