// @ts-check
// Calls back once the page has stood still for a while, and again, more patiently, as long as nothing new is drawn.
// A page stands still when its script is at rest and the visitor has just now touched nothing that may make it run:
// a tick brings the widgets as they were, so one that overtakes a click's run would undo the click.
// In a hidden tab the clock stands still.

import { stateOf } from "../runtime/state.js";
import { SCRIPT_STATE } from "../runtime/streamlit_page.js";

/** @import { Mount } from "../runtime/component.js" */

const [PATIENCE, AFTER_TOUCH] = [2000, 1000];
const TOUCHES = ["pointerdown", "click", "keydown"];

/** What a ticker remembers from one drawing of it to the next. */
class Ticker {
  rest = () => {}; // ends the watch that was begun last
  awaited = false; // whether a touch may cause a run
}

/**
 * Begin to watch the page, in place of the watch before; return what ends it.
 * @param {Mount<{number: number, wait: number}>} mount  number: of the tick, below 0 for none; wait: milliseconds.
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const app = document.querySelector(`[${SCRIPT_STATE}]`);
  const running = () => app?.getAttribute(SCRIPT_STATE) === "running";
  const ticker = stateOf(parentElement, Ticker);
  let timer = 0;
  /** @param {number} wait */
  const arm = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(tick, wait);
  };
  const tick = () => {
    ticker.awaited = false;
    if (running() || document.hidden) return;
    arm(PATIENCE);
    setTriggerValue("tick", data.number);
  };
  const touched = () => {
    ticker.awaited = true;
    arm(AFTER_TOUCH);
  };
  const shown = () => !document.hidden && arm(data.wait);
  const watch = new MutationObserver(() => {
    if (running()) ticker.awaited = false;
    else if (!ticker.awaited) arm(data.wait);
  });
  ticker.rest();
  ticker.rest = () => {
    clearTimeout(timer);
    watch.disconnect();
    TOUCHES.forEach((kind) => document.removeEventListener(kind, touched, true));
    document.removeEventListener("visibilitychange", shown);
  };
  if (data.number >= 0) {
    if (app) watch.observe(app, { attributeFilter: [SCRIPT_STATE] });
    TOUCHES.forEach((kind) => document.addEventListener(kind, touched, true));
    document.addEventListener("visibilitychange", shown);
    arm(ticker.awaited ? AFTER_TOUCH : data.wait);
  } else ticker.awaited = false;
  return ticker.rest;
}
