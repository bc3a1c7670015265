// Matrices as pictures of one pixel a cell, and what is drawn over masked cells.

import { colourTables, fromLab, hex, rgbOf, signedIndex, toLab, weightIndex } from "./colours.js";
import { canvasSurface, sharpCanvas } from "./surface.js";

// One pixel a cell, to be drawn scaled: `indices` (rows x cols, row by row) into a colour table.
export function indexImage(table, indices, rows, cols) {
  const canvas = Object.assign(document.createElement("canvas"), { width: cols, height: rows });
  const image = new ImageData(cols, rows);
  const [from, to] = [new Uint32Array(table.buffer), new Uint32Array(image.data.buffer)];
  for (let i = 0; i < to.length; i++) to[i] = from[indices[i]];
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

// Masked: thin diagonals on the panel colour, unlike any value.
export function hatch(surface, theme, x, y, w, h, step = 5) {
  surface.clip(x, y, w, h);
  surface.rect(x, y, w, h, { fill: theme.panel });
  const pen = { stroke: theme.muted, alpha: 0.55 };
  for (let at = step / 2; at < w + h; at += step) surface.line(x + at, y, x + at - h, y + h, pen);
  surface.unclip();
}

// Gives each panel that has none in this theme its colour indices and its mask, one byte a cell, and their pictures.
export function fillPixels(theme, panels) {
  for (const panel of panels) if (panel.theme !== theme) panelPixels(theme, panel);
}

export function panelPixels(theme, panel) {
  const { values, shape, scale, limit } = panel;
  const tables = colourTables(theme);
  const indices = new Uint8Array(values.length);
  const masked = new Uint8Array(values.length);
  const indexOf = { signed: (x) => signedIndex(x / limit), weight: (x) => weightIndex(x / limit), mask: (x) => x };
  const index = indexOf[scale === "size" ? "weight" : scale]; // the same places in another table
  for (let i = 0; i < values.length; i++) {
    masked[i] = values[i] === -Infinity || (scale === "mask" && values[i] === 0) ? 1 : 0;
    indices[i] = masked[i] ? 0 : index(values[i]);
  }
  const may = new Uint8ClampedArray([0, 0, 0, 0, ...rgbOf(mayColour(theme)), 255]);
  const table = scale === "mask" ? may : tables[scale];
  panel.masked = masked.includes(1);
  Object.assign(panel, { theme, table, indices, image: indexImage(table, indices, shape[0], shape[1]) });
  if (panel.faded) {
    panel.pale = paleTable(theme, table, panel.grey);
    panel.paleImage = indexImage(panel.pale, indices.slice(0, panel.faded * shape[1]), panel.faded, shape[1]);
  }
  panel.maskImage = panel.masked && maskImage(masked, shape[0], shape[1]);
}

// A colour table nearer to the background; grey: by its lightness alone.
function paleTable(theme, table, grey) {
  const ground = toLab(rgbOf(theme.background));
  const pale = new Uint8ClampedArray(table);
  for (let i = 0; i < table.length; i += 4) {
    const [lightness, a, b] = toLab([...table.slice(i, i + 3)]);
    const kept = grey ? [lightness, 0, 0] : [lightness, a, b];
    pale.set(fromLab(kept.map((x, part) => (grey ? 0.4 : 0.5) * x + (grey ? 0.6 : 0.5) * ground[part])), i);
  }
  return pale;
}

const OPAQUE_ONE = new Uint8ClampedArray([0, 0, 0, 0, 0, 0, 0, 255]); // a colour table: 0 clear, 1 black

export function mayColour(theme) {
  const [text, ground] = [theme.text, theme.background].map((colour) => toLab(rgbOf(colour)));
  return hex(fromLab(text.map((x, i) => 0.45 * x + 0.55 * ground[i])));
}

// A mask, one byte a cell, as a picture: clear where it is 0.
export const maskImage = (masked, rows, cols) => indexImage(OPAQUE_ONE, masked, rows, cols);

// The hatch, cut to the masked cells, as a picture of the matrix's size.
export function hatchedCells(theme, panel, { width, height }) {
  const canvas = document.createElement("canvas");
  const ctx = sharpCanvas(canvas, width, height);
  hatch(canvasSurface(ctx, theme), theme, 0, 0, width, height);
  ctx.globalCompositeOperation = "destination-in";
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(panel.maskImage, 0, 0, width, height);
  return canvas;
}
