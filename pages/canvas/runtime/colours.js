// @ts-check
// Colours are mixed in OKLab (Ottosson 2020), where equal steps look equal.

/** @import { Theme } from "./theme.js" */
/** @typedef {number[]} RGB  Red, green and blue, 0 to 255. */
/** @typedef {number[]} Lab  Lightness, 0 to 1, and the two coordinates of the hue. */
/** @typedef {Uint8ClampedArray<ArrayBuffer>} Table  256 colours of four bytes each: red, green, blue and opacity. */
/** @typedef {{weight: Table, size: Table, signed: Table}} Tables */

const canvas = document.createElement("canvas");
const probe = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));

/** Return the red, green and blue of any colour that CSS knows. @param {string} css @returns {RGB} */
export function rgbOf(css) {
  probe.clearRect(0, 0, 1, 1);
  probe.fillStyle = css;
  probe.fillRect(0, 0, 1, 1);
  return [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

/** Write a colour as CSS does, such as "#d8437d". @param {RGB} rgb */
export const hex = (rgb) => "#" + rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("");

/** @param {number} part */
const linear = (part) => (part <= 10.31 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
/** @param {number} x */
const gamma = (x) => 255 * Math.min(1, Math.max(0, x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));

/** Return the luminance of a colour, 0 to 1, as WCAG defines it. @param {ArrayLike<number>} rgb */
export const luminance = (rgb) => [0.2126, 0.7152, 0.0722].reduce((sum, part, i) => sum + part * linear(rgb[i]), 0);

/** Convert a colour from sRGB to OKLab. @param {RGB} rgb @returns {Lab} */
export function toLab(rgb) {
  const [r, g, b] = rgb.map(linear);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Convert a colour from OKLab to sRGB. @param {Lab} lab @returns {RGB} */
export function fromLab([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/**
 * Return the colour of the same hue that is nearest to `rgb` and has at least `ratio` contrast (WCAG) on `ground`.
 * @param {RGB} rgb
 * @param {RGB} ground
 * @param {number} ratio
 * @returns {RGB}
 */
export function readable(rgb, ground, ratio) {
  const [lightness, a, b] = toLab(rgb);
  const [under, up] = [luminance(ground), luminance(ground) < 0.2];
  for (let step = 0; step <= 1; step += 0.02) {
    const exact = fromLab([up ? lightness + (1 - lightness) * step : lightness * (1 - step), a, b]);
    const colour = /** @type {RGB} */ (exact.map(Math.round)); // the colour as it will be drawn
    const [low, high] = [under, luminance(colour)].sort((x, y) => x - y);
    if ((high + 0.05) / (low + 0.05) >= ratio) return colour;
  }
  return up ? [255, 255, 255] : [0, 0, 0];
}

/**
 * Make a table from the background through `stops`; each stop stands where its lightness asks, so lightness falls (or
 * rises) evenly. `power` bends the input: colour(t) = ramp(t ** power).
 * @param {RGB} background
 * @param {RGB[]} stops
 * @param {number} power
 * @returns {Table}
 */
function ramp(background, stops, power) {
  const labs = [background, ...stops].map(toLab);
  const [first, last] = [labs[0][0], labs[labs.length - 1][0]];
  const place = labs.map((lab) => (lab[0] - first) / (last - first));
  const table = new Uint8ClampedArray(1024);
  for (let i = 0; i < 256; i++) {
    const t = (i / 255) ** power;
    const k = Math.min(place.length - 2, place.findLastIndex((at) => at <= t));
    const share = (t - place[k]) / (place[k + 1] - place[k]);
    table.set([...fromLab(labs[k].map((x, c) => x + share * (labs[k + 1][c] - x))), 255], 4 * i);
  }
  return table;
}

/**
 * Return the colour tables of a theme, made on first use.
 *
 * weight, size: index round(255 w); signed: index round(127.5 + 127.5 x), exactly the background at 127 and 128. The
 * first two have power 0.7, so that a weight of 0.05 still stands off the background.
 * @param {Theme} theme
 * @returns {Tables}
 */
export function colourTables(theme) {
  if (theme.tables) return theme.tables;
  /** @param {string[]} light @param {string[]} dark */
  const pick = (light, dark) => (theme.dark ? dark : light).map(rgbOf);
  const ground = rgbOf(theme.background);
  const weight = ramp(ground, pick(["#d8437d", "#560a30"], ["#b12f6b", "#ffc2d8"]), 0.7);
  const size = ramp(ground, pick(["#7c8db0", "#1d2942"], ["#56678a", "#d3def5"]), 0.7);
  const low = ramp(ground, pick(["#9a7bd6", "#4b1f8a"], ["#7a4fcb", "#cdb6ff"]), 1);
  const high = ramp(ground, pick(["#ec9a3c", "#a34a00"], ["#b5620c", "#ffc170"]), 1);
  const signed = new Uint8ClampedArray(1024);
  for (let i = 0; i < 256; i++) {
    const [arm, at] = i < 128 ? [low, 254 - 2 * i] : [high, 2 * i - 256];
    signed.set(arm.slice(4 * at, 4 * at + 4), 4 * i);
  }
  return (theme.tables = { weight, size, signed });
}

/** Return the index of a weight, 0 to 1, in its table. @param {number} w */
export const weightIndex = (w) => Math.round(255 * Math.min(1, Math.max(0, w)));
/** Return the index of a number, −1 to 1, in its table. @param {number} x */
export const signedIndex = (x) => Math.round(127.5 + 127.5 * Math.min(1, Math.max(-1, x)));
/** Return a table's colour at an index, as CSS. @param {Table} table @param {number} index */
export const entry = (table, index) => hex([...table.slice(4 * index, 4 * index + 3)]);
/** Return the colour of a weight, 0 to 1, as CSS. @param {Theme} theme @param {number} w */
export const weightColour = (theme, w) => entry(colourTables(theme).weight, weightIndex(w));
/** Return the colour of a number, −1 to 1, as CSS. @param {Theme} theme @param {number} x */
export const signedColour = (theme, x) => entry(colourTables(theme).signed, signedIndex(x));
