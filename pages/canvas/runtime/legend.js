// @ts-check
// Legends: the meaning of the colours of a picture.

import { colourTables } from "./colours.js";
import { child } from "./dom.js";
import { hatch, indexImage, mayColour } from "./pixels.js";
import { canvasSurface, sharpCanvas } from "./surface.js";
import { format, sizeOf, textWidth } from "./text.js";

/** @import { Table } from "./colours.js" */
/** @import { Scale } from "./panel.js" */
/** @import { Surface, TextStyle } from "./surface.js" */
/** @import { Theme } from "./theme.js" */
/**
 * What one kind of colour means: a ramp of a table with the words at its ends, or a text beside a swatch.
 * @typedef {{low: string, table: Table, high: string, text?: undefined}} Ramp
 * @typedef {{text: string, fill?: string, hatched?: boolean, table?: undefined}} Swatch
 * @typedef {Ramp | Swatch} Key
 */

const BAR = 64;
/** @type {TextStyle} */
const SMALL = { size: 11, baseline: "middle" };
const ALL = Uint8Array.from({ length: 256 }, (_, i) => i);

/**
 * Return the keys of one scale up to `limit`.
 * @param {Theme} theme
 * @param {Scale} scale
 * @param {number} limit
 * @param {string | false | null} [masked]  What −inf is called, if there is any.
 * @param {string} unit  What the numbers are.
 * @returns {Key[]}
 */
export function keysOf(theme, scale, limit, masked, unit = "") {
  if (scale === "mask") return [{ text: "may attend", fill: mayColour(theme) }, { text: "may not", hatched: true }];
  const tables = colourTables(theme);
  const ramp =
    scale === "signed"
      ? { low: format(-limit), table: tables.signed, high: format(limit) }
      : { low: "0", table: tables[scale], high: String(Number(limit.toPrecision(3))) };
  if (unit) ramp.low = unit + " " + ramp.low;
  return [ramp, ...(masked ? [{ text: masked, hatched: true }] : [])];
}

/** @param {Theme} theme @param {Key} key */
const widthOf = (theme, key) =>
  key.table ? textWidth(theme, key.low, SMALL) + BAR + 12 + textWidth(theme, key.high, SMALL) : 15 + textWidth(theme, key.text, SMALL);

/** Return how many times larger than usual legends are. @param {Theme} theme */
export const legendScale = (theme) => sizeOf(theme, SMALL) / (SMALL.size ?? 1);
/** Return how wide the keys are in a line. @param {Theme} theme @param {Key[]} keys */
export const legendWidth = (theme, keys) => keys.reduce((sum, key) => sum + widthOf(theme, key) + 14, -14);

/**
 * Paint the keys in a line whose middle is at y.
 * @param {Surface} surface
 * @param {Theme} theme
 * @param {Key[]} keys
 * @param {number} x
 * @param {number} y
 */
export function paintLegend(surface, theme, keys, x, y) {
  const style = { ...SMALL, fill: theme.muted };
  for (const key of keys) {
    if (key.table) {
      const start = x + textWidth(theme, key.low, SMALL) + 6;
      surface.text(key.low, x, y, style);
      surface.image(indexImage(key.table, ALL, 1, 256), start, y - 4, BAR, 8);
      surface.rect(start, y - 4, BAR, 8, { stroke: theme.border });
      surface.text(key.high, start + BAR + 6, y, style);
    } else {
      if (key.hatched) hatch(surface, theme, x, y - 5, 10, 10, 4);
      else surface.rect(x, y - 5, 10, 10, { fill: key.fill });
      surface.text(key.text, x + 15, y, style);
    }
    x += widthOf(theme, key) + 14;
  }
}

/**
 * Draw the keys as a picture of their own, with their words for a screen reader.
 * @param {HTMLElement} parent
 * @param {Theme} theme
 * @param {Key[]} keys
 */
export function legendCanvas(parent, theme, keys) {
  const canvas = child(parent, "canvas", "legend");
  const height = Math.max(16, 1.3 * theme.least);
  paintLegend(canvasSurface(sharpCanvas(canvas, Math.ceil(legendWidth(theme, keys)) + 2, height), theme), theme, keys, 1, height / 2);
  const words = keys.map((key) => key.text ?? key.low + " to " + key.high).join(", ");
  Object.assign(canvas, { role: "img", ariaLabel: "Colours: " + words });
}
