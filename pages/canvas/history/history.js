// The address and the browser's history, kept right where Streamlit's own client loses track of them.
//
// A step of the history is a change of page, or a change of settings by the visitor's own hand. Whatever a page writes
// by itself belongs to the step that led to it, and so does what is typed on in the same box. The server says that the
// settings of a page are gone before it says which page comes: both are one step.
//
// Back and Forward are passed on to Streamlit one at a time, when the app stands still (or after PATIENCE). Passed on at
// once, a second step overtakes the run of the first, which then writes its page and its settings over the entry that
// the visitor has gone to. For the same reason nobody else writes into the history while a step waits.
//
// Settings that belong into the address and were lost on the way to a page are put back when the app stands still: before
// that, the address may still be that of the page that was left. That makes no entry of its own, and Streamlit is told as
// if the visitor had come back to this entry.

import { SCRIPT_STATE } from "../runtime/streamlit_page.js";
import { closeMenu } from "./menu.js";
import { showTop } from "./top.js";

const [PATIENCE, ANSWER] = [5000, 5000]; // milliseconds, for the app's rest and for its answer to the last step
const LAPSE = 1000; // milliseconds at rest, after which a click has changed no setting

/** The visitor's own acts: whether a change of the address is the first that follows one, and so a step. */
function watchActs() {
  let [open, followed, byServer, since, box, key] = [false, false, false, 0, null, ""];
  const act = (event) => {
    // The click that ends a press is no act of its own where the press was followed; one from the keyboard is.
    const begins = ["keydown", "pointerdown", "input"].includes(event.type) || (event.type === "click" && !event.detail);
    if (begins) followed = byServer = false;
    if (!followed) [open, since] = [true, performance.now()];
  };
  for (const type of ["pointerdown", "pointerup", "keydown", "input", "click"]) addEventListener(type, act, true);
  return {
    end: () => ([open, byServer, box] = [false, false, null]),
    lapse: (rest) => {
      if (!rest) since = performance.now();
      else if (performance.now() - since > LAPSE) open = false;
    },
    beganByServer: () => byServer,
    begins: (keys, name) => {
      const typing = document.activeElement?.matches("input[type=text], textarea") ? document.activeElement : null;
      const goesOn = typing && typing === box && keys.length === 1 && keys[0] === key;
      const step = open && !goesOn;
      if (step || goesOn) [box, key] = [typing, keys.length === 1 ? keys[0] : ""];
      if (step) byServer = name === "pushState"; // as Streamlit's client writes what the server tells it
      [open, followed] = [false, true];
      return step;
    },
  };
}

/** The settings in which two addresses differ. */
function changedKeys(before, after) {
  const [old, now] = [new URLSearchParams(before), new URLSearchParams(after)];
  const keys = new Set([...old.keys(), ...now.keys()]);
  return [...keys].filter((key) => old.getAll(key).join("\n") !== now.getAll(key).join("\n"));
}

function guard() {
  const app = () => document.querySelector(`[${SCRIPT_STATE}]`);
  const rests = () => app()?.getAttribute(SCRIPT_STATE) === "notRunning";
  const write = Object.fromEntries(["pushState", "replaceState"].map((name) => [name, history[name].bind(history)]));
  const acts = watchActs();
  let [own, waiting, since, sent] = [null, false, 0, -ANSWER];
  let [page, lost] = ["", []];
  const leave = () => {
    acts.end();
    showTop();
    closeMenu();
  };
  const record = (name, [state, title, url]) => {
    const [here, there] = [location, new URL(url ?? "", location.href)];
    if (waiting) return;
    if (there.pathname !== here.pathname) {
      write[acts.beganByServer() ? "replaceState" : name](state, title, url);
      lost = []; // they were lost on the page that is left
      leave();
    } else {
      const keys = changedKeys(here.search, there.search);
      write[keys.length && acts.begins(keys, name) ? "pushState" : "replaceState"](state, title, url);
    }
  };
  for (const name in write) history[name] = (...entry) => record(name, entry);

  const busy = () => {
    const running = !rests();
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
    acts.end();
    lost = [];
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
  const [{ name: opened }] = performance.getEntriesByType("navigation");
  if (new URL(opened).pathname !== location.pathname) leave(); // another page was chosen before this one was drawn
  setInterval(() => {
    pass();
    acts.lapse(rests());
    if (lost.length && !busy()) restore();
  }, 50);
  return (data) => {
    if (data.lacks) lost = data.lacks;
    if (page && data.page && data.page !== page) leave();
    page = data.page ?? page;
  };
}

export default function ({ data }) {
  (window.attentionExplorerHistory ??= guard())(data);
}
