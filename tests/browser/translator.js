// Does to a page what a browser's translator does, but leaves every word as it is: each text node gets two <font>
// elements round it ("moves"), or they take its place with a copy of the text ("replaces"); and so does whatever is
// drawn later.
(way) => {
  const LEFT = "font, script, style, svg, math, textarea, code, [translate=no]";
  const font = () => document.createElement("font");
  const translate = (text) => {
    if (!text.isConnected || !text.data.trim() || text.parentElement?.closest(LEFT)) return;
    const [outer, inner] = [font(), font()];
    outer.append(inner);
    text.replaceWith(outer);
    inner.append(way === "moves" ? text : text.data);
  };
  const textsIn = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return [node];
    const [walker, found] = [document.createTreeWalker(node, NodeFilter.SHOW_TEXT), []];
    while (walker.nextNode()) found.push(walker.currentNode);
    return found;
  };
  const all = (nodes) => nodes.flatMap(textsIn).forEach(translate);
  new MutationObserver((changes) => {
    all(changes.flatMap(({ addedNodes, target, type }) => (type === "characterData" ? [target] : [...addedNodes])));
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
  all([document.body]);
}
