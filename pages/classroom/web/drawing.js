// @ts-check
// A drawing in a frame: it is shut off from this page, and what is chosen in it goes in and out as messages.

import { make } from "./common.js";

/** @typedef {{name: string, kilobytes: number}} Drawing  Its name in its address, and what it takes to load it. */
/** @import { Choice } from "../../canvas/runtime/framed.js" */

const MOST_PIXELS = 4000; // of height
/** @type {WeakMap<HTMLIFrameElement, Choice>} */
const wanted = new WeakMap(); // what drawings are to show, also those that are not ready yet

/**
 * Make the frame of a drawing. As long as it is shown, it calls told() with what is chosen in it.
 * @param {URL} address
 * @param {{told?: (choice: Choice) => unknown, grows?: boolean}} how  grows: whether it is as high as what is in it.
 */
export function drawingFrame(address, { told = () => {}, grows = false }) {
  const frame = Object.assign(make("iframe"), { src: address.href, title: "The picture of the page" });
  frame.setAttribute("sandbox", "allow-scripts");
  /** @param {MessageEvent} event */
  const hear = ({ source, data }) => {
    if (!frame.isConnected) return removeEventListener("message", hear);
    if (source !== frame.contentWindow || !data) return;
    if (typeof data.height === "number") {
      if (grows) frame.style.height = Math.min(data.height, MOST_PIXELS) + 4 + "px"; // and its border
      if (!frame.dataset.ready) post(frame);
      frame.dataset.ready = "true";
    }
    if (data.picks) told(data);
  };
  addEventListener("message", hear);
  return frame;
}

/**
 * Let a drawing show what is chosen elsewhere, as soon as it is ready.
 * @param {HTMLIFrameElement} frame
 * @param {Choice | null | undefined} choice  null: nothing is.
 */
export function showChoice(frame, choice) {
  if (!choice || JSON.stringify(wanted.get(frame)) === JSON.stringify(choice)) return;
  wanted.set(frame, choice);
  if (frame.dataset.ready) post(frame);
}

/** @param {HTMLIFrameElement} frame */
const post = (frame) => wanted.has(frame) && frame.contentWindow?.postMessage(wanted.get(frame), "*"); // it has no origin
