// @ts-check
// Brings a saved page to life: its drawings, the controls that choose among their frames, and the words of each frame.

import { choose, onChoice } from "./choices.js";
import { tellFacts } from "./facts.js";
import { shareChoices, shareHeight } from "./framed.js";
import { inflated } from "./unpack.js";

/** @import { Mount } from "./component.js" */
/** @import { Facts } from "./facts.js" */
/** @typedef {{default: (mount: Mount) => void}} Module */

/** @param {string} base64 */
const bytesOf = (base64) => Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));

/**
 * Draw in an element that holds the data as base64 of their gzip.
 * @param {HTMLElement} element
 * @param {Module} module
 */
async function draw(element, module) {
  const data = await inflated(bytesOf(element.querySelector("script")?.textContent ?? ""), "gzip");
  const parentElement = element.attachShadow({ mode: "open" });
  parentElement.append(Object.assign(document.createElement("div"), { className: "canvas-root" }));
  module.default({ data, parentElement, setTriggerValue: () => {} });
}

/**
 * Show the words of the frame that is chosen, among those of all frames.
 * @param {HTMLElement} element
 */
function showWords(element) {
  /** @type {string[]} */
  const keys = JSON.parse(element.dataset.keys ?? "[]");
  const variants = /** @type {HTMLElement[]} */ ([...element.children]);
  const choices = variants.map((variant) => new Set(JSON.parse(variant.dataset.choices ?? "[]")));
  onChoice((chosen) => {
    const wanted = JSON.stringify(keys.map((key) => chosen.get(key)));
    variants.forEach((variant, place) => (variant.hidden = !choices[place].has(wanted)));
    return true;
  });
}

/**
 * Let a group of radio buttons or a list choose a setting's value, and follow what is chosen elsewhere.
 * @param {HTMLElement} element
 */
function control(element) {
  const key = element.dataset.key ?? "";
  element.addEventListener("change", ({ target }) =>
    choose({ [key]: JSON.parse(/** @type {HTMLInputElement} */ (target).value) }),
  );
  onChoice((chosen) => {
    const value = JSON.stringify(chosen.get(key));
    for (const input of element.querySelectorAll("input")) input.checked = input.value === value;
    for (const list of element.querySelectorAll("select")) list.value = value;
    return true;
  });
}

/** @param {string} selector */
const every = (selector) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]);

/**
 * Bring the page to life.
 * @param {Record<string, Module>} modules those of the drawings, by their names
 * @param {Record<string, unknown>} start the values that the page opens with, by their keys
 * @param {Facts} facts what pictures that are saved from this page say of themselves
 * @param {boolean} isFramed whether another page shows this one, and is told what is chosen
 */
export async function begin(modules, start, facts, isFramed) {
  tellFacts(facts);
  every("[data-key]").forEach(control);
  every("[data-keys]").forEach(showWords);
  if (isFramed) shareChoices(start);
  choose(start); // what nothing follows yet would not be kept
  await Promise.all(every("[data-drawing]").map((element) => draw(element, modules[element.dataset.drawing ?? ""])));
  if (isFramed) shareHeight();
  document.documentElement.dataset.ready = "true";
}
