// Colours and fonts of the page at an element: q, k, v for marks, ink.{q,k,v} for text (contrast 4.5); scale: how many
// times larger than usual pictures may be.

import { fromLab, hex, luminance, readable, rgbOf, toLab } from "./colours.js";

const FALLBACKS = { text: "#1a1f2b", background: "#fff", "secondary-background": "#f3f5f8", border: "#d5dae2" };
const SIDES = { q: "#0072B2", k: "#E69F00", v: "#009E73" };
const MOST = 4;
const themes = new Map(); // by what was read, so that all drawings of a page share one theme and its colour tables

export function readTheme(element) {
  const style = getComputedStyle(element);
  const read = (name, fallback) => style.getPropertyValue("--st-" + name).trim() || fallback;
  const raw = Object.entries(FALLBACKS).map(([name, colour]) => read(name + "-color", colour));
  raw.push(read("font", "sans-serif"), read("code-font", "monospace"), String(isForced()));
  raw.push(style.getPropertyValue("--picture-scale").trim() || "1"); // larger on a projector
  const key = raw.join("|");
  if (!themes.has(key)) {
    if (themes.size >= MOST) themes.clear();
    themes.set(key, makeTheme(raw));
  }
  return themes.get(key);
}

// Whether the visitor's system sets all colours; shared.css then gives the system's names to the variables read here.
export const isForced = () => matchMedia("(forced-colors: active)").matches;

function makeTheme(raw) {
  const [text, ground, panel, border] = raw.slice(0, 4).map(rgbOf);
  const dark = luminance(ground) < 0.2;
  const theme = { text: hex(text), background: hex(ground), panel: hex(panel), border: hex(border), dark, ink: {} };
  const quiet = isForced() ? 0 : 0.34;
  theme.muted = hex(fromLab(toLab(text).map((x, i) => (1 - quiet) * x + quiet * toLab(ground)[i])));
  for (const [name, colour] of Object.entries(SIDES)) {
    theme[name] = dark ? hex(readable(rgbOf(colour), ground, 4.5)) : colour;
    theme.ink[name] = hex(readable(rgbOf(colour), ground, 4.5));
  }
  return Object.assign(theme, { font: raw[4], mono: raw[5], scale: Number(raw[7]) });
}
