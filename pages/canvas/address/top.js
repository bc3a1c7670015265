// @ts-check
// A page that has just been opened is read from its beginning.
//
// The new page may come at once in the place of the old one, and the browser then stays as far down as it was; what is
// drawn later above moves it too. So the top is held until the page has been drawn, or the visitor moves it.

import { MAIN, NO_RUN } from "../runtime/streamlit_page.js";

const REST = 600; // milliseconds without a scroll or a run, after which the page has been drawn
const HANDS = ["wheel", "touchstart", "pointerdown", "keydown"];

let held = 0; // the time until which the top is held

function rise() {
  const main = document.querySelector(MAIN);
  if (main?.scrollTop) main.scrollTop = 0;
}

function hold() {
  if (performance.now() > held) return;
  if (document.querySelector(NO_RUN) === null) held = performance.now() + REST;
  rise();
  requestAnimationFrame(hold);
}

for (const hand of HANDS) addEventListener(hand, () => (held = 0), { capture: true, passive: true });

/** Show the top of the page, and hold it there until the page has been drawn. */
export function showTop() {
  const begins = performance.now() > held;
  held = performance.now() + REST;
  if (begins) hold();
}
