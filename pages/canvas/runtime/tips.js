// @ts-check
// Words beside the pointer. They repeat what a screen reader is told otherwise, so they are hidden from it.

import { around, child, make } from "./dom.js";

/** @typedef {{show: (x: number, y: number, lines: string[]) => void, hide: () => void}} Tooltip */

/**
 * Return the tooltip of a root. show(x, y, lines) takes a pointer event's pixels; the first line is the strong one.
 * @param {HTMLElement} root
 * @returns {Tooltip}
 */
export function tooltip(root) {
  const tip = child(root, "div", "tip");
  tip.popover = "manual";
  tip.setAttribute("aria-hidden", "true");
  return {
    show(x, y, lines) {
      tip.replaceChildren(...lines.map((text) => make("div", "", text)));
      if (!tip.matches(":popover-open")) tip.showPopover();
      const { width, height } = tip.getBoundingClientRect();
      const zoom = tip.currentCSSZoom ?? 1; // of a picture that Present fits to the screen
      const room = document.documentElement.clientWidth - width - 4;
      const top = y - height - 12 < 4 ? y + 18 : y - height - 12;
      Object.assign(tip.style, { left: Math.max(4, Math.min(room, x + 12)) / zoom + "px", top: top / zoom + "px" });
    },
    hide() {
      if (tip.matches(":popover-open")) tip.hidePopover();
    },
  };
}

/**
 * Show the data-tip of every element below `root` to a mouse, line by line.
 * @param {HTMLElement} root
 */
export function tips(root) {
  const tip = tooltip(root);
  root.onpointerover = (event) => {
    const words = event.pointerType === "mouse" && around(event, "[data-tip]")?.dataset.tip;
    if (words) tip.show(event.clientX, event.clientY, words.split("\n"));
    else tip.hide();
  };
  root.onpointerleave = () => tip.hide();
}
