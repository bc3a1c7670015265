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

const SVG = "http://www.w3.org/2000/svg";

const drawingOf = (chart) => document.querySelector(`${byKey(chart)} svg.marks`);

// A double click is what Vega shows the whole of a map again for.
function resetView(chart) {
  drawingOf(chart)?.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
}

function copyChart(chart, theme) {
  const found = drawingOf(chart);
  if (!found) return null;
  const [left, top, across, down] = found.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  const lines = captionLines(theme, across + 2 * MARGIN);
  const bottom = top + down + MARGIN;
  const height = down + 2 * MARGIN + captionHeight(lines);
  const box = { x: left - MARGIN, y: top - MARGIN, width: across + 2 * MARGIN, height };
  const copy = found.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  copy.setAttribute("viewBox", Object.values(box).join(" "));
  copy.removeAttribute("style");
  const ground = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ ...box, fill: behind(found) })) ground.setAttribute(name, value);
  copy.prepend(ground);
  for (const { line, x, y, size } of placedLines(lines, box.x, bottom)) {
    const text = Object.assign(document.createElementNS(SVG, "text"), { textContent: line });
    const look = { x, y, "font-size": size, "font-family": theme.font, fill: theme.text };
    for (const [name, value] of Object.entries(look)) text.setAttribute(name, value);
    copy.append(text);
  }
  return { width: box.width, height: box.height, text: new XMLSerializer().serializeToString(copy) };
}

// The first opaque background at or above the element.
function behind(element) {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour && colour !== "transparent" && !colour.endsWith(", 0)")) return colour;
  }
  return "white";
}

async function pictureOf({ width, height, text }) {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  await image.decode();
  const canvas = document.createElement("canvas");
  sharpCanvas(canvas, width, height, 2).drawImage(image, 0, 0, width, height);
  return canvas;
}

export default component(styles, (root, { meta }) => {
  const bar = child(root, "div", "save-bar");
  const status = Object.assign(child(bar, "span", "status"), { role: "status" });
  const reset = child(bar, "button", "reset");
  Object.assign(reset, { type: "button", textContent: "Reset view", hidden: !meta.zooms });
  reset.onclick = () => resetView(meta.chart);
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
