// @ts-check
// Panels in a row that wraps.

import { component, sheetsOf } from "../runtime/component.js";
import { child, drawn, put } from "../runtime/dom.js";
import { cellRect, outline } from "../runtime/grid.js";
import { bodyHeight, bodyWidth, CELL, labelled, paintPanel, panelLayout } from "../runtime/panel.js";
import { fillPixels } from "../runtime/pixels.js";
import { saveBar } from "../runtime/save.js";
import { Stage } from "../runtime/stage.js";
import { stateOf } from "../runtime/state.js";
import { textWidth } from "../runtime/text.js";
import { readTheme } from "../runtime/theme.js";
import { cellWords, sizedLabel, viewOf } from "../runtime/view.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "../runtime/stage.css", "../runtime/panel.css");

/** @import { Data } from "../runtime/component.js" */
/** @import { FilledPanel, Panel, PanelLayout } from "../runtime/panel.js" */
/** @import { Surface, TextStyle } from "../runtime/surface.js" */
/** @import { Theme } from "../runtime/theme.js" */
/** @import { Packed } from "../runtime/unpack.js" */
/** @import { View } from "../runtime/view.js" */
/** @typedef {{panel: string, row: number, col: number}} Pick */
/** @typedef {(pick: Pick) => void} Picked */
/** height, width, cell: in pixels, where the page asks for them. */
/** @typedef {{name: string, height: number | null, width: number | null, cell: number | null, pickable: boolean}} Fields */
/** @typedef {Fields & {panels: Omit<Panel, "values" | "shape">[]}} Meta */
/** @typedef {Fields & {panels: Panel[], send: Picked | null}} Picture */

const GAP = 26;
const SIGN = 28;

/**
 * Return the pixels a cell for an axis of `count` cells when the longest axis may take `budget`. Equal axes look equal, so
 * the rows of Q line up with the rows of Q Kᵀ.
 * @type {(theme: Theme, count: number, budget: number, fixed: number | null) => number}
 */
const cellFor = (theme, count, budget, fixed) =>
  fixed ?? Math.max(1, Math.min(CELL.most * theme.scale, Math.floor(budget / count)));

/**
 * Return the least budget for one row: 130 pixels, or as much as the longest labels need that fit into `most`.
 * @type {(panels: Panel[], most: number) => number}
 */
function leastBudget(panels, most) {
  const tokens = panels.flatMap(({ rows, cols }) => [rows, cols]).filter((labels) => /^\d+:/.test(labels[0]));
  const labelled = tokens.map((labels) => labels.length * CELL.label).filter((pixels) => pixels <= most);
  return Math.min(most, Math.max(130, ...labelled));
}

/**
 * Lay out all panels: with the largest cells with which they fit in one row, wider than high where that was asked for and
 * fits; if those are small, in several rows.
 * @type {(theme: Theme, panels: FilledPanel[], picture: Picture, room: number) => {layouts: PanelLayout[], oneRow: boolean}}
 */
function arrange(theme, panels, { height, width, cell }, room) {
  const signs = panels.filter((panel) => panel.before).length;
  /** @param {number} budget */
  const layoutsFor = (budget, wider = 1) =>
    panels.map((panel) => {
      const [row, col] = [1, wider].map((times, axis) => cellFor(theme, panel.shape[axis], budget * times, cell));
      return panelLayout(theme, panel, row, col, room);
    });
  /** @param {PanelLayout[]} layouts */
  const widths = (layouts) => layouts.map((layout, i) => bodyWidth(panels[i], layout));
  /** @param {number[]} all */
  const inOneRow = (all) => all.reduce((sum, width) => sum + width, 0) + GAP * (all.length - 1) + SIGN * signs <= room;
  /** @param {number[]} all */
  const eachAlone = (all) => Math.max(...all) + (signs ? SIGN : 0) <= room;
  const most = (height ?? 420) * theme.scale;
  const wider = width ? width / (height ?? 420) : 1;
  const tries = [
    { fits: inOneRow, least: most, times: wider },
    { fits: inOneRow, least: leastBudget(panels, most), times: 1 },
    { fits: eachAlone, least: 1, times: 1 },
  ];
  for (const { fits, least, times } of tries)
    for (let budget = most; budget >= least; budget -= 4) {
      const layouts = layoutsFor(budget, times);
      if (fits(widths(layouts))) return { layouts, oneRow: fits === inOneRow };
    }
  return { layouts: layoutsFor(1), oneRow: false };
}

/** Let all matrices of a row start at one height, whatever the length of their labels. @param {PanelLayout[]} layouts */
function align(layouts) {
  const top = Math.max(...layouts.map((layout) => layout.top));
  return layouts.map((layout) => ({ ...layout, top }));
}

