// @ts-check
// Rows of a token, its two bars and its numbers.

import { component, sheetsOf } from "../runtime/component.js";
import { around, buttonsOf, child, focusedBeside, make, placeOf, put } from "../runtime/dom.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "candidates.css");

/** @import { Data } from "../runtime/component.js" */
/** @typedef {{id: number, piece: string, after: number, own: number}} Candidate  own, after: its chance before and now. */
/**
 * chosen: the id of the chosen row; before: what the chance before is called; limit: the chance of a full bar.
 * @typedef {{name: string, rows: Candidate[], chosen: number | null, pickable: boolean, caption: string, before: string,
 *   limit: number}} Meta
 */

/** @param {number} x */
function percent(x) {
  if (x > 0 && x < 5e-6) return "< 0.001%";
  return (100 * x).toFixed(x > 0.0995 || x === 0 ? 1 : x > 0.00995 ? 2 : 3) + "%";
}

/** @param {Meta} meta @param {Candidate} each */
function row(meta, each) {
  const item = make("li");
  const className = "row" + (each.id === meta.chosen ? " chosen" : "");
  const button = meta.pickable ? Object.assign(put(item, "button", className), { type: "button" }) : put(item, "div", className);
  const same = Math.abs(each.after - each.own) < 5e-6 && (each.after > 0 || each.own === 0);
  const words = (each.after === 0 && !same ? "removed" : percent(each.after)) + (same ? "" : " (" + meta.before + " " + percent(each.own) + ")");
  if (each.id === meta.chosen) button.setAttribute("aria-current", "true");
  put(button, "bdi", "piece", each.piece).dataset.tip = each.piece + "\nid " + each.id;
  const bars = put(button, "span", "bars");
  /** @param {number} chance */
  const width = (chance) => 100 * Math.min(1, chance / meta.limit) + "%";
  put(bars, "span", "own").style.width = width(each.own);
  put(bars, "span", "after").style.width = width(each.after);
  put(button, "span", "number", words);
  return item;
}

export default component(styles, (root, /** @type {Data<Meta>} */ { meta }, send) => {
  const list = child(root, "ol", "rows");
  const focused = placeOf(buttonsOf(list), focusedBeside(list));
  list.ariaLabel = meta.name;
  child(root, "p", "caption").textContent = meta.caption;
  list.replaceChildren(...meta.rows.map((each) => row(meta, each)));
  if (focused >= 0) buttonsOf(list)[focused]?.focus({ preventScroll: true });
  list.onclick = (event) => {
    const place = placeOf([...list.children], around(event, "li"));
    if (meta.pickable && place >= 0) send("pick", meta.rows[place].id);
  };
  list.onkeydown = (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const all = buttonsOf(list);
    const at = placeOf(all, around(event, "button"));
    if (!step || at < 0) return;
    event.preventDefault();
    all[Math.min(all.length - 1, Math.max(0, at + step))].focus();
  };
});
