// Lets Streamlit's React work on a page that the browser translates. A translator moves a text node into a <font>, or
// takes it out of the page and puts a <font> with the translation in its place. React goes on with the nodes that it
// made: it fails to remove them, or to put others before them, and what it writes into them is not seen.
{
  const { removeChild, insertBefore } = Node.prototype;
  const value = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue");
  const translations = new WeakMap(); // by the text node that was taken out, the element in its place

  const isFont = (node) => node?.nodeName === "FONT";
  const standsFor = (node) => (node.isConnected ? node : translations.get(node));

  // The child of `parent` that stands for the node, or is round it; null where there is none.
  const placeIn = (parent, node) => {
    let place = standsFor(node);
    while (place && place.parentNode !== parent) place = place.parentNode;
    return place ?? null;
  };

  Node.prototype.removeChild = function (child) {
    if (child.parentNode === this) return removeChild.call(this, child);
    let gone = standsFor(child);
    while (isFont(gone?.parentNode) && gone.parentNode.childNodes.length === 1) gone = gone.parentNode;
    gone?.remove();
    return child;
  };

  Node.prototype.insertBefore = function (child, next) {
    return insertBefore.call(this, child, next && next.parentNode !== this ? placeIn(this, next) : next);
  };

  // New text is shown, not the translation of the old one.
  const set = function (text) {
    value.set.call(this, text);
    if (!this.isConnected) translations.get(this)?.replaceWith(this);
  };
  Object.defineProperty(Node.prototype, "nodeValue", { ...value, set });

  let isTranslated = false; // most pages are not, and change often
  const note = ({ addedNodes, removedNodes, previousSibling, nextSibling }) => {
    for (const node of removedNodes) {
      if (node.nodeType !== Node.TEXT_NODE || node.isConnected) continue;
      const font = [...addedNodes, previousSibling, nextSibling].find(isFont);
      if (font) translations.set(node, font);
      isTranslated ||= font !== undefined;
    }
    if (!isTranslated) return;
    for (const node of addedNodes) if (node.isConnected) translations.get(node)?.remove();
  };
  new MutationObserver((changes) => changes.forEach(note)).observe(document, { childList: true, subtree: true });
}
