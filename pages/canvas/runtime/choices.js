// @ts-check
// What has been chosen in the browser: a value for each setting by its key, told to every drawing at once.

/** @typedef {Map<string, unknown>} Chosen  The values by the keys of their settings. */

const MAX_WAIT = 10_000; // milliseconds in which the server is expected to answer a choice

/** @type {Chosen} */
const chosen = new Map();
/** @type {Chosen} */
const told = new Map(); // the last values that the server's answers were made for
/** @type {Map<string, number>} */
const waiting = new Map(); // the timers of choices that the server has not answered yet, by their keys
/** @type {Map<(chosen: Chosen) => unknown, string[] | null>} */
const listeners = new Map(); // the listeners, with the keys of the settings that each follows; null for all

/** @type {{values: Record<string, unknown>, by: Element} | null} */
let previewed = null; // what a click on the part that is pointed at would choose, and the drawing with that part

const tell = () => [...listeners.keys()].forEach((listener) => listener(chosen));

/**
 * Store values by their settings' keys, and tell every listener all that has been chosen so far. What the server has
 * said already is no choice, nor is what nothing on the page follows: no answer to it would be noticed.
 * @param {Record<string, unknown>} values
 */
export function choose(values) {
  const isFollowed = (/** @type {string} */ key) => [...listeners.values()].some((keys) => keys?.includes(key) ?? true);
  const isKnown = (/** @type {string} */ key) => !waiting.has(key) && told.has(key) && told.get(key) === values[key];
  const keys = Object.keys(values).filter((key) => isFollowed(key) && !isKnown(key));
  for (const key of keys) {
    clearTimeout(waiting.get(key));
    chosen.set(key, values[key]);
    waiting.set(key, setTimeout(giveUp, MAX_WAIT, key));
  }
  if (keys.length) tell();
}

/**
 * Show in all other drawings what a click on a part of this one would choose, until another part is pointed at.
 * @param {Record<string, unknown> | null} values  null: no part, or one whose click is for the server alone.
 * @param {Element} by
 */
export function preview(values, by) {
  if (JSON.stringify(values) === JSON.stringify(previewed?.values ?? null)) return;
  previewed = values && { values, by };
  tell();
}

/**
 * Return the values that a drawing shows: those that are chosen, and those that are pointed at in another.
 * @param {Chosen} values
 * @param {Element} drawing
 */
export const shownIn = (values, drawing) =>
  previewed?.by.isConnected && previewed.by !== drawing
    ? new Map([...values, ...Object.entries(previewed.values)])
    : values;

/**
 * Take the values that an answer of the server was made for, unless a later choice still waits for its own answer.
 * @param {string[]} keys
 * @param {unknown[]} values
 */
export function answered(keys, values) {
  keys.forEach((key, place) => {
    told.set(key, values[place]);
    if (waiting.has(key) && chosen.get(key) !== values[place]) return;
    clearTimeout(waiting.get(key));
    waiting.delete(key);
    chosen.set(key, values[place]);
  });
}

/**
 * Go back to what the server said last: it did not do what was chosen.
 * @param {string} key
 */
function giveUp(key) {
  waiting.delete(key);
  if (!told.has(key)) return; // there is no server: a saved page
  chosen.set(key, told.get(key));
  tell();
}

/**
 * Call `listener` now and after each choice, until it returns false; return what ends it at once.
 * @param {(chosen: Chosen) => boolean} listener
 * @param {string[] | null} keys  of the settings that it follows; null for all.
 */
export function onChoice(listener, keys = null) {
  /** @type {(values: Chosen) => unknown} */
  const hear = (values) => listener(values) || listeners.delete(hear);
  listeners.set(hear, keys);
  hear(chosen);
  return () => listeners.delete(hear);
}
