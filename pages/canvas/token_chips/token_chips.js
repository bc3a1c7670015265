// @ts-check
// Chips in the order of the text; the chips of one word share a frame. One of them is in the tab order; arrow keys, Home
// and End go along the text. A chip that is pointed at, touched or focused is the token that is pointed at.

import { component, sheetsOf } from "../runtime/component.js";
import { around, buttonsOf, child, focusedBeside, placeOf, put, steppedTo } from "../runtime/dom.js";
import { pointAt, whenPointed } from "../runtime/pointed.js";
import { stateOf } from "../runtime/state.js";
import { isolate, markWords } from "../runtime/text.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "token_chips.css");

/** @import { Data } from "../runtime/component.js" */
/**
 * One entry for each token; words: of each token, the number of its word; wordLabels: of each word.
 * shades: of each token, the strength of its colour, 0 to 1, or none; framed: the token with a frame.
 * @typedef {{name: string, text: string, pieces: string[], ids: number[], words: number[], wordLabels: string[],
 *   shades: number[], framed: number | null}} Meta
 */

/** @param {Node} parent @param {Meta} meta @param {number} i */
function chip(parent, { pieces, ids, words, wordLabels, shades, framed }, i) {
  const item = put(put(parent, "li"), "button", "chip");
  const word = wordLabels[words[i]];
  Object.assign(item, { type: "button", tabIndex: i ? -1 : 0 });
  if (shades.length) item.style.setProperty("--shade", String(shades[i]));
  item.classList.toggle("framed", i === framed);
  item.ariaLabel = "token " + i + ", " + pieces[i] + ", id " + ids[i];
  item.dataset.tip = "token " + i + ": " + isolate(pieces[i]) + "\nid " + ids[i] + "\nword " + isolate(word) + markWords(pieces[i]);
  put(item, "bdi", "piece", pieces[i]);
  put(item, "span", "id", ids[i]);
}

/** @param {HTMLElement} list @param {Meta} meta */
function fill(list, meta) {
  const frames = document.createDocumentFragment();
  /** @type {HTMLElement | null} */
  let frame = null;
  meta.pieces.forEach((_, i) => {
    const sameWord = i > 0 && meta.words[i] === meta.words[i - 1];
    if (!frame || !sameWord) frame = put(put(frames, "li", "word"), "ol", "pieces");
    chip(frame, meta, i);
  });
  list.replaceChildren(frames);
}

class TokenChips {
  shown = ""; // the data of the chips that are drawn
  text = ""; // the text whose tokens they are

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.list = child(root, "ol", "chips");
    this.listen(this.list);
  }

  /** @param {HTMLElement} list */
  listen(list) {
    /** @param {Event} event */
    const at = (event) => placeOf(buttonsOf(list), around(event, "button"));
    /** @param {number} place */
    const point = (place) => pointAt(place < 0 ? null : { text: this.text, at: place });
    const focused = () => placeOf(buttonsOf(list), focusedBeside(list));
    /** @param {number} place */
    const move = (place) => {
      buttonsOf(list).forEach((each, i) => (each.tabIndex = i === place ? 0 : -1));
      buttonsOf(list)[place].focus();
    };
    list.onpointerover = (event) => point(at(event) < 0 ? focused() : at(event));
    list.onpointerleave = () => point(focused());
    list.onclick = (event) => at(event) >= 0 && move(at(event));
    list.onkeydown = (event) => {
      const here = at(event);
      const to = steppedTo(event.key, here, buttonsOf(list).length);
      if (to === undefined || here < 0) return;
      event.preventDefault();
      move(to);
    };
    list.addEventListener("focusin", (event) => point(at(event)));
    list.addEventListener("focusout", () => pointAt(null));
  }

  /** @param {Meta} meta */
  update(meta) {
    const data = JSON.stringify(meta);
    if (this.shown === data) return; // the chips are drawn already; they and the focus stay
    [this.shown, this.text, this.list.ariaLabel] = [data, meta.text, meta.name];
    fill(this.list, meta);
    whenPointed(this.root, (token) => {
      const lit = token?.text === meta.text ? token.at : -1;
      buttonsOf(this.list).forEach((each, i) => each.classList.toggle("lit", i === lit));
    });
  }
}

export default component(styles, (root, /** @type {Data<Meta>} */ { meta }) => stateOf(root, TokenChips).update(meta));
