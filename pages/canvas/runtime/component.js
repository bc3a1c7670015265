// From what Streamlit calls on every change of the data to a drawing in its root, under its style sheets.

import { tips } from "./tips.js";
import { unpack } from "./unpack.js";

const sheets = new Map(); // one CSSStyleSheet for each address, shared by every drawing

// The style sheets at these addresses, which are relative to `home`. Rejects where one cannot be fetched.
export const sheetsOf = (home, ...addresses) =>
  Promise.all(
    addresses.map((address) => {
      const { href } = new URL(address, home);
      if (!sheets.has(href)) sheets.set(href, fetchSheet(href));
      return sheets.get(href);
    }),
  );

async function fetchSheet(href) {
  const answer = await fetch(href);
  if (!answer.ok) throw new Error("no style sheet at " + href);
  return new CSSStyleSheet().replace(await answer.text());
}

// The default export of a component's module. update(root, {meta, arrays}, send); send(event, value) reruns the page.
export const component = (styles, update) => ({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.querySelector(".canvas-root");
  root.dressed ??= root.getRootNode().adoptedStyleSheets = styles;
  tips(root);
  update(root, data instanceof Uint8Array ? unpack(data) : { meta: data, arrays: {} }, setTriggerValue);
};

// A picture follows when the visitor's system starts or stops to set all colours.
matchMedia("(forced-colors: active)").addEventListener("change", () => {
  const shadows = [...document.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
  for (const shadow of shadows)
    for (const element of shadow.querySelectorAll("*")) element.relayout?.(element.clientWidth);
});
