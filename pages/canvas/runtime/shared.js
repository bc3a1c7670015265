// What every canvas shares: bytes in, colours, two painters (canvas and SVG), saving, tooltips, numbers.
// assets.py puts this file above a component's own module. No template literal may span lines.

// ---- bytes in: the layout of pack.py -> {meta, arrays: {name: {shape, values}}}

function unpack(bytes) {
  const buffer = bytes.slice().buffer; // a copy: the view's offset need not be a multiple of four
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const arrays = {};
  let offset = 4 + length;
  for (const { name, shape, dtype } of header.arrays) {
    const count = shape.reduce((product, size) => product * size, 1);
    const values = dtype === "u1" ? new Uint8Array(buffer, offset, count) : new Float32Array(buffer, offset, count);
    arrays[name] = { shape, values };
    offset += Math.ceil(values.byteLength / 4) * 4;
  }
  return { meta: header.meta, arrays };
}

// ---- colours: mixed in OKLab (Ottosson 2020), where equal steps look equal

function rgbOf(css) {
  const ctx = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  ctx.fillStyle = css;
  ctx.fillRect(0, 0, 1, 1);
  return [...ctx.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}

const hex = (rgb) => "#" + rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("");
const linear = (part) => (part <= 10.31 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
const gamma = (x) => 255 * Math.min(1, Math.max(0, x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
const luminance = (rgb) => [0.2126, 0.7152, 0.0722].reduce((sum, part, i) => sum + part * linear(rgb[i]), 0);

function toLab(rgb) {
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

function fromLab([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

// The colour of the same hue that is nearest to `rgb` and has at least `ratio` contrast (WCAG) on `ground`.
function readable(rgb, ground, ratio) {
  const [lightness, a, b] = toLab(rgb);
  const [under, up] = [luminance(ground), luminance(ground) < 0.2];
  for (let step = 0; step <= 1; step += 0.02) {
    const colour = fromLab([up ? lightness + (1 - lightness) * step : lightness * (1 - step), a, b]);
    const [low, high] = [under, luminance(colour)].sort((x, y) => x - y);
    if ((high + 0.05) / (low + 0.05) >= ratio) return colour;
  }
  return up ? [255, 255, 255] : [0, 0, 0];
}

// 256 RGBA entries from the background through `stops`; each stop stands where its lightness asks, so lightness
// falls (or rises) evenly. `power` bends the input: colour(t) = ramp(t ** power).
function ramp(background, stops, power) {
  const labs = [background, ...stops].map(toLab);
  const place = labs.map((lab) => (lab[0] - labs[0][0]) / (labs.at(-1)[0] - labs[0][0]));
  const table = new Uint8ClampedArray(1024);
  for (let i = 0; i < 256; i++) {
    const t = (i / 255) ** power;
    const k = Math.min(place.length - 2, place.findLastIndex((at) => at <= t));
    const share = (t - place[k]) / (place[k + 1] - place[k]);
    table.set([...fromLab(labs[k].map((x, c) => x + share * (labs[k + 1][c] - x))), 255], 4 * i);
  }
  return table;
}

// weight: index round(255 w); signed: index round(127.5 + 127.5 x), exactly the background at 127 and 128.
// The weight table has power 0.7, so that a weight of 0.05 still stands off the background.
function colourTables(theme) {
  if (theme.tables) return theme.tables;
  const pick = (light, dark) => (theme.dark ? dark : light).map(rgbOf);
  const ground = rgbOf(theme.background);
  const weight = ramp(ground, pick(["#d8437d", "#560a30"], ["#b12f6b", "#ffc2d8"]), 0.7);
  const low = ramp(ground, pick(["#9a7bd6", "#4b1f8a"], ["#7a4fcb", "#cdb6ff"]), 1);
  const high = ramp(ground, pick(["#ec9a3c", "#a34a00"], ["#b5620c", "#ffc170"]), 1);
  const signed = new Uint8ClampedArray(1024);
  for (let i = 0; i < 256; i++) {
    const [arm, at] = i < 128 ? [low, 254 - 2 * i] : [high, 2 * i - 256];
    signed.set(arm.slice(4 * at, 4 * at + 4), 4 * i);
  }
  return (theme.tables = { weight, signed });
}

const weightIndex = (w) => Math.round(255 * Math.min(1, Math.max(0, w)));
const signedIndex = (x) => Math.round(127.5 + 127.5 * Math.min(1, Math.max(-1, x)));
const entry = (table, index) => hex([...table.slice(4 * index, 4 * index + 3)]);
const weightColour = (theme, w) => entry(colourTables(theme).weight, weightIndex(w));
const signedColour = (theme, x) => entry(colourTables(theme).signed, signedIndex(x));

// Colours and fonts of the page at `element`: q, k, v for marks, ink.{q,k,v} for text (contrast 4.5).
function readTheme(element) {
  const style = getComputedStyle(element.host ?? element);
  const read = (name, fallback) => style.getPropertyValue("--st-" + name).trim() || fallback;
  const fallbacks = { text: "#1a1f2b", background: "#fff", "secondary-background": "#f3f5f8", border: "#d5dae2" };
  const raw = Object.entries(fallbacks).map(([name, colour]) => read(name + "-color", colour));
  raw.push(read("font", "sans-serif"), read("code-font", "monospace"));
  if (element.themeKey === raw.join("|")) return element.theme;
  const [text, ground, panel, border] = raw.slice(0, 4).map(rgbOf);
  const dark = luminance(ground) < 0.2;
  const base = { q: "#0072B2", k: "#E69F00", v: "#009E73" };
  const theme = { text: hex(text), background: hex(ground), panel: hex(panel), border: hex(border), dark, ink: {} };
  theme.muted = hex(fromLab(toLab(text).map((x, i) => 0.66 * x + 0.34 * toLab(ground)[i])));
  for (const [name, colour] of Object.entries(base)) {
    theme[name] = dark ? hex(readable(rgbOf(colour), ground, 4.5)) : colour;
    theme.ink[name] = hex(readable(rgbOf(colour), ground, 4.5));
  }
  Object.assign(theme, { font: raw[4], mono: raw[5] });
  Object.assign(element, { theme, themeKey: raw.join("|") });
  return theme;
}

// One pixel a cell, to be drawn scaled: `indices` (rows x cols, row by row) into a colour table.
function indexImage(table, indices, rows, cols) {
  const canvas = Object.assign(document.createElement("canvas"), { width: cols, height: rows });
  const image = new ImageData(cols, rows);
  const [from, to] = [new Uint32Array(table.buffer), new Uint32Array(image.data.buffer)];
  for (let i = 0; i < to.length; i++) to[i] = from[indices[i]];
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

// Masked: thin diagonals on the panel colour, unlike any value.
function hatch(surface, theme, x, y, w, h, step = 5) {
  surface.clip(x, y, w, h);
  surface.rect(x, y, w, h, { fill: theme.panel });
  const pen = { stroke: theme.muted, alpha: 0.55 };
  for (let at = step / 2; at < w + h; at += step) surface.line(x + at, y, x + at - h, y + h, pen);
  surface.unclip();
}

// ---- words and numbers

// Keeps a visitor's label from reordering the text around it; its index stays on the left, as in "3:שלום".
const isolate = (label) => "\u2066" + label + "\u2069";

function format(x, digits = 3) {
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "NaN" : x > 0 ? "inf" : "−inf";
  const size = Math.abs(x);
  const plain = size >= 1e-3 && size < 1e5;
  const [, power] = x.toExponential(digits - 1).split("e").map(Number);
  if (!plain) return x.toExponential(digits - 1).replace("e+", "e").replaceAll("-", "−");
  return (power >= digits ? String(Number(x.toPrecision(digits))) : x.toPrecision(digits)).replace("-", "−");
}

const fontOf = (theme, { size = 12, weight = 400, mono = false } = {}) =>
  weight + " " + size + "px " + ((mono ? theme?.mono : theme?.font) ?? "sans-serif");

function textWidth(theme, string, style) {
  textWidth.ctx ??= document.createElement("canvas").getContext("2d");
  textWidth.ctx.font = fontOf(theme, style);
  return textWidth.ctx.measureText(string).width;
}

// `string` cut by whole characters, with an ellipsis, to at most `width` pixels.
function ellipsis(theme, string, width, style) {
  if (textWidth(theme, string, style) <= width) return string;
  const parts = [...new Intl.Segmenter().segment(string.slice(0, 400))].map((part) => part.segment);
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(theme, parts.slice(0, middle).join("") + "…", style) <= width) low = middle;
    else high = middle - 1;
  }
  return low ? parts.slice(0, low).join("") + "…" : "";
}
