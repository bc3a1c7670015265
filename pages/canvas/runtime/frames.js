// @ts-check
// A drawing's other states, which stand in its data (frames.py): found by what is chosen, and put together again.

import { answered, choose, onChoice, preview, shownIn } from "./choices.js";
import { boxesOf, keysOf, openedBy, valuesOf, withOpened } from "./opened.js";

/** @import { Chosen } from "./choices.js" */
/** @import { Data, Send } from "./component.js" */
/** @import { Packed } from "./unpack.js" */

/**
 * One of the states: its values, what differs in the meta and in the arrays, and the arrays that it lacks.
 * @typedef {{choice: unknown[], changes: [(string | number)[], unknown][], arrays: Record<string, string>, gone: string[]}} Frame
 */
/** @typedef {import("./controls.js").Options} Options */
/**
 * The states that a drawing has in its data. `about` names what they are drawn for. Without a list, those that the drawing
 * was given before are still true if they are about the same, and the data are the drawing as it is now.
 * @typedef {{keys: string[], at: unknown[], served: boolean, about: number, controls: Record<string, Options>, list: Frame[] | null}} Frames
 */
/** @typedef {Record<string, Record<string, Record<string, unknown>>>} Answers  Settings by the event and its value. */
/** @typedef {Data<any, Record<string, Packed<any>>>} AnyData */

/** @type {Frames} */
const NO_FRAMES = { keys: [], at: [], served: true, about: -1, controls: {}, list: null };

/**
 * What a drawing has now: its data with frames, its state at the values of now if that came by itself, the frame that is
 * drawn, what tells the server of an event, and what ends that choices are followed.
 * @typedef {{data: AnyData, itself: AnyData | null, frame: AnyData | null, send: Send, stop: () => unknown}} Held
 */
/** @type {WeakMap<Element, Held>} */
const held = new WeakMap();

/**
 * Return the number of the frame for these values; -1 if there is none. A value that is not chosen is the one of now.
 * @param {Frames} frames
 * @param {Chosen} chosen
 */
