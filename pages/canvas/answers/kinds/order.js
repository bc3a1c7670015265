// @ts-check
// All labels in order: a list whose items are moved by buttons, or dragged by their handle.

import { around, buttonsOf, placeOf, put } from "../../runtime/dom.js";

/** @import { Kind } from "../form.js" */

/** Ask for all labels in order. @type {Kind} */
export function order(box, { labels }, changed) {
  const list = put(box, "ol", "items");
  list.role = "list"; // Safari does not announce a list without bullets as a list
  const items = labels.map((label) => item(list, label));
  const mark = () =>
    [...list.children].forEach((each, i, all) => {
      const [up, down] = buttonsOf(each);
      up.ariaDisabled = String(i === 0);
      down.ariaDisabled = String(i === all.length - 1);
    });
  /** @param {Element} each @param {number} to */
  const move = (each, to) => {
    const all = [...list.children];
    const from = placeOf(all, each);
    if (to < 0 || to >= all.length || to === from) return;
    all[to][to > from ? "after" : "before"](each);
    mark();
    changed(`${labels[placeOf(items, each)]}: now ${to + 1} of ${all.length}`);
  };
  list.onclick = (event) => {
    const button = around(event, "button");
    const each = button?.closest("li");
    if (!button || !each) return;
    move(each, placeOf([...list.children], each) + (button.className === "up" ? -1 : 1));
    button.focus(); // an item that is moved loses the focus
  };
  drag(list, move);
  return {
    show(/** @type {number[] | null} */ value) {
      list.append(...(value ?? labels.map((_, i) => i)).map((i) => items[i]));
      mark();
    },
    read: () => [...list.children].map((each) => placeOf(items, each)),
    missing: "",
  };
}

/** @param {HTMLElement} list @param {string} label */
function item(list, label) {
  const each = put(list, "li");
  put(each, "span", "handle", "⠿").ariaHidden = "true";
  put(each, "bdi", "label", label);
  for (const [way, sign] of [["up", "↑"], ["down", "↓"]]) {
    const button = put(each, "button", way, sign);
    Object.assign(button, { type: "button", ariaLabel: `Move ${label} ${way}` });
  }
  return each;
}

/**
 * Call move(item, place) while an item is dragged: it takes the place of the item whose middle it passes.
 * @param {HTMLElement} list
 * @param {(item: Element, place: number) => void} move
 */
function drag(list, move) {
  /** @type {Element | null | undefined} */
  let dragged = null;
  list.onpointerdown = (event) => {
    const item = around(event, ".handle")?.closest("li");
    if (!item || event.button || !event.isPrimary || list.closest("fieldset")?.disabled) return;
    event.preventDefault();
    list.setPointerCapture(event.pointerId);
    dragged = item;
    dragged.classList.add("dragged");
  };
  list.onpointermove = ({ clientY, isPrimary }) => {
    if (!dragged || !isPrimary) return;
    const others = [...list.children].filter((each) => each !== dragged);
    const middles = others.map((each) => each.getBoundingClientRect()).map(({ top, height }) => top + height / 2);
    move(dragged, middles.filter((middle) => middle < clientY).length);
  };
  list.onpointerup = list.onpointercancel = () => {
    dragged?.classList.remove("dragged");
    dragged = null;
  };
}
