// All labels in order: a list whose items are moved by buttons, or dragged by their handle.

import { put } from "../../runtime/dom.js";

export function order(box, { labels }, changed) {
  const list = put(box, "ol", "items");
  list.role = "list"; // Safari takes a list without signs for none
  const items = labels.map((label) => item(list, label));
  const placeOf = (each) => [...list.children].indexOf(each);
  const mark = () =>
    [...list.children].forEach((each, i, all) => {
      const [up, down] = each.querySelectorAll("button");
      up.ariaDisabled = i === 0;
      down.ariaDisabled = i === all.length - 1;
    });
  const move = (each, to) => {
    const [from, all] = [placeOf(each), [...list.children]];
    if (to < 0 || to >= all.length || to === from) return;
    all[to][to > from ? "after" : "before"](each);
    mark();
    changed(`${labels[items.indexOf(each)]}: now ${to + 1} of ${all.length}`);
  };
  list.onclick = ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const each = button.closest("li");
    move(each, placeOf(each) + (button.className === "up" ? -1 : 1));
    button.focus(); // which an item that is moved loses
  };
  drag(list, move);
  return {
    show(value) {
      list.append(...(value ?? labels.map((_, i) => i)).map((i) => items[i]));
      mark();
    },
    read: () => [...list.children].map((each) => items.indexOf(each)),
    missing: "",
  };
}

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

// Calls move(item, place) while an item is dragged: it takes the place of the item whose middle it passes.
function drag(list, move) {
  let dragged = null;
  list.onpointerdown = (event) => {
    const handle = event.target.closest(".handle");
    if (!handle || event.button || !event.isPrimary || list.closest("fieldset").disabled) return;
    event.preventDefault();
    list.setPointerCapture(event.pointerId);
    dragged = handle.closest("li");
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
