// A mask under a brush: its layout, the dots where it is not as the preset has it, and what the brush is told.

import { component, sheetsOf } from "../runtime/component.js";
import { child, drawn } from "../runtime/dom.js";
import { cellRect } from "../runtime/grid.js";
import { bodyHeight, bodyWidth, CELL, paintPanel, panelLayout } from "../runtime/panel.js";
import { panelPixels } from "../runtime/pixels.js";
import { saveBar } from "../runtime/save.js";
import { readTheme } from "../runtime/theme.js";
import { cellWords, sizedLabel, viewOf } from "../runtime/view.js";
import { Brush } from "./brush.js";

const shared = ["../runtime/shared.css", "../runtime/stage.css", "../runtime/panel.css"];
const styles = await sheetsOf(import.meta.url, ...shared, "mask_paint.css");
const BRUSH = 6; // pixels that a pointer paints at least
const HINT = "Drag to paint. Keyboard: arrows to move, Space to paint, Shift + arrows to go on painting.";

// The largest cell that fits the room, with the margins that its labels then take; of a long text less than a pixel.
function fitted(theme, panel, height, room) {
  const count = panel.shape[0];
  for (let cell = Math.min(CELL.most, Math.floor(height / count)); cell >= 1; cell--) {
    const layout = panelLayout(theme, panel, cell, cell, room);
    if (bodyWidth(panel, layout) <= room) return layout;
  }
  const cell = Math.min(1, height / count, (room - panelLayout(theme, panel, 1, 1, room).left - 2) / count);
  return panelLayout(theme, panel, cell, cell, room);
}

// A dot in each cell that is not as the preset has it, where a cell has room for one.
function paintDots(surface, theme, panel, layout, x = 0, y = 0) {
  if (layout.row < CELL.gap) return;
  const size = Math.min(6, Math.round(layout.row / 4));
  panel.values.forEach((value, place) => {
    if (value === panel.base[place]) return;
    const [i, j] = [Math.floor(place / panel.shape[1]), place % panel.shape[1]];
    const [left, top, w, h] = cellRect(layout, [i, j], x, y);
    const spot = [left + (w - size) / 2, top + (h - size) / 2, size, size];
    surface.rect(...spot, { fill: theme.background, stroke: theme.text });
  });
}

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
    open: ([i, j]) => panel.values[i * count + j] === 1,
    set([i, j], may) {
      panel.values[i * count + j] = may ? 1 : 0;
      return i * count + j;
    },
    repaint,
    sendStrokes: (strokes) => send({ strokes, length: count }),
  });
}

function draw(root, picture, room) {
  const [theme, { panel }] = [readTheme(root), picture];
  const figure = child(root, "div", "panel");
  Object.assign(child(figure, "div", "title"), { textContent: picture.title, ariaHidden: "true" }); // the brush's name
  Object.assign(child(figure, "div", "shape"), { textContent: panel.shape.join(" × "), ariaHidden: "true" });
  figure.stage ??= new Brush(figure, root);
  child(figure, "div", "hint").textContent = picture.refused || HINT;
  panelPixels(theme, panel);
  const layout = fitted(theme, panel, picture.height, room);
  const again = () => draw(root, picture, root.clientWidth);
  figure.stage.draw(theme, maskView(theme, panel, layout, again, picture.send));
  saveBar(root, picture.name, [bodyWidth(panel, layout) + 40, bodyHeight(layout) + 64], (surface) => {
    surface.text(picture.title, 20, 20, { size: 14, weight: 600, baseline: "top" });
    paintPanel(surface, theme, panel, layout, 20, 44);
    paintDots(surface, theme, panel, layout, 20, 44);
  });
}

export default component(styles, (root, { meta, arrays }, send) => {
  const panel = {
    name: meta.name, title: meta.title, rows: meta.labels, cols: meta.labels, rowAxis: "queries", colAxis: "keys",
    scale: "mask", limit: 1, tint: null, selected: null,
    outlines: meta.outlined === null ? [] : [[meta.outlined, null]],
    shape: arrays.mask.shape, values: arrays.mask.values, base: arrays.base.values,
  };
  const picture = { ...meta, panel, send: (value) => send("strokes", value) };
  const figure = child(root, "div", "panel");
  figure.stage?.keep(panel);
  drawn(root, (room) => draw(root, picture, room));
  figure.stage?.answered();
  if (meta.refused && figure.stage) figure.stage.spoken.textContent = meta.refused;
});