/** @type {(theme: Theme, panel: FilledPanel, layout: PanelLayout, send: Picked | null) => View} */
function panelView(theme, panel, layout, send) {
  const { left, top, rowWidth, colHeight, row, col } = layout;
  const frame = { stroke: theme.text, lineWidth: 1.5 };
  const [hasRow, hasCol] = [labelled(theme, panel, 0, row), labelled(theme, panel, 1, col)];
  return viewOf(theme, layout, {
    size: [bodyWidth(panel, layout), bodyHeight(layout)],
    label: sizedLabel(panel.title, panel.shape),
    start: panel.selected,
    paint: (surface) => paintPanel(surface, theme, panel, layout),
    words: (cell) => cellWords(panel, cell),
    mark(surface, cell) {
      const [i, j] = cell;
      if (rowWidth && i !== null && hasRow(i)) surface.rect(left - rowWidth - 9, top + i * row + 0.5, rowWidth + 7, row - 1, frame);
      if (colHeight && j !== null && hasCol(j)) surface.rect(left + j * col + 0.5, top - colHeight - 8, col - 1, colHeight + 6, frame);
      outline(surface, theme, cellRect(layout, cell), 2);
    },
    send: send && (([row, col]) => send({ panel: panel.name, row, col })),
  });
}

/** @param {HTMLElement} row @param {number} place @param {Panel} panel @param {Theme} theme */
function figureFor(row, place, panel, theme) {
  const group = row.children[place] ?? put(row, "div", "group");
  const sign = child(group, "span", "sign");
  Object.assign(sign, { textContent: panel.before, hidden: !panel.before });
  const figure = child(group, "div", "panel");
  const title = child(figure, "div", "title");
  Object.assign(title, { textContent: panel.title, ariaHidden: "true" }); // the stage has this name for screen readers
  if (panel.tint) title.dataset.tint = panel.tint;
  else delete title.dataset.tint;
  title.style.setProperty("--tint", panel.tint ? theme[panel.tint] : "none");
  Object.assign(child(figure, "div", "shape"), { textContent: panel.shape.join(" × "), ariaHidden: "true" });
  return { sign, figure, title };
}

/** @param {PanelLayout[]} layouts */
const middleOf = (layouts) => Math.max(...layouts.map(({ top, height }) => top + height / 2));

/**
 * Draw every panel for the room there is; in one row, titles share a height, so that rows of cells line up.
 * @type {(root: HTMLElement, picture: Picture, room: number) => void}
 */
function draw(root, picture, room) {
  const [theme, row] = [readTheme(root), child(root, "div", "row")];
  const panels = fillPixels(theme, picture.panels);
  const { layouts: found, oneRow } = arrange(theme, panels, picture, room);
  const layouts = oneRow ? align(found) : found;
  const parts = panels.map((panel, place) => figureFor(row, place, panel, theme));
  while (row.children.length > parts.length) row.lastElementChild?.remove();
  parts.forEach(({ figure, title }, i) => {
    title.style.minHeight = "";
    figure.style.width = Math.max(bodyWidth(panels[i], layouts[i]), 150) + "px";
  });
  const tallest = oneRow ? Math.max(...parts.map(({ title }) => title.offsetHeight)) : 0;
  parts.forEach(({ sign, figure, title }, i) => {
    title.style.minHeight = tallest + "px";
    stateOf(figure, Stage, root).draw(theme, panelView(theme, panels[i], layouts[i], picture.send));
    const middle = oneRow ? middleOf(layouts) : middleOf([layouts[i]]);
    sign.style.marginTop = title.offsetHeight + 26 + middle - 11 + "px";
  });
  const { size, paint } = savedPicture(theme, panels, align(layouts));
  saveBar(root, picture.name, size, paint);
}

/**
 * Return size and painter of the file: all panels in one row, under their titles.
 * @param {Theme} theme
 * @param {FilledPanel[]} panels
 * @param {PanelLayout[]} layouts
 */
function savedPicture(theme, panels, layouts) {
  const [margin, head] = [20, 44];
  /** @type {TextStyle} */
  const titleStyle = { size: 14, weight: 600, baseline: "top" };
  let end = margin;
  const starts = panels.map((panel, i) => {
    const start = end + (panel.before ? SIGN : 0);
    const title = textWidth(theme, panel.title, titleStyle) + 18;
    end = start + Math.max(bodyWidth(panel, layouts[i]), title) + GAP;
    return start;
  });
  const size = [end - GAP + margin, margin * 2 + head + Math.max(...layouts.map(bodyHeight))];
  /** @type {TextStyle} */
  const sign = { size: 22, align: "center", baseline: "middle", fill: theme.muted };
  /** @param {Surface} surface */
  const paint = (surface) =>
    panels.forEach((panel, i) => {
      const x = starts[i];
      if (panel.before) surface.text(panel.before, x - SIGN / 2 - 4, margin + head + middleOf(layouts), sign);
      if (panel.tint) surface.rect(x, margin + 2, 9, 9, { fill: theme[panel.tint] });
      surface.text(panel.title, x + (panel.tint ? 16 : 0), margin, titleStyle);
      surface.text(panel.shape.join(" × "), x, margin + 20, { size: 12, baseline: "top", fill: theme.muted });
      paintPanel(surface, theme, panel, layouts[i], x, margin + head);
    });
  return { size, paint };
}

export default component(styles, (root, /** @type {Data<Meta, Packed[]>} */ { meta, arrays }, send) => {
  const panels = meta.panels.map((panel, place) => ({ ...panel, ...arrays[place] }));
  Object.assign(root, { role: "group", ariaLabel: meta.name });
  /** @type {Picture} */
  const picture = { ...meta, panels, send: meta.pickable ? (cell) => send("pick", cell) : null };
  drawn(root, (room) => draw(root, picture, room));
});
