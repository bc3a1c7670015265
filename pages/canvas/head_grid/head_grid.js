// @ts-check
// One tile per head: layers are rows, heads are columns.

import { colourTables } from "../runtime/colours.js";
import { component, sheetsOf } from "../runtime/component.js";
import { child, drawn } from "../runtime/dom.js";
import { cellRect } from "../runtime/grid.js";
import { keysOf, legendWidth, paintLegend } from "../runtime/legend.js";
import { hatchedCells, indexImage, maskImage } from "../runtime/pixels.js";
import { saveBar } from "../runtime/save.js";
import { Stage } from "../runtime/stage.js";
import { stateOf } from "../runtime/state.js";
import { sizeOf } from "../runtime/text.js";
import { readTheme } from "../runtime/theme.js";
import { viewOf } from "../runtime/view.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "../runtime/stage.css", "head_grid.css");

/** @import { Data, Send } from "../runtime/component.js" */
/** @import { Cell, Grid, Rect } from "../runtime/grid.js" */
/** @import { Surface } from "../runtime/surface.js" */
/** @import { Theme } from "../runtime/theme.js" */
/** @import { Packed } from "../runtime/unpack.js" */
/** @import { View } from "../runtime/view.js" */
/** @typedef {Grid & {left: number, top: number, high: number, wide: number}} Layout */
/** @typedef {{name: string, caption: string, limit: number, selected: Cell | null, hidden: Cell[], pickable: boolean}} Meta */
/** @typedef {{shades: Packed<Uint8Array>, masked?: Packed<Uint8Array>}} Arrays  shades: (layers, heads, rows, cols). */
/**
 * images: of all heads in the theme; hatch: over the masked cells of a tile, where there are any.
 * @typedef {Meta & Arrays & {theme: Theme | null, images: HTMLCanvasElement[][], maskImage: HTMLCanvasElement | null,
 *   hatch: HTMLCanvasElement | null, send: Send | null}} Picture
 */

const TILE = { least: 14, most: 104, finger: 24 }; // finger: the least on a narrow screen, where a finger picks
const TALL = 550; // of all layers together, where their tiles can be made small enough; deeper grids scroll
const EDGE = { top: 24, left: 62, narrow: 26, legend: 34 };
const LABEL = { size: 12 };

/** How many times larger than usual labels are. @param {Theme} theme */
const larger = (theme) => sizeOf(theme, LABEL) / LABEL.size;

/** @type {(theme: Theme, shape: number[], room: number) => Layout} */
function gridLayout(theme, shape, room) {
  const [layers, heads] = shape;
  const left = room < 480 ? EDGE.narrow : EDGE.left * larger(theme);
  const fits = Math.floor(Math.min((room - left - 4) / heads, (TALL * theme.scale) / layers));
  const space = Math.min(room < 480 ? 5 : 8, Math.max(3, Math.round(fits / 5)));
  const size = Math.max(room < 480 ? TILE.finger : TILE.least, Math.min(TILE.most * theme.scale, fits - space));
  const step = size + space;
  return { rows: layers, cols: heads, row: step, col: step, left, top: EDGE.top * larger(theme), high: size, wide: size };
}

/** @param {Cell} cell */
const headName = ([layer, head]) => "layer " + (layer + 1) + " · head " + (head + 1);

/** @type {(picture: Picture, cell: Cell) => boolean} */
const isHidden = ({ hidden }, [layer, head]) => hidden.some((each) => each[0] === layer && each[1] === head);

/** @type {(surface: Surface, theme: Theme, picture: Picture, layout: Layout, cell: Cell) => void} */
function paintTile(surface, theme, picture, layout, cell) {
  const [layer, head] = cell;
  const rect = cellRect(layout, cell);
  const [x, y, size] = rect;
  surface.image(picture.images[layer][head], ...rect);
  if (picture.hatch) surface.image(picture.hatch, ...rect);
  surface.rect(...rect, { stroke: theme.border });
  if (!isHidden(picture, cell)) return;
  const pen = { stroke: theme.text, lineWidth: 1.5 };
  surface.rect(...rect, { fill: theme.background, alpha: 0.7 });
  surface.line(x, y, x + size, y + size, pen);
  surface.line(x + size, y, x, y + size, pen);
}

/** @type {(surface: Surface, theme: Theme, rect: Rect, lineWidth: number) => void} */
function frame(surface, theme, [x, y, w, h], lineWidth) {
  surface.rect(x - 2, y - 2, w + 4, h + 4, { stroke: theme.text, lineWidth });
}

