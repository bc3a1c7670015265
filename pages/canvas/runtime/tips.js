// Words beside the pointer. They repeat what a screen reader is told otherwise, so they are hidden from it.

import { child, make } from "./dom.js";

// show(x, y, lines): viewport pixels, as in a pointer event; the first line is the strong one.
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

// Every element below `root` that has a data-tip shows it, line by line, to a mouse.
export function tips(root) {
  const tip = tooltip(root);
  root.onpointerover = ({ target, pointerType, clientX, clientY }) => {
    const words = pointerType === "mouse" && target.closest("[data-tip]")?.dataset.tip;
    if (words) tip.show(clientX, clientY, words.split("\n"));
    else tip.hide();
  };
  root.onpointerleave = () => tip.hide();
}
