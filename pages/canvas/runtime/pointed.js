// The token that is pointed at, the same for every drawing of the page: {text, at}, or null. text: whose token it is.

const drawings = new Set(); // elements, each with its `showPointed`
let pointed = null;

export function pointAt(token) {
  if (token?.text === pointed?.text && token?.at === pointed?.at) return;
  pointed = token;
  for (const element of drawings) {
    if (element.isConnected) element.showPointed(token);
    else drawings.delete(element);
  }
}

// Calls the element's newest `show(token)` now, and whenever another token is pointed at.
export function whenPointed(element, show) {
  element.showPointed = show;
  drawings.add(element);
  show(pointed);
}
