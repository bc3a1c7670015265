// Chips in the order of the text; the chips of one word share a frame.

const put = (parent, tag, className, text = "") =>
  parent.appendChild(Object.assign(document.createElement(tag), { className, textContent: text }));

function chip(parent, { pieces, ids, words, wordLabels }, i) {
  const item = put(parent, "li", "chip");
  const word = wordLabels[words[i]];
  item.title = "token " + i + ": " + isolate(pieces[i]) + "\nid " + ids[i] + "\nword " + isolate(word);
  put(item, "bdi", "piece", pieces[i]);
  put(item, "span", "id", ids[i]);
}

export default function ({ data, parentElement }) {
  const list = parentElement.querySelector(".chips");
  const { meta } = unpack(data);
  list.setAttribute("aria-label", meta.name);
  list.tabIndex = 0;
  const frames = document.createDocumentFragment();
  let frame = null;
  meta.pieces.forEach((_, i) => {
    const sameWord = i > 0 && meta.words[i] === meta.words[i - 1];
    if (!sameWord) frame = put(put(frames, "li", "word"), "ol", "pieces");
    chip(frame, meta, i);
  });
  list.replaceChildren(frames);
}
