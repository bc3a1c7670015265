// @ts-check
// A model as an SVG picture made from its boxes and lines, with a button on each box. The tokens of a text go from box to
// box: arrow left and right step, space plays; arrow up and down go from box to box.

import { component, sheetsOf } from "../runtime/component.js";
import { around, buttonsOf, child, drawn, focusedBeside, make, put } from "../runtime/dom.js";
import { saveBar } from "../runtime/save.js";
import { stateOf } from "../runtime/state.js";
import { svgSurface } from "../runtime/surface.js";
import { readTheme } from "../runtime/theme.js";
import { FlowPlayer } from "./flow.js";
import { layOut } from "./layout.js";
import { paintModel } from "./paint.js";
import { paintTrain } from "./train.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "model_drawing.css");

/** @import { Data, Send } from "../runtime/component.js" */
/** @import { Packed } from "../runtime/unpack.js" */
/** @import { Flow } from "./flow.js" */
/** @import { Layout, Model, Part, Pile } from "./layout.js" */
/** @typedef {Model & {name: string, flow: Flow | null, step: number, tells: boolean}} Meta  tells: the page hears of steps. */

const MARGIN = 16; // round the picture in a saved file

/** Return the frames and boxes of a pile. @param {Pile} pile @returns {Part[]} */
const rankBoxes = ({ ranks }) => {
  const seen = new Set();
  return ranks.flatMap(({ frame, boxes }) => {
    if (!frame || seen.has(frame.key)) return boxes;
    seen.add(frame.key);
    return [frame, ...boxes];
  });
};

/** Say what a box is, for its tip, for a screen reader and for the list. @param {Part} box */
export function wordsOf(box) {
  const counted = box.parameters.toLocaleString("en-US") + (box.parameters === 1 ? " parameter" : " parameters");
  return [box.title, box.shape, box.learns ? counted : "", box.about].filter(Boolean);
}

/**
 * Turn SVG into nodes. What people typed is text in it: svgSurface escapes it, and nothing is read as HTML.
 * @param {string} svg
 */
function picture(svg) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  parsed.setAttribute("aria-hidden", "true"); // a screen reader reads the buttons on the picture instead
  return document.importNode(parsed, true);
}

