// Elements: made once and found again, for a component's function runs again on every change of its data.

export const make = (tag, className = "", textContent = "") =>
  Object.assign(document.createElement(tag), { className, textContent });

export const put = (parent, tag, className = "", text = "") => parent.appendChild(make(tag, className, text));

// The child of `parent` with this class, made on first use.
export function child(parent, tag, className) {
  return [...parent.children].find((element) => element.classList.contains(className)) ?? put(parent, tag, className);
}

// [x, y] of a pointer event in the element's own pixels, also where Present zooms the picture.
export function placeIn(element, { clientX, clientY }) {
  const { left, top } = element.getBoundingClientRect();
  const zoom = element.currentCSSZoom ?? 1;
  return [(clientX - left) / zoom, (clientY - top) / zoom];
}

// Every element below `root` that has a data-part, by that name.
export const partsOf = (root) =>
  Object.fromEntries([...root.querySelectorAll("[data-part]")].map((element) => [element.dataset.part, element]));

// Calls the newest `relayout(width)` when the element's width changes; one observer for the element's life.
export function onWidth(element, relayout) {
  element.relayout = relayout;
  if (element.widthObserver) return;
  element.seenWidth = element.clientWidth;
  element.widthObserver = new ResizeObserver(() => {
    if (element.clientWidth === element.seenWidth || !element.clientWidth) return;
    element.seenWidth = element.clientWidth;
    element.relayout(element.clientWidth);
  });
  element.widthObserver.observe(element);
}

// Calls `draw(width)` now, if there is room, and again whenever the width or the system's colours change.
export function drawn(element, draw) {
  const whenSeen = (width) => width && draw(width);
  onWidth(element, whenSeen);
  whenSeen(element.clientWidth);
}
