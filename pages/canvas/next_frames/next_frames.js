// @ts-check
// Gives drawings on the page the frames of what may be chosen next, which come after the drawings themselves.

import { addFrames } from "../runtime/component.js";
import { byKey } from "../runtime/streamlit_page.js";
import { inflated, unpack } from "../runtime/unpack.js";

/** @import { Mount } from "../runtime/component.js" */

const STAMP = 8; // bytes at the end, for the loader

/** @param {Mount<Uint8Array>} mount  data: the compressed data of the drawings, each after its length in four bytes. */
export default function ({ data }) {
  const view = new DataView(data.buffer, data.byteOffset);
  for (let start = 0, end; start < data.length - STAMP; start = end) {
    end = start + 4 + view.getUint32(start, true);
    give(data.slice(start + 4, end));
  }
}

/** @param {Uint8Array<ArrayBuffer>} data */
async function give(data) {
  const frames = unpack(await inflated(data, "deflate"));
  const inside = [...document.querySelectorAll(`${byKey(frames.meta.of)} *`)];
  const root = inside.find((element) => element.shadowRoot)?.shadowRoot?.querySelector(".canvas-root");
  if (root) addFrames(/** @type {HTMLElement} */ (root), frames);
}
