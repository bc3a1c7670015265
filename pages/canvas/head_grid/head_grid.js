// One tile per head: layers are rows, heads are columns.

import { colourTables } from "../runtime/colours.js";
import { component, sheetsOf } from "../runtime/component.js";
import { child, drawn } from "../runtime/dom.js";
import { cellRect } from "../runtime/grid.js";
import { keysOf, legendWidth, paintLegend } from "../runtime/legend.js";
import { hatchedCells, indexImage, maskImage } from "../runtime/pixels.js";
import { saveBar } from "../runtime/save.js";
import { Stage } from "../runtime/stage.js";
import { readTheme } from "../runtime/theme.js";
import { viewOf } from "../runtime/view.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "../runtime/stage.css", "head_grid.css");

const TILE = { least: 14, most: 104, finger: 24 }; // finger: the least on a narrow screen, where a finger picks
const TALL = 550; // of all layers together, where their tiles can be made small enough; deeper grids scroll
const EDGE = { top: 24, left: 62, narrow: 26, legend: 34 };

function gridLayout(theme, shape, room) {
  const [layers, heads] = shape;
  const left = room < 480 ? EDGE.narrow : EDGE.left;
  const fits = Math.floor(Math.min((room - left - 4) / heads, (TALL * theme.scale) / layers));
  const space = Math.min(room < 480 ? 5 : 8, Math.max(3, Math.round(fits / 5)));
  const size = Math.max(room < 480 ? TILE.finger : TILE.least, Math.min(TILE.most * theme.scale, fits - space));
  const step = size + space;
  return { rows: layers, cols: heads, row: step, col: step, left, top: EDGE.top, high: size, wide: size };
}

const headName = ([layer, head]) => "layer " + (layer + 1) + " · head " + (head + 1);

function paintTile(surface, theme, picture, layout, cell) {
  const [layer, head] = cell;
  const rect = cellRect(layout, cell);
  const [x, y, size] = rect;
  surface.image(picture.images[layer][head], ...rect);
  if (picture.hatch) surface.image(picture.hatch, ...rect);
  surface.rect(...rect, { stroke: theme.border });
  if (!picture.isHidden(cell)) return;
  const lines = [[x, y, x + size, y + size], [x + size, y, x, y + size]];
  surface.rect(...rect, { fill: theme.background, alpha: 0.7 });
  for (const line of lines) surface.line(...line, { stroke: theme.text, lineWidth: 1.5 });
}

function frame(surface, theme, [x, y, w, h], lineWidth) {
  surface.rect(x - 2, y - 2, w + 4, h + 4, { stroke: theme.text, lineWidth });
}

function paintGrid(surface, theme, picture, layout) {
  const { rows: layers, cols: heads, left, high: tile, row: step } = layout;
  const narrow = left === EDGE.narrow;
  const quiet = { size: 12, fill: theme.muted };
  const every = Math.ceil((7 * String(heads).length + 3) / step); // so that long numbers do not overlap
  for (let head = 0; head < heads; head += every) {
    const word = tile > 50 ? "Head " + (head + 1) : String(head + 1);
    surface.text(word, left + head * step + tile / 2, 14, { ...quiet, align: "center" });
  }
  for (let layer = 0; layer < layers; layer++) {
    const word = narrow ? "L" + (layer + 1) : "Layer " + (layer + 1);
    const middle = EDGE.top + layer * step + tile / 2;
    surface.text(word, left - 9, middle, { ...quiet, align: "right", baseline: "middle" });
    for (let head = 0; head < heads; head++) paintTile(surface, theme, picture, layout, [layer, head]);
  }
  if (picture.selected) frame(surface, theme, cellRect(layout, picture.selected), 2.5);
  paintLegend(surface, theme, keysFor(theme, picture), left, EDGE.top + layers * step + 14);
}

const keysFor = (theme, picture) => keysOf(theme, "weight", picture.limit, picture.hatch && "hidden", "weight");

function gridView(theme, picture, layout) {
  const { rows, cols, row, col, left } = layout;
  return viewOf(theme, layout, {
    size: [left + Math.max(cols * col, legendWidth(theme, keysFor(theme, picture))), EDGE.top + rows * row + EDGE.legend],
    label: picture.name + ", " + rows + " layers, " + cols + " heads",
    start: picture.selected,
    paint: (surface) => paintGrid(surface, theme, picture, layout),
    words: (cell) => [headName(cell), ...(picture.isHidden(cell) ? ["switched off"] : [])],
    mark: (surface, cell) => frame(surface, theme, cellRect(layout, cell), 1.5),
    send: picture.send && (([layer, head]) => picture.send({ layer, head })),
  });
}

// The pictures of all heads, made again when the colours change.
function imagesOf(theme, { shape: [layers, heads, h, w], values }) {
  const table = colourTables(theme).weight;
  const tileOf = (index) => indexImage(table, values.subarray(index * h * w, (index + 1) * h * w), h, w);
  const range = (count) => [...Array(count).keys()];
  return range(layers).map((layer) => range(heads).map((head) => tileOf(layer * heads + head)));
}

function draw(root, picture, room) {
  const theme = readTheme(root);
  if (picture.theme !== theme) Object.assign(picture, { theme, images: imagesOf(theme, picture.shades) });
  child(root, "div", "caption").textContent = picture.caption;
  const grid = child(root, "div", "grid");
  const layout = gridLayout(theme, picture.shades.shape, room);
  const hatched = picture.masked && layout.wide >= TILE.finger; // on smaller tiles the hatch would be all that is seen
  picture.hatch = hatched && hatchedCells(theme, picture, { width: layout.wide, height: layout.high });
  const view = gridView(theme, picture, layout);
  grid.stage ??= new Stage(grid, root);
  grid.stage.draw(theme, view);
  if (picture.selected && grid.dataset.selected !== String(picture.selected)) grid.stage.reveal(picture.selected);
  grid.dataset.selected = picture.selected;
  saveBar(root, picture.name, view.size, view.paint);
}

export default component(styles, (root, { meta, arrays }, send) => {
  const isHidden = (cell) => meta.hidden.some((head) => head[0] === cell[0] && head[1] === cell[1]);
  const picture = { ...meta, shades: arrays.shades, masked: arrays.masked, isHidden };
  if (picture.masked) picture.maskImage = maskImage(arrays.masked.values, ...arrays.masked.shape);
  picture.send = meta.pickable ? (head) => send("pick", head) : null;
  drawn(root, (room) => draw(root, picture, room));
});
