// @ts-check
// Gives a drawing on the page the frames of what may be chosen next, which come after the drawing itself.

import { drawAgain } from "../runtime/component.js";
import { byKey } from "../runtime/streamlit_page.js";
import { unpack } from "../runtime/unpack.js";

/** @import { Mount } from "../runtime/component.js" */

/** @param {Mount<Uint8Array>} mount */
export default function ({ data }) {
  const picture = unpack(data);
  const inside = [...document.querySelectorAll(`${byKey(picture.meta.frames.of)} *`)];
  const root = inside.find((element) => element.shadowRoot)?.shadowRoot?.querySelector(".canvas-root");
  if (root) drawAgain(/** @type {HTMLElement} */ (root), picture);
}
