// @ts-check
// One matrix under its labels and over its legend: how large it is and how it is painted.

import { luminance } from "./colours.js";
import { cellRect, outline } from "./grid.js";
import { keysOf, legendScale, legendWidth, paintLegend } from "./legend.js";
import { hatchedCells } from "./pixels.js";
import { ellipsis, isolate, sizeOf, textWidth } from "./text.js";

/** @import { Band, Cell, Grid } from "./grid.js" */
/** @import { Pixels } from "./pixels.js" */
/** @import { Surface, TextStyle } from "./surface.js" */
/** @import { Side, Theme } from "./theme.js" */
/** @typedef {"weight" | "size" | "signed" | "mask"} Scale */
/**
 * A matrix and its labels; matrices.py says what the fields mean.
 * @typedef {object} Panel
 * @property {string} name
 * @property {string} title
 * @property {Float32Array | Uint8Array} values
 * @property {number[]} shape
 * @property {string[]} rows
 * @property {string[]} cols
 * @property {string} rowAxis
 * @property {string} colAxis
 * @property {Scale} scale
 * @property {number} limit
 * @property {Side | null} tint
 * @property {Cell | null} [selected]
 * @property {Band[]} [outlines]
 * @property {number} [faded]
 * @property {boolean} [grey]
 * @property {string} [absent]
 * @property {string} [unit]
 * @property {string} [before]
 * @property {[number, number]} [labelWidths]  Of the widest label of rows and of columns, once it is measured.
 */
/** @typedef {Panel & Pixels} FilledPanel  A panel with its pixels in the present theme. */
/**
 * Sizes of a panel in pixels: margins for labels, then the matrix, then its legend; turned: whether the labels of columns
 * are.
 * @typedef {Grid & {rowWidth: number, colHeight: number, turned: boolean, left: number, top: number, width: number,
 *   height: number, legend: number}} PanelLayout
 */

export const CELL = { most: 34, label: 10, gap: 9, number: 28 }; // in pixels: the most; the least with each of these
/** @type {TextStyle} */
const IN_CELL = { align: "center", baseline: "middle", inCell: true };
const [LABEL, AXIS] = [12, { size: 11.5, weight: 600 }];
const LEGEND_HEIGHT = 30;

/** @type {[RegExp, Side][]} */
const AXES = [[/^quer/i, "q"], [/^key/i, "k"], [/^value/i, "v"]];

/** @param {Theme} theme @param {Panel} panel @param {string} axis */
const axisInk = (theme, panel, axis) => {
  const side = panel.tint ?? AXES.find(([word]) => word.test(axis))?.[1];
  return side ? theme.ink[side] : theme.muted;
};

/** @param {Theme} theme @param {number} cell */
const labelStyle = (theme, cell) => ({ size: sizeOf(theme, { size: Math.min(LABEL * theme.scale, cell) }) });

/**
 * Return which labels of an axis are written: all, or where they are larger than the cells, every n-th; the one that is
 * picked is among them.
 * @type {(theme: Theme, panel: Panel, axis: 0 | 1, cell: number) => (index: number) => boolean}
 */
export function labelled(theme, { selected, outlines = [] }, axis, cell) {
  const every = Math.ceil(labelStyle(theme, cell).size / cell);
  const picked = selected?.[axis] ?? outlines.find((place) => place[axis] !== null)?.[axis] ?? 0;
  return (index) => (index - picked) % every === 0;
}

/**
 * Return the widest label at LABEL pixels, for rows and for columns; it is measured once for each picture.
 * @param {Theme} theme
 * @param {Panel} panel
 */
function labelWidths(theme, panel) {
  /** @param {string[]} labels */
  const widest = (labels) => Math.max(0, ...labels.map((label) => textWidth(theme, isolate(label), { size: LABEL })));
  return (panel.labelWidths ??= [widest(panel.rows), widest(panel.cols)]);
}

/**
 * Lay out one panel with axes of `row` and `col` pixels a cell.
 * @param {Theme} theme
 * @param {Panel} panel
 * @param {number} row
 * @param {number} col
 * @param {number} room
 * @returns {PanelLayout}
 */
