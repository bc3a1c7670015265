// The address and the browser's history, kept right where Streamlit's own client loses track of them.
//
// Back and Forward are passed on to Streamlit one at a time, when the app stands still (or after PATIENCE). Passed on at
// once, a second step overtakes the run of the first, which then writes its page and its settings over the entry that
// the visitor has gone to. For the same reason nobody else writes into the history while a step waits.
//
// Settings that belong into the address and were lost on the way to a page are put back when the app stands still: before
// that, the address may still be that of the page that was left. That makes no entry of its own, and Streamlit is told as
// if the visitor had come back to this entry.

const [PATIENCE, ANSWER] = [5000, 5000]; // milliseconds, for the app's rest and for its answer to the last step
const STATE = "data-test-script-state";

function guard() {
  const app = () => document.querySelector(`[${STATE}]`);
  const write = Object.fromEntries(["pushState", "replaceState"].map((name) => [name, history[name].bind(history)]));
  let [own, waiting, since, sent] = [null, false, 0, -ANSWER];
  let [page, lost] = ["", []];
  // A step of the history is a change of page: what a page writes of its settings belongs to the step that led to it.
  const stays = (url) => url !== undefined && new URL(url, location.href).pathname === location.pathname;
  for (const name in write) {
    history[name] = (...entry) => waiting || write[stays(entry[2]) ? "replaceState" : name](...entry);
  }

  const busy = () => {
    const running = app()?.getAttribute(STATE) !== "notRunning";
    if (running) sent = -ANSWER;
    return running ? performance.now() - since < PATIENCE : performance.now() - sent < ANSWER;
  };
  const pass = () => {
    if (busy() || !waiting) return;
    [own, waiting, sent] = [new PopStateEvent("popstate"), false, performance.now()];
    dispatchEvent(own);
  };
  const step = (event) => {
    if (event === own) return;
    event.stopImmediatePropagation();
    if (!waiting) [waiting, since] = [true, performance.now()];
    pass();
  };
  const restore = () => {
    const query = new URLSearchParams(location.search);
    const missing = lost.filter(([key]) => !query.has(key));
    lost = [];
    if (missing.length === 0 || waiting) return;
    for (const [key, value] of missing) query.append(key, value);
    write.replaceState({}, "", `${location.pathname}?${query}${location.hash}`);
    dispatchEvent(new PopStateEvent("popstate"));
  };
  addEventListener("popstate", step, true);
  setInterval(() => {
    pass();
    if (lost.length && app()?.getAttribute(STATE) === "notRunning") restore();
  }, 50);
  return (data) => {
    if (data.lost.length || data.page !== page) [page, lost] = [data.page, data.lost];
  };
}

export default function ({ data }) {
  (window.attentionExplorerHistory ??= guard())(data);
}
