// Keys for a lecture: step by step through a page, from page to page, the QR code, and out. One listener on the document
// serves every page. A key that a text box, a slider, a list or a drawing takes is left to it.

import { component, sheetsOf } from "../runtime/component.js";
import { child, make, put } from "../runtime/dom.js";
import { byKey, numberStep, OPEN_POPOVER } from "../runtime/streamlit_page.js";
import { CARDS, keepFitting } from "./fitting.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "presenter.css");

const MOVES = { ArrowRight: 1, ArrowLeft: -1, PageDown: 1, PageUp: -1 };
const WIDE = matchMedia("(min-width: 641px)"); // on a phone a page is never presented
const TYPED = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]";
const OPEN = "dialog, [role=dialog], [role=listbox], [role=menu], [role=combobox], [role=application]";
const TAKES_ARROWS = "[role=radio], [role=slider], [role=tab], [role=group], input[type=range], .chips, [role=grid]";

// From the element that has the focus outwards, through shadow roots.
const around = (event) => event.composedPath().filter((each) => each instanceof Element);
const isIn = (event, kinds) => around(event).some((element) => element.matches(kinds));
const isSeen = (element) => element.checkVisibility({ checkVisibilityCSS: true }) && !element.disabled;
const roots = () => [document, ...[...document.querySelectorAll("*")].flatMap((each) => each.shadowRoot ?? [])];

// The next or the last of a row of named steps.
function namedStep(way) {
  const steps = [...document.querySelectorAll('[class*="-step "] [role=radio]')].filter(isSeen);
  return steps[steps.findIndex((each) => each.ariaChecked === "true") + way];
}

// A button that goes one step on, or back: of a player, of a numbered step, or of a drawing.
function stepButton(way) {
  const name = way > 0 ? "step" : "back";
  const kinds = [`[class*="-player"] [class*="-${name}"] button`, `.bar button.${name}`];
  kinds.push(`[class*="-step "] ${numberStep(way)}`);
  return roots().flatMap((root) => [...root.querySelectorAll(kinds.join(", "))]).find(isSeen);
}

// The card before or after the one that is shown; `presenting.css` shows one at a time.
function otherCard(way) {
  const row = document.querySelector(CARDS);
  const to = Number(row?.dataset.card ?? 1) + way;
  return row?.children[to - 1] ? { click: () => (row.dataset.card = to) } : null;
}

function pageLink(way) {
  const icon = way > 0 ? "arrow_forward" : "arrow_back";
  const links = [...document.querySelectorAll(`${byKey("neighbours")} a`)];
  return links.find((link) => link.textContent.includes(icon));
}

function go(way, withArrow) {
  const target = namedStep(way) ?? otherCard(way) ?? (withArrow ? stepButton(way) : null) ?? pageLink(way);
  target?.click();
  return Boolean(target);
}

const leave = () => document.querySelector(`${byKey("present")} input`)?.click();

function listen() {
  const here = { on: false, ask: () => {}, screen: null };
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

function hint(element, key, words) {
  put(element, "kbd", "", key);
  put(element, "span", "", words);
  element.ariaLabel = words;
  return element;
}

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

export default component(styles, (root, { meta }, send) => {
  const here = (window.attentionExplorerPresenter ??= listen());
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
