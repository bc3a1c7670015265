// Small matrices in lines, joined by signs. A tooltip tells each cell, a click opens it, and the token that is pointed at
// is framed in every tile of its text.

import { component, sheetsOf } from "../runtime/component.js";
import { child, drawn, make, put } from "../runtime/dom.js";
import { cellRect, outline } from "../runtime/grid.js";
import { keysOf, legendCanvas, legendWidth, paintLegend } from "../runtime/legend.js";
import { fillPixels, hatchedCells } from "../runtime/pixels.js";
import { pointAt, whenPointed } from "../runtime/pointed.js";
import { saveBar } from "../runtime/save.js";
import { Stage } from "../runtime/stage.js";
import { format, textWidth } from "../runtime/text.js";
import { readTheme } from "../runtime/theme.js";
import { cellWords, sizedLabel, viewOf } from "../runtime/view.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "../runtime/stage.css", "strip.css");

const UNIT = { least: 66, most: 132, cell: 22 };
const BETWEEN = { sign: 26, gap: 12 };

// The lines of tiles: a new one wherever a tile says that it starts one.
function linesOf(tiles) {
  const lines = [];
  for (const tile of tiles) (tile.starts || !lines.length ? lines.push([tile]) : lines.at(-1).push(tile));
  return lines;
}

// Pixels of the unit with which the longest line fits the room; lines of tiles to choose from may wrap.
function unitFor(theme, tiles, room) {
  const whole = linesOf(tiles).filter((line) => !line[0].pick);
  const fits = whole.map((line) => {
    const signs = line.reduce((sum, tile, i) => sum + (tile.before ? BETWEEN.sign : i ? BETWEEN.gap : 0), 0);
    return (room - signs) / line.reduce((sum, { size }) => sum + size[1], 0);
  });
  return Math.max(UNIT.least, Math.min(UNIT.most * theme.scale, ...fits));
}

// The tile's pixels: its share of the unit, less where cells would be larger than needed; labels are never drawn.
function tileLayout(tile, unit) {
  const [height, width] = tile.shape.map((count, axis) => Math.min(Math.floor(tile.size[axis] * unit), count * UNIT.cell));
  const [rows, cols] = tile.shape;
  return { rows, cols, row: height / rows, col: width / cols, width, height };
}

function paintTile(surface, theme, tile, { width, height }, x = 0, y = 0) {
  surface.image(tile.image, x, y, width, height);
  if (tile.masked) surface.image(hatchedCells(theme, tile, { width, height }), x, y, width, height);
  surface.rect(x + 0.5, y + 0.5, width - 1, height - 1, { stroke: theme.border });
}

const leaves = (tile) => Boolean(tile.click) && !tile.pick;

const tileView = (theme, tile, layout, root) =>
  viewOf(theme, layout, {
    size: [layout.width, layout.height],
    label: sizedLabel(tile.title, tile.shape) + (tile.click ? ", press Enter " + tile.click : ""),
    paint: (surface) => paintTile(surface, theme, tile, layout),
    words: (cell) => cellWords(tile, cell, 5),
    mark: (surface, cell) => outline(surface, theme, cellRect(layout, cell), 1.5),
    send: tile.click ? ([row, col]) => root.sendPick({ panel: tile.name, row, col }) : null,
    hint: tile.click,
    leaves: leaves(tile),
    pointed: (cell) => pointAt(cell && tile.texts[0] ? { text: tile.texts[0], at: cell[0] } : null),
  });

// Where a token stands in a tile: its row, and its column where columns are tokens.
const bandsOf = ({ texts, shape }, token) =>
  [0, 1]
    .filter((axis) => token && token.text === texts[axis] && token.at < shape[axis])
    .map((axis) => (axis ? [null, token.at] : [token.at, null]));

const OWN_LINE = "line-of-its-own";

// What stands under the shape: how large the numbers are, and what of a large tensor is left out.
function detailsOf(tile) {
  if (!tile.written) return [];
  const size = tile.scale === "signed" ? ["largest " + format(tile.largest, 2)] : [];
  return [...size, ...(tile.part ? [tile.part] : [])];
}

// The scales in use, each with what its numbers are and how far its colours go.
function keysIn(theme, tiles) {
  const used = new Map(tiles.map((tile) => [tile.unit + tile.scale + tile.limit, tile]));
  const keys = [...used.values()].map(({ scale, limit, unit, beyond }) => {
    const [ramp] = keysOf(theme, scale, limit);
    const ends = scale === "signed" ? { low: format(-limit, 2), high: format(limit, 2) } : ramp;
    const [less, more] = beyond ? [" or less", " or more"] : ["", ""];
    return { ...ramp, low: (unit ? unit + " " : "") + ends.low + less, high: ends.high + more };
  });
  return tiles.some((tile) => tile.masked) ? [...keys, { text: "hidden", hatched: true }] : keys;
}

// Empty figures in lines, made again only when tiles come, go or move.
function figuresFor(root, tiles) {
  const box = child(root, "div", "lines");
  const order = JSON.stringify(tiles.map(({ name, starts }) => [name, starts]));
  if (box.order === order) return box.figures;
  const lineOf = (line) => {
    const element = make("div", "line");
    element.append(...line.map(() => make("div", "group")));
    return element;
  };
  const lines = linesOf(tiles).map(lineOf);
  box.replaceChildren(...lines);
  return Object.assign(box, { order, figures: lines.flatMap((line) => [...line.children]) }).figures;
}

