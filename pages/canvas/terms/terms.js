// @ts-check
// Links to the glossary in the prose of a page explain their term on the same page, so that nothing is lost by a click:
// while they are pointed at or focused, and as a card that stays after a click, a tap or Enter.
//
// The links are Streamlit's own and lead to the glossary without this script. One listener on the document serves all of
// them, whenever Streamlit draws them anew.

import { around, make, put } from "../runtime/dom.js";
import { readTheme } from "../runtime/theme.js";

/** @import { Mount } from "../runtime/component.js" */
/**
 * text: in it, ** marks other terms; formula: its parts as MathML; seen: pages, each with a view after a slash if it has one.
 * @typedef {{text: string, paper: string, formula: string[], seen: string[]}} Term
 */
/**
 * terms: by their names; groups: names of terms by that of their group; names: of terms by each of their forms.
 * @typedef {{terms: Record<string, Term>, groups: Record<string, string[]>, names: Record<string, string>}} Glossary
 */
/**
 * pages: path and title of each page by its address; query: the model and the text on the screen.
 * @typedef {{pages: Record<string, [string, string]>, query: Record<string, string>}} Told
 */
/**
 * root: an element of the page, whose theme the card has; told: by the server; open: shows a term beside what was clicked.
 * @typedef {{root: HTMLElement | null, told: Told, open: (opener: HTMLElement, name: string) => void}} Here
 */

const SAME_RUN = "same-run"; // the mark of a link that keeps the model and the text of the visit
const GLOSSARY = "glossary"; // the page's address
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

/**
 * Return the address of a page that keeps the model and the text, also in another tab. The settings that all pages share go
 * along; those of the page that is left stay behind.
 * @param {string} path  relative to the folder of the app's pages
 * @param {Record<string, string>} settings  of the page
 * @param {Told} told
 */
function addressOf(path, settings, { query }) {
  const to = new URL(path || ".", document.baseURI);
  const own = location.pathname.split("/").at(-1) + "-";
  for (const [key, value] of Object.entries({ ...settings, [SAME_RUN]: "true" })) to.searchParams.set(key, value);
  for (const [key, value] of new URLSearchParams(location.search))
    if (!key.startsWith(own) && !(key in settings) && key !== SAME_RUN) to.searchParams.append(key, value);
  for (const [key, value] of Object.entries(query)) if (!to.searchParams.has(key)) to.searchParams.set(key, value);
  return to.href;
}

/** @param {string} name @param {Told} told */
const inGlossary = (name, told) => addressOf(GLOSSARY, { [KEY]: name }, told);

/**
 * Go to another page by a step of the browser's history, so that Back leads here again, past the app's own pushState,
 * which leaves the address of the same page to itself.
 * @param {string} href
 */
