// @ts-check
// Copies the chart's SVG element out of the page. Vega writes colours and fonts into it; what it takes from the
// page is only the background behind it.

import { component, sheetsOf } from "../runtime/component.js";
import { child } from "../runtime/dom.js";
import { captionHeight, captionLines, placedLines } from "../runtime/facts.js";
import { fontFaces, withFonts } from "../runtime/fonts.js";
import { pngOf, saveButtons, svgOf } from "../runtime/save.js";
import { byKey } from "../runtime/streamlit_page.js";
import { sharpCanvas } from "../runtime/surface.js";
import { readTheme } from "../runtime/theme.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "chart_save.css");

const MARGIN = 10; // a file is drawn with the reader's fonts, which may be wider than the page's

/** @import { Data } from "../runtime/component.js" */
/** @import { Theme } from "../runtime/theme.js" */
/** @typedef {{width: number, height: number, text: string}} Copy  A chart as SVG, and its size in pixels. */

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} chart @returns {SVGSVGElement | null} */
const drawingOf = (chart) => document.querySelector(`${byKey(chart)} svg.marks`);

/** Show the whole of a map again, which Vega does for a double click. @param {string} chart */
function resetView(chart) {
  drawingOf(chart)?.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
}

/** @param {Element} element @param {Record<string, string | number>} attributes */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/** Copy a chart, with its facts below it; null if there is none. @param {string} chart @param {Theme} theme */
function copyChart(chart, theme) {
  const found = drawingOf(chart);
  if (!found) return null;
  const [left, top, across, down] = (found.getAttribute("viewBox") ?? "").split(/[ ,]+/).map(Number);
  const lines = captionLines(theme, across + 2 * MARGIN);
  const bottom = top + down + MARGIN;
  const height = down + 2 * MARGIN + captionHeight(lines);
  const box = { x: left - MARGIN, y: top - MARGIN, width: across + 2 * MARGIN, height };
  const copy = /** @type {SVGSVGElement} */ (found.cloneNode(true));
  set(copy, { xmlns: SVG, width: box.width, height: box.height, viewBox: Object.values(box).join(" ") });
  copy.removeAttribute("style");
  const ground = document.createElementNS(SVG, "rect");
  set(ground, { ...box, fill: behind(found) });
  copy.prepend(ground);
  for (const { line, x, y, size } of placedLines(lines, box.x, bottom)) {
    const text = Object.assign(document.createElementNS(SVG, "text"), { textContent: line });
    set(text, { x, y, "font-size": size, "font-family": theme.font, fill: theme.text });
    copy.append(text);
  }
  return { width: box.width, height: box.height, text: new XMLSerializer().serializeToString(copy) };
}

/** Return the first opaque background at or above the element. @param {Element} element */
function behind(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour && colour !== "transparent" && !colour.endsWith(", 0)")) return colour;
  }
  return "white";
}

/** @param {Copy} copy */
async function pictureOf({ width, height, text }) {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  await image.decode();
  const canvas = document.createElement("canvas");
  sharpCanvas(canvas, width, height, 2).drawImage(image, 0, 0, width, height);
  return canvas;
}

export default component(styles, (root, /** @type {Data<{chart: string, name: string, zooms: boolean}>} */ { meta }) => {
  const bar = child(root, "div", "save-bar");
  const status = Object.assign(child(bar, "span", "status"), { role: "status" });
  const reset = child(bar, "button", "reset");
  Object.assign(reset, { type: "button", textContent: "Reset view", hidden: !meta.zooms });
  reset.onclick = () => resetView(meta.chart);
  /** @param {(copy: Copy) => Blob | Promise<Blob | null>} blobOf */
  const copied = (blobOf) => async () => {
    const chart = copyChart(meta.chart, readTheme(bar));
    status.textContent = chart ? "" : "No chart to save here.";
    return chart && blobOf({ ...chart, text: withFonts(chart.text, await fontFaces(readTheme(root).font)) });
  };
  saveButtons(bar, meta.name, "chart", {
    PNG: copied(async (chart) => pngOf(await pictureOf(chart), meta.name)),
    SVG: copied(({ text }) => svgOf(text, meta.name)),
  });
});
