// One cell of a table of queries and keys: a button in each cell.

import { make, put } from "../../runtime/dom.js";
import { isolate } from "../../runtime/text.js";
import { press, pressable, rove } from "./roving.js";

export function cell(box, { labels, rows }, changed) {
  const [chosen, columns] = [{ at: null }, labels.length];
  const { table, heads, sides } = frame(put(box, "div", "scroll"), labels, rows);
  const named = make("p", "named"); // repeats the name of the chosen button, whose headers may be out of sight
  named.ariaHidden = "true";
  box.append(named);
  const words = (row, column) => `query ${isolate(rows[row])}, key ${isolate(labels[column])}`;
  const buttons = sides.flatMap((side, row) =>
    labels.map((_, column) => {
      const place = put(side.parentElement, "td");
      place.role = "gridcell";
      return pressable(place, "", words(row, column));
    }),
  );
  const show = (value) => {
    chosen.at = value;
    press(buttons, value ? buttons[value[0] * columns + value[1]] : undefined);
    sides.forEach((side, row) => side.classList.toggle("lit", row === value?.[0]));
    heads.forEach((head, column) => head.classList.toggle("lit", column === value?.[1]));
    named.textContent = value ? words(...value) : "";
  };
  table.onclick = ({ target }) => {
    const place = buttons.indexOf(target.closest("button"));
    if (place < 0) return;
    show([Math.floor(place / columns), place % columns]);
    changed();
  };
  rove(table, buttons, (key, i) => next(key, i, rows.length, columns));
  return { show, read: () => chosen.at, missing: "Choose a cell first." };
}

// The table with its headers and no cells yet.
function frame(scroll, labels, rows) {
  const table = put(scroll, "table");
  table.role = "grid";
  const top = put(put(table, "thead"), "tr");
  put(put(top, "th", "corner"), "span", "", "query ↓ key →");
  const head = (parent, scope, label) => {
    const made = Object.assign(put(parent, "th"), { scope });
    put(made, "bdi", "", label);
    return made;
  };
  const heads = labels.map((label) => head(top, "col", label));
  const body = put(table, "tbody");
  return { table, heads, sides: rows.map((label) => head(put(body, "tr"), "row", label)) };
}

function next(key, i, rows, columns) {
  const [row, column] = [Math.floor(i / columns), i % columns];
  const to = {
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    Home: [row, 0],
    End: [row, columns - 1],
  }[key];
  if (!to) return undefined;
  const isInside = to[0] >= 0 && to[0] < rows && to[1] >= 0 && to[1] < columns;
  return isInside ? to[0] * columns + to[1] : i;
}