export function panelLayout(theme, panel, row, col, room) {
  const [rows, cols] = panel.shape;
  const least = Math.max(CELL.label, theme.least / 3); // every third label at the least
  const [rowFits, colFits] = [row >= least && panel.rows.length > 0, col >= least && panel.cols.length > 0];
  const most = Math.max(room < 480 ? 64 : 104 * theme.scale, 5.5 * theme.least);
  const [forRows, forCols] = labelWidths(theme, panel);
  const rowWidth = rowFits ? Math.min(most, Math.ceil((forRows * labelStyle(theme, row).size) / LABEL)) : 0;
  const colWidth = colFits ? Math.ceil((forCols * labelStyle(theme, col).size) / LABEL) : 0;
  const turned = colWidth > col - 4;
  const colHeight = !colFits ? 0 : turned ? Math.min(most, colWidth) : sizeOf(theme, { size: LABEL * theme.scale });
  const axis = sizeOf(theme, AXIS) + 6.5;
  return {
    rows, cols, row, col, rowWidth, colHeight, turned,
    left: (panel.rowAxis ? axis : 0) + (rowFits ? rowWidth + 8 : 0),
    top: (panel.colAxis ? axis : 0) + (colFits ? colHeight + 8 : 0),
    width: cols * col,
    height: rows * row,
    legend: LEGEND_HEIGHT * legendScale(theme),
  };
}

/** @param {FilledPanel} panel */
const legendOf = ({ theme, scale, limit, masked, absent, unit }) =>
  keysOf(theme, scale, limit, masked && (absent || (scale === "weight" ? "hidden" : "−inf")), unit);

/**
 * The same for all numbers, so that nothing moves when they change; where letters are large, no more than is needed.
 * @param {FilledPanel} panel
 */
function legendRoom(panel) {
  const { theme, scale, masked, unit = "" } = panel;
  if (theme.least) return legendWidth(theme, legendOf(panel));
  return scale === "mask" ? 168 : (masked ? 216 : 150) + 7 * unit.length;
}
/** Return how wide a panel is with its labels and its legend. @param {FilledPanel} panel @param {PanelLayout} layout */
export const bodyWidth = (panel, { left, width }) => Math.max(left + width, legendRoom(panel)) + 2;
/** Return how high a panel is with its labels and its legend. @param {PanelLayout} layout */
export const bodyHeight = ({ top, height, legend }) => top + height + legend;

/** @type {(surface: Surface, theme: Theme, panel: FilledPanel, layout: PanelLayout, x: number, y: number) => void} */
function paintLabels(surface, theme, panel, layout, x, y) {
  const { row, col, left, top, rowWidth, colHeight, turned, width, height } = layout;
  if (panel.rowAxis) {
    const style = { ...AXIS, fill: axisInk(theme, panel, panel.rowAxis) };
    const across = x + sizeOf(theme, AXIS) - 0.5;
    surface.text(panel.rowAxis, across, y + top + height / 2, { ...style, align: "center", rotate: -90 });
  }
  if (panel.colAxis) {
    const style = { ...AXIS, fill: axisInk(theme, panel, panel.colAxis) };
    surface.text(panel.colAxis, x + left + width / 2, y, { ...style, align: "center", baseline: "top" });
  }
  /** @type {TextStyle} */
  const rowStyle = { ...labelStyle(theme, row), align: "right", baseline: "middle" };
  const [hasRow, hasCol] = [labelled(theme, panel, 0, row), labelled(theme, panel, 1, col)];
  if (rowWidth)
    panel.rows.forEach((label, i) => {
      if (!hasRow(i)) return;
      const fitted = isolate(ellipsis(theme, label, rowWidth, rowStyle));
      surface.text(fitted, x + left - 6, y + top + (i + 0.5) * row, rowStyle);
    });
  /** @type {TextStyle} */
  const colStyle = { ...labelStyle(theme, col), baseline: turned ? "middle" : "bottom" };
  if (colHeight)
    panel.cols.forEach((label, i) => {
      if (!hasCol(i)) return;
      const fitted = isolate(ellipsis(theme, label, turned ? colHeight : col, colStyle));
      /** @type {TextStyle} */
      const turn = turned ? { rotate: -90, align: "left" } : { align: "center" };
      surface.text(fitted, x + left + (i + 0.5) * col, y + top - 6, { ...colStyle, ...turn });
    });
}

/** With as many decimals as a cell holds; 0 is exactly zero, 0.00 only small. @param {number} value @param {number} limit */
function cellNumber(value, limit) {
  if (value === 0) return "0";
  const decimals = limit < 0.0995 ? 3 : limit < 9.995 ? 2 : limit < 99.95 ? 1 : 0;
  const text = value.toFixed(decimals).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");
  return decimals === 3 ? text.replace("0.", ".") : text;
}

