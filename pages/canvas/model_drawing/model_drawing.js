// A model as an SVG picture made from its boxes and lines, with a button on each box. The tokens of a text go from box to
// box: arrow left and right step, space plays; arrow up and down go from box to box.

import { component, sheetsOf } from "../runtime/component.js";
import { child, drawn, make, put } from "../runtime/dom.js";
import { saveBar } from "../runtime/save.js";
import { svgSurface } from "../runtime/surface.js";
import { readTheme } from "../runtime/theme.js";
import { FlowPlayer } from "./flow.js";
import { layOut } from "./layout.js";
import { paintModel } from "./paint.js";
import { paintTrain } from "./train.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "model_drawing.css");

const MARGIN = 16; // round the picture in a saved file

const rankBoxes = ({ ranks }) => {
  const seen = new Set();
  return ranks.flatMap(({ frame, boxes }) => {
    const first = frame && !seen.has(frame.key);
    if (first) seen.add(frame.key);
    return first ? [frame, ...boxes] : boxes;
  });
};

// What a box is, in words: for its tip, for a screen reader and for the list.
export function wordsOf(box) {
  const counted = box.parameters.toLocaleString("en-US") + (box.parameters === 1 ? " parameter" : " parameters");
  return [box.title, box.shape, box.learns ? counted : "", box.about].filter(Boolean);
}

// The picture as nodes. What people typed is text in it: svgSurface escapes it, and nothing is read as HTML.
function picture(svg) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  parsed.setAttribute("aria-hidden", "true"); // the buttons on it say the same
  return document.importNode(parsed, true);
}

// The box where the keyboard stands; of a layer that is open now its first box.
const stillThere = ({ cursor, order }) =>
  order.find((key) => key === cursor) ?? order.find((key) => key.startsWith(cursor + ".")) ?? order[0];

function spots(root, box, layout) {
  const { rects, look, frames } = layout;
  const boxes = root.meta.piles.flatMap(rankBoxes);
  const focused = box.contains(root.getRootNode().activeElement);
  root.order = boxes.map(({ key }) => key);
  root.cursor = stillThere(root);
  while (box.children.length > boxes.length) box.lastChild.remove();
  boxes.forEach((each, i) => {
    const spot = box.children[i] ?? Object.assign(put(box, "button", "spot"), { type: "button" });
    const { x, y, w, h } = rects[each.key];
    const high = frames.includes(each.key) && look.title ? look.title : h;
    Object.assign(spot.style, { left: x + "px", top: y + "px", width: w + "px", height: high + "px" });
    spot.dataset.key = each.key;
    const words = wordsOf(each);
    spot.ariaLabel = [root.placeOf.get(each.key), ...words, each.does ? "Press Enter " + each.does : ""].filter(Boolean).join(", ");
    spot.dataset.tip = [...words, ...(each.does ? ["Click " + each.does] : [])].join("\n");
    spot.ariaDisabled = String(!each.does);
    spot.tabIndex = each.key === root.cursor ? 0 : -1;
  });
  if (focused) focusSpot(root, box, root.cursor);
}

function listen(root, box) {
  const at = (event) => event.target.closest(".spot")?.dataset.key;
  box.onclick = (event) => {
    const key = at(event);
    if (key && root.named.get(key).does) root.sendPick(key);
  };
  box.onkeydown = (event) => {
    const here = root.order.indexOf(at(event));
    const last = root.order.length - 1;
    const to = { ArrowUp: here - 1, ArrowDown: here + 1, Home: 0, End: last }[event.key];
    if (to === undefined || here < 0) return;
    event.preventDefault();
    focusSpot(root, box, root.order[Math.min(last, Math.max(0, to))]);
  };
  box.addEventListener("focusin", (event) => at(event) && roam(root, box, at(event)));
}

function roam(root, box, key) {
  root.cursor = key;
  for (const spot of box.children) spot.tabIndex = spot.dataset.key === key ? 0 : -1;
}

function focusSpot(root, box, key) {
  roam(root, box, key);
  [...box.children].find((spot) => spot.dataset.key === key).focus();
}

// Keys of the whole drawing; a button keeps its own space and Enter, the slider its arrows.
function playKeys(root) {
  root.onkeydown = (event) => {
    const { player } = root;
    if (!player?.flow || event.target.matches("input") || event.defaultPrevented) return;
    const button = event.target.matches("button:not(.spot)");
    if (event.key === "ArrowRight") player.press("step");
    else if (event.key === "ArrowLeft") player.press("back");
    else if (event.key === " " && !button) player.press("play");
    else return;
    event.preventDefault();
  };
  root.onkeyup = (event) => event.key === " " && event.target.matches(".spot") && event.preventDefault();
}

