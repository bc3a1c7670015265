// @ts-check
// The "PNG" and "SVG" buttons beside a picture.

import { child } from "./dom.js";
import { captionHeight, captionLines, captionSwitch, describedPng, describedSvg, placedLines } from "./facts.js";
import { fontFaces, withFonts } from "./fonts.js";
import { canvasSurface, sharpCanvas, svgSurface } from "./surface.js";
import { readTheme } from "./theme.js";

/** @import { Surface } from "./surface.js" */
/** @import { Theme } from "./theme.js" */
/** @typedef {() => Blob | null | Promise<Blob | null>} Maker  Makes a file; null where there is nothing to save. */

/**
 * Name a file with a visitor's words: letters and digits, joined by "-".
 * @param {string} name
 * @param {string} otherwise
 */
export const stemOf = (name, otherwise) => name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || otherwise;

/** @param {Blob} blob @param {string} filename */
function download(blob, filename) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: filename });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob | null>} */
const blobOf = (canvas) => new Promise((done) => canvas.toBlob(done, "image/png"));

/** Make the PNG of a canvas, with its facts. @param {HTMLCanvasElement} canvas @param {string} name */
export async function pngOf(canvas, name) {
  const blob = await blobOf(canvas);
  return blob && describedPng(new Uint8Array(await blob.arrayBuffer()), name);
}

/** Make the file of an SVG text, with its facts. @param {string} text @param {string} name */
export const svgOf = (text, name) => new Blob([describedSvg(text, name)], { type: "image/svg+xml" });

/**
 * Put a button into a bar for each kind of file.
 * @param {HTMLElement} bar
 * @param {string} name  Of what is saved; the file is named after it.
 * @param {string} thing  What it is, such as "picture".
 * @param {Record<string, Maker>} makers  By the kind, such as "PNG".
 */
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

/**
 * Put buttons into `parent` that save what paint(surface) paints; PNG at 2x.
 * @param {HTMLElement} parent
 * @param {string} name
 * @param {number[] | (() => number[])} size  Width and height.
 * @param {(surface: Surface) => void} paint
 */
export function saveBar(parent, name, size, paint) {
  /**
   * @template R
   * @param {(width: number, height: number, theme: Theme) => [Surface, R]} make
   * @returns {R}
   */
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
  /** @param {number} width @param {number} height @param {Theme} theme @returns {[Surface, HTMLCanvasElement]} */
  const onCanvas = (width, height, theme) => {
    const canvas = document.createElement("canvas");
    return [canvasSurface(sharpCanvas(canvas, width, height, 2), theme), canvas];
  };
  /** @param {number} width @param {number} height @param {Theme} theme @returns {[Surface, Surface]} */
  const asSvg = (width, height, theme) => {
    const surface = svgSurface(width, height, theme);
    return [surface, surface];
  };
  saveButtons(child(parent, "div", "save-bar"), name, "picture", {
    PNG: () => pngOf(draw(onCanvas), name),
    SVG: async () => svgOf(withFonts(String(draw(asSvg)), await fontFaces(readTheme(parent).font)), name),
  });
}
