// Words of two texts as buttons, and lines from the one that is pointed at, touched or focused to those of the other text.

import { component, sheetsOf } from "../runtime/component.js";
import { child, drawn, make, put } from "../runtime/dom.js";
import { isolate } from "../runtime/text.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "bridge.css");
const SVG = "http://www.w3.org/2000/svg";
const [LEAST, NAMED] = [0.02, 3]; // the weakest line that is drawn; how many words a sentence names

// The weights of one word towards the other text: a row for a written word, a column for one that was read.
export function weightsOf({ weights, written, read }, { side, at }) {
  const keys = read.length;
  if (side === "written") return [...weights.slice(at * keys, (at + 1) * keys)];
  return written.map((_, row) => weights[row * keys + at]);
}

export const percent = (share) =>
  share > 0.99 && share < 1 ? "more than 99%" : Math.round(100 * share) + "%";

// One sentence about the word: the words of the other text with the largest weights.
export function sentence(picture, place) {
  const [weights, others] = [weightsOf(picture, place), place.side === "written" ? picture.read : picture.written];
  const order = weights.map((_, i) => i).sort((a, b) => weights[b] - weights[a]);
  const named = order.filter((i) => weights[i] >= LEAST).slice(0, NAMED);
  const list = named.map((i) => `“${isolate(others[i])}” (${percent(weights[i])})`);
  const listed = list.length > 1 ? list.slice(0, -1).join(", ") + " and " + list.at(-1) : list[0];
  const word = `“${isolate(picture[place.side][place.at])}”`;
  if (place.side === "written") return listed ? `To write ${word}, the model looked at ${listed}.` : "";
  return listed ? `The model looked at ${word} to write ${listed}.` : `The model looked at ${word} for no word.`;
}

function fill(list, words, told) {
  words.forEach((word, i) => {
    const button = list.children[i]?.firstChild ?? put(put(list, "li", ""), "button", "word");
    button.type = "button";
    button.replaceChildren(make("bdi", "", word));
    button.classList.toggle("told", told.includes(i));
  });
  while (list.children.length > words.length) list.lastElementChild.remove();
}

const buttonsOf = (list) => [...list.querySelectorAll("button")];

function lines(svg, root, from, to, weights, down) {
  const home = root.getBoundingClientRect();
  svg.setAttribute("viewBox", `0 0 ${home.width} ${home.height}`);
  const end = (element, low) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2 - home.left, (low ? box.bottom : box.top) - home.top];
  };
  const paths = weights.map((weight, i) => [weight, i]).filter(([weight]) => weight >= LEAST);
  svg.replaceChildren(
    ...paths.map(([weight, i]) => {
      const [[x, y], [u, v]] = [end(from, down), end(to[i], !down)];
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", `M${x} ${y}C${x} ${(y + v) / 2} ${u} ${(y + v) / 2} ${u} ${v}`);
      path.setAttribute("stroke-width", 1 + 7 * weight);
      path.setAttribute("stroke-opacity", 0.25 + 0.75 * weight);
      return path;
    }),
  );
}

function show(root, picture, place) {
  root.place = place;
  const sides = { read: buttonsOf(root.lists.read), written: buttonsOf(root.lists.written) };
  const other = place.side === "read" ? "written" : "read";
  const weights = weightsOf(picture, place);
  for (const side in sides)
    sides[side].forEach((button, i) => {
      const share = side === other ? weights[i] : 0;
      button.style.setProperty("--share", Math.round(100 * share) + "%");
      button.classList.toggle("chosen", side === place.side && i === place.at);
    });
  lines(root.svg, root.stage, sides[place.side][place.at], sides[other], weights, place.side === "read");
  root.said.textContent = sentence(picture, place);
}

function listen(list, side, root) {
  const at = (event) => buttonsOf(list).indexOf(event.target.closest("button"));
  const pointed = (event) => at(event) >= 0 && root.show({ side, at: at(event) });
  list.onpointerover = pointed;
  if (list.pointed) list.removeEventListener("focusin", list.pointed);
  list.addEventListener("focusin", (list.pointed = pointed));
  list.onclick = (event) => at(event) >= 0 && root.show((root.kept = { side, at: at(event) }));
  list.onkeydown = (event) => {
    const buttons = buttonsOf(list);
    const to = { ArrowLeft: at(event) - 1, ArrowRight: at(event) + 1 }[event.key];
    if (buttons[to]) buttons[to].focus();
  };
}

export default component(styles, (root, { meta, arrays }) => {
  const picture = { ...meta, weights: arrays.weights.values };
  const stage = (root.stage = child(root, "div", "bridge"));
  Object.assign(stage, { role: "group", ariaLabel: meta.name });
  child(stage, "p", "above").textContent = meta.above;
  const read = child(stage, "ol", "read");
  child(stage, "div", "gap");
  child(stage, "p", "below").textContent = meta.below;
  const written = child(stage, "ol", "written");
  if (!root.svg) {
    root.svg = stage.appendChild(document.createElementNS(SVG, "svg"));
    root.svg.setAttribute("aria-hidden", "true");
  }
  root.said = child(root, "p", "said");
  root.said.ariaLive = "polite";
  root.lists = { read, written };
  fill(read, meta.read, []);
  fill(written, meta.written, meta.told);
  root.show = (place) => show(root, picture, place);
  listen(read, "read", root);
  listen(written, "written", root);
  if (root.words !== (root.words = JSON.stringify([meta.read, meta.written]))) root.kept = null;
  const opened = () => root.kept ?? { side: "written", at: Math.min(meta.opened, meta.written.length - 1) };
  stage.onpointerleave = () => root.show(opened());
  if (meta.written.length) drawn(stage, () => root.show(opened()));
});
