// Takes the style sheet of `arriving.css` away when a page has arrived, and brings it back when another page comes.
{
  const LOOK_MS = 100;
  const LOOKS = 5; // that must find the page complete: between two parts of it, it seems to be
  const LONGEST_MS = 30_000; // then the page is shown as far as it is there
  const END = ".st-key-neighbours";
  const PARTS = "[data-testid=stSkeleton], [data-testid=stBidiComponentIsolated]:not([data-drawn])";
  const AWAITED = `:is(${PARTS}, [data-testid=stVegaLiteChart]:empty):not(.st-key-terms *, .st-key-address *)`;
  let [page, came, complete] = [null, 0, 0];

  const isComplete = () => {
    const app = document.querySelector("[data-testid=stApp]");
    const rests = app?.dataset.testScriptState === "notRunning" && app.querySelector(END);
    return rests && !app.querySelector(`[data-testid=stMain] ${AWAITED}`);
  };
  setInterval(() => {
    if (page !== location.pathname) [page, came, complete] = [location.pathname, performance.now(), 0];
    if (complete < LOOKS) complete = isComplete() ? complete + 1 : 0;
    if (performance.now() - came > LONGEST_MS) complete = LOOKS;
    const sheet = document.getElementById("arriving");
    if (sheet && sheet.disabled !== (complete === LOOKS)) sheet.disabled = complete === LOOKS;
  }, LOOK_MS);
}
