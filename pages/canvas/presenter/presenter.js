// @ts-check
// Keys for a lecture: step by step through a page, from page to page, the QR code, and out. One listener on the document
// serves every page. A key that a text box, a slider, a list or a drawing takes is left to it.

import { component, sheetsOf } from "../runtime/component.js";
import { child, make, put } from "../runtime/dom.js";
import { byKey, numberStep, OPEN_POPOVER } from "../runtime/streamlit_page.js";
import { CARDS, keepFitting } from "./fitting.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "presenter.css");

/** @import { Data } from "../runtime/component.js" */
/** @typedef {{code: string, address: string, words: string}} Screen  code: the QR code's picture; words: above the address. */
/** @typedef {{on: boolean, ask: () => void, screen: HTMLDialogElement | null}} Here */
/** @typedef {HTMLElement & {disabled?: boolean}} Control */

/** @type {Record<string, number>} */
const MOVES = { ArrowRight: 1, ArrowLeft: -1, PageDown: 1, PageUp: -1 };
const WIDE = matchMedia("(min-width: 641px)"); // on a phone a page is never presented
const TYPED = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]";
const OPEN = "dialog, [role=dialog], [role=listbox], [role=menu], [role=combobox], [role=application]";
const TAKES_ARROWS = "[role=radio], [role=slider], [role=tab], [role=group], input[type=range], .chips, [role=grid]";

/** Whether an event comes from within such an element, also through shadow roots. @param {Event} event @param {string} kinds */
const isIn = (event, kinds) => event.composedPath().some((each) => each instanceof Element && each.matches(kinds));
/** @param {Control} element */
const isSeen = (element) => element.checkVisibility({ checkVisibilityCSS: true }) && !element.disabled;
const roots = () => [document, ...[...document.querySelectorAll("*")].flatMap((each) => each.shadowRoot ?? [])];

/** @param {ParentNode} root @param {string} selector @returns {Control[]} */
const controls = (root, selector) => [...root.querySelectorAll(selector)].filter((each) => each instanceof HTMLElement);

/** Find the next or the last of a row of named steps. @param {number} way */
function namedStep(way) {
  const steps = controls(document, '[class*="-step "] [role=radio]').filter(isSeen);
  return steps[steps.findIndex((each) => each.ariaChecked === "true") + way];
}

/** Find a button that goes one step on, or back: of a player, of a numbered step, or of a drawing. @param {number} way */
function stepButton(way) {
  const name = way > 0 ? "step" : "back";
  const kinds = [`[class*="-player"] [class*="-${name}"] button`, `.bar button.${name}`];
  kinds.push(`[class*="-step "] ${numberStep(way)}`);
  return roots().flatMap((root) => controls(root, kinds.join(", "))).find(isSeen);
}

/** Find the card before or after the one that is shown; `presenting.css` shows one at a time. @param {number} way */
function otherCard(way) {
  const [row] = controls(document, CARDS);
  const to = Number(row?.dataset.card ?? 1) + way;
  return row?.children[to - 1] ? { click: () => (row.dataset.card = String(to)) } : null;
}

/** @param {number} way */
function pageLink(way) {
  const icon = way > 0 ? "arrow_forward" : "arrow_back";
  return controls(document, `${byKey("neighbours")} a`).find((link) => link.textContent.includes(icon));
}

/** Go one step on, or back; whether there was one. @param {number} way @param {boolean} withArrow */
function go(way, withArrow) {
  const target = namedStep(way) ?? otherCard(way) ?? (withArrow ? stepButton(way) : null) ?? pageLink(way);
  target?.click();
  return Boolean(target);
}

const leave = () => controls(document, `${byKey("present")} input`)[0]?.click();

function listen() {
  /** @type {Here} */
  const here = { on: false, ask: () => {}, screen: null };
  /** @param {KeyboardEvent} event */
  const act = (event) => {
    const way = MOVES[event.key];
    if (way) {
      if (isIn(event, TYPED) || isIn(event, OPEN)) return false;
      const arrow = event.key.startsWith("Arrow");
      if (arrow && isIn(event, TAKES_ARROWS)) return false;
      return go(way, arrow);
    }
    if (isIn(event, TYPED) || isIn(event, "dialog, [role=dialog], [role=listbox], [role=menu]")) return false;
    if (event.key === "Escape") {
      if (document.querySelector(`[role=dialog], ${OPEN_POPOVER}, [role=menu], .term-tip:popover-open`)) return false;
      leave();
    } else if (event.key.toLowerCase() === "q") here.ask();
    else return false;
    return true;
  };
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (!here.on || !WIDE.matches || event.defaultPrevented || event.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (here.screen?.open) {
      here.screen.close();
      event.preventDefault();
    } else if (act(event)) event.preventDefault();
  };
  document.addEventListener("keydown", pressed);
  keepFitting(() => here.on && WIDE.matches);
  return here;
}

/** @param {HTMLElement} element @param {string} key @param {string} words */
function hint(element, key, words) {
  put(element, "kbd", "", key);
  put(element, "span", "", words);
  element.ariaLabel = words;
  return element;
}

/** @param {HTMLElement} root @param {Screen} screen */
function show(root, { code, address, words }) {
  const screen = child(root, "dialog", "screen");
  screen.ariaLabel = "QR code of this page's address";
  screen.replaceChildren();
  if (code) put(screen, "div", "code").append(Object.assign(make("img"), { src: code, alt: "QR code of " + address }));
  if (words) put(screen, "p", "", words);
  put(screen, "p", "address", address);
  put(screen, "p", "close", "Any key closes this.");
  screen.onclick = () => screen.close();
  if (!screen.open) screen.showModal();
  return screen;
}

export default component(styles, (root, /** @type {Data<{on: boolean, screen: Screen | null}>} */ { meta }, send) => {
  const page = /** @type {{attentionExplorerPresenter?: Here}} */ (window);
  const here = (page.attentionExplorerPresenter ??= listen());
  Object.assign(here, { on: meta.on, ask: () => send("code", true) });
  const bar = child(root, "div", "keys");
  bar.hidden = !meta.on;
  if (!bar.firstChild) {
    hint(put(bar, "button", "back"), "←", "back").onclick = () => go(-1, true);
    hint(put(bar, "button", "on"), "→", "next step or page").onclick = () => go(1, true);
    hint(put(bar, "button", "ask"), "Q", "QR code").onclick = () => here.ask();
    hint(put(bar, "button", "leave"), "Esc", "leave").onclick = leave;
  }
  if (meta.screen) here.screen = show(root, meta.screen);
  if (!meta.on) here.screen?.close();
});
