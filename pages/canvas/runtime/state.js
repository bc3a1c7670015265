// @ts-check
// What is remembered of an element from one change of its data to the next: one object for each element.

/** @type {WeakMap<object, any>} */
const states = new WeakMap();

/**
 * Return the state of an element, which the first call makes as `new Kind(element, ...rest)`.
 * @template {object} E
 * @template {unknown[]} R
 * @template S
 * @param {E} element
 * @param {new (element: E, ...rest: R) => S} Kind
 * @param {R} rest
 * @returns {S}
 */
export function stateOf(element, Kind, ...rest) {
  if (!states.has(element)) states.set(element, new Kind(element, ...rest));
  return states.get(element);
}
