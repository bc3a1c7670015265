// Rows of a token, its two bars and its numbers.

import { component, sheetsOf } from "../runtime/component.js";
import { child, make, put } from "../runtime/dom.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "candidates.css");

function percent(x) {
  if (x > 0 && x < 5e-6) return "< 0.001%";
  return (100 * x).toFixed(x > 0.0995 || x === 0 ? 1 : x > 0.00995 ? 2 : 3) + "%";
}

function row(meta, each) {
  const item = make("li");
  const button = put(item, meta.pickable ? "button" : "div", "row" + (each.id === meta.chosen ? " chosen" : ""));
  const same = Math.abs(each.after - each.own) < 5e-6 && (each.after > 0 || each.own === 0);
  const words = (each.after === 0 && !same ? "removed" : percent(each.after)) + (same ? "" : " (" + meta.before + " " + percent(each.own) + ")");
  if (meta.pickable) button.type = "button";
  if (each.id === meta.chosen) button.setAttribute("aria-current", "true");
  put(button, "bdi", "piece", each.piece).dataset.tip = each.piece + "\nid " + each.id;
  const bars = put(button, "span", "bars");
  const width = (chance) => 100 * Math.min(1, chance / meta.limit) + "%";
  put(bars, "span", "own").style.width = width(each.own);
  put(bars, "span", "after").style.width = width(each.after);
  put(button, "span", "number", words);
  return item;
}

export default component(styles, (root, { meta }, send) => {
  const list = child(root, "ol", "rows");
  const buttons = () => [...list.querySelectorAll("button.row")];
  const focused = buttons().indexOf(list.getRootNode().activeElement);
  list.ariaLabel = meta.name;
  child(root, "p", "caption").textContent = meta.caption;
  list.replaceChildren(...meta.rows.map((each) => row(meta, each)));
  if (focused >= 0) buttons()[focused]?.focus({ preventScroll: true });
  list.onclick = (event) => {
    const place = [...list.children].indexOf(event.target.closest("li"));
    if (meta.pickable && place >= 0) send("pick", meta.rows[place].id);
  };
  list.onkeydown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = buttons();
    const at = all.indexOf(event.target.closest("button"));
    if (!step || at < 0) return;
    event.preventDefault();
    all[Math.min(all.length - 1, Math.max(0, at + step))].focus();
  };
});
