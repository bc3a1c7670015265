// @ts-check
// One matrix under its labels and over its legend: how large it is and how it is painted.

import { luminance } from "./colours.js";
import { cellRect, outline } from "./grid.js";
import { keysOf, paintLegend } from "./legend.js";
import { hatchedCells } from "./pixels.js";
import { ellipsis, isolate, textWidth } from "./text.js";

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
 * Sizes of a panel in pixels: margins for labels, then the matrix; turned: whether the labels of columns are.
 * @typedef {Grid & {rowWidth: number, colHeight: number, turned: boolean, left: number, top: number, width: number,
 *   height: number}} PanelLayout
 */

export const CELL = { most: 34, label: 10, gap: 9, number: 28 }; // in pixels: the most; the least with each of these
/** @type {TextStyle} */
const MIDDLE = { align: "center", baseline: "middle" };
const LABEL = 12;
const LEGEND_HEIGHT = 30;

/** @type {[RegExp, Side][]} */
const AXES = [[/^quer/i, "q"], [/^key/i, "k"], [/^value/i, "v"]];

/** @param {Theme} theme @param {Panel} panel @param {string} axis */
const axisInk = (theme, panel, axis) => {
  const side = panel.tint ?? AXES.find(([word]) => word.test(axis))?.[1];
  return side ? theme.ink[side] : theme.muted;
};

/** @param {Theme} theme @param {number} cell */
const labelStyle = (theme, cell) => ({ size: Math.min(LABEL * theme.scale, cell) });

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
  const [rowFits, colFits] = [row >= CELL.label && panel.rows.length > 0, col >= CELL.label && panel.cols.length > 0];
  const most = room < 480 ? 64 : 104 * theme.scale;
  const [forRows, forCols] = labelWidths(theme, panel);
  const rowWidth = rowFits ? Math.min(most, Math.ceil((forRows * labelStyle(theme, row).size) / LABEL)) : 0;
  const colWidth = colFits ? Math.ceil((forCols * labelStyle(theme, col).size) / LABEL) : 0;
  const turned = colWidth > col - 4;
  const colHeight = !colFits ? 0 : turned ? Math.min(most, colWidth) : LABEL * theme.scale;
  return {
    rows, cols, row, col, rowWidth, colHeight, turned,
    left: (panel.rowAxis ? 18 : 0) + (rowFits ? rowWidth + 8 : 0),
    top: (panel.colAxis ? 18 : 0) + (colFits ? colHeight + 8 : 0),
    width: cols * col,
    height: rows * row,
  };
}

/** The same for all numbers, so that nothing moves when they change. @param {FilledPanel} panel */
const legendRoom = ({ scale, masked, unit = "" }) => (scale === "mask" ? 168 : (masked ? 216 : 150) + 7 * unit.length);
/** Return how wide a panel is with its labels and its legend. @param {FilledPanel} panel @param {PanelLayout} layout */
export const bodyWidth = (panel, { left, width }) => Math.max(left + width, legendRoom(panel)) + 2;
/** Return how high a panel is with its labels and its legend. @param {PanelLayout} layout */
export const bodyHeight = ({ top, height }) => top + height + LEGEND_HEIGHT;

/** @type {(surface: Surface, theme: Theme, panel: FilledPanel, layout: PanelLayout, x: number, y: number) => void} */
function paintLabels(surface, theme, panel, layout, x, y) {
  const { row, col, left, top, rowWidth, colHeight, turned, width, height } = layout;
  if (panel.rowAxis) {
    const style = { fill: axisInk(theme, panel, panel.rowAxis), size: 11.5, weight: 600 };
    surface.text(panel.rowAxis, x + 11, y + top + height / 2, { ...style, align: "center", rotate: -90 });
  }
  if (panel.colAxis) {
    const style = { fill: axisInk(theme, panel, panel.colAxis), size: 11.5, weight: 600 };
    surface.text(panel.colAxis, x + left + width / 2, y, { ...style, align: "center", baseline: "top" });
  }
  /** @type {TextStyle} */
  const rowStyle = { ...labelStyle(theme, row), align: "right", baseline: "middle" };
  if (rowWidth)
    panel.rows.forEach((label, i) => {
      const fitted = isolate(ellipsis(theme, label, rowWidth, rowStyle));
      surface.text(fitted, x + left - 6, y + top + (i + 0.5) * row, rowStyle);
    });
  /** @type {TextStyle} */
  const colStyle = { ...labelStyle(theme, col), baseline: turned ? "middle" : "bottom" };
  if (colHeight)
    panel.cols.forEach((label, i) => {
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
 * @param {Panel} panel
 * @param {PanelLayout} layout
 */
function showsNumbers({ scale, limit }, { row, col }) {
  const telling = scale === "weight" || (scale !== "mask" && limit > 0.01 && limit < 9999);
  return telling && col >= CELL.number && row >= 16;
}

/** @type {(surface: Surface, theme: Theme, panel: FilledPanel, layout: PanelLayout, x: number, y: number) => void} */
function paintNumbers(surface, theme, panel, { row, col, left, top }, x, y) {
  const cols = panel.shape[1];
  const limit = panel.limit;
  panel.values.forEach((value, i) => {
    if (value === -Infinity) return;
    const pale = i < (panel.faded ?? 0) * cols ? panel.pale : null;
    const rgb = (pale ?? panel.table).slice(4 * panel.indices[i], 4 * panel.indices[i] + 3);
    const [across, down] = [x + left + ((i % cols) + 0.5) * col, y + top + (Math.floor(i / cols) + 0.5) * row];
    const fill = value === 0 || (panel.grey && pale) ? theme.muted : luminance(rgb) > 0.2 ? "#10141b" : "#ffffff";
    surface.text(cellNumber(value, limit), across, down, { ...MIDDLE, fill, size: col < 34 ? 10 : 11 });
  });
}

/**
 * Write a 0 in the cells that are exactly zero, in a picture of sizes where numbers have no room.
 * @type {(surface: Surface, theme: Theme, panel: FilledPanel, layout: PanelLayout, x: number, y: number) => void}
 */
function paintZeros(surface, theme, panel, { row, col, left, top }, x, y) {
  const style = { ...MIDDLE, fill: theme.muted, size: 9 };
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
  const hidden = panel.absent || (panel.scale === "weight" ? "hidden" : "−inf");
  const keys = keysOf(theme, panel.scale, panel.limit, panel.masked && hidden, panel.unit);
  paintLegend(surface, theme, keys, x + Math.min(left, spare), y0 + height + 18);
}
