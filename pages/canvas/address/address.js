// @ts-check
// The one owner of the browser's address. The server says what the address of the page on the screen is, and how many
// changes Back can take back; Streamlit's own client only says which page comes.
//
// An entry of the history is a change of page, or a change of settings by the visitor. Of a text box each text that was
// finished is one, by Enter or by leaving the box; what is typed until then is one and the same, so the server counts it
// as no further change, and only the browser knows where it ends.
//
// When the visitor goes back or forward, Streamlit's client asks the server for that entry. Until the server has read it,
// nobody writes: a run that began before would write its page and its settings over the entry that the visitor has gone
// to. Only an act of the visitor ends the wait, because Streamlit forgets the entry if a click comes before its run.

import { nameGradients } from "./gradients.js";
import { closeMenu } from "./menu.js";
import { showTop } from "./top.js";

/** @import { Mount } from "../runtime/component.js" */
/**
 * What the server says. page: on the screen, "" for the first; others: the names of all other pages; step: how many changes
 * Back can take back; read: how often the server has read a query that the visitor went to, and the last one; typed: the
 * setting that is being typed.
 * @typedef {{page: string, others: string[], query: string, step: number, read: [number, string], typed: string}} Told
 */

const pathOf = () => location.pathname.replace(/\/$/, "").split("/").pop() ?? "";
/** @param {string} query */
const plainQuery = (query) => new URLSearchParams(query).toString();

/** Return the query with the parameters of the address that are Streamlit's own, such as embed. @param {string} query */
function withEmbed(query) {
  const all = new URLSearchParams(query);
  for (const [key, value] of new URLSearchParams(location.search)) if (key.startsWith("embed")) all.append(key, value);
  return all.size ? `?${all}` : "";
}

/** Take the address over from Streamlit; return what writes what the server says. @returns {(told: Told) => void} */
function own() {
  const write = { pushState: history.pushState.bind(history), replaceState: history.replaceState.bind(history) };
  /** @type {string | null} */
  let awaited = null; // the query that the visitor went to, until the server has read it
  let acted = false; // whether the visitor has done anything since the last change of page
  /** @type {{page: string | null, step: number}} */
  let last = { page: null, step: 0 };
  /** @type {string | null} */
  let finished = null; // the text that was finished last, until another one has an entry of its own
  let path = location.pathname;
  /** @param {Event} event */
  const finish = ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) finished = target.value;
  };
  addEventListener("focusout", finish, true);
  addEventListener("keydown", (event) => event.key === "Enter" && finish(event), true);
  /**
   * Whether what was typed on makes an entry of its own, because the text in the address was finished.
   * @param {string} query
   * @param {string} typed
   */
  const isAnother = (query, typed) => {
    const [before, after] = [location.search, query].map((each) => new URLSearchParams(each).get(typed));
    return typed !== "" && finished !== null && before === finished && after !== finished;
  };
  const leave = () => {
    path = location.pathname;
    showTop();
    closeMenu();
  };
  /** @param {MouseEvent | KeyboardEvent} event */
  const act = ({ altKey, metaKey }) => {
    if (altKey || metaKey) return; // with these keys a visitor goes back or forward
    [acted, awaited] = [true, null];
  };
  for (const type of /** @type {const} */ (["pointerdown", "keydown", "click"])) addEventListener(type, act, true);
  history.pushState = history.replaceState = (state, title, url) => {
    const there = new URL(url ?? "", location.href);
    if (awaited !== null || there.pathname === location.pathname) return;
    write[acted ? "pushState" : "replaceState"](state, title, url); // else a page itself led on to the next
    acted = false;
    leave();
  };
  const wait = () => {
    awaited = location.search;
    if (location.pathname !== path) leave();
  };
  addEventListener("popstate", wait, true);
  const [{ name: opened }] = performance.getEntriesByType("navigation");
  if (new URL(opened).pathname !== location.pathname) leave(); // another page was chosen before this one was drawn
  return ({ page, others, query, step, read, typed }) => {
    if (page ? pathOf() !== page : others.includes(pathOf())) return; // the browser is ahead of this run
    if (awaited !== null && plainQuery(read[1]) !== plainQuery(awaited)) return;
    const isStep = awaited === null && page === last.page && (step > last.step || isAnother(query, typed));
    [awaited, last] = [null, { page, step }];
    const search = withEmbed(query);
    if (search === location.search) return;
    write[isStep ? "pushState" : "replaceState"](history.state, "", location.pathname + search + location.hash);
    nameGradients();
  };
}

/** Write what the server says into the address. @param {Mount<Told>} mount */
export default function ({ data }) {
  const page = /** @type {{attentionExplorerAddress?: (told: Told) => void}} */ (window);
  (page.attentionExplorerAddress ??= own())(data);
}
