// @ts-check
// Keeps what is seen from moving while a page arrives: the page is shown from its top to the first part that is still
// missing. This ends when the page is complete.
{
  const LOOK_MS = 100;
  const LOOKS = 5; // in a row that must find the page complete: between two of its parts it seems to be
  const LONGEST_MS = 30_000; // then the page is shown as far as it is there
  const END = ".st-key-neighbours"; // the last part of a page
  const KINDS = [
    "[data-testid=stSkeleton]", // Streamlit's own parts
    "[data-testid=stBidiComponentIsolated]:not([data-drawn])", // drawings
    "[data-testid=stVegaLiteChart]:empty", // charts
  ];
  const MISSING = `[data-testid=stMain] :is(${KINDS}):not(.st-key-terms *, .st-key-address *)`; // these two show nothing
  // While the picture is being made, what is drawn below its sentence already would be pushed down by both.
  const UNFILLED = "body:not(:has(.st-key-main-picture)) .st-key-above-picture";
  const BOXES = ["ElementContainer", "LayoutWrapper", "Column", "GridCell"].map((box) => `[data-testid=st${box}]`).join();

  const sheet = new CSSStyleSheet();
  // What has the focus is shown. Streamlit makes texts and labels visible in what is hidden.
  sheet.replaceSync(`[data-incomplete] ~ :not(:focus-within) {
    &, & :is([data-testid=stMarkdown] > div, label) { visibility: hidden; }
  }`);
  document.adoptedStyleSheets.push(sheet);

  // Marks every box that holds a missing part. The selector :has() would say the same without a mark, but Chromium 156
  // goes on hiding what stands behind such a box when nothing in it is missing any more.
  /** @param {Iterable<Element>} missing */
  const mark = (missing) => {
    /** @type {Set<Element>} */
    const boxes = new Set();
    for (const part of missing)
      for (let box = boxAround(part); box; box = boxAround(box)) boxes.add(box);
    document.querySelectorAll("[data-incomplete]").forEach((box) => boxes.has(box) || box.removeAttribute("data-incomplete"));
    boxes.forEach((box) => box.setAttribute("data-incomplete", ""));
  };
  /** @param {Element} element */
  const boxAround = (element) => element.parentElement?.closest(BOXES);
  const app = () => /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=stApp]"));
  const isRunning = () => app()?.dataset.testScriptState !== "notRunning";
  const observer = new MutationObserver(() =>
    mark(document.querySelectorAll(isRunning() ? `${MISSING}, ${UNFILLED}` : MISSING)),
  );
  const watched = { subtree: true, childList: true, attributeFilter: ["data-drawn", "data-testid", "data-test-script-state"] };

  const isComplete = () => !isRunning() && app()?.querySelector(END) && !app()?.querySelector(MISSING);
  let [page, cameAt, looks] = ["", 0, 0];
  setInterval(() => {
    if (page !== location.pathname) {
      [page, cameAt, looks] = [location.pathname, performance.now(), 0];
      observer.observe(document, watched);
    }
    if (looks === LOOKS) return;
    looks = isComplete() ? looks + 1 : 0;
    if (performance.now() - cameAt > LONGEST_MS) looks = LOOKS;
    if (looks < LOOKS) return;
    observer.disconnect();
    mark([]);
  }, LOOK_MS);
}