/** Write the same in words, folded: an ordered list for each stack. @param {HTMLElement} twin @param {Pile[]} piles */
function list(twin, piles) {
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

/**
 * Return whether the address asks for this step: it is new, and no echo of what was sent from here. pending: what was sent
 * and has no echo yet; of steps that were sent one soon after the other, only the last may have one.
 * @param {{pending: number[], asked: number | null}} state
 * @param {number} step
 */
export function isAsked(state, step) {
  const echo = state.pending.indexOf(step);
  const asked = echo < 0 && step !== state.asked;
  state.pending.splice(0, asked ? Infinity : echo + 1);
  state.asked = step;
  return asked;
}

class ModelDrawing {
  /** @type {Meta} */
  meta;
  /** @type {Send} */
  send;
  /** @type {Packed[]} */
  strips = [];
  /** @type {Map<string, Part>} */
  named = new Map(); // the boxes by their keys
  /** @type {Map<string, string>} */
  placeOf = new Map(); // the titles of their piles, where there are several
  /** @type {string[]} */
  order = []; // of the boxes
  cursor = ""; // the key of the box that has the keyboard focus
  /** @type {Layout | null} */
  layout = null;
  /** @type {number[]} */
  pending = [];
  /** @type {number | null} */
  asked = null; // the step of the address
  /** @type {number | null} */
  sent = null; // the step that was sent to the page last

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.body = child(root, "div", "body");
    const beside = child(this.body, "div", "side");
    this.panel = child(beside, "div", "panel");
    this.foot = child(beside, "div", "foot");
    this.twin = child(beside, "details", "twin");
    this.figure = child(this.body, "div", "figure");
    this.spots = child(this.figure, "div", "spots");
    this.listen(this.spots);
    this.playKeys();
    this.player = new FlowPlayer(this.panel, (moved) => this.arrive(moved), (step) => this.rest(step));
  }

  /** @param {Meta} meta @param {Packed[]} arrays @param {Send} send */
  update(meta, arrays, send) {
    Object.assign(this.root, { role: "group", ariaLabel: meta.name });
    [this.meta, this.send] = [meta, send];
    const { piles } = meta;
    this.named = new Map(piles.flatMap(rankBoxes).map((box) => [box.key, box]));
    const titled = piles.length > 1 ? piles : [];
    this.placeOf = new Map(titled.flatMap((pile) => rankBoxes(pile).map(({ key }) => [key, pile.title])));
    this.strips = meta.flow?.steps.map((_, i) => arrays[i]) ?? [];
    this.panel.hidden = !meta.flow;
    if (isAsked(this, meta.step)) [this.sent, this.player.at] = [null, meta.step];
    list(this.twin, piles);
    drawn(this.root, (room) => this.draw(room));
  }

  /** @param {number} step */
  rest(step) {
    if (this.sent === step) return;
    this.sent = step;
    if (!this.meta.tells) return;
    this.pending.push(step);
    this.send("step", step);
  }

  /** @param {Layout} layout */
  drawSpots({ rects, look, frames }) {
    const [box, boxes] = [this.spots, this.meta.piles.flatMap(rankBoxes)];
    const focused = box.contains(focusedBeside(this.root));
    this.order = boxes.map(({ key }) => key);
    // The box that has the keyboard focus; in a layer that has been opened since, its first box.
    const { order, cursor } = this;
    this.cursor = order.find((key) => key === cursor) ?? order.find((key) => key.startsWith(cursor + ".")) ?? order[0];
    while (box.children.length > boxes.length) box.lastElementChild?.remove();
    boxes.forEach((each, i) => {
      const spot = buttonsOf(this.spots)[i] ?? Object.assign(put(box, "button", "spot"), { type: "button" });
      const { x, y, w, h } = rects[each.key];
      const high = frames.includes(each.key) && look.title ? look.title : h;
      Object.assign(spot.style, { left: x + "px", top: y + "px", width: w + "px", height: high + "px" });
      spot.dataset.key = each.key;
      const words = wordsOf(each);
      const does = each.does ? "Press Enter " + each.does : "";
      spot.ariaLabel = [this.placeOf.get(each.key), ...words, does].filter(Boolean).join(", ");
      spot.dataset.tip = [...words, ...(each.does ? ["Click " + each.does] : [])].join("\n");
      spot.ariaDisabled = String(!each.does);
      spot.tabIndex = each.key === this.cursor ? 0 : -1;
    });
    if (focused) this.focus(this.cursor);
  }

  /** @param {HTMLElement} box */
  listen(box) {
    /** @param {Event} event */
    const at = (event) => around(event, ".spot")?.dataset.key ?? "";
    box.onclick = (event) => {
      if (this.named.get(at(event))?.does) this.send("pick", at(event));
    };
    box.onkeydown = (event) => {
      const here = this.order.indexOf(at(event));
      const last = this.order.length - 1;
      /** @type {Record<string, number>} */
      const places = { ArrowUp: here - 1, ArrowDown: here + 1, Home: 0, End: last };
      const to = places[event.key];
      if (to === undefined || here < 0) return;
      event.preventDefault();
      this.focus(this.order[Math.min(last, Math.max(0, to))]);
    };
    box.addEventListener("focusin", (event) => at(event) && this.roam(at(event)));
  }

  /** @param {string} key */
  roam(key) {
    this.cursor = key;
    for (const spot of buttonsOf(this.spots)) spot.tabIndex = spot.dataset.key === key ? 0 : -1;
  }

  /** @param {string} key */
  focus(key) {
    this.roam(key);
    buttonsOf(this.spots).find((spot) => spot.dataset.key === key)?.focus();
  }

  /** Listen to keys of the whole drawing; a button keeps its own space and Enter, the slider its arrows. */
  playKeys() {
    const { root } = this;
    root.onkeydown = (event) => {
      const { player } = this;
      if (!player.flow || event.defaultPrevented || !(event.target instanceof Element)) return;
      if (event.target.matches("input")) return;
      const button = event.target.matches("button:not(.spot)");
      if (event.key === "ArrowRight") player.press("step");
      else if (event.key === "ArrowLeft") player.press("back");
      else if (event.key === " " && !button) player.press("play");
      else return;
      event.preventDefault();
    };
    root.onkeyup = (event) => {
      if (event.key === " " && event.target instanceof Element && event.target.matches(".spot")) event.preventDefault();
    };
  }

  /** Frame the box that the tokens have reached, and bring it into view only where the visitor moves them. @param {boolean} moved */
  arrive(moved) {
    const { player, layout, figure } = this;
    if (!layout || !player.flow) return;
    const key = player.flow.steps[player.at].box;
    for (const spot of buttonsOf(this.spots)) {
      spot.classList.toggle("now", spot.dataset.key === key);
      if (moved && spot.dataset.key === key) spot.scrollIntoView({ block: "nearest", behavior: "auto" });
    }
    player.chips(child(figure, "div", "train"), layout);
  }

  /** @param {number} room */
  draw(room) {
    const theme = { ...readTheme(this.root), least: 0 };
    const { meta, figure, player } = this;
    const beside = Boolean(meta.flow) && room >= 760;
    this.body.classList.toggle("beside", beside);
    const layout = layOut(theme, meta, beside ? room - 320 * Math.min(theme.scale, 1.15) : room);
    this.layout = layout;
    const svg = svgSurface(layout.width, layout.height, theme);
    paintModel(svg, theme, meta, layout);
    Object.assign(figure.style, { width: layout.width + "px", height: layout.height + "px" });
    child(figure, "div", "picture").replaceChildren(picture(String(svg)));
    this.drawSpots(layout);
    const train = Object.assign(child(figure, "div", "train"), { ariaHidden: "true", hidden: !meta.flow });
    train.style.setProperty("--scale", String(layout.scale));
    if (meta.flow) player.update(meta.flow, this.strips, this.named, theme);
    const saved = layOut(theme, meta, layout.width + 2 * MARGIN, MARGIN);
    saveBar(this.foot, meta.name, [saved.width, saved.height], (surface) => {
      paintModel(surface, theme, meta, saved);
      const colour = getComputedStyle(this.root).getPropertyValue("--st-primary-color").trim();
      if (meta.flow) paintTrain(surface, theme, meta.flow, player.at, saved, colour || theme.text);
    });
  }
}

export default component(styles, (root, /** @type {Data<Meta, Packed[]>} */ { meta, arrays }, send) =>
  stateOf(root, ModelDrawing).update(meta, arrays, send),
);
