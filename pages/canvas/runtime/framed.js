// @ts-check
// A page of drawings inside of another page: it tells that page what is chosen here, and chooses what that page says.

import { choose, onChoice } from "./choices.js";

/**
 * What is chosen: values of settings, by their keys, and where the click was. A spot is the places among their siblings
 * of the elements from the page to the one that was clicked: the same one in every page with these drawings.
 * @typedef {{picks: Record<string, unknown>, spot: number[]}} Choice
 */

/** @param {Choice | {height: number}} told */
const tell = (told) => window.parent.postMessage(told, "*"); // a page without an origin knows none of the outer one

/** Return the elements inside of another, and of its shadow root. @param {Element} element */
const inside = (element) => [...(element.shadowRoot ?? element).children];

/** @param {EventTarget[]} path  From the innermost element that was clicked. @returns {number[]} */
function spotOf(path) {
  const elements = path.filter((each) => each instanceof Element).slice(0, -1).reverse(); // without the root
  let outer = document.documentElement;
  return elements.map((element) => {
    const place = inside(outer).indexOf(element);
    outer = /** @type {HTMLElement} */ (element);
    return place;
  });
}

/** Scroll to where a click was, if it is out of sight. @param {number[]} spot */
function scrollToSpot(spot) {
  let found = document.documentElement;
  for (const place of spot) found = /** @type {HTMLElement} */ (inside(found)[place] ?? found);
  if (spot.length) found.scrollIntoView({ block: "nearest" });
}

/**
 * Tell the outer page each choice, and choose what it says; of the settings that this page opens with alone.
 * @param {Record<string, unknown>} start  The values that the page opens with, by the keys of their settings.
 */
export function shareChoices(start) {
  const keys = Object.keys(start);
  let shared = JSON.stringify(start); // what both pages know
  /** @type {number[]} */
  let spot = [];
  document.addEventListener("click", (event) => (spot = spotOf(event.composedPath())), true);
  onChoice((chosen) => {
    const picks = Object.fromEntries(keys.map((key) => [key, chosen.has(key) ? chosen.get(key) : start[key]]));
    if (JSON.stringify(picks) === shared) return true;
    shared = JSON.stringify(picks);
    tell({ picks, spot });
    return true;
  });
  addEventListener("message", ({ source, data }) => {
    if (source !== window.parent || !data?.picks) return;
    const known = keys.filter((key) => Object.hasOwn(data.picks, key));
    const picks = { ...JSON.parse(shared), ...Object.fromEntries(known.map((key) => [key, data.picks[key]])) };
    shared = JSON.stringify(picks); // what the outer page has said it is not told
    choose(picks);
    requestAnimationFrame(() => scrollToSpot(data.spot ?? []));
  });
}

/** Tell the outer page how high this one is, now and after each change: it cannot measure it. */
export function shareHeight() {
  const { body } = document;
  new ResizeObserver(() => tell({ height: Math.ceil(body.getBoundingClientRect().height) })).observe(body);
}
