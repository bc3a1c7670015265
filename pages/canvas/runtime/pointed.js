// @ts-check
// The token that is pointed at, the same for every drawing of the page.

/** @typedef {{text: string, at: number}} Token  The token at place `at` of a text, which `text` names. */

/** @type {Map<Element, (token: Token | null) => void>} */
const drawings = new Map(); // by their elements, the functions that show the token in them
/** @type {Token | null} */
let pointed = null;

/**
 * Point at a token, or at none, in every drawing of the page.
 * @param {Token | null} token
 */
export function pointAt(token) {
  if (token?.text === pointed?.text && token?.at === pointed?.at) return;
  pointed = token;
  for (const [element, show] of drawings) {
    if (element.isConnected) show(token);
    else drawings.delete(element);
  }
}

/**
 * Call the element's newest `show(token)` now, and whenever another token is pointed at.
 * @param {Element} element
 * @param {(token: Token | null) => void} show
 */
export function whenPointed(element, show) {
  drawings.set(element, show);
  show(pointed);
}
