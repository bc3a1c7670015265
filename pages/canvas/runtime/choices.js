// @ts-check
// What has been chosen in the browser: a value for each setting by its key, told to every drawing at once.

/** @typedef {Map<string, unknown>} Chosen  The values by the keys of their settings. */

/** @type {Chosen} */
const chosen = new Map();
/** @type {Set<(chosen: Chosen) => unknown>} */
const listeners = new Set();

/**
 * Store values by their settings' keys, and tell every listener all that has been chosen so far.
 * @param {Record<string, unknown>} values
 */
export function choose(values) {
  for (const [key, value] of Object.entries(values)) chosen.set(key, value);
  for (const listener of listeners) listener(chosen);
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
