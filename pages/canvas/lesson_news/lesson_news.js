// @ts-check
// Says what is new in a lesson's panel after an answer, or on the next screen, and moves the focus there.

/** @import { Mount } from "../runtime/component.js" */

const PANEL = ".st-key-lesson";
/** @type {string | null} */
let shown = null; // what the panel showed last in this tab

/** Whether the focus may be moved: a text box that is typed in outside the panel keeps it. */
const isFree = () => document.activeElement === document.body || document.activeElement?.closest(PANEL);

/** Say the news and move the focus if the panel shows something else than before. @param {Mount<{place: string, words: string}>} mount */
export default function ({ data, parentElement }) {
  if (data.place === shown) return;
  const isFirst = shown === null;
  shown = data.place;
  if (isFirst) return;
  /** @type {HTMLElement} */ (parentElement.querySelector("p")).textContent = data.words;
  const news = /** @type {HTMLElement | null} */ (document.querySelector(`${PANEL}-news`));
  if (!news || !isFree()) return;
  news.tabIndex = -1;
  news.focus();
}
