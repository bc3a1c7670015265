// @ts-check
// Gives drawings on the page the frames of what may be chosen next, which come after the drawings themselves.

import { drawAgain } from "../runtime/component.js";
import { byKey } from "../runtime/streamlit_page.js";
import { unpack } from "../runtime/unpack.js";

/** @import { Mount } from "../runtime/component.js" */

const STAMP = 8; // bytes at the end, for the loader

/** @param {Mount<Uint8Array>} mount  data: the packed data of the drawings, each after its length in four bytes. */
export default function ({ data }) {
  const view = new DataView(data.buffer, data.byteOffset);
  for (let start = 0, end; start < data.length - STAMP; start = end) {
    end = start + 4 + view.getUint32(start, true);
    give(data.subarray(start + 4, end));
  }
}

/** @param {Uint8Array} data */
function give(data) {
  const picture = unpack(data);
  const inside = [...document.querySelectorAll(`${byKey(picture.meta.frames.of)} *`)];
  const root = inside.find((element) => element.shadowRoot)?.shadowRoot?.querySelector(".canvas-root");
  if (root) drawAgain(/** @type {HTMLElement} */ (root), picture);
}