function go(href) {
  History.prototype.pushState.call(history, {}, "", href);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Make the card, which is a tooltip until it is opened. @param {() => void} close */
function makeCard(close) {
  const card = document.body.appendChild(make("div", "term-tip"));
  Object.assign(card, { id: "term-tip", popover: "manual", tabIndex: -1 });
  card.onclick = ({ target }) => target instanceof Element && target.closest(".close") && close();
  return card;
}

/** @param {HTMLElement} card @param {string} name @param {Term} term @param {Told} told */
function fill(card, name, { text, paper, formula, seen }, told) {
  card.ariaLabel = name;
  card.replaceChildren(make("strong", "", name));
  put(card, "button", "close", "×").ariaLabel = "Close";
  const words = put(card, "p");
  words.id = "term-words";
  for (const [part, isTerm] of parts(text)) words.append(isTerm ? make("em", "", part) : part);
  for (const part of formula) put(card, "div", "formula").append(mathOf(part));
  if (paper) put(card, "small", "", paper);
  const links = put(card, "p", "links");
  for (const place of seen) {
    const [address, view] = place.split("/");
    const [path, title] = told.pages[address] ?? [];
    if (path === undefined) continue;
    const link = put(links, "a", "", `See it here: ${title}${view ? `, ${view}` : ""}`);
    link.href = addressOf(path, view ? { [`${address}-view`]: view } : {}, told);
  }
  if (GLOSSARY in told.pages) put(links, "a", "", "More in the glossary").href = inGlossary(name, told);
}

/** Return the element that MathML describes. @param {string} mathml */
const mathOf = (mathml) =>
  document.importNode(new DOMParser().parseFromString(mathml, "text/xml").documentElement, true);

/** @param {HTMLElement} card @param {Element} root */
function dress(card, root) {
  const { text, background, border, font } = readTheme(root);
  Object.assign(card.style, { color: text, background, borderColor: border, fontFamily: font });
}

/** @param {HTMLElement} card @param {Element} opener */
function place(card, opener) {
  const [box, size] = [opener.getClientRects()[0] ?? opener.getBoundingClientRect(), card.getBoundingClientRect()];
  const { clientWidth, clientHeight } = document.documentElement;
  const above = box.top - size.height - 6;
  card.style.left = Math.max(8, Math.min(clientWidth - size.width - 8, box.left)) + "px";
  card.style.top = Math.max(8, above < 8 ? Math.min(box.bottom + 6, clientHeight - size.height - 8) : above) + "px";
}

/** Show the card of a term beside what was clicked. @param {HTMLElement} opener @param {string} name */
export const openTerm = (opener, name) => whole.attentionExplorerTerms?.open(opener, name);

function listen() {
  /** @type {HTMLElement | null} */
  let card = null;
  /** @type {HTMLElement | null} */
  let shown = null; // what the card explains: a link, or whatever opened it
  /** @type {HTMLElement | null} */
  let wanted = null; // the same, before its words have come
  let timer = 0;
  let opened = false; // by a click, a tap or Enter: it stays, and holds the focus

  const hide = () => {
    clearTimeout(timer);
    wanted = null;
    if (!shown) return;
    shown.removeAttribute("aria-describedby");
    shown = null;
    opened = false;
    if (card?.matches(":popover-open")) card.hidePopover();
  };
  const close = () => {
    const opener = opened ? shown : null;
    hide();
    opener?.focus({ preventScroll: true });
    hide(); // the focus alone would show it again
  };
  /** @param {HTMLElement} opener @param {string} name @param {boolean} stays */
  const show = async (opener, name, stays) => {
    clearTimeout(timer);
    if (shown === opener && (opened || !stays)) return;
    wanted = opener;
    const term = (await glossary().catch(() => null))?.terms[name];
    if (!term || wanted !== opener || !opener.isConnected) return;
    hide();
    card ??= makeCard(close);
    fill(card, name, term, here.told);
    card.role = stays ? "dialog" : "tooltip";
    if (here.root) dress(card, here.root);
    card.showPopover(stays ? { source: opener } : {}); // Tab goes into an opened card, and past a tooltip
    place(card, opener);
    shown = opener;
    opened = stays;
    if (stays) card.focus();
    else opener.setAttribute("aria-describedby", "term-words");
  };
  /** @param {() => void} act @param {number} delay */
  const wait = (act, delay) => {
    clearTimeout(timer);
    timer = setTimeout(act, delay);
  };
  /** @param {Event} event @returns {HTMLAnchorElement | null} */
  const at = (event) => around(event, LINK);
  /** @param {EventTarget | null} target */
  const inCard = (target) => target instanceof Node && Boolean(card?.contains(target));
  /** @param {MouseEvent} event */
  const clicked = (event) => {
    const inside = inCard(event.target);
    const link = inside ? /** @type {HTMLAnchorElement | null} */ (around(event, "a")) : at(event);
    if (!link) return inside ? undefined : hide();
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) {
      if (!inside) link.href = inGlossary(termOf(link), here.told);
      return; // a tab of its own
    }
    event.preventDefault();
    if (!inside) return show(link, termOf(link), true);
    hide();
    go(link.href);
  };

  /**
   * @template {keyof DocumentEventMap} K
   * @param {K} name
   * @param {(event: DocumentEventMap[K]) => unknown} act
   */
  const on = (name, act) => document.addEventListener(name, act, true);
  on("pointerover", (event) => {
    if (event.pointerType !== "mouse" || opened) return;
    const link = inCard(event.target) ? null : at(event);
    if (inCard(event.target)) clearTimeout(timer);
    else if (link) wait(() => show(link, termOf(link), false), SOON);
    else if (shown) wait(hide, LATER);
    else clearTimeout(timer);
  });
  on("focusin", (event) => {
    const link = at(event);
    if (link?.matches(":focus-visible") && !inCard(link)) show(link, termOf(link), false);
  });
  on("focusout", ({ target, relatedTarget }) => {
    const leaves = opened ? inCard(target) && relatedTarget !== null : target === shown;
    if (leaves && !inCard(relatedTarget)) hide();
  });
  on("keydown", ({ key }) => key === "Escape" && close());
  on("scroll", ({ target }) => {
    if (inCard(target)) return;
    if (opened && card && shown?.isConnected) place(card, shown);
    else hide();
  });
  on("click", clicked);
  on("auxclick", clicked);
  /** @type {Here} */
  const here = { root: null, told: { pages: {}, query: {} }, open: (opener, name) => show(opener, name, true) };
  return here;
}

const whole = /** @type {{attentionExplorerTerms?: Here}} */ (window);

/** Explain the terms of the page. @param {Mount<Told>} mount */
export default function ({ data, parentElement }) {
  const here = (whole.attentionExplorerTerms ??= listen());
  here.root = parentElement.querySelector("span");
  here.told = data;
}
