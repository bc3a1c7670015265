// @ts-check
// From what Streamlit calls on every change of the data to a drawing in its root, under its style sheets.

import { redraw } from "./dom.js";
import { drawFrames, drawWithoutFrames } from "./frames.js";
import { tips } from "./tips.js";
import { unpack } from "./unpack.js";

/** @typedef {(event: string, value: unknown) => void} Send  Tells the page of an event; the page runs again. */
/**
 * What Streamlit calls a component with: its data, where it stands, and how it tells the page of an event.
 * @template [D=any]
 * @typedef {{data: D, parentElement: ParentNode & Node, setTriggerValue: Send}} Mount
 */
/**
 * What a drawing is drawn from: plain values, and arrays by their names.
 * @template M
 * @template [A={}]
 * @typedef {{meta: M, arrays: A}} Data
 */

/** @type {Map<string, Promise<CSSStyleSheet>>} */
const sheets = new Map(); // the style sheets by their addresses, shared by all drawings
/** @type {WeakSet<Element>} */
const dressed = new WeakSet(); // roots that have their style sheets
/** @typedef {(root: HTMLElement, data: Data<any, any>, send: Send) => void} Update */
/** @type {WeakMap<Element, {update: Update, send: Send, picture: Data<any, any>, number: number}>} */
const drawers = new WeakMap(); // the data with which each root was drawn last, and the number of these data

/**
 * Fetch the style sheets at addresses that are relative to `home`. Rejects where one cannot be fetched.
 * @param {string} home
 * @param {string[]} addresses
 */
export const sheetsOf = (home, ...addresses) =>
  Promise.all(
    addresses.map((address) => {
      const { href } = new URL(address, home);
      const sheet = sheets.get(href) ?? fetchSheet(href);
      sheets.set(href, sheet);
      return sheet;
    }),
  );

/** @param {string} href */
async function fetchSheet(href) {
  const answer = await fetch(href);
  if (!answer.ok) throw new Error("no style sheet at " + href);
  return new CSSStyleSheet().replace(await answer.text());
}

/**
 * Return the default export of a component's module, which calls `update` with the data at each change of them.
 * @param {CSSStyleSheet[]} styles
 * @param {Update} update
 * @returns {(mount: Mount) => void}
 */
export const component = (styles, update) => ({ data, parentElement, setTriggerValue }) => {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".canvas-root"));
  if (!dressed.has(root)) {
    /** @type {Document | ShadowRoot} */ (root.getRootNode()).adoptedStyleSheets = styles;
    dressed.add(root);
  }
  tips(root);
  const picture = data instanceof Uint8Array ? unpack(data) : { meta: data, arrays: {} };
  drawers.set(root, { update, send: setTriggerValue, picture, number: numberOf(data) });
  const draw = picture.meta?.frames || picture.meta?.openCell ? drawFrames : drawWithoutFrames;
  draw(root, picture, update, setTriggerValue);
};

/** Return the number at the end of the data, which stamps.py puts there. @param {unknown} data */
const numberOf = (data) =>
  data instanceof Uint8Array ? new DataView(data.buffer, data.byteOffset + data.byteLength - 4).getUint32(0, true) : -1;

/**
 * Give a drawing frames, unless it has been drawn anew since they were made.
 * @param {HTMLElement} root
 * @param {Data<any, any>} added  What `Frames.differing` of frames.py returns.
 */
export function addFrames(root, { meta, arrays }) {
  const drawer = drawers.get(root);
  if (!drawer || drawer.number !== meta.number) return;
  const { picture, update, send } = drawer;
  const { answers, frames } = meta;
  drawFrames(root, { meta: { ...picture.meta, answers, frames }, arrays: { ...picture.arrays, ...arrays } }, update, send);
}

const shadows = () => [...document.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);

function redrawAll() {
  for (const shadow of shadows()) shadow.querySelectorAll("*").forEach(redraw);
}

const paper = matchMedia("print");

/** Make what would have to be scrolled smaller while it is on paper. */
function fitPaper() {
  for (const shadow of shadows())
    for (const box of /** @type {NodeListOf<HTMLElement>} */ (shadow.querySelectorAll(".scroll"))) {
      box.style.zoom = "";
      if (paper.matches && box.clientWidth) box.style.zoom = String(Math.min(1, box.clientWidth / box.scrollWidth));
    }
}
paper.addEventListener("change", fitPaper);
// A picture follows when the visitor's system starts or stops to set all colours, and when Present has fitted it.
matchMedia("(forced-colors: active)").addEventListener("change", redrawAll);
document.addEventListener("picture-fitted", redrawAll);
