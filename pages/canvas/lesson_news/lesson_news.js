// @ts-check
// Says what is new in a lesson's panel after an answer, or on the next screen, and moves the focus there.

import { byKey } from "../runtime/streamlit_page.js";

/** @import { Mount } from "../runtime/component.js" */

const WAIT_MS = 10_000; // for a new page to show its lesson: what is hidden takes no focus
/** @type {string | null} */
let shown = null; // what the panel showed last in this tab

/** Whether the focus may be moved: a text box that is typed in outside the panel keeps it. */
const isFree = () => document.activeElement === document.body || document.activeElement?.closest(byKey("lesson"));

/** Move the focus to what is new as soon as it is shown. @param {string} place @param {number} until */
function focusOnNews(place, until) {
  if (shown !== place || !isFree() || performance.now() > until) return;
  const news = /** @type {HTMLElement | null} */ (document.querySelector(byKey("lesson-news")));
  if (news) {
    news.tabIndex = -1;
    news.focus();
    if (document.activeElement === news) return;
  }
  requestAnimationFrame(() => focusOnNews(place, until));
}

/** Say the news and move the focus if the panel shows something else than before. @param {Mount<{place: string, words: string}>} mount */
export default function ({ data, parentElement }) {
  if (data.place === shown) return;
  const isFirst = shown === null;
  shown = data.place;
  if (isFirst) return;
  /** @type {HTMLElement} */ (parentElement.querySelector("p")).textContent = data.words;
  focusOnNews(data.place, performance.now() + WAIT_MS);
}
