// @ts-check
// Small matrices in lines, joined by signs. A tooltip tells each cell, a click opens it, and the token that is pointed at
// is framed in every tile of its text.

import { component, sheetsOf } from "../runtime/component.js";
import { child, drawn, make, put } from "../runtime/dom.js";
import { cellRect, outline } from "../runtime/grid.js";
import { legendCanvas } from "../runtime/legend.js";
import { fillPixels } from "../runtime/pixels.js";
import { pointAt, whenPointed } from "../runtime/pointed.js";
import { saveBar } from "../runtime/save.js";
import { Stage } from "../runtime/stage.js";
import { stateOf } from "../runtime/state.js";
import { readTheme } from "../runtime/theme.js";
import { cellWords, sizedLabel, viewOf } from "../runtime/view.js";
import { detailsOf, keysIn, linesOf, paintTile, savedStrip, tileLayout, unitFor } from "./tiles.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "../runtime/stage.css", "strip.css");

/** @import { Data, Send } from "../runtime/component.js" */
/** @import { Band } from "../runtime/grid.js" */
/** @import { Key } from "../runtime/legend.js" */
/** @import { Token } from "../runtime/pointed.js" */
/** @import { Theme } from "../runtime/theme.js" */
/** @import { Packed } from "../runtime/unpack.js" */
/** @import { View } from "../runtime/view.js" */
/** @import { FilledTile, Layout, SentTile, Tile } from "./tiles.js" */
/** @typedef {{name: string, labels: string[][], tiles: SentTile[]}} Meta */
/** @typedef {(pick: {panel: string, row: number, col: number}) => void} Picked */

/** @param {Tile} tile */
const leaves = (tile) => Boolean(tile.click) && !tile.pick;

/** @type {(theme: Theme, tile: FilledTile, layout: Layout, picked: Picked) => View} */
const tileView = (theme, tile, layout, picked) =>
  viewOf(theme, layout, {
    size: [layout.width, layout.height],
    label: sizedLabel(tile.title, tile.shape) + (tile.click ? ", press Enter " + tile.click : ""),
    paint: (surface) => paintTile(surface, theme, tile, layout),
    words: (cell) => cellWords(tile, cell, 5),
    mark: (surface, cell) => outline(surface, theme, cellRect(layout, cell), 1.5),
    send: tile.click ? ([row, col]) => picked({ panel: tile.name, row, col }) : null,
    hint: tile.click,
    leaves: leaves(tile),
    pointed: (cell) => pointAt(cell && tile.texts[0] ? { text: tile.texts[0], at: cell[0] } : null),
  });

/**
 * Return where a token stands in a tile: its row, and its column where columns are tokens.
 * @type {(tile: Tile, token: Token | null) => Band[]}
 */
function bandsOf({ texts, shape }, token) {
  if (!token) return [];
  const { text, at } = token;
  /** @type {Band[]} */
  const bands = [[at, null], [null, at]];
  return bands.filter((_, axis) => text === texts[axis] && at < shape[axis]);
}

const OWN_LINE = "line-of-its-own";

/** A tile on the page: its sign, its title, its picture and its caption. */
class Figure {
  /** @type {unknown[]} */
  look = []; // the tile from which it was drawn last

  /** @param {HTMLElement} group @param {HTMLElement} root  Of the drawing. */
  constructor(group, root) {
    this.sign = child(group, "span", "sign");
    this.figure = child(group, "div", "tile");
    this.title = child(this.figure, "div", "title");
    this.stage = stateOf(this.figure, Stage, root);
    this.caption = child(this.figure, "div", "shape");
  }