/** @type {(surface: Surface, theme: Theme, picture: Picture, layout: Layout) => void} */
function paintGrid(surface, theme, picture, layout) {
  const { rows: layers, cols: heads, left, top, high: tile, row: step } = layout;
  const times = larger(theme);
  const narrow = left === EDGE.narrow;
  const quiet = { ...LABEL, fill: theme.muted };
  const every = Math.ceil((times * (7 * String(heads).length + 3)) / step); // labelled heads, so that long numbers do not overlap
  for (let head = 0; head < heads; head += every) {
    const word = tile > 50 * times ? "Head " + (head + 1) : String(head + 1);
    surface.text(word, left + head * step + tile / 2, top - 10, { ...quiet, align: "center" });
  }
  for (let layer = 0; layer < layers; layer++) {
    const word = narrow ? "L" + (layer + 1) : "Layer " + (layer + 1);
    const middle = top + layer * step + tile / 2;
    if (layer % Math.ceil((LABEL.size * times) / step) === 0)
      surface.text(word, left - 9, middle, { ...quiet, align: "right", baseline: "middle" });
    for (let head = 0; head < heads; head++) paintTile(surface, theme, picture, layout, [layer, head]);
  }
  if (picture.selected) frame(surface, theme, cellRect(layout, picture.selected), 2.5);
  paintLegend(surface, theme, keysFor(theme, picture), left, top + layers * step + 14 * times);
}

/** @param {Theme} theme @param {Picture} picture */
const keysFor = (theme, picture) => keysOf(theme, "weight", picture.limit, picture.hatch && "hidden", "weight");

/** @type {(theme: Theme, picture: Picture, layout: Layout) => View} */
function gridView(theme, picture, layout) {
  const { rows, cols, row, col, left, top } = layout;
  const { send } = picture;
  return viewOf(theme, layout, {
    size: [left + Math.max(cols * col, legendWidth(theme, keysFor(theme, picture))), top + rows * row + EDGE.legend * larger(theme)],
    label: picture.name + ", " + rows + " layers, " + cols + " heads",
    start: picture.selected,
    paint: (surface) => paintGrid(surface, theme, picture, layout),
    words: (cell) => [headName(cell), ...(isHidden(picture, cell) ? ["switched off"] : [])],
    mark: (surface, cell) => frame(surface, theme, cellRect(layout, cell), 1.5),
    send: send && (([layer, head]) => send("pick", { layer, head })),
    pointed: (cell) => send?.("preview", cell && { layer: cell[0], head: cell[1] }),
  });
}

/** Make the pictures of all heads. @param {Theme} theme @param {Packed<Uint8Array>} shades */
function imagesOf(theme, { shape: [layers, heads, h, w], values }) {
  const table = colourTables(theme).weight;
  /** @param {number} index */
  const tileOf = (index) => indexImage(table, values.subarray(index * h * w, (index + 1) * h * w), h, w);
  /** @param {number} count */
  const range = (count) => [...Array(count).keys()];
  return range(layers).map((layer) => range(heads).map((head) => tileOf(layer * heads + head)));
}

/** @param {HTMLElement} root @param {Picture} picture @param {number} room */
function draw(root, picture, room) {
  const theme = readTheme(root);
  if (picture.theme !== theme) Object.assign(picture, { theme, images: imagesOf(theme, picture.shades) });
  child(root, "div", "caption").textContent = picture.caption;
  const grid = child(root, "div", "grid");
  const layout = gridLayout(theme, picture.shades.shape, room);
  const mask = layout.wide >= TILE.finger ? picture.maskImage : null; // on smaller tiles only the hatch would be seen
  picture.hatch = mask && hatchedCells(theme, mask, { width: layout.wide, height: layout.high });
  const view = gridView(theme, picture, layout);
  const stage = stateOf(grid, Stage, root);
  stage.draw(theme, view);
  if (picture.selected && grid.dataset.selected !== String(picture.selected)) stage.reveal(picture.selected);
  grid.dataset.selected = String(picture.selected);
  saveBar(root, picture.name, view.size, view.paint);
}

export default component(styles, (root, /** @type {Data<Meta, Arrays>} */ { meta, arrays }, send) => {
  const { masked } = arrays;
  /** @type {Picture} */
  const picture = {
    ...meta, ...arrays,
    theme: null, images: [], hatch: null,
    maskImage: masked ? maskImage(masked.values, masked.shape[0], masked.shape[1]) : null,
    send: meta.pickable ? send : null,
  };
  drawn(root, (room) => draw(root, picture, room));
});
