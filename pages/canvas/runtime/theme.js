// @ts-check
// Colours and fonts of the page, as they are at an element.

import { fromLab, hex, luminance, readable, rgbOf, toLab } from "./colours.js";

/** @import { Tables } from "./colours.js" */
/** @typedef {"q" | "k" | "v"} Side  Queries, keys or values. */
/**
 * Colours as CSS, and fonts. q, k, v: for marks; ink: the same for text (contrast 4.5); scale: how many times larger
 * than usual pictures may be; least: the pixels of the smallest letters; tables: for numbers, once colourTables has made them.
 * @typedef {{text: string, background: string, panel: string, border: string, muted: string, dark: boolean, q: string,
 *   k: string, v: string, ink: Record<Side, string>, font: string, mono: string, scale: number,
 *   least: number, tables?: Tables}} Theme
 */

const FALLBACKS = { text: "#1a1f2b", background: "#fff", "secondary-background": "#f3f5f8", border: "#d5dae2" };
/** @type {Record<Side, string>} */
const SIDES = { q: "#0072B2", k: "#E69F00", v: "#009E73" };
const MOST = 4;
/** @type {Map<string, Theme>} */
const themes = new Map(); // by what was read, so that all drawings of a page share one theme and its colour tables

/** Read the theme at an element. @param {Element} element @returns {Theme} */
export function readTheme(element) {
  const style = getComputedStyle(element);
  /** @param {string} name @param {string} fallback */
  const read = (name, fallback) => style.getPropertyValue("--st-" + name).trim() || fallback;
  const raw = Object.entries(FALLBACKS).map(([name, colour]) => read(name + "-color", colour));
  raw.push(read("font", "sans-serif"), read("code-font", "monospace"), String(isForced()));
  raw.push(style.getPropertyValue("--picture-scale").trim() || "1"); // pictures may be larger on a projector
  raw.push(style.getPropertyValue("--least-type").trim() || "0"); // and their letters are never small there
  const key = raw.join("|");
  const known = themes.get(key);
  if (known) return known;
  if (themes.size >= MOST) themes.clear();
  const theme = makeTheme(raw);
  themes.set(key, theme);
  return theme;
}

/**
 * Return whether the visitor's system sets all colours; shared.css then gives the system's names to the variables that
 * are read here.
 */
export const isForced = () => matchMedia("(forced-colors: active)").matches;

/** @param {string[]} raw @returns {Theme} */
function makeTheme(raw) {
  const [text, ground, panel, border] = raw.slice(0, 4).map(rgbOf);
  const dark = luminance(ground) < 0.2;
  const quiet = isForced() ? 0 : 0.34;
  const muted = hex(fromLab(toLab(text).map((x, i) => (1 - quiet) * x + quiet * toLab(ground)[i])));
  /** @param {Side} side */
  const inkOf = (side) => hex(readable(rgbOf(SIDES[side]), ground, 4.5));
  const ink = { q: inkOf("q"), k: inkOf("k"), v: inkOf("v") };
  const colours = { text: hex(text), background: hex(ground), panel: hex(panel), border: hex(border), muted };
  return { ...colours, dark, ...(dark ? ink : SIDES), ink, font: raw[4], mono: raw[5], scale: Number(raw[7]), least: Number(raw[8]) };
}