  /** @type {(tile: FilledTile, theme: Theme, layout: Layout, picked: Picked) => void} */
  draw(tile, theme, layout, picked) {
    Object.assign(this.sign, { textContent: tile.before, hidden: !tile.before });
    const look = [tile, theme, layout.width, layout.height];
    if (look.every((part, i) => part === this.look[i])) return;
    this.look = look;
    const { figure, title, caption } = this;
    figure.classList.toggle("chosen", tile.chosen);
    Object.assign(title, { textContent: tile.title, ariaHidden: "true" }); // the stage has this name for screen readers
    title.style.setProperty("--tint", tile.tint ? theme[tile.tint] : "none");
    title.classList.toggle("tinted", Boolean(tile.tint));
    title.classList.toggle("leaves", leaves(tile));
    this.stage.draw(theme, tileView(theme, tile, layout, picked));
    caption.style.maxWidth = Math.max(layout.width, 62) + "px";
    const parts = tile.written ? tile.written.split(/ (?==)/) : [];
    const [words, details] = [parts.map((text) => make("span", "", text)), detailsOf(tile).map((text) => make("span", OWN_LINE, text))];
    caption.replaceChildren(...words, ...details);
  }
}

class Strip {
  /** @type {Tile[]} */
  tiles = [];
  /** @type {Figure[]} */
  figures = [];
  order = ""; // names the tiles that the figures were made for
  legend = ""; // what the legend says
  /** @type {Theme | null} */
  legendTheme = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.box = child(root, "div", "lines");
    this.foot = child(root, "div", "foot");
    this.legends = child(this.foot, "div", "legends");
  }

  /** @param {Meta} meta @param {Packed[]} arrays @param {Send} send */
  update(meta, arrays, send) {
    this.tiles = meta.tiles.map((tile, place) => {
      const [[rowAxis, colAxis], [rows, cols]] = [tile.axes, tile.labels.map((number) => meta.labels[number])];
      const told = JSON.stringify([tile, rows, cols, arrays[place].shape]);
      return kept(this.tiles[place], { ...tile, told, rowAxis, colAxis, rows, cols, written: tile.shape, ...arrays[place] });
    });
    Object.assign(this.root, { role: "group", ariaLabel: meta.name });
    this.picked = /** @type {Picked} */ ((pick) => send("pick", pick));
    drawn(this.root, (room) => this.draw(meta.name, room));
  }

  /** @param {string} name @param {number} room */
  draw(name, room) {
    const theme = readTheme(this.root);
    const unit = unitFor(theme, this.tiles, room);
    const tiles = fillPixels(theme, this.tiles);
    this.fill(tiles);
    const { figures } = this;
    figures.forEach((figure, i) => figure.draw(tiles[i], theme, tileLayout(tiles[i], unit), (pick) => this.picked?.(pick)));
    whenPointed(this.root, (token) => figures.forEach(({ stage }, i) => stage.light(bandsOf(tiles[i], token))));
    this.drawLegends(theme, keysIn(theme, tiles));
    const { size, paint } = savedStrip(theme, tiles);
    saveBar(this.foot, name, size, paint);
  }

  /** Make empty figures in lines, only when tiles come, go or move. @param {Tile[]} tiles */
  fill(tiles) {
    const order = JSON.stringify(tiles.map(({ name, starts }) => [name, starts]));
    if (this.order === order) return;
    this.order = order;
    this.box.replaceChildren();
    this.figures = linesOf(tiles).flatMap((line) => {
      const element = put(this.box, "div", "line");
      return line.map(() => new Figure(put(element, "div", "group"), this.root));
    });
  }

  /** Draw a canvas for each key, so that they wrap, only where they are others. @param {Theme} theme @param {Key[]} keys */
  drawLegends(theme, keys) {
    const legend = JSON.stringify(keys.map((key) => (key.table ? [key.low, key.high] : [key.text])));
    if (this.legend === legend && this.legendTheme === theme) return;
    [this.legend, this.legendTheme] = [legend, theme];
    this.legends.replaceChildren();
    for (const key of keys) legendCanvas(put(this.legends, "span"), theme, [key]);
  }
}

/** Keep a tile that is as it was, and so its picture. @type {(old: Tile | undefined, tile: Tile) => Tile} */
const kept = (old, tile) =>
  old?.told === tile.told && old.values.every((value, i) => value === tile.values[i]) ? old : tile;

export default component(styles, (root, /** @type {Data<Meta, Packed[]>} */ { meta, arrays }, send) =>
  stateOf(root, Strip).update(meta, arrays, send),
);
