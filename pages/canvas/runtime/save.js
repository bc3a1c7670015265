// The "PNG" and "SVG" buttons beside a picture.

import { child } from "./dom.js";
import { canvasSurface, sharpCanvas, svgSurface } from "./surface.js";
import { readTheme } from "./theme.js";

// A file's name from a visitor's words: letters and digits, joined by "-".
export const stemOf = (name, otherwise) => name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || otherwise;

function download(blob, filename) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: filename });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export const pngOf = (canvas) => new Promise((done) => canvas.toBlob(done, "image/png"));
export const svgOf = (text) => new Blob([text], { type: "image/svg+xml" });

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
}

// Buttons that save what paint(surface) paints; PNG at 2x. size: [width, height], or a function that returns it.
export function saveBar(parent, name, size, paint) {
  const draw = (make) => {
    const [width, height] = (typeof size === "function" ? size() : size).map(Math.ceil);
    const theme = readTheme(parent);
    const [surface, result] = make(width, height, theme);
    surface.rect(0, 0, width, height, { fill: theme.background });
    paint(surface);
    return result;
  };
  const onCanvas = (width, height, theme) => {
    const canvas = document.createElement("canvas");
    return [canvasSurface(sharpCanvas(canvas, width, height, 2), theme), canvas];
  };
  const asSvg = (...size) => Array(2).fill(svgSurface(...size));
  saveButtons(child(parent, "div", "save-bar"), name, "picture", {
    PNG: () => pngOf(draw(onCanvas)),
    SVG: () => svgOf(String(draw(asSvg))),
  });
}