// The box that the tokens have reached is framed; it is brought into view only where the visitor moves them.
function arrive(root, moved) {
  const { player, layout, figure } = root;
  if (!layout || !player?.flow) return;
  const key = player.flow.steps[player.at].box;
  for (const spot of child(figure, "div", "spots").children) {
    spot.classList.toggle("now", spot.dataset.key === key);
    if (moved && spot.dataset.key === key) spot.scrollIntoView({ block: "nearest", behavior: "auto" });
  }
  player.chips(child(figure, "div", "train"), layout);
}

function draw(root, room) {
  const theme = readTheme(root);
  const { meta, body, figure } = root;
  const beside = meta.flow && room >= 760;
  body.classList.toggle("beside", Boolean(beside));
  const layout = layOut(theme, meta, beside ? room - 320 * Math.min(theme.scale, 1.15) : room);
  Object.assign(root, { layout });
  const svg = svgSurface(layout.width, layout.height, theme);
  paintModel(svg, theme, meta, layout);
  Object.assign(figure.style, { width: layout.width + "px", height: layout.height + "px" });
  child(figure, "div", "picture").replaceChildren(picture(String(svg)));
  spots(root, child(figure, "div", "spots"), layout);
  const train = Object.assign(child(figure, "div", "train"), { ariaHidden: "true", hidden: !meta.flow });
  train.style.setProperty("--scale", layout.scale);
  if (meta.flow) root.player.update(meta.flow, root.strips, root.named, theme);
  const saved = layOut(theme, meta, layout.width + 2 * MARGIN, MARGIN);
  saveBar(root.foot, meta.name, [saved.width, saved.height], (surface) => {
    paintModel(surface, theme, meta, saved);
    if (meta.flow) paintTrain(surface, theme, meta.flow, root.player.at, saved, colourOf(root) || theme.text);
  });
}

const colourOf = (root) => getComputedStyle(root).getPropertyValue("--st-primary-color").trim();

// The same in words, folded: an ordered list for each stack.
function list(twin, { piles }) {
  child(twin, "summary", "").textContent = "The drawing as text";
  const lists = piles.map((pile) => {
    const part = make("div", "part");
    put(part, "h4", "", pile.title);
    const items = put(part, "ol");
    for (const box of rankBoxes(pile)) put(items, "li", "", wordsOf(box).join(", "));
    return part;
  });
  for (const part of twin.querySelectorAll(".part")) part.remove();
  twin.append(...lists);
}

function build(root, send) {
  root.body = child(root, "div", "body");
  const beside = child(root.body, "div", "side");
  root.panel = child(beside, "div", "panel");
  root.foot = child(beside, "div", "foot");
  root.twin = child(beside, "details", "twin");
  root.figure = child(root.body, "div", "figure");
  listen(root, child(root.figure, "div", "spots"));
  playKeys(root);
  const rested = (step) => {
    if (root.sent === step) return;
    root.sent = step;
    if (root.meta.tells) root.pending.push(step);
    root.sendStep(step);
  };
  root.pending = [];
  root.player = new FlowPlayer(root, root.panel, (moved) => arrive(root, moved), rested);
}

// Whether the address asks for this step: it is new, and no echo of what was sent from here. pending: what was sent and
// has no echo yet; of steps that were sent one soon after the other, only the last may have one.
export function isAsked(root, step) {
  const echo = root.pending.indexOf(step);
  const asked = echo < 0 && step !== root.asked;
  root.pending.splice(0, asked ? Infinity : echo + 1);
  root.asked = step;
  return asked;
}

export default component(styles, (root, { meta, arrays }, send) => {
  Object.assign(root, { meta, role: "group", ariaLabel: meta.name });
  root.sendPick = (key) => send("pick", key);
  root.sendStep = (step) => meta.tells && send("step", step);
  if (!root.body) build(root);
  root.named = new Map(meta.piles.flatMap(rankBoxes).map((box) => [box.key, box]));
  root.placeOf = new Map(meta.piles.length > 1 ? meta.piles.flatMap((pile) => rankBoxes(pile).map(({ key }) => [key, pile.title])) : []);
  root.strips = meta.flow?.steps.map((_, i) => arrays[i]) ?? [];
  root.panel.hidden = !meta.flow;
  if (isAsked(root, meta.step)) Object.assign(root, { sent: null }).player.at = meta.step;
  list(root.twin, meta);
  drawn(root, (room) => draw(root, room));
});
