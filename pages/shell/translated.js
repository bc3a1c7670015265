// @ts-check
// Lets Streamlit's React work on a page that the browser translates. A translator moves a text node into a <font>, or
// takes it out of the page and puts a <font> with the translation in its place. React goes on with the nodes that it
// made: it fails to remove them, or to put others before them, and what it writes into them is not seen.
{
  const { removeChild, insertBefore } = Node.prototype;
  const value = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue");
  /** @type {WeakMap<Node, HTMLElement>} */
  const translations = new WeakMap(); // by the text node that was taken out, the element in its place

  /** @param {Node | null | undefined} node @returns {node is HTMLElement} */
  const isFont = (node) => node?.nodeName === "FONT";
  /** @param {Node} node @returns {Node | undefined} */
  const standsFor = (node) => (node.isConnected ? node : translations.get(node));

  /** Find the child of `parent` that stands for the node, or is round it. @param {Node} parent @param {Node} node */
  const placeIn = (parent, node) => {
    let place = /** @type {Node | null | undefined} */ (standsFor(node));
    while (place && place.parentNode !== parent) place = place.parentNode;
    return place ?? null;
  };

  /**
   * @template {Node} T
   * @param {T} child
   * @returns {T}
   */
  Node.prototype.removeChild = function (child) {
    if (child.parentNode === this) return /** @type {T} */ (removeChild.call(this, child));
    let gone = standsFor(child);
    for (let font = gone?.parentNode; isFont(font) && font.childNodes.length === 1; font = font.parentNode) gone = font;
    /** @type {ChildNode | undefined} */ (gone)?.remove();
    return child;
  };

  /**
   * @template {Node} T
   * @param {T} child
   * @param {Node | null} next
   * @returns {T}
   */
  Node.prototype.insertBefore = function (child, next) {
    const place = next && next.parentNode !== this ? placeIn(this, next) : next;
    return /** @type {T} */ (insertBefore.call(this, child, place));
  };

  // New text is shown, not the translation of the old one.
  /** @this {Text} @param {string | null} text */
  const set = function (text) {
    value?.set?.call(this, text);
    if (!this.isConnected) translations.get(this)?.replaceWith(this);
  };
  Object.defineProperty(Node.prototype, "nodeValue", { ...value, set });

  let isTranslated = false; // most pages are not, and change often
  /** @param {MutationRecord} change */
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