export function frameFor({ keys, at, list }, chosen) {
  const wanted = JSON.stringify(keys.map((key, place) => (chosen.has(key) ? chosen.get(key) : at[place])));
  return list?.findIndex(({ choice }) => JSON.stringify(choice) === wanted) ?? -1;
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
 * Return the settings that a click changes, by their keys; undefined if the server alone knows them.
 * @param {Answers} answers
 * @param {string} event
 * @param {any} value
 */
export const answerTo = (answers, event, value) =>
  [[], ["col"], ["row"]] // a whole row or column has one entry
    .map((without) => answers[event]?.[written(value, without)])
    .find((settings) => settings !== undefined);

/**
 * @param {any} value
 * @param {string[]} without
 */
function written(value, without) {
  const isPlain = !value || typeof value !== "object";
  return JSON.stringify(value, isPlain ? null : Object.keys(value).filter((key) => !without.includes(key)).sort());
}

/**
 * Draw the frame that is chosen, with the cell open that is chosen, now and after each choice; where the data hold no such
 * frame, what is drawn turns pale. A click that leads to a frame or opens a cell is a choice.
 *
 * What is drawn already is not drawn again: a button that is being pressed would go.
 * @param {HTMLElement} root
 * @param {AnyData} data
 * @param {(root: HTMLElement, data: AnyData, send: Send) => void} update
 * @param {Send} send
 */
export function drawFrames(root, data, update, send) {
  /** @type {Frames} */
  const frames = data.meta.frames ?? NO_FRAMES;
  const keys = [...frames.keys, ...keysOf(data.meta.openCell)];
  const before = held.get(root);
  const kept = frames.list ? data : keptFrames(before, data);
  /** @type {Held} */
  const now = { data: kept ?? data, itself: frames.list ? null : data, frame: before?.frame ?? null, send, stop: () => {} };
  before?.stop();
  held.set(root, now);
  if (frames.served) answered(keys, [...frames.at, ...valuesOf(data.meta.openCell)]);
  const boxes = frames.served ? boxesOf(data.meta.openCell) : {};
  if (Object.keys({ ...boxes, ...frames.controls }).length) watch({ ...boxes, ...frames.controls });
  let isNew = true; // a root that has left the page is not drawn again
  now.stop = onChoice((chosen) => {
    if (!isNew && !root.isConnected) return false;
    isNew = false;
    const [old, frame] = [now.frame, stateFor(now, frames, shownIn(chosen, root)) ?? stateFor(now, frames, chosen)];
    root.classList.toggle("stale", !frame);
    if (!frame) return true;
    now.frame = frame;
    if (!old || !isSame(old, frame)) update(root, frame, (event, value) => tell(root, event, value));
    return true;
  }, keys);
}

/**
 * Return the data with the frames that a drawing was given before, if they are still true: about the same, and the one for
 * the values of now is what the server has drawn.
 * @param {Held | undefined} before
 * @param {AnyData} data  The drawing as it is now.
 */
function keptFrames(before, data) {
  /** @type {Frames | undefined} */
  const known = before?.data.meta?.frames;
  /** @type {Frames} */
  const frames = data.meta.frames ?? NO_FRAMES;
  if (!before || !known?.list || known.about !== frames.about) return null;
  const number = frameFor({ ...frames, list: known.list }, new Map());
  const values = new Map(keysOf(data.meta.openCell).map((key, place) => [key, valuesOf(data.meta.openCell)[place]]));
  return number < 0 || isSame(opening(frameOf(before.data, number), values), data) ? before.data : null;
}

/**
 * Return the state of a drawing for these values; null if it has none.
 * @param {Held} now
 * @param {Frames} frames
 * @param {Chosen} chosen
 */
function stateFor(now, frames, chosen) {
  const number = frameFor({ ...frames, list: now.data.meta.frames?.list ?? null }, chosen);
  if (number >= 0) return opening(frameOf(now.data, number), chosen);
  const isNow = frames.keys.every((key, place) => !chosen.has(key) || chosen.get(key) === frames.at[place]);
  return isNow && now.itself ? opening(now.itself, chosen) : null;
}

/** Return a state with the cell open that is chosen. @param {AnyData} data @param {Chosen} chosen */
const opening = (data, chosen) => withOpened(data, (key, now) => (chosen.has(key) ? chosen.get(key) : now));

/**
 * Watch controls of the app's page, which a saved page has not.
 * @param {Record<string, Options>} controls
 */
async function watch(controls) {
  const { watchControls } = await import("./controls.js");
  watchControls(controls);
}

/**
 * Choose the values that an event of a drawing sets, and tell the server; if a part is pointed at, only show them.
 * @param {HTMLElement} root
 * @param {string} event
 * @param {unknown} value
 */
function tell(root, event, value) {
  const now = held.get(root);
  const { answers, openCell: opened } = now?.frame?.meta ?? {};
  const known = answers && answerTo(answers, event === "preview" ? "pick" : event, value);
  const values = known ?? (opened && event === "pick" ? openedBy(opened, value) : undefined);
  if (event === "preview") return preview(values ?? null, root);
  if (values) choose(values);
  now?.send(event, value);
}

/**
 * Return whether two frames look the same; what their clicks do may differ.
 * @param {AnyData} data
 * @param {AnyData} other
 */
function isSame(data, other) {
  const [written, otherWritten] = [data, other].map(({ meta }) =>
    JSON.stringify({ ...meta, answers: undefined, frames: undefined }),
  );
  const [names, otherNames] = [data, other].map(({ arrays }) => Object.keys(arrays).sort());
  return (
    written === otherWritten &&
    String(names) === String(otherNames) &&
    names.every((name) => areEqual(data.arrays[name], other.arrays[name]))
  );
}

/**
 * @param {Packed<any>} array
 * @param {Packed<any>} other
 */
const areEqual = (array, other) =>
  String(array.shape) === String(other.shape) &&
  array.values.every((/** @type {number} */ value, /** @type {number} */ place) => Object.is(value, other.values[place]));

/**
 * Draw data that have no frames, in place of any that had some.
 * @param {HTMLElement} root
 * @param {AnyData} data
 * @param {(root: HTMLElement, data: AnyData, send: Send) => void} update
 * @param {Send} send
 */
export function drawWithoutFrames(root, data, update, send) {
  held.get(root)?.stop();
  held.set(root, { data, itself: null, frame: data, send, stop: () => {} });
  root.classList.remove("stale");
  update(root, data, (event, value) => tell(root, event, value));
}
