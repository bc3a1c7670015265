// Keeps what is seen from moving while a page arrives: the page is shown from its top to the first part that is still
// missing. This ends when the page is complete, because the browser looks for such parts at each change, which takes time.
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
  const MISSING = `:is(${KINDS}):not(.st-key-terms *, .st-key-address *)`; // these two show nothing
  const BOXES = ":is([data-testid=stElementContainer], [data-testid=stLayoutWrapper], [data-testid=stColumn])";

  const sheet = new CSSStyleSheet();
  // What has the focus is shown. Streamlit makes texts and labels visible in what is hidden.
  sheet.replaceSync(`[data-testid=stMain] ${BOXES}:has(${MISSING}) ~ :not(:focus-within) {
    &, & :is([data-testid=stMarkdown] > div, label) { visibility: hidden; }
  }`);
  document.adoptedStyleSheets.push(sheet);

  const isComplete = () => {
    const app = document.querySelector("[data-testid=stApp]");
    if (app?.dataset.testScriptState !== "notRunning" || !app.querySelector(END)) return false;
    return !app.querySelector(`[data-testid=stMain] ${MISSING}`);
  };
  let [page, cameAt, looks] = [null, 0, 0];
  setInterval(() => {
    if (page !== location.pathname) [page, cameAt, looks] = [location.pathname, performance.now(), 0];
    if (looks < LOOKS) looks = isComplete() ? looks + 1 : 0;
    if (performance.now() - cameAt > LONGEST_MS) looks = LOOKS;
    sheet.disabled = looks === LOOKS;
  }, LOOK_MS);
}
