// @ts-check
// One cell of a table of queries and keys: a button in each cell.

import { around, placeOf, put } from "../../runtime/dom.js";
import { isolate } from "../../runtime/text.js";
import { press, pressable, rove } from "./roving.js";

/** @import { Kind } from "../form.js" */
/** @typedef {[number, number] | null} Chosen  Row and column. */

/** Ask for one cell. @type {Kind} */
export function cell(box, { labels, rows }, changed) {
  /** @type {Chosen} */
  let chosen = null;
  const columns = labels.length;
  const { table, heads, sides } = frame(put(box, "div", "scroll"), labels, rows);
  /** @param {number} row @param {number} column */
  const name = (row, column) => `row “${isolate(rows[row])}”, column “${isolate(labels[column])}”`;
  const buttons = sides.flatMap((side, row) =>
    labels.map((_, column) => {
      const place = put(side.line, "td");
      place.role = "gridcell";
      return pressable(place, "", name(row, column));
    }),
  );
  const named = put(box, "p", "named"); // the chosen button's name, because its headers may be out of sight
  named.ariaHidden = "true";
  /** @param {Chosen} at */
  const light = (at) => {
    sides.forEach(({ head }, row) => head.classList.toggle("lit", row === at?.[0]));
    heads.forEach((head, column) => head.classList.toggle("lit", column === at?.[1]));
  };
  /** @param {Chosen} value */
  const show = (value) => {
    chosen = value;
    press(buttons, value ? buttons[value[0] * columns + value[1]] : undefined);
    light(value);
    named.textContent = value ? name(...value) : "";
  };
  /** @param {Event} event @returns {Chosen} */
  const at = (event) => {
    const place = placeOf(buttons, around(event, "button"));
    return place < 0 ? null : [Math.floor(place / columns), place % columns];
  };
  table.onclick = (event) => {
    if (!at(event)) return;
    show(at(event));
    changed();
  };
  for (const kind of ["pointerover", "focusin"]) table.addEventListener(kind, (event) => light(at(event) ?? chosen));
  for (const kind of ["pointerleave", "focusout"]) table.addEventListener(kind, () => light(chosen));
  rove(table, buttons, (key, i) => next(key, i, rows.length, columns));
  return { show, read: () => chosen, missing: "Choose a cell first." };
}

/** Put a table into a box, with its headers and no cells yet. @param {HTMLElement} scroll @param {string[]} labels @param {string[]} rows */
function frame(scroll, labels, rows) {
  const table = put(scroll, "table");
  table.role = "grid";
  table.ariaLabel = "rows are queries, columns are keys";
  const top = put(put(table, "thead"), "tr");
  put(top, "td", "corner", "query ↓ key →").ariaHidden = "true";
  /** @param {HTMLElement} parent @param {string} scope @param {string} label */
  const head = (parent, scope, label) => {
    const made = Object.assign(put(parent, "th"), { scope });
    put(made, "bdi", "", label);
    return made;
  };
  const heads = labels.map((label) => head(top, "col", label));
  const body = put(table, "tbody");
  const sides = rows.map((label) => {
    const line = put(body, "tr");
    return { line, head: head(line, "row", label) };
  });
  return { table, heads, sides };
}

/**
 * Return the place of the cell that a key leads to from the i-th; at an edge, the same.
 * @type {(key: string, i: number, rows: number, columns: number) => number | undefined}
 */
function next(key, i, rows, columns) {
  const [row, column] = [Math.floor(i / columns), i % columns];
  /** @type {Record<string, [number, number]>} */
  const cells = {
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    Home: [row, 0],
    End: [row, columns - 1],
  };
  const to = cells[key];
  if (!to) return undefined;
  const isInside = to[0] >= 0 && to[0] < rows && to[1] >= 0 && to[1] < columns;
  return isInside ? to[0] * columns + to[1] : i;
}
