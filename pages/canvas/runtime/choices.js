// What has been chosen in the browser: a value for each setting by its key, told to every drawing at once.

const chosen = new Map();
const listeners = new Set();

// Stores values by their settings' keys, and calls every listener with all that has been chosen so far.
export function choose(values) {
  for (const [key, value] of Object.entries(values)) chosen.set(key, value);
  for (const listener of listeners) listener(chosen);
}

// Calls `listener(chosen)` now and after each choice, until it returns false.
export function onChoice(listener) {
  const told = (values) => listener(values) !== false || listeners.delete(told);
  listeners.add(told);
  told(chosen);
}
