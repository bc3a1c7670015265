// The "PNG" and "SVG" buttons beside a picture.

import { child } from "./dom.js";
import { captionHeight, captionLines, captionSwitch, describedPng, describedSvg, placedLines } from "./facts.js";
import { fontFaces, withFonts } from "./fonts.js";
import { canvasSurface, sharpCanvas, svgSurface } from "./surface.js";
import { readTheme } from "./theme.js";

// A file's name from a visitor's words: letters and digits, joined by "-".
export const stemOf = (name, otherwise) => name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || otherwise;

function download(blob, filename) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: filename });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const blobOf = (canvas) => new Promise((done) => canvas.toBlob(done, "image/png"));
export async function pngOf(canvas, name) {
  const blob = await blobOf(canvas);
  return blob && describedPng(new Uint8Array(await blob.arrayBuffer()), name);
}
export const svgOf = (text, name) => new Blob([describedSvg(text, name)], { type: "image/svg+xml" });

// One button for each maker, by kind; a maker gives a blob, or nothing where there is nothing to save.
export function saveButtons(bar, name, thing, makers) {
  for (const [kind, blobOf] of Object.entries(makers)) {
    const button = child(bar, "button", "save-" + kind.toLowerCase());
    Object.assign(button, { type: "button", textContent: kind, ariaLabel: "Save " + name + " as " + kind });
    button.dataset.tip = "Save this " + thing + " as " + kind;
    button.onclick = async () => {
      const blob = await blobOf();
      if (blob) download(blob, stemOf(name, thing) + "." + kind.toLowerCase());
    };
  }
  captionSwitch(bar);
}

// Buttons that save what paint(surface) paints; PNG at 2x. size: [width, height], or a function that returns it.
export function saveBar(parent, name, size, paint) {
  const draw = (make) => {
    const [width, height] = (typeof size === "function" ? size() : size).map(Math.ceil);
    const theme = readTheme(parent);
    const lines = captionLines(theme, width);
    const whole = height + captionHeight(lines);
    const [surface, result] = make(width, whole, theme);
    surface.rect(0, 0, width, whole, { fill: theme.background });
    paint(surface);
    for (const { line, x, y, size } of placedLines(lines, 0, height)) surface.text(line, x, y, { size });
    return result;
  };
  const onCanvas = (width, height, theme) => {
    const canvas = document.createElement("canvas");
    return [canvasSurface(sharpCanvas(canvas, width, height, 2), theme), canvas];
  };
  const asSvg = (...size) => Array(2).fill(svgSurface(...size));
  saveButtons(child(parent, "div", "save-bar"), name, "picture", {
    PNG: () => pngOf(draw(onCanvas), name),
    SVG: async () => svgOf(withFonts(String(draw(asSvg)), await fontFaces(readTheme(parent).font)), name),
  });
}
