"""How large the words of pictures are on the screen, after every zoom: those painted on canvases too."""

from playwright.sync_api import Frame, Page

LEAST_LABEL, LEAST_NUMBER = 16, 14  # pixels, on a projector; numbers are those in cells
# From now on each canvas keeps the texts that it shows, each with its size in the canvas' own pixels.
RECORD = """() => {
  const { prototype } = CanvasRenderingContext2D;
  const { fillText, clearRect } = prototype;
  if (prototype.recorded) return;
  Object.assign(prototype, {
    recorded: true,
    clearRect(...place) {
      this.canvas.texts = [];
      return clearRect.apply(this, place);
    },
    fillText(text, ...place) {
      const { a, b } = this.getTransform();
      const size = parseFloat(/([\\d.]+)px/.exec(this.font)[1]) * Math.hypot(a, b);
      (this.canvas.texts ??= []).push([text, size]);
      return fillText.call(this, text, ...place);
    },
  });
}"""
# Words that are smaller than they may be: [size, words], of all drawings, of charts, and of the rest of the main
# picture. Charts of rows and drawn models are made smaller as a whole where they are too high: of charts of rows, the
# size before that counts, and drawn models (which have spots to click) are left out.
SMALL = """([label, number, main, picture]) => {
  const isNumber = (text) => /^[\u2066]?[<−-]?[\\d.]+%?[\u2069]?$/.test(text);
  const isSeen = (element) => element.checkVisibility({ checkVisibilityCSS: true, opacityProperty: true });
  const roots = [...document.querySelectorAll(main + " *")].flatMap((element) => element.shadowRoot ?? [])
    .filter((root) => !root.querySelector(".spot"));
  const canvases = roots.flatMap((root) => [...root.querySelectorAll("canvas")]).filter(isSeen);
  const painted = canvases.flatMap((canvas) => (canvas.texts ?? []).map(([text, size]) => {
    const seen = (size * canvas.getBoundingClientRect().width) / canvas.width;
    return [seen, text, isNumber(text) ? number : label];
  }));
  const sizeOf = (element) => {
    const size = parseFloat(getComputedStyle(element).fontSize);
    const ofRows = element.closest("svg.marks") && !element.closest("[class*='-fills']");
    return ofRows ? size : size * (element.currentCSSZoom ?? 1);
  };
  const written = [...roots, ...document.querySelectorAll(picture)].flatMap((root) => {
    const [walker, found] = [document.createTreeWalker(root, NodeFilter.SHOW_TEXT), []];
    while (walker.nextNode()) {
      const { parentElement: element, data } = walker.currentNode;
      const aside = "style, title, .spoken, .tip, .katex, math, [data-testid=stIconMaterial]";
      if (!element || !data.trim() || element.closest(aside) || !isSeen(element)) continue;
      const { width, height } = element.getBoundingClientRect();
      const inChart = element.closest("svg.marks") && isNumber(data);
      if (Math.min(width, height) > 2) found.push([sizeOf(element), data.trim(), inChart ? number : label]);
    }
    return found;
  });
  return [...painted, ...written].filter(([size, , least]) => size < least - 0.05).map(([size, text]) => [size, text]);
}"""


def small_texts(
    tab: Page | Frame, main: str = "[data-testid=stMain]", picture: str = ".st-key-main-picture"
) -> list[str]:
    """The words in pictures that are too small for a projector, one line each.

    main, picture: the selectors of what has the pictures, and of the main picture.
    """
    found = tab.evaluate(SMALL, [LEAST_LABEL, LEAST_NUMBER, main, picture])
    return sorted({f"letters of {size:.1f} pixels: {text[:40]}" for size, text in found})
