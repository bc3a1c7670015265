// @ts-check
// One of the labels: a running line of buttons.

import { around, placeOf } from "../../runtime/dom.js";
import { press, pressable, rove } from "./roving.js";

/** @import { Kind } from "../form.js" */

/** Ask for one label. @type {Kind} */
export function token(box, { labels }, changed) {
  /** @type {number | null} */
  let chosen = null;
  const last = labels.length - 1;
  const buttons = labels.map((label, i) => pressable(box, label, `${label}, ${i + 1} of ${labels.length}`));
  /** @param {number | null} value */
  const show = (value) => {
    chosen = value;
    press(buttons, buttons[value ?? -1]);
  };
  box.onclick = (event) => {
    const place = placeOf(buttons, around(event, "button"));
    if (place < 0) return;
    show(place);
    changed();
  };
  rove(box, buttons, (key, i) => {
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: i - 1, ArrowUp: i - 1, ArrowRight: i + 1, ArrowDown: i + 1, Home: 0, End: last };
    return places[key];
  });
  return { show, read: () => chosen, missing: "Choose one of them first." };
}