function refresh(root, group, tile, theme, layout) {
  Object.assign(child(group, "span", "sign"), { textContent: tile.before, hidden: !tile.before });
  const [figure, look] = [child(group, "div", "tile"), [tile, theme, layout.width, layout.height]];
  if (look.every((part, i) => part === figure.look?.[i])) return figure;
  figure.look = look;
  figure.classList.toggle("chosen", tile.chosen);
  const title = child(figure, "div", "title");
  Object.assign(title, { textContent: tile.title, ariaHidden: "true" }); // the stage is called so
  title.style.setProperty("--tint", theme[tile.tint] ?? "none");
  title.classList.toggle("tinted", Boolean(tile.tint));
  title.classList.toggle("leaves", leaves(tile));
  figure.stage ??= new Stage(figure, root);
  figure.stage.draw(theme, tileView(theme, tile, layout, root));
  const caption = child(figure, "div", "shape");
  caption.style.maxWidth = Math.max(layout.width, 62) + "px";
  const parts = tile.written ? tile.written.split(/ (?==)/) : [];
  const [words, details] = [parts.map((text) => make("span", "", text)), detailsOf(tile).map((text) => make("span", OWN_LINE, text))];
  caption.replaceChildren(...words, ...details);
  return figure;
}

function draw(root, picture, room) {
  const [theme, { tiles }] = [readTheme(root), picture];
  const unit = unitFor(theme, tiles, room);
  fillPixels(theme, tiles);
  const groups = figuresFor(root, tiles);
  const figures = tiles.map((tile, i) => refresh(root, groups[i], tile, theme, tileLayout(tile, unit)));
  whenPointed(root, (token) => figures.forEach(({ stage }, i) => stage.light(bandsOf(tiles[i], token))));
  const foot = child(root, "div", "foot");
  drawLegends(child(foot, "div", "legends"), theme, keysIn(theme, tiles));
  saveBar(foot, picture.name, ...savedStrip(theme, tiles));
}

// A canvas for each key, so that they wrap; drawn again only where the keys or their colours are others.
function drawLegends(legends, theme, keys) {
  const told = JSON.stringify(keys.map(({ low, high, text }) => [low, high, text]));
  if (legends.told === told && legends.theme === theme) return;
  Object.assign(legends, { told, theme });
  legends.replaceChildren();
  for (const key of keys) legendCanvas(put(legends, "span"), theme, [key]);
}

// Size and painter of the file: the same lines, each tile under its title and over its shape.
function savedStrip(theme, tiles) {
  const [margin, head, foot] = [16, 22, 44];
  const heading = { size: 12, weight: 600, baseline: "top" };
  const quiet = { size: 11, baseline: "top", fill: theme.muted };
  const placed = [];
  let [top, right] = [margin, 0];
  for (const line of linesOf(tiles)) {
    const layouts = line.map((tile) => tileLayout(tile, UNIT.most));
    let left = margin;
    line.forEach((tile, i) => {
      left += tile.before ? BETWEEN.sign : i ? BETWEEN.gap : 0;
      placed.push([tile, layouts[i], left, top]);
      const words = [[tile.title, heading], [tile.written, quiet]].map(([text, style]) => textWidth(theme, text, style));
      left += Math.max(layouts[i].width, ...words);
    });
    right = Math.max(right, left);
    top += head + Math.max(...layouts.map(({ height }) => height)) + foot;
  }
  const keys = keysIn(theme, tiles);
  right = Math.max(right, margin + legendWidth(theme, keys));
  const paint = (surface) => {
    paintLegend(surface, theme, keys, margin, top);
    for (const [tile, layout, x, y] of placed) {
      if (tile.before) surface.text(tile.before, x - BETWEEN.sign + 4, y + head + 20, { size: 16, fill: theme.muted });
      surface.text(tile.title, x, y, { ...heading, fill: theme.ink[tile.tint] ?? theme.text });
      paintTile(surface, theme, tile, layout, x, y + head);
      [tile.written, detailsOf(tile).join("; ")].forEach((text, i) => {
        if (text) surface.text(text, x, y + head + layout.height + 6 + 15 * i, quiet);
      });
    }
  };
  return [[right + margin, top + margin], paint];
}

// A tile that stands as it is keeps its picture.
const kept = (old, tile) =>
  old?.told === tile.told && old.values.every((value, i) => value === tile.values[i]) ? old : tile;

export default component(styles, (root, { meta, arrays }, send) => {
  const tiles = meta.tiles.map((tile, place) => {
    const [[rowAxis, colAxis], [rows, cols]] = [tile.axes, tile.labels.map((number) => meta.labels[number])];
    const told = JSON.stringify([tile, rows, cols, arrays[place].shape]);
    return kept(root.tiles?.[place], { ...tile, told, rowAxis, colAxis, rows, cols, written: tile.shape, ...arrays[place] });
  });
  Object.assign(root, { role: "group", ariaLabel: meta.name, tiles, sendPick: (cell) => send("pick", cell) });
  drawn(root, (room) => draw(root, { ...meta, tiles }, room));
});
