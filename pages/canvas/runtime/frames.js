// @ts-check
// A drawing's other states, which stand in its data (frames.py): found by what is chosen, and put together again.

import { choose, onChoice } from "./choices.js";

/** @import { Chosen } from "./choices.js" */
/** @import { Data, Send } from "./component.js" */
/** @import { Packed } from "./unpack.js" */

/**
 * One of the states: its values, what differs in the meta and in the arrays, and the arrays that it lacks.
 * @typedef {{choice: unknown[], changes: [(string | number)[], unknown][], arrays: Record<string, string>, gone: string[]}} Frame
 */
/** @typedef {{keys: string[], at: unknown[], list: Frame[]}} Frames */
/** @typedef {Record<string, Record<string, number>>} Answers  The number of a frame by the event and its value. */
/** @typedef {Data<any, Record<string, Packed<any>>>} AnyData */

/** @type {WeakMap<Element, AnyData>} */
const held = new WeakMap(); // the data with frames that a drawing has now

/**
 * Return the number of the frame for these values; -1 if there is none. A value that is not chosen is the one of now.
 * @param {Frames} frames
 * @param {Chosen} chosen
 */
export function frameFor({ keys, at, list }, chosen) {
  const wanted = JSON.stringify(keys.map((key, place) => chosen.get(key) ?? at[place]));
  return list.findIndex(({ choice }) => JSON.stringify(choice) === wanted);
}

/**
 * Return the meta and the arrays of a frame.
 * @param {AnyData} data
 * @param {number} number
 * @returns {AnyData}
 */
export function frameOf({ meta, arrays }, number) {
  /** @type {Frame} */
  const { changes, arrays: own, gone } = meta.frames.list[number];
  let patched = structuredClone({ ...meta, frames: null });
  for (const [path, value] of changes) patched = placed(patched, path, value);
  const kept = Object.entries(arrays).filter(([name]) => !name.includes("@") && !gone.includes(name));
  const replaced = Object.entries(own).map(([name, packed]) => [name, arrays[packed]]);
  return { meta: patched, arrays: Object.fromEntries([...kept, ...replaced]) };
}

/**
 * Return `value` with `end` at the end of a path of keys and indices.
 * @param {any} value
 * @param {(string | number)[]} path
 * @param {unknown} end
 */
function placed(value, path, end) {
  if (!path.length) return end;
  const [key, ...rest] = path;
  value[key] = placed(value[key], rest, end);
  return value;
}

/**
 * Return the values that a click leads to, by their keys; null if it leads to no frame.
 * @param {Answers} answers
 * @param {Frames} frames
 * @param {string} event
 * @param {unknown} value
 */
export function answerTo(answers, frames, event, value) {
  const sorted = value && typeof value === "object" ? Object.keys(value).sort() : null;
  const number = answers[event]?.[JSON.stringify(value, sorted)];
  if (number === undefined) return null;
  return Object.fromEntries(frames.keys.map((key, place) => [key, frames.list[number].choice[place]]));
}

/**
 * Draw the frame that is chosen, now and after each choice; where the data hold none, what is drawn turns pale. A click
 * that leads to a frame is a choice.
 * @param {HTMLElement} root
 * @param {AnyData} data
 * @param {(root: HTMLElement, data: AnyData, send: Send) => void} update
 * @param {Send} send
 */
export function drawFrames(root, data, update, send) {
  /** @type {Frames} */
  const frames = data.meta.frames;
  held.set(root, data);
  onChoice((chosen) => {
    if (held.get(root) !== data) return false;
    const number = frameFor(frames, chosen);
    root.classList.toggle("stale", number < 0);
    if (number < 0) return true;
    const frame = frameOf(data, number);
    update(root, frame, (event, value) => {
      const values = answerTo(frame.meta.answers, frames, event, value);
      if (values) choose(values);
      send(event, value);
    });
    return true;
  });
}

/**
 * Forget the frames of a drawing, which now has other data.
 * @param {HTMLElement} root
 */
export function withoutFrames(root) {
  held.delete(root);
  root.classList.remove("stale");
}
