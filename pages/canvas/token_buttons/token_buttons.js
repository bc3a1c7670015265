// A running text of buttons. One of them is in the tab order; arrow keys, Home and End go along the line.

import { component, sheetsOf } from "../runtime/component.js";
import { child, make } from "../runtime/dom.js";
import { isolate, markWords } from "../runtime/text.js";

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "token_buttons.css");

const buttonsOf = (line) => [...line.querySelectorAll("button")];

function focusOn(line, place) {
  const buttons = buttonsOf(line);
  buttons.forEach((button, i) => (button.tabIndex = i === place ? 0 : -1));
  buttons[place]?.focus({ preventScroll: true });
  keepInSight(line, buttons[place]);
}

// Scrolls the line alone, never the page.
function keepInSight(line, token) {
  if (!token) return;
  const [outer, inner] = [line.getBoundingClientRect(), token.getBoundingClientRect()];
  if (inner.bottom > outer.bottom) line.scrollTop += inner.bottom - outer.bottom + 4;
  if (inner.top < outer.top) line.scrollTop -= outer.top - inner.top + 4;
}

function go(event, line) {
  const buttons = buttonsOf(line);
  const at = buttons.indexOf(event.target);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  focusOn(line, Math.min(buttons.length - 1, Math.max(0, to)));
}

function describe(button, meta, { piece, note, under, shade, kinds }, i) {
  button.className = ["token", ...kinds].join(" ");
  button.style.setProperty("--share", Math.round(100 * shade) + "%");
  button.dataset.tip = i + ": " + isolate(piece) + (note ? "\n" + note : "") + markWords(piece);
  button.ariaLabel = "token " + i + ", " + piece + (note ? ", " + note : "");
  if (button.tagName === "BUTTON") {
    button.type = "button";
    button.setAttribute("aria-pressed", i === meta.selected);
  } else {
    button.role = "img"; // so that its name is said, and not its text as well
    button.ariaCurrent = i === meta.selected ? "true" : null;
  }
  button.firstChild.textContent = piece;
  button.lastChild.textContent = under;
}

// What stands is kept: a press that began before a redraw is a click after it, and the focus stays.
function fill(line, meta) {
  meta.tokens.forEach((each, i) => {
    const [tag, old] = [meta.pickable && !each.still ? "BUTTON" : "SPAN", line.children[i]];
    if (old?.tagName !== tag) {
      const made = make(tag);
      made.append(make("bdi"), make("small"));
      old ? old.replaceWith(made) : line.append(made);
    }
    describe(line.children[i], meta, each, i);
  });
  while (line.children.length > meta.tokens.length) line.lastElementChild.remove();
}

export default component(styles, (root, { meta }, send) => {
  const line = child(root, "div", "line");
  const focused = buttonsOf(line).indexOf(line.getRootNode().activeElement);
  const scrolled = line.scrollTop;
  Object.assign(line, { role: "group", ariaLabel: meta.name, className: "line " + meta.hue + (meta.lines ? " fixed" : "") });
  line.style.setProperty("--lines", meta.lines ?? 0);
  child(root, "p", "caption").textContent = meta.caption;
  fill(line, meta);
  line.scrollTop = scrolled;
  const [buttons, chosen] = [buttonsOf(line), line.children[meta.selected ?? -1]];
  const stop = chosen?.tagName === "BUTTON" ? chosen : buttons[0];
  buttons.forEach((button) => (button.tabIndex = button === stop ? 0 : -1));
  if (focused >= 0) focusOn(line, Math.min(focused, buttons.length - 1));
  else keepInSight(line, chosen);
  line.onkeydown = (event) => go(event, line);
  line.onclick = (event) => {
    const place = [...line.children].indexOf(event.target.closest("button"));
    if (place >= 0) send("pick", place);
  };
});
