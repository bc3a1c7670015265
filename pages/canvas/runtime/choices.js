// @ts-check
// What has been chosen in the browser: a value for each setting by its key, told to every drawing at once.

/** @typedef {Map<string, unknown>} Chosen  The values by the keys of their settings. */

const WAITS = 3000; // milliseconds in which the server is expected to answer a choice

/** @type {Chosen} */
const chosen = new Map();
/** @type {Map<string, number>} */
const waiting = new Map(); // when a value was chosen that the server has not answered yet, by its key
/** @type {Set<(chosen: Chosen) => unknown>} */
const listeners = new Set();

const tell = () => listeners.forEach((listener) => listener(chosen));

/**
 * Store values by their settings' keys, and tell every listener all that has been chosen so far.
 * @param {Record<string, unknown>} values
 */
export function choose(values) {
  for (const [key, value] of Object.entries(values)) {
    chosen.set(key, value);
    waiting.set(key, performance.now());
  }
  tell();
}

/**
 * Take the values that an answer of the server was made for. It is the truth, unless a later choice waits for its own.
 * @param {string[]} keys
 * @param {unknown[]} values
 */
export function answered(keys, values) {
  keys.forEach((key, place) => {
    const since = waiting.get(key);
    const isLate = since !== undefined && chosen.get(key) !== values[place] && performance.now() - since < WAITS;
    if (isLate) return;
    waiting.delete(key);
    chosen.set(key, values[place]);
  });
}

/**
 * Call `listener` now and after each choice, until it returns false.
 * @param {(chosen: Chosen) => boolean} listener
 */
export function onChoice(listener) {
  /** @type {(values: Chosen) => unknown} */
  const told = (values) => listener(values) || listeners.delete(told);
  listeners.add(told);
  told(chosen);
}
