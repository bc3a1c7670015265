// @ts-check
// The tiles of a strip: in which lines they stand, how large they are, how they are painted, and the saved file.

import { keysOf, legendWidth, paintLegend } from "../runtime/legend.js";
import { hatchedCells } from "../runtime/pixels.js";
import { format, textWidth } from "../runtime/text.js";

/** @import { Grid } from "../runtime/grid.js" */
/** @import { Key } from "../runtime/legend.js" */
/** @import { Panel } from "../runtime/panel.js" */
/** @import { Pixels } from "../runtime/pixels.js" */
/** @import { Surface, TextStyle } from "../runtime/surface.js" */
/** @import { Theme } from "../runtime/theme.js" */
/** @typedef {"values" | "shape" | "rows" | "cols" | "rowAxis" | "colAxis"} Made  The fields that are made from the others. */
/**
 * A tile as it is sent; strip.py says what its fields mean. shape: what is written below it; axes: of rows and columns;
 * labels: the same as numbers of lists; beyond: whether some values are outside the scale.
 * @typedef {Omit<Panel, Made> & {shape: string, size: [number, number], axes: [string, string],
 *   labels: [number, number], texts: string[], click: string, pick: boolean, chosen: boolean, starts: boolean,
 *   part: string, largest: number, beyond: boolean, unit: string}} SentTile
 */
/** @typedef {Panel & Omit<SentTile, "shape"> & {written: string, told: string}} Tile  told: all of it but its values. */
/** @typedef {Tile & Pixels} FilledTile */
/** @typedef {Grid & {width: number, height: number}} Layout */

const UNIT = { least: 66, most: 220, cell: 22 };
const BETWEEN = { sign: 26, gap: 12 };

/**
 * Return the lines of tiles: a new one wherever a tile says that it starts one.
 * @template {Tile} T
 * @param {T[]} tiles
 */
export function linesOf(tiles) {
  /** @type {T[][]} */
  const lines = [];
  for (const tile of tiles) {
    if (tile.starts || !lines.length) lines.push([tile]);
    else lines[lines.length - 1].push(tile);
  }
  return lines;
}

/**
 * Return the pixels of the unit with which the longest line fits the room; lines of tiles to choose from may wrap.
 * @type {(theme: Theme, tiles: Tile[], room: number) => number}
 */
export function unitFor(theme, tiles, room) {
  const whole = linesOf(tiles).filter((line) => !line[0].pick);
  const fits = whole.map((line) => {
    const signs = line.reduce((sum, tile, i) => sum + (tile.before ? BETWEEN.sign : i ? BETWEEN.gap : 0), 0);
    return (room - signs) / line.reduce((sum, { size }) => sum + size[1], 0);
  });
  return Math.max(UNIT.least, Math.min(UNIT.most * theme.scale, ...fits));
}

/**
 * Lay out a tile: its share of the unit, less where cells would be larger than needed; labels are never drawn.
 * @type {(tile: Tile, unit: number) => Layout}
 */
export function tileLayout(tile, unit) {
  const [height, width] = tile.shape.map((count, axis) => Math.min(Math.floor(tile.size[axis] * unit), count * UNIT.cell));
  const [rows, cols] = tile.shape;
  return { rows, cols, row: height / rows, col: width / cols, width, height };
}

/**
 * Paint a tile with its top left corner at (x, y).
 * @type {(surface: Surface, theme: Theme, tile: FilledTile, layout: Layout, x?: number, y?: number) => void}
 */
export function paintTile(surface, theme, tile, { width, height }, x = 0, y = 0) {
  surface.image(tile.image, x, y, width, height);
  if (tile.maskImage) surface.image(hatchedCells(theme, tile.maskImage, { width, height }), x, y, width, height);
  surface.rect(x + 0.5, y + 0.5, width - 1, height - 1, { stroke: theme.border });
}

/** Say how large the numbers are, and what of a large tensor is left out. @param {Tile} tile */
export function detailsOf(tile) {
  if (!tile.written) return [];
  const size = tile.scale === "signed" ? ["largest " + format(tile.largest, 2)] : [];
  return [...size, ...(tile.part ? [tile.part] : [])];
}

/**
 * Return the keys of the scales in use, each with what its numbers are and how far its colours go.
 * @param {Theme} theme
 * @param {FilledTile[]} tiles
 * @returns {Key[]}
 */
export function keysIn(theme, tiles) {
  const used = new Map(tiles.map((tile) => [tile.unit + tile.scale + tile.limit, tile]));
  const keys = [...used.values()].map(({ scale, limit, unit, beyond }) => {
    const [ramp] = keysOf(theme, scale, limit);
    if (!ramp.table) return ramp;
    const ends = scale === "signed" ? { low: format(-limit, 2), high: format(limit, 2) } : ramp;
    const [less, more] = beyond ? [" or less", " or more"] : ["", ""];
    return { ...ramp, low: (unit ? unit + " " : "") + ends.low + less, high: ends.high + more };
  });
  return tiles.some((tile) => tile.masked) ? [...keys, { text: "hidden", hatched: true }] : keys;
}

/**
 * Return size and painter of the file: the same lines, each tile under its title and over its shape.
 * @param {Theme} theme
 * @param {FilledTile[]} tiles
 */
export function savedStrip(theme, tiles) {
  const [margin, head, foot] = [16, 22, 44];
  /** @type {TextStyle} */
  const heading = { size: 12, weight: 600, baseline: "top" };
  /** @type {TextStyle} */
  const quiet = { size: 11, baseline: "top", fill: theme.muted };
  /** @type {[FilledTile, Layout, number, number][]} */
  const placed = [];
  let [top, right] = [margin, 0];
  for (const line of linesOf(tiles)) {
    const layouts = line.map((tile) => tileLayout(tile, UNIT.most));
    let left = margin;
    line.forEach((tile, i) => {
      left += tile.before ? BETWEEN.sign : i ? BETWEEN.gap : 0;
      placed.push([tile, layouts[i], left, top]);
      left += Math.max(layouts[i].width, textWidth(theme, tile.title, heading), textWidth(theme, tile.written, quiet));
    });
    right = Math.max(right, left);
    top += head + Math.max(...layouts.map(({ height }) => height)) + foot;
  }
  const keys = keysIn(theme, tiles);
  right = Math.max(right, margin + legendWidth(theme, keys));
  /** @param {Surface} surface */
  const paint = (surface) => {
    paintLegend(surface, theme, keys, margin, top);
    for (const [tile, layout, x, y] of placed) {
      if (tile.before) surface.text(tile.before, x - BETWEEN.sign + 4, y + head + 20, { size: 16, fill: theme.muted });
      surface.text(tile.title, x, y, { ...heading, fill: tile.tint ? theme.ink[tile.tint] : theme.text });
      paintTile(surface, theme, tile, layout, x, y + head);
      [tile.written, detailsOf(tile).join("; ")].forEach((text, i) => {
        if (text) surface.text(text, x, y + head + layout.height + 6 + 15 * i, quiet);
      });
    }
  };
  return { size: [right + margin, top + margin], paint };
}
