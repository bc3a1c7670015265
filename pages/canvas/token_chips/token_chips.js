// Chips in the order of the text; the chips of one word share a frame. One of them is in the tab order; arrow keys, Home
// and End go along the text. A chip that is pointed at, touched or focused is the token that is pointed at.

import { component, sheetsOf } from "../runtime/component.js";
import { child, put } from "../runtime/dom.js";
import { pointAt, whenPointed } from "../runtime/pointed.js";
import { isolate, markWords } from "../runtime/text.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "token_chips.css");

function chip(parent, { pieces, ids, words, wordLabels }, i) {
  const item = put(put(parent, "li"), "button", "chip");
  const word = wordLabels[words[i]];
  Object.assign(item, { type: "button", tabIndex: i ? -1 : 0 });
  item.ariaLabel = "token " + i + ", " + pieces[i] + ", id " + ids[i];
  item.dataset.tip = "token " + i + ": " + isolate(pieces[i]) + "\nid " + ids[i] + "\nword " + isolate(word) + markWords(pieces[i]);
  put(item, "bdi", "piece", pieces[i]);
  put(item, "span", "id", ids[i]);
}

function fill(list, meta) {
  const frames = document.createDocumentFragment();
  let frame = null;
  meta.pieces.forEach((_, i) => {
    const sameWord = i > 0 && meta.words[i] === meta.words[i - 1];
    if (!sameWord) frame = put(put(frames, "li", "word"), "ol", "pieces");
    chip(frame, meta, i);
  });
  list.replaceChildren(frames);
}

const chipsOf = (list) => [...list.querySelectorAll("button")];

function listen(list) {
  const at = ({ target }) => chipsOf(list).indexOf(target.closest("button"));
  const point = (place) => pointAt(place < 0 ? null : { text: list.text, at: place });
  const focused = () => chipsOf(list).indexOf(list.getRootNode().activeElement);
  const move = (place) => {
    chipsOf(list).forEach((each, i) => (each.tabIndex = i === place ? 0 : -1));
    chipsOf(list)[place].focus();
  };
  list.onpointerover = (event) => point(at(event) < 0 ? focused() : at(event));
  list.onpointerleave = () => point(focused());
  list.onclick = (event) => at(event) >= 0 && move(at(event));
  list.onkeydown = (event) => {
    const here = at(event);
    const last = chipsOf(list).length - 1;
    const to = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: last }[event.key];
    if (to === undefined || here < 0) return;
    event.preventDefault();
    move(Math.min(last, Math.max(0, to)));
  };
  list.addEventListener("focusin", (event) => point(at(event)));
  list.addEventListener("focusout", () => pointAt(null));
}

export default component(styles, (root, { meta }) => {
  const list = child(root, "ol", "chips");
  const told = JSON.stringify(meta);
  if (list.told === told) return; // the chips stand, and the focus on them
  if (!list.told) listen(list);
  Object.assign(list, { told, text: meta.text, ariaLabel: meta.name });
  fill(list, meta);
  const light = (token) =>
    chipsOf(list).forEach((each, i) => each.classList.toggle("lit", Boolean(token) && token.text === meta.text && token.at === i));
  whenPointed(root, light);
});
