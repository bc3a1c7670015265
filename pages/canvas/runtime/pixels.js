// @ts-check
// Matrices as pictures of one pixel a cell, and what is drawn over masked cells.

import { colourTables, fromLab, hex, rgbOf, signedIndex, toLab, weightIndex } from "./colours.js";
import { canvasSurface, contextOf, sharpCanvas } from "./surface.js";

/** @import { Table } from "./colours.js" */
/** @import { Panel } from "./panel.js" */
/** @import { Surface } from "./surface.js" */
/** @import { Theme } from "./theme.js" */
/**
 * A panel's pixels in a theme, one a cell. indices: into the table; masked: whether a cell is; maskImage: of those
 * cells, if there are any; pale, paleImage: the table and the picture of the faded rows, if there are any.
 * @typedef {{theme: Theme, table: Table, indices: Uint8Array, image: HTMLCanvasElement, masked: boolean,
 *   maskImage: HTMLCanvasElement | null, pale: Table | null, paleImage: HTMLCanvasElement | null}} Pixels
 */

/**
 * Return a picture of one pixel a cell, to be drawn scaled.
 * @param {Table} table
 * @param {ArrayLike<number>} indices  Of colours in the table, row by row.
 * @param {number} rows
 * @param {number} cols
 */
export function indexImage(table, indices, rows, cols) {
  const canvas = Object.assign(document.createElement("canvas"), { width: cols, height: rows });
  const image = new ImageData(cols, rows);
  const [from, to] = [new Uint32Array(table.buffer), new Uint32Array(image.data.buffer)];
  for (let i = 0; i < to.length; i++) to[i] = from[indices[i]];
  contextOf(canvas).putImageData(image, 0, 0);
  return canvas;
}

/**
 * Paint a masked area: thin diagonals on the panel colour, unlike any value.
 * @param {Surface} surface
 * @param {Theme} theme
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {number} step
 */
export function hatch(surface, theme, x, y, w, h, step = 5) {
  surface.clip(x, y, w, h);
  surface.rect(x, y, w, h, { fill: theme.panel });
  const pen = { stroke: theme.muted, alpha: 0.55 };
  for (let at = step / 2; at < w + h; at += step) surface.line(x + at, y, x + at - h, y + h, pen);
  surface.unclip();
}

/**
 * Give each panel that has none in this theme its pixels.
 * @template {Panel} P
 * @param {Theme} theme
 * @param {(P & Partial<Pixels>)[]} panels
 */
export const fillPixels = (theme, panels) =>
  panels.map((panel) => (panel.theme === theme ? /** @type {P & Pixels} */ (panel) : panelPixels(theme, panel)));

/**
 * Give a panel its pixels in this theme, made from its values.
 * @template {Panel} P
 * @param {Theme} theme
 * @param {P} panel
 * @returns {P & Pixels}
 */
export function panelPixels(theme, panel) {
  const { values, shape, scale, limit } = panel;
  const tables = colourTables(theme);
  const indices = new Uint8Array(values.length);
  const masked = new Uint8Array(values.length);
  /** @type {Record<string, (x: number) => number>} */
  const indexOf = { signed: (x) => signedIndex(x / limit), weight: (x) => weightIndex(x / limit), mask: (x) => x };
  const index = indexOf[scale === "size" ? "weight" : scale]; // the same indices in another table
  for (let i = 0; i < values.length; i++) {
    masked[i] = values[i] === -Infinity || (scale === "mask" && values[i] === 0) ? 1 : 0;
    indices[i] = masked[i] ? 0 : index(values[i]);
  }
  const may = new Uint8ClampedArray([0, 0, 0, 0, ...rgbOf(mayColour(theme)), 255]);
  const table = scale === "mask" ? may : tables[scale];
  const [rows, cols] = shape;
  const pale = panel.faded ? paleTable(theme, table, panel.grey) : null;
  const isMasked = masked.includes(1);
  return Object.assign(panel, {
    theme, table, indices, pale,
    image: indexImage(table, indices, rows, cols),
    paleImage: pale && panel.faded ? indexImage(pale, indices.slice(0, panel.faded * cols), panel.faded, cols) : null,
    masked: isMasked,
    maskImage: isMasked ? maskImage(masked, rows, cols) : null,
  });
}

/**
 * Return a paler table of colours, nearer to the background; grey: blank, the
 * same grey whatever the number.
 * @param {Theme} theme
 * @param {Table} table
 * @param {boolean} [grey]
 */
function paleTable(theme, table, grey) {
  const ground = toLab(rgbOf(theme.background));
  const blank = toLab(rgbOf(theme.panel));
  const pale = new Uint8ClampedArray(table);
  for (let i = 0; i < table.length; i += 4) {
    const [lightness, a, b] = toLab([...table.slice(i, i + 3)]);
    pale.set(fromLab(grey ? blank : [lightness, a, b].map((x, part) => 0.5 * (x + ground[part]))), i);
  }
  return pale;
}

const OPAQUE_ONE = new Uint8ClampedArray([0, 0, 0, 0, 0, 0, 0, 255]); // a colour table: 0 clear, 1 black

/** Return the colour of a cell that may attend. @param {Theme} theme */
export function mayColour(theme) {
  const [text, ground] = [theme.text, theme.background].map((colour) => toLab(rgbOf(colour)));
  return hex(fromLab(text.map((x, i) => 0.45 * x + 0.55 * ground[i])));
}

/**
 * Return the picture of a mask, one byte a cell: clear where it is 0.
 * @param {Uint8Array} masked
 * @param {number} rows
 * @param {number} cols
 */
export const maskImage = (masked, rows, cols) => indexImage(OPAQUE_ONE, masked, rows, cols);

/**
 * Return a picture of the matrix's size of the hatch, cut to the masked cells.
 * @param {Theme} theme
 * @param {HTMLCanvasElement} maskImage
 * @param {{width: number, height: number}} size
 */
export function hatchedCells(theme, maskImage, { width, height }) {
  const canvas = document.createElement("canvas");
  const ctx = sharpCanvas(canvas, width, height);
  hatch(canvasSurface(ctx, theme), theme, 0, 0, width, height);
  ctx.globalCompositeOperation = "destination-in";
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(maskImage, 0, 0, width, height);
  return canvas;
}
