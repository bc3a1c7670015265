// Chips in the order of the text; the chips of one word share a frame.

import { component, sheetsOf } from "../runtime/component.js";
import { child, put } from "../runtime/dom.js";
import { isolate } from "../runtime/text.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "token_chips.css");

function chip(parent, { pieces, ids, words, wordLabels }, i) {
  const item = put(parent, "li", "chip");
  const word = wordLabels[words[i]];
  item.dataset.tip = "token " + i + ": " + isolate(pieces[i]) + "\nid " + ids[i] + "\nword " + isolate(word);
  put(item, "bdi", "piece", pieces[i]);
  put(item, "span", "id", ids[i]);
}

export default component(styles, (root, { meta }) => {
  const list = child(root, "ol", "chips");
  Object.assign(list, { ariaLabel: meta.name, tabIndex: 0 });
  const frames = document.createDocumentFragment();
  let frame = null;
  meta.pieces.forEach((_, i) => {
    const sameWord = i > 0 && meta.words[i] === meta.words[i - 1];
    if (!sameWord) frame = put(put(frames, "li", "word"), "ol", "pieces");
    chip(frame, meta, i);
  });
  list.replaceChildren(frames);
});
