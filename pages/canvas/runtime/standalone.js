// Brings a saved page to life: its drawings, the controls that choose among their frames, and the words of each frame.

import { choose, onChoice } from "./choices.js";

const bytesOf = (base64) => Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));

async function unzipped(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A drawing in an element, by its module; the element holds the data as base64 of their gzip.
async function draw(element, module) {
  const data = await unzipped(bytesOf(element.querySelector("script").textContent));
  const parentElement = element.attachShadow({ mode: "open" });
  parentElement.append(Object.assign(document.createElement("div"), { className: "canvas-root" }));
  module.default({ data, parentElement, setTriggerValue: () => {} });
}

// The words of the frame that is chosen, among those of all frames.
function showWords(element) {
  const keys = JSON.parse(element.dataset.keys);
  const variants = [...element.children].map((variant) => [variant, new Set(JSON.parse(variant.dataset.choices))]);
  onChoice((chosen) => {
    const wanted = JSON.stringify(keys.map((key) => chosen.get(key)));
    for (const [variant, choices] of variants) variant.hidden = !choices.has(wanted);
  });
}

// A group of radio buttons or a list; it follows what is chosen elsewhere.
function control(element) {
  const { key } = element.dataset;
  element.addEventListener("change", ({ target }) => choose({ [key]: JSON.parse(target.value) }));
  onChoice((chosen) => {
    const value = JSON.stringify(chosen.get(key));
    for (const input of element.querySelectorAll("input")) input.checked = input.value === value;
    for (const list of element.querySelectorAll("select")) list.value = value;
  });
}

// modules: those of the drawings, by their names. start: the values that the page opens with, by their keys.
export async function begin(modules, start) {
  choose(start);
  document.querySelectorAll("[data-key]").forEach(control);
  document.querySelectorAll("[data-keys]").forEach(showWords);
  const drawings = [...document.querySelectorAll("[data-drawing]")];
  await Promise.all(drawings.map((element) => draw(element, modules[element.dataset.drawing])));
  document.documentElement.dataset.ready = "true";
}
