// @ts-check
// What a saved picture says of itself: its name, the text, the model and the address, inside the file and, where the
// visitor asks for it, in lines below the picture.

import { make } from "./dom.js";
import { isolate, textWidth } from "./text.js";

/** @import { Theme } from "./theme.js" */
/** @typedef {{text: string, model: string, address?: string}} Facts */

const [LINE, SIZE, MARGIN, MOST] = [16, 11, 10, 400]; // pixels, and the characters of a text that are written below
const SEEN = new TextEncoder();
/** @type {Facts} */
let told = { text: "", model: "" };
let below = false; // whether the visitor wants them below saved pictures

/** Keep the text and the model of the page, and its address if it is not the tab's. @param {Facts} facts */
export const tellFacts = (facts) => {
  told = facts;
};

const address = () => told.address ?? location.href;

/** Return the facts of a picture by their names in the PNG standard, less the empty ones. @param {string} name */
export function factsOf(name) {
  const all = { Title: name, Description: told.text, Model: told.model, Source: address(), Software: "Attention Explorer" };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
}

/**
 * Put a switch into a bar of buttons: whether saved pictures have these facts below them. All bars show the same.
 * @param {HTMLElement} bar
 */
export function captionSwitch(bar) {
  if (bar.querySelector(".save-caption")) return;
  const button = bar.appendChild(make("button", "save-caption", "Caption"));
  button.type = "button";
  button.dataset.tip = "Write the text, the model and the address below saved pictures";
  button.onclick = () => {
    below = !below;
    dispatchEvent(new Event("save-caption"));
  };
  const show = () => (button.ariaPressed = String(below));
  addEventListener("save-caption", show);
  show();
}

/**
 * Return the lines below a picture of this width, each of which fits; none where the visitor does not want them.
 * @param {Theme} theme
 * @param {number} width
 */
export function captionLines(theme, width) {
  if (!below) return [];
  const short = told.text.length > MOST ? told.text.slice(0, MOST) + "…" : told.text;
  return [short && "Text: " + short, told.model && "Model: " + told.model, address()]
    .filter(Boolean)
    .flatMap((line) => broken(theme, line, width - 2 * MARGIN));
}

/**
 * Break a text into lines of at most `width` pixels, between words where that is possible.
 * @param {Theme} theme
 * @param {string} text
 * @param {number} width
 */
function broken(theme, text, width) {
  /** @param {string} line */
  const fits = (line) => textWidth(theme, line, { size: SIZE }) <= width;
  const lines = [""];
  for (const word of text.split(/(?<= )/)) {
    if (fits(lines[lines.length - 1] + word)) lines[lines.length - 1] += word;
    else if (fits(word)) lines.push(word);
    else
      for (const letter of word) {
        if (!fits(lines[lines.length - 1] + letter)) lines.push("");
        lines[lines.length - 1] += letter;
      }
  }
  return lines.map((line) => line.trimEnd()).filter(Boolean);
}

/** Return how many pixels high these lines are. @param {string[]} lines */
export const captionHeight = (lines) => (lines.length ? lines.length * LINE + MARGIN : 0);

/**
 * Place each line below a picture whose lower edge is at `bottom`.
 * @param {string[]} lines
 * @param {number} left
 * @param {number} bottom
 */
export const placedLines = (lines, left, bottom) =>
  lines.map((line, row) => ({ line: isolate(line), x: left + MARGIN, y: bottom + (row + 1) * LINE, size: SIZE }));

/** Put the facts of a picture into its SVG text, as a title and a description. @param {string} text @param {string} name */
export function describedSvg(text, name) {
  const facts = factsOf(name);
  const document = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = document.documentElement;
  /** @param {string} tag @param {string} content */
  const element = (tag, content) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    made.textContent = clean(content);
    return made;
  };
  const lines = Object.entries(facts).map(([key, value]) => key + ": " + value);
  root.prepend(element("title", name), element("desc", lines.slice(1).join("\n")));
  return new XMLSerializer().serializeToString(document);
}

/** XML allows neither most control characters nor half a surrogate pair. @param {string} value */
const clean = (value) => value.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");

/**
 * Put the facts of a picture into the bytes of its PNG, as iTXt chunks behind its header (PNG standard, 11.3.3.4).
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {string} name
 */
export function describedPng(bytes, name) {
  const header = 8 + 25; // the signature, and IHDR with its length, name and sum
  const chunks = Object.entries(factsOf(name)).map(([key, value]) => textChunk(key, value));
  return new Blob([bytes.slice(0, header), ...chunks, bytes.slice(header)], { type: "image/png" });
}

/** @param {string} key @param {string} value */
function textChunk(key, value) {
  const body = SEEN.encode("iTXt" + key + "\0\0\0\0\0" + value.replaceAll("\0", "\ufffd"));
  const chunk = new Uint8Array(body.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length - 4);
  chunk.set(body, 4);
  view.setUint32(body.length + 4, checksum(body));
  return chunk;
}

/** Return the CRC-32 of some bytes, as the PNG standard has it (annex D). @param {Uint8Array} bytes */
export function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
