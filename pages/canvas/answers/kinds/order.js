// All labels in order: a list whose items are moved by buttons, or dragged by their handle.

import { put } from "../../runtime/dom.js";

export function order(box, { labels }, changed) {
  const list = put(box, "ol", "items");
  const items = labels.map((label) => item(list, label));
  const places = () => [...list.children].map((each) => items.indexOf(each));
  const mark = () =>
    [...list.children].forEach((each, i, all) => {
      const [up, down] = each.querySelectorAll("button");
      up.ariaDisabled = String(i === 0);
      down.ariaDisabled = String(i === all.length - 1);
    });
  const move = (each, to) => {
    const [all, from] = [[...list.children], [...list.children].indexOf(each)];
    if (to < 0 || to >= all.length || to === from) return;
    all[to][to > from ? "after" : "before"](each);
    mark();
    changed();
  };
  list.onclick = ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const each = button.closest("li");
    move(each, [...list.children].indexOf(each) + (button.className === "up" ? -1 : 1));
    button.focus();
  };
  return {
    show(value) {
      list.append(...(value ?? labels.map((_, i) => i)).map((i) => items[i]));
      mark();
    },
    read: places,
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
