// What a Stage needs to know of its picture of cells.

import { cellAt, cellRect, outline } from "./grid.js";
import { format, isolate } from "./text.js";

// grid: see grid.js. size [width, height]; label: what a screen reader calls the picture; start: the cell where the
// keyboard begins; paint(surface); words(cell) -> [value, row, column]; mark(surface, cell): what is pointed at;
// send(cell): what a click does; hint: that in words, after "Click"; leaves: it goes to another page. pointed(cell): told
// what is pointed at, or null.
export const viewOf = (theme, grid, picture) => ({
  start: null,
  send: null,
  mark: (surface, cell) => outline(surface, theme, cellRect(grid, cell), 2),
  ...picture,
  shape: [grid.rows, grid.cols],
  at: (x, y) => cellAt(grid, x, y),
  rect: (cell) => cellRect(grid, cell),
});

export const sizedLabel = (title, [rows, cols]) => title + ", " + rows + " rows, " + cols + " columns";

const ONE = { queries: "query", keys: "key", values: "value", tokens: "token" };

const named = (axis, labels, index) => (ONE[axis] ?? axis) + " " + (labels.length ? isolate(labels[index]) : index);

// The value of a panel's cell, then its row and its column, each under the name of its axis.
export function cellWords({ values, shape, scale, rows, cols, rowAxis, colAxis, absent }, [i, j], digits = 7) {
  const value = values[i * shape[1] + j];
  const mask = value ? "may attend" : "may not attend";
  const hidden = absent || (scale === "weight" ? "0 (hidden)" : "−inf (masked)");
  const said = scale === "mask" ? mask : value === -Infinity ? hidden : format(value, digits);
  return [said, named(rowAxis || "row", rows, i), named(colAxis || "column", cols, j)];
}
