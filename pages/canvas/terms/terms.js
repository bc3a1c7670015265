// @ts-check
// Links to the glossary in the prose of a page explain their term when they are pointed at, touched or focused.
//
// The links are Streamlit's own and lead to the glossary without this script; a tap shows the words first. One listener
// on the document serves all of them, whenever Streamlit draws them anew.

import { around, make, put } from "../runtime/dom.js";
import { readTheme } from "../runtime/theme.js";

/** @import { Mount } from "../runtime/component.js" */
/** @typedef {{text: string, paper: string}} Term  In the text, ** marks other terms. */
/**
 * terms: by their names; groups: names of terms by that of their group; names: of terms by each of their forms.
 * @typedef {{terms: Record<string, Term>, groups: Record<string, string[]>, names: Record<string, string>}} Glossary
 */
/** @typedef {{root: HTMLElement | null}} Here  An element of the page, whose theme the tips have. */

const KEY = "glossary-term";
const LINK = `a[href*="?${KEY}="]`;
const [SOON, LATER] = [150, 250]; // milliseconds before the words come, and before they go: time to reach them

/** @type {Promise<Glossary> | null} */
let fetched = null;

/** Ask once for the glossary. @returns {Promise<Glossary>} */
export function glossary() {
  const asked = (fetched ??= fetch(new URL("glossary.json", import.meta.url)).then((answer) => answer.json()));
  asked.catch(() => (fetched = null));
  return asked;
}

/**
 * Split "a **word** here" into [["a ", false], ["word", true], [" here", false]]: text, and whether it is a term.
 * @param {string} text
 */
export const parts = (text) =>
  text
    .split("**")
    .map((part, i) => /** @type {[string, boolean]} */ ([part, i % 2 === 1]))
    .filter(([part]) => part);

/** Return the name of the term that a link leads to. @param {HTMLAnchorElement} link */
export const termOf = (link) => new URL(link.href).searchParams.get(KEY) ?? "";

function makeTip() {
  const tip = document.body.appendChild(make("div", "term-tip"));
  Object.assign(tip, { id: "term-tip", popover: "manual" });
  tip.setAttribute("role", "tooltip");
  return tip;
}

/** @param {HTMLElement} tip @param {string} name @param {Term} term @param {string} href */
function fill(tip, name, { text, paper }, href) {
  tip.replaceChildren(make("strong", "", name));
  const words = put(tip, "p");
  for (const [part, isTerm] of parts(text)) words.append(isTerm ? make("em", "", part) : part);
  if (paper) put(tip, "small", "", paper);
  put(tip, "a", "", "More in the glossary").href = href;
}

/** @param {HTMLElement} tip @param {Element} root */
function dress(tip, root) {
  const { text, background, border, font } = readTheme(root);
  Object.assign(tip.style, { color: text, background, borderColor: border, fontFamily: font });
}

/** @param {HTMLElement} tip @param {Element} link */
function place(tip, link) {
  const [box, size] = [link.getClientRects()[0] ?? link.getBoundingClientRect(), tip.getBoundingClientRect()];
  const room = document.documentElement.clientWidth - size.width - 8;
  const above = box.top - size.height - 6;
  tip.style.left = Math.max(8, Math.min(room, box.left)) + "px";
  tip.style.top = (above < 8 ? box.bottom + 6 : above) + "px";
}

/**
 * Go to the glossary by a step of the browser's history, so that Back leads here again. The settings that all pages
 * share go along; those of the page that is left stay behind.
 * @param {HTMLAnchorElement} link
 */
function open(link) {
  const to = new URL(link.href);
  const own = location.pathname.split("/").at(-1) + "-";
  for (const [key, value] of new URLSearchParams(location.search))
    if (!key.startsWith(own) && key !== KEY) to.searchParams.append(key, value);
  history.pushState({}, "", to);
  dispatchEvent(new PopStateEvent("popstate"));
}

function listen() {
  /** @type {Here} */
  const here = { root: null };
  /** @type {HTMLElement | null} */
  let tip = null;
  /** @type {HTMLAnchorElement | null} */
  let shown = null; // the link whose term is explained
  /** @type {HTMLAnchorElement | null} */
  let wanted = null; // the link whose term is being loaded
  let timer = 0;
  let touched = false;

  const hide = () => {
    clearTimeout(timer);
    wanted = null;
    if (!shown) return;
    shown.removeAttribute("aria-describedby");
    shown = null;
    if (tip?.matches(":popover-open")) tip.hidePopover();
  };
  /** @param {HTMLAnchorElement} link */
  const show = async (link) => {
    clearTimeout(timer);
    if (shown === link) return;
    wanted = link;
    const term = (await glossary().catch(() => null))?.terms[termOf(link)];
    if (!term || wanted !== link || !link.isConnected) return;
    hide();
    tip ??= makeTip();
    fill(tip, termOf(link), term, link.href);
    if (here.root) dress(tip, here.root);
    tip.showPopover();
    place(tip, link);
    link.setAttribute("aria-describedby", tip.id);
    shown = link;
  };
  /** @param {() => void} act @param {number} delay */
  const wait = (act, delay) => {
    clearTimeout(timer);
    timer = setTimeout(act, delay);
  };
  /** @param {Event} event @returns {HTMLAnchorElement | null} */
  const at = (event) => around(event, LINK);
  /** @param {EventTarget | null} target */
  const inTip = (target) => target instanceof Node && Boolean(tip?.contains(target));
  /** @param {MouseEvent} event */
  const clicked = (event) => {
    const link = at(event);
    if (!link) return inTip(event.target) ? undefined : hide();
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser opens the link in another tab
    event.preventDefault();
    if (touched && !inTip(link) && shown !== link) return show(link);
    hide();
    open(link);
  };

  /**
   * @template {keyof DocumentEventMap} K
   * @param {K} name
   * @param {(event: DocumentEventMap[K]) => unknown} act
   */
  const on = (name, act) => document.addEventListener(name, act, true);
  on("pointerdown", ({ pointerType }) => (touched = pointerType === "touch"));
  on("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const link = at(event);
    if (inTip(event.target)) clearTimeout(timer);
    else if (link) wait(() => show(link), SOON);
    else if (shown) wait(hide, LATER);
    else clearTimeout(timer);
  });
  on("focusin", (event) => {
    const link = at(event);
    if (link?.matches(":focus-visible") && !inTip(event.target)) show(link);
  });
  on("focusout", ({ target, relatedTarget }) => target === shown && !inTip(relatedTarget) && !touched && hide());
  on("keydown", ({ key }) => key === "Escape" && hide());
  on("scroll", ({ target }) => !inTip(target) && hide());
  on("click", clicked);
  return here;
}

/** Explain the terms of the page. @param {Mount} mount */
export default function ({ parentElement }) {
  const page = /** @type {{attentionExplorerTerms?: Here}} */ (window);
  page.attentionExplorerTerms ??= listen();
  page.attentionExplorerTerms.root = parentElement.querySelector("span");
}