/**
 * Return whether numbers can be read in cells of this size: wide enough, and neither too long nor all alike.
 * @param {FilledPanel} panel
 * @param {PanelLayout} layout
 */
function showsNumbers({ theme, scale, limit }, { row, col }) {
  const times = sizeOf(theme, { ...IN_CELL, size: 10 }) / 10;
  const telling = scale === "weight" || (scale !== "mask" && limit > 0.01 && limit < 9999);
  return telling && col >= CELL.number * times && row >= 16 * times;
}

/** @type {(surface: Surface, theme: Theme, panel: FilledPanel, layout: PanelLayout, x: number, y: number) => void} */
function paintNumbers(surface, theme, panel, { row, col, left, top }, x, y) {
  const cols = panel.shape[1];
  const limit = panel.limit;
  panel.values.forEach((value, i) => {
    if (value === -Infinity) return;
    const pale = i < (panel.faded ?? 0) * cols ? panel.pale : null;
    if (pale && panel.grey) return;
    const rgb = (pale ?? panel.table).slice(4 * panel.indices[i], 4 * panel.indices[i] + 3);
    const [across, down] = [x + left + ((i % cols) + 0.5) * col, y + top + (Math.floor(i / cols) + 0.5) * row];
    const fill = value === 0 ? theme.muted : luminance(rgb) > 0.2 ? "#10141b" : "#ffffff";
    surface.text(cellNumber(value, limit), across, down, { ...IN_CELL, fill, size: col < 34 ? 10 : 11 });
  });
}

/**
 * Write a 0 in the cells that are exactly zero, in a picture of sizes where numbers have no room.
 * @type {(surface: Surface, theme: Theme, panel: FilledPanel, layout: PanelLayout, x: number, y: number) => void}
 */
function paintZeros(surface, theme, panel, { row, col, left, top }, x, y) {
  const style = { ...IN_CELL, fill: theme.muted, size: 9 };
  if (Math.min(row, col) < sizeOf(theme, style)) return;
  panel.values.forEach((value, i) => {
    const [down, across] = [Math.floor(i / panel.shape[1]), i % panel.shape[1]];
    if (value === 0) surface.text("0", x + left + (across + 0.5) * col, y + top + (down + 0.5) * row, style);
  });
}

/**
 * Paint a whole panel without its title, with its top left corner at (x, y).
 * @param {Surface} surface
 * @param {Theme} theme
 * @param {FilledPanel} panel
 * @param {PanelLayout} layout
 * @param {number} x
 * @param {number} y
 */
export function paintPanel(surface, theme, panel, layout, x = 0, y = 0) {
  const { row, col, left, top, width, height } = layout;
  const [x0, y0] = [x + left, y + top];
  paintLabels(surface, theme, panel, layout, x, y);
  surface.image(panel.image, x0, y0, width, height);
  if (panel.faded && panel.paleImage) surface.image(panel.paleImage, x0, y0, width, panel.faded * row);
  if (panel.maskImage) surface.image(hatchedCells(theme, panel.maskImage, layout), x0, y0, width, height);
  const line = { stroke: theme.background };
  if (Math.min(row, col) >= CELL.gap) {
    for (let i = 1; i < panel.shape[0]; i++) surface.line(x0, y0 + i * row, x0 + width, y0 + i * row, line);
    for (let j = 1; j < panel.shape[1]; j++) surface.line(x0 + j * col, y0, x0 + j * col, y0 + height, line);
  }
  surface.rect(x0, y0, width, height, { stroke: theme.border });
  if (showsNumbers(panel, layout)) paintNumbers(surface, theme, panel, layout, x, y);
  else if (panel.scale === "size" && Math.min(row, col) >= CELL.gap) paintZeros(surface, theme, panel, layout, x, y);
  for (const place of panel.outlines ?? []) outline(surface, theme, cellRect(layout, place, x, y), 1.5);
  if (panel.selected) outline(surface, theme, cellRect(layout, panel.selected, x, y), 2.5);
  const spare = bodyWidth(panel, layout) - 2 - legendRoom(panel);
  paintLegend(surface, theme, legendOf(panel), x + Math.min(left, spare), y0 + height + 0.6 * layout.legend);
}
