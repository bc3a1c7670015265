// @ts-check
// Vega fills a legend's colour bar with a gradient that it names by the page's whole address, url(http://…?…#gradient_1).
// Once the address changes, the name leads nowhere and the bar stays empty. Its end alone always leads to the gradient.

const WHOLE = /^url\(["']?[^#)]+(#gradient_\d+)["']?\)$/;

/** Name the gradients of all charts by their ends. */
export function nameGradients() {
  for (const bar of document.querySelectorAll('[fill*="#gradient_"]')) {
    bar.setAttribute("fill", (bar.getAttribute("fill") ?? "").replace(WHOLE, "url($1)"));
  }
}
