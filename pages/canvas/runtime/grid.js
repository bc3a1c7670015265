// @ts-check
// Cells in rows and columns.

/** @import { Surface } from "./surface.js" */
/** @import { Theme } from "./theme.js" */
/** @typedef {[number, number]} Cell  Row and column. */
/** @typedef {[number | null, number | null]} Band  A cell, or a whole row or column where the other is null. */
/** @typedef {[number, number, number, number]} Rect  x, y, width and height in pixels. */
/**
 * How many rows and cols, the pixels from one row to the next and from one col to the next, left and top of the first
 * cell, and high and wide where a cell is smaller than that.
 * @typedef {{rows: number, cols: number, row: number, col: number, left?: number, top?: number, high?: number,
 *   wide?: number}} Grid
 */

/**
 * Return the cell at a point, or null between cells and outside.
 * @param {Grid} grid
 * @param {number} x
 * @param {number} y
 * @returns {Cell | null}
 */
export function cellAt({ rows, cols, row, col, left = 0, top = 0, high = row, wide = col }, x, y) {
  const [i, j] = [Math.floor((y - top) / row), Math.floor((x - left) / col)];
  const within = i >= 0 && i < rows && j >= 0 && j < cols;
  return within && y - top - i * row < high && x - left - j * col < wide ? [i, j] : null;
}

/**
 * Return where a cell, a whole row or a whole column stands in a grid that is moved by (x, y).
 * @param {Grid} grid
 * @param {Band} band
 * @param {number} x
 * @param {number} y
 * @returns {Rect}
 */
export function cellRect({ rows, cols, row, col, left = 0, top = 0, high = row, wide = col }, [i, j], x = 0, y = 0) {
  const [across, down] = [j === null ? [0, cols * col] : [j * col, wide], i === null ? [0, rows * row] : [i * row, high]];
  return [x + left + across[0], y + top + down[0], across[1], down[1]];
}

/**
 * Frame a rectangle in the text's colour on the background's, so that it shows on any cell.
 * @param {Surface} surface
 * @param {Theme} theme
 * @param {Rect} rect
 * @param {number} lineWidth
 */
export function outline(surface, theme, [x, y, w, h], lineWidth) {
  const grow = Math.max(0, (5 - Math.min(w, h)) / 2); // a cell of one pixel still gets a visible frame
  /** @type {Rect} */
  const frame = [x - grow, y - grow, w + 2 * grow, h + 2 * grow];
  surface.rect(...frame, { stroke: theme.background, lineWidth: lineWidth + 2 });
  surface.rect(...frame, { stroke: theme.text, lineWidth });
}
