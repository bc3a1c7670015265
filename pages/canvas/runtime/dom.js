// @ts-check
// Elements: made once and found again, for a component's function runs again on every change of its data.

/**
 * Make an element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} className
 * @param {string | number} textContent
 * @returns {HTMLElementTagNameMap[K]}
 */
export const make = (tag, className = "", textContent = "") =>
  Object.assign(document.createElement(tag), { className, textContent });

/**
 * Append a new element to `parent` and return it.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {Node} parent
 * @param {K} tag
 * @param {string} className
 * @param {string | number} text
 * @returns {HTMLElementTagNameMap[K]}
 */
export const put = (parent, tag, className = "", text = "") => parent.appendChild(make(tag, className, text));

/**
 * Return the child of `parent` with this class, which is appended on first use.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {ParentNode & Node} parent
 * @param {K} tag
 * @param {string} className
 * @returns {HTMLElementTagNameMap[K]}
 */
export function child(parent, tag, className) {
  const found = [...parent.children].find((element) => element.classList.contains(className));
  return /** @type {HTMLElementTagNameMap[K] | undefined} */ (found) ?? put(parent, tag, className);
}

/**
 * Return the nearest element around an event's target that matches a selector, or null.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {Event} event
 * @param {string} selector
 * @returns {E | null}
 */
export const around = ({ target }, selector) =>
  target instanceof Element ? /** @type {E | null} */ (target.closest(selector)) : null;

/**
 * Return the buttons below an element, in their order.
 * @param {ParentNode} parent
 * @returns {HTMLButtonElement[]}
 */
export const buttonsOf = (parent) => [...parent.querySelectorAll("button")];

/**
 * Return the element that has the focus in the document or shadow root of `element`, or null.
 * @param {Node} element
 */
export const focusedBeside = (element) => /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement;

/**
 * Return the place of an element in a list, −1 for none.
 * @param {readonly Element[]} elements
 * @param {Element | null | undefined} element
 */
export const placeOf = (elements, element) => (element ? elements.indexOf(element) : -1);

/**
 * Return the place in a line of `count` that an arrow key, Home or End leads to from place `at`, within the line; undefined
 * for another key.
 * @param {string} key
 * @param {number} at
 * @param {number} count
 * @returns {number | undefined}
 */
export function steppedTo(key, at, count) {
  const last = count - 1;
  if (key === "ArrowLeft") return Math.max(0, at - 1);
  if (key === "ArrowRight") return Math.min(last, at + 1);
  return key === "Home" ? 0 : key === "End" ? last : undefined;
}

/**
 * Return [x, y] of a pointer event in the element's own pixels, also where Present zooms the picture.
 * @param {Element} element
 * @param {{clientX: number, clientY: number}} event
 * @returns {[number, number]}
 */
export function placeIn(element, { clientX, clientY }) {
  const { left, top } = element.getBoundingClientRect();
  const zoom = element.currentCSSZoom ?? 1;
  return [(clientX - left) / zoom, (clientY - top) / zoom];
}

/**
 * Return every element below `root` that has a data-part, by that name.
 * @param {ParentNode} root
 * @returns {Record<string, HTMLElement>}
 */
export function partsOf(root) {
  /** @type {NodeListOf<HTMLElement>} */
  const found = root.querySelectorAll("[data-part]");
  return Object.fromEntries([...found].map((element) => [element.dataset.part, element]));
}

/** @typedef {(width: number) => void} Draw */
/** @type {WeakMap<Element, Draw>} */
const drawers = new WeakMap(); // for each element, the function that draws it anew
/** @type {WeakMap<Element, ResizeObserver>} */
const observers = new WeakMap();

/**
 * Draw an element anew, if a function for that was given.
 * @param {Element} element
 */
export const redraw = (element) => drawers.get(element)?.(element.clientWidth);

/**
 * Call the newest `draw(width)` when the system's colours change.
 * @param {Element} element
 * @param {Draw} draw
 */
export const onColours = (element, draw) => void drawers.set(element, draw);

/**
 * Call the newest `draw(width)` when the element's width or the system's colours change.
 * @param {Element} element
 * @param {Draw} draw
 */
export function onWidth(element, draw) {
  onColours(element, draw);
  if (observers.has(element)) return;
  let seen = element.clientWidth;
  const observer = new ResizeObserver(() => {
    if (element.clientWidth === seen || !element.clientWidth) return;
    seen = element.clientWidth;
    redraw(element);
  });
  observers.set(element, observer);
  observer.observe(element);
}

/**
 * Call `draw(width)` now, if there is room, and again whenever the width or the system's colours change.
 * @param {Element} element
 * @param {Draw} draw
 */
export function drawn(element, draw) {
  /** @param {number} width */
  const whenSeen = (width) => {
    if (width) draw(width);
  };
  onWidth(element, whenSeen);
  whenSeen(element.clientWidth);
}
