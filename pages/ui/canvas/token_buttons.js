// A running text of buttons. One of them is in the tab order; arrow keys, Home and End go along the line.

function focusOn(line, place) {
  const buttons = [...line.children];
  buttons.forEach((button, i) => (button.tabIndex = i === place ? 0 : -1));
  buttons[place]?.focus({ preventScroll: false });
}

function go(event, line) {
  const buttons = [...line.children];
  const at = buttons.indexOf(event.target);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  focusOn(line, Math.min(buttons.length - 1, Math.max(0, to)));
}

function token(meta, { piece, note, shade, kinds }, i) {
  const button = document.createElement(meta.pickable ? "button" : "span");
  button.className = ["token", ...kinds].join(" ");
  button.style.setProperty("--share", Math.round(100 * shade) + "%");
  button.title = i + ": " + isolate(piece) + (note ? "\n" + note : "");
  button.setAttribute("aria-label", "token " + i + ", " + piece + (note ? ", " + note : ""));
  if (meta.pickable) {
    button.type = "button";
    button.setAttribute("aria-pressed", i === meta.selected);
  } else if (i === meta.selected) button.setAttribute("aria-current", "true");
  button.append(Object.assign(document.createElement("bdi"), { textContent: piece }));
  return button;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const line = parentElement.querySelector(".line");
  const { meta } = unpack(data);
  const focused = [...line.children].indexOf(line.getRootNode().activeElement);
  line.setAttribute("aria-label", meta.name);
  line.className = "line " + meta.hue;
  parentElement.querySelector(".caption").textContent = meta.caption;
  line.replaceChildren(...meta.tokens.map((each, i) => token(meta, each, i)));
  const first = meta.selected ?? 0;
  [...line.children].forEach((button, i) => (button.tabIndex = meta.pickable && i === first ? 0 : -1));
  if (focused >= 0) focusOn(line, Math.min(focused, line.children.length - 1));
  line.onkeydown = (event) => go(event, line);
  line.onclick = (event) => {
    const place = [...line.children].indexOf(event.target.closest(".token"));
    if (meta.pickable && place >= 0) setTriggerValue("pick", place);
  };
}
