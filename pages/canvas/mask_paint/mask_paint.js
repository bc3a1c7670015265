// @ts-check
// A mask under a brush: its layout, the dots where it is not as the preset has it, and what the brush is told.

import { component, sheetsOf } from "../runtime/component.js";
import { child, drawn } from "../runtime/dom.js";
import { cellRect } from "../runtime/grid.js";
import { bodyHeight, bodyWidth, CELL, paintPanel, panelLayout } from "../runtime/panel.js";
import { panelPixels } from "../runtime/pixels.js";
import { saveBar } from "../runtime/save.js";
import { stateOf } from "../runtime/state.js";
import { readTheme } from "../runtime/theme.js";
import { cellWords, sizedLabel, viewOf } from "../runtime/view.js";
import { Brush } from "./brush.js";

const shared = ["../runtime/shared.css", "../runtime/stage.css", "../runtime/panel.css"];
const styles = await sheetsOf(import.meta.url, ...shared, "mask_paint.css");
/** @import { Data } from "../runtime/component.js" */
/** @import { Cell } from "../runtime/grid.js" */
/** @import { FilledPanel, Panel, PanelLayout } from "../runtime/panel.js" */
/** @import { Surface } from "../runtime/surface.js" */
/** @import { Theme } from "../runtime/theme.js" */
/** @import { Packed } from "../runtime/unpack.js" */
/** @import { MaskView, Sent } from "./brush.js" */
/** @typedef {Float32Array | Uint8Array} Base  The mask as the preset has it. */
/**
 * outlined: the row that is outlined; refused: why the last stroke was not taken.
 * @typedef {{name: string, title: string, labels: string[], height: number, outlined: number | null, refused: string}} Meta
 */
/** @typedef {{mask: Packed<Uint8Array>, base: Packed<Uint8Array>}} Arrays */
/** @typedef {Panel & {base: Base}} Mask */
/** @typedef {FilledPanel & {base: Base}} FilledMask */
/** @typedef {Meta & {panel: Mask, send: (value: {strokes: Sent[], length: number}) => void}} Picture */

const BRUSH = 6; // pixels that a pointer paints at least
const HINT = "Drag to paint. Keyboard: arrows to move, Space to paint, Shift + arrows to go on painting.";

/**
 * Lay out the largest cells that fit the room, with the margins that labels take; under a pixel for a long text.
 * @type {(theme: Theme, panel: FilledMask, height: number, room: number) => PanelLayout}
 */
function fitted(theme, panel, height, room) {
  const count = panel.shape[0];
  for (let cell = Math.min(CELL.most, Math.floor(height / count)); cell >= 1; cell--) {
    const layout = panelLayout(theme, panel, cell, cell, room);
    if (bodyWidth(panel, layout) <= room) return layout;
  }
  const cell = Math.min(1, height / count, (room - panelLayout(theme, panel, 1, 1, room).left - 2) / count);
  return panelLayout(theme, panel, cell, cell, room);
}

/**
 * Paint a dot in each cell that is not as the preset has it, where a cell has room for one.
 * @type {(surface: Surface, theme: Theme, panel: FilledMask, layout: PanelLayout, x?: number, y?: number) => void}
 */
function paintDots(surface, theme, panel, layout, x = 0, y = 0) {
  if (layout.row < CELL.gap) return;
  const size = Math.min(6, Math.round(layout.row / 4));
  panel.values.forEach((value, place) => {
    if (value === panel.base[place]) return;
    const [i, j] = [Math.floor(place / panel.shape[1]), place % panel.shape[1]];
    const [left, top, w, h] = cellRect(layout, [i, j], x, y);
    const style = { fill: theme.background, stroke: theme.text };
    surface.rect(left + (w - size) / 2, top + (h - size) / 2, size, size, style);
  });
}

/** @type {(theme: Theme, panel: FilledMask, layout: PanelLayout, repaint: () => void, send: Picture["send"]) => MaskView} */
function maskView(theme, panel, layout, repaint, send) {
  const count = panel.shape[1];
  return viewOf(theme, layout, {
    size: [bodyWidth(panel, layout), bodyHeight(layout)],
    label: sizedLabel(panel.title, panel.shape),
    paint(surface) {
      paintPanel(surface, theme, panel, layout);
      paintDots(surface, theme, panel, layout);
    },
    reach: Math.floor(BRUSH / 2 / layout.row),
    words: (cell) => cellWords(panel, cell),
    open: (/** @type {Cell} */ [i, j]) => panel.values[i * count + j] === 1,
    set(/** @type {Cell} */ [i, j], /** @type {boolean} */ may) {
      panel.values[i * count + j] = may ? 1 : 0;
      return i * count + j;
    },
    repaint,
    sendStrokes: (/** @type {Sent[]} */ strokes) => send({ strokes, length: count }),
  });
}

/** @param {HTMLElement} root @param {Brush} brush @param {Picture} picture @param {number} room */
function draw(root, brush, picture, room) {
  const theme = readTheme(root);
  const panel = panelPixels(theme, picture.panel);
  const layout = fitted(theme, panel, picture.height, room);
  const again = () => draw(root, brush, picture, root.clientWidth);
  brush.draw(theme, maskView(theme, panel, layout, again, picture.send));
  saveBar(root, picture.name, [bodyWidth(panel, layout) + 40, bodyHeight(layout) + 64], (surface) => {
    surface.text(picture.title, 20, 20, { size: 14, weight: 600, baseline: "top" });
    paintPanel(surface, theme, panel, layout, 20, 44);
    paintDots(surface, theme, panel, layout, 20, 44);
  });
}

export default component(styles, (root, /** @type {Data<Meta, Arrays>} */ { meta, arrays }, send) => {
  /** @type {Mask} */
  const panel = {
    name: meta.name, title: meta.title, rows: meta.labels, cols: meta.labels, rowAxis: "queries", colAxis: "keys",
    scale: "mask", limit: 1, tint: null, selected: null,
    outlines: meta.outlined === null ? [] : [[meta.outlined, null]],
    shape: arrays.mask.shape, values: arrays.mask.values, base: arrays.base.values,
  };
  /** @type {Picture} */
  const picture = { ...meta, panel, send: (value) => send("strokes", value) };
  const figure = child(root, "div", "panel");
  Object.assign(child(figure, "div", "title"), { textContent: meta.title, ariaHidden: "true" }); // the brush's name
  Object.assign(child(figure, "div", "shape"), { textContent: panel.shape.join(" × "), ariaHidden: "true" });
  const brush = stateOf(figure, Brush, root);
  child(figure, "div", "hint").textContent = meta.refused || HINT;
  brush.keep(panel);
  drawn(root, (room) => draw(root, brush, picture, room));
  brush.answered();
  if (meta.refused) brush.spoken.textContent = meta.refused;
});
