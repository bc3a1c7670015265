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
/** @type {WeakMap<Element, {update: Update, send: Send}>} */
const drawers = new WeakMap(); // the data with which each root was drawn last

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
  drawers.set(root, { update, send: setTriggerValue });
  drawAgain(root, data instanceof Uint8Array ? unpack(data) : { meta: data, arrays: {} });
};

/**
 * Draw other data in a root that has been drawn before.
 * @param {HTMLElement} root
 * @param {Data<any, any>} picture
 */
export function drawAgain(root, picture) {
  const drawer = drawers.get(root);
  if (!drawer) return;
  const draw = picture.meta?.frames ? drawFrames : drawWithoutFrames;
  draw(root, picture, drawer.update, drawer.send);
}

// A picture follows when the visitor's system starts or stops to set all colours.
matchMedia("(forced-colors: active)").addEventListener("change", () => {
  const shadows = [...document.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
  for (const shadow of shadows) shadow.querySelectorAll("*").forEach(redraw);
});
