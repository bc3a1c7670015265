// @ts-check
// A running text of buttons. One of them is in the tab order; arrow keys, Home and End go along the line.

import { component, sheetsOf } from "../runtime/component.js";
import { around, buttonsOf, child, focusedBeside, make, placeOf, steppedTo } from "../runtime/dom.js";
import { isolate, markWords } from "../runtime/text.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "token_buttons.css");

/** @import { Data } from "../runtime/component.js" */
/**
 * still: it is no button; under: what is written below it; shade: how dark it is, 0 to 1; kinds: classes of the style
 * sheet.
 * @typedef {{piece: string, note: string, under: string, shade: number, still: boolean, kinds: string[]}} Token
 */
/**
 * item: what one of them stands for; lines: how many the text always has room for; language: of the pieces.
 * @typedef {{name: string, tokens: Token[], selected: number | null, pickable: boolean, caption: string, hue: string,
 *   item: string, large: boolean, lines: number | null, language: string}} Meta
 */

/** @param {HTMLElement} line @param {number} place */
function focusOn(line, place) {
  const buttons = buttonsOf(line);
  buttons.forEach((button, i) => (button.tabIndex = i === place ? 0 : -1));
  buttons[place]?.focus({ preventScroll: true });
  keepInSight(line, buttons[place]);
}

/** Scroll the line alone, never the page. @param {HTMLElement} line @param {Element | undefined} token */
function keepInSight(line, token) {
  if (!token) return;
  const [outer, inner] = [line.getBoundingClientRect(), token.getBoundingClientRect()];
  if (inner.bottom > outer.bottom) line.scrollTop += inner.bottom - outer.bottom + 4;
  if (inner.top < outer.top) line.scrollTop -= outer.top - inner.top + 4;
}

/** @param {KeyboardEvent} event @param {HTMLElement} line */
function go(event, line) {
  const buttons = buttonsOf(line);
  const at = placeOf(buttons, around(event, "button"));
  const to = steppedTo(event.key, at, buttons.length);
  if (to === undefined || at < 0) return;
  event.preventDefault();
  focusOn(line, to);
}

/** @param {Meta} meta */
const classOf = ({ hue, lines, large }) => "line " + hue + (lines ? " fixed" : "") + (large ? " large" : "");

/** @param {HTMLElement} button @param {Meta} meta @param {Token} token @param {number} i */
function describe(button, meta, { piece, note, under, shade, kinds }, i) {
  button.className = ["token", ...kinds].join(" ");
  button.style.setProperty("--share", Math.round(100 * shade) + "%");
  button.style.setProperty("--ink", String(0.55 * shade));
  button.dataset.tip = i + ": " + isolate(piece) + (note ? "\n" + note : "") + markWords(piece);
  button.ariaLabel = meta.item + " " + i + ", " + piece + (note ? ", " + note : "");
  if (button instanceof HTMLButtonElement) {
    button.type = "button";
    button.setAttribute("aria-pressed", String(i === meta.selected));
  } else {
    button.role = "img"; // so that a screen reader says its name, and not its text as well
    button.ariaCurrent = i === meta.selected ? "true" : null;
  }
  Object.assign(button.children[0], { textContent: piece, lang: meta.language });
  button.children[1].textContent = under;
}

/**
 * Fill the line. What stands is kept: a press that began before a redraw is a click after it, and the focus stays.
 * @param {HTMLElement} line
 * @param {Meta} meta
 */
function fill(line, meta) {
  meta.tokens.forEach((each, i) => {
    const old = line.children[i];
    const tag = meta.pickable && !each.still ? "button" : "span";
    if (old?.localName !== tag) {
      const made = make(tag);
      made.append(make("bdi"), make("small"));
      old ? old.replaceWith(made) : line.append(made);
    }
    describe(/** @type {HTMLElement} */ (line.children[i]), meta, each, i);
  });
  while (line.children.length > meta.tokens.length) line.lastElementChild?.remove();
}

export default component(styles, (root, /** @type {Data<Meta>} */ { meta }, send) => {
  const line = child(root, "div", "line");
  const focused = placeOf(buttonsOf(line), focusedBeside(line));
  const scrolled = line.scrollTop;
  Object.assign(line, { role: "group", ariaLabel: meta.name, className: classOf(meta) });
  line.style.setProperty("--lines", String(meta.lines ?? 0));
  child(root, "p", "caption").textContent = meta.caption;
  fill(line, meta);
  line.scrollTop = scrolled;
  const [buttons, chosen] = [buttonsOf(line), line.children[meta.selected ?? -1]];
  const stop = chosen instanceof HTMLButtonElement ? chosen : buttons[0];
  buttons.forEach((button) => (button.tabIndex = button === stop ? 0 : -1));
  if (focused >= 0) focusOn(line, Math.min(focused, buttons.length - 1));
  else keepInSight(line, chosen);
  line.onkeydown = (event) => go(event, line);
  line.onclick = (event) => {
    const place = placeOf([...line.children], around(event, "button"));
    if (place >= 0) send("pick", place);
  };
});
