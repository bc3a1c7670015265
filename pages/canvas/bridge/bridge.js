// Words of two texts as buttons, and lines from the one that is pointed at, touched or focused to those of the other text.

import { hex, rgbOf } from "../runtime/colours.js";
import { component, sheetsOf } from "../runtime/component.js";
import { child, drawn, make, put } from "../runtime/dom.js";
import { saveBar } from "../runtime/save.js";
import { ellipsis, isolate, signWords } from "../runtime/text.js";
import { readTheme } from "../runtime/theme.js";
import { route } from "./routes.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "bridge.css");
const SVG = "http://www.w3.org/2000/svg";
const [HUE, MARGIN] = ["#d8437d", 16]; // of the lines, as in bridge.css; round the picture in a file
const [WIDE, SLIM] = [7, 4]; // pixels of a weight of 1: of a line on its own, and of one in a gap between words
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
    if (signWords(word)) button.dataset.tip = signWords(word);
    else delete button.dataset.tip;
  });
  while (list.children.length > words.length) list.lastElementChild.remove();
}

const buttonsOf = (list) => [...list.querySelectorAll("button")];

const boxOf = (element, home) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left - home.left, y: top - home.top, width, height };
};

// What is drawn for the chosen word: {curves, width, alpha} for each line that is wide enough to be seen.
function linesOf(root, place, weights) {
  const home = root.stage.getBoundingClientRect();
  const [upper, lower] = ["read", "written"].map((side) => buttonsOf(root.lists[side]).map((each) => boxOf(each, home)));
  const ends = (i) => (place.side === "read" ? [upper[place.at], lower[i]] : [upper[i], lower[place.at]]);
  return weights
    .map((weight, i) => ({ weight, curves: weight >= LEAST && route(ends(i)[0], upper, ends(i)[1], lower) }))
    .filter(({ curves }) => curves)
    .map(({ weight, curves }) => ({
      curves,
      width: 1 + (curves.length > 1 ? SLIM : WIDE) * weight,
      alpha: 0.25 + 0.75 * weight,
    }));
}

function drawLines(root, lines) {
  const { width, height } = root.stage.getBoundingClientRect();
  root.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  root.svg.replaceChildren(
    ...lines.map(({ curves, width, alpha }) => {
      const path = document.createElementNS(SVG, "path");
      const [[x, y]] = curves;
      path.setAttribute("d", `M${x} ${y}` + curves.map((curve) => "C" + curve.slice(2).join(" ")).join(""));
      path.setAttribute("stroke-width", width);
      path.setAttribute("stroke-opacity", alpha);
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
  root.lines = linesOf(root, place, weights);
  drawLines(root, root.lines);
  root.said.textContent = sentence(picture, place);
}

// The picture as it stands, for a file: words, captions, lines and the sentence.
function paint(root, surface) {
  const theme = readTheme(root.stage);
  const home = root.stage.getBoundingClientRect();
  const size = parseFloat(getComputedStyle(root.stage.querySelector(".word")).fontSize);
  const tint = (share) => hex(mix(rgbOf(theme.panel), rgbOf(HUE), share / 2));
  const at = ({ x, y, ...box }) => ({ x: x + MARGIN, y: y + MARGIN, ...box });
  for (const { curves, width, alpha } of root.lines)
    for (const curve of curves)
      surface.curve(curve.map((each) => each + MARGIN), { stroke: HUE, lineWidth: width, alpha });
  for (const button of root.stage.querySelectorAll(".word")) {
    const { x, y, width, height } = at(boxOf(button, home));
    const framed = button.classList.contains("chosen") || button.classList.contains("told");
    const share = parseFloat(button.style.getPropertyValue("--share")) / 100 || 0;
    const frame = framed ? { stroke: theme.text, lineWidth: button.classList.contains("chosen") ? 2 : 1 } : {};
    surface.rect(x, y, width, height, { fill: tint(share), radius: 8, ...frame });
    const weight = button.classList.contains("told") ? 600 : 400;
    const word = ellipsis(theme, button.textContent, width - 8, { size, weight });
    surface.text(word, x + width / 2, y + height / 2, { size, weight, align: "center", baseline: "middle" });
  }
  for (const caption of root.stage.querySelectorAll("p")) {
    const { x, y, height } = at(boxOf(caption, home));
    surface.text(caption.textContent, x, y + height / 2, { size: 13, fill: theme.muted, baseline: "middle" });
  }
  const { width, height } = home;
  const said = ellipsis(theme, root.said.textContent, width, { size: 15 });
  surface.text(said, MARGIN, height + 2 * MARGIN, { size: 15 });
}

const mix = (one, other, share) => one.map((part, i) => part + (other[i] - part) * share);

function sizeOf(root) {
  const { width, height } = root.stage.getBoundingClientRect();
  return [width + 2 * MARGIN, height + 3 * MARGIN];
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
  const written = child(stage, "ol", "written");
  child(stage, "p", "below").textContent = meta.below; // below the words, for the lines come from above
  if (!root.svg) {
    root.svg = document.createElementNS(SVG, "svg");
    stage.prepend(root.svg); // behind the words
    root.svg.setAttribute("aria-hidden", "true");
  }
  root.said = child(root, "p", "said");
  root.said.ariaLive = "polite";
  saveBar(root, meta.name, () => sizeOf(root), (surface) => paint(root, surface));
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
