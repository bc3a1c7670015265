// @ts-check
// The cell that settings open in matrices (opened.py): where it is after another choice, and what that changes in drawings.

/** @import { AnyData } from "./frames.js" */
/** @typedef {null | number | "row" | "col" | number[]} Index */
/** @typedef {{row: number, cols: number[], width: number, marks: [string, Index, Index][]}} OpenMatrix */
/**
 * keys, at: of the matrix, the row and the column, and their values now. line: of a text that shows one row, what a click
 * on a token chooses as the matrix, the matrices whose rows are its tokens, its row for other matrices, and its words.
 * @typedef {{keys: (string | null)[], at: unknown[], matrices: Record<string, OpenMatrix>, default: string,
 *   line?: {matrix: string, of: string[], row: number, who: string[], name: string, caption: string}}} Opened
 */

/** @param {Opened | undefined} opened */
export const keysOf = (opened) => /** @type {string[]} */ (opened?.keys.filter((key) => key !== null) ?? []);

/** @param {Opened | undefined} opened */
export const valuesOf = (opened) => opened?.at.filter((_, place) => opened.keys[place] !== null) ?? [];

/** Return the controls of the row and the column, which are boxes of numbers. @param {Opened | undefined} opened */
export const boxesOf = (opened) =>
  Object.fromEntries((opened?.keys.slice(1) ?? []).map((key) => [key, null]));

/**
 * Return the settings that a click changes.
 * @param {Opened} opened
 * @param {any} value  A cell, or the number of a token.
 */
export function openedBy({ keys, matrices, line }, value) {
  const [ofMatrix, ofRow, ofCol] = keys.map(String);
  if (line) return { [ofMatrix]: line.matrix, [ofRow]: value, [ofCol]: null };
  if (!(value.panel in matrices)) return { [ofRow]: value.row };
  return { ...(keys[0] === null ? {} : { [ofMatrix]: value.panel }), [ofRow]: value.row, [ofCol]: value.col };
}

/**
 * Return a drawing with the cell open that these values choose.
 * @param {AnyData} data
 * @param {(key: string, now: unknown) => unknown} valueOf  The value of a setting, by its key and its value in the data.
 * @returns {AnyData}
 */
export function withOpened(data, valueOf) {
  /** @type {Opened | undefined} */
  const opened = data.meta.openCell;
  if (!opened) return data;
  const at = opened.at.map((now, place) => (opened.keys[place] === null ? now : valueOf(String(opened.keys[place]), now)));
  if (at.every((value, place) => value === opened.at[place])) return data;
  const meta = { ...data.meta, openCell: { ...opened, at } };
  return { ...data, meta: { ...meta, ...(opened.line ? lineOf(data, opened, at) : { panels: panelsOf(meta, at) }) } };
}

/** @param {any} meta @param {unknown[]} at */
function panelsOf({ panels, openCell: opened }, at) {
  const [name, row, col] = cellOf(opened, at);
  /** @type {OpenMatrix} */
  const { marks } = opened.matrices[name];
  const number = (/** @type {Index} */ index) => (Array.isArray(index) ? index[col] : index === "row" ? row : index === "col" ? col : index);
  return panels.map((/** @type {any} */ panel) => {
    const all = marks.filter(([of]) => of === panel.name).map(([, i, j]) => JSON.stringify([number(i), number(j)]));
    const outlines = [...new Set(all)].map((mark) => JSON.parse(mark));
    return { ...panel, outlines, selected: panel.name === name ? [row, col] : null };
  });
}

/** @param {Opened} opened @param {unknown[]} at @returns {[string, number, number]} */
function cellOf({ matrices, default: usual }, [name, row, col]) {
  const known = String(name) in matrices ? String(name) : usual;
  const { row: ownRow, cols, width } = matrices[known];
  const i = Math.min(Number(row ?? ownRow), cols.length - 1);
  return [known, i, Math.min(Number(col ?? cols[i]), width - 1)];
}

/** @param {AnyData} data @param {Opened} opened @param {unknown[]} at */
function lineOf({ meta, arrays }, opened, at) {
  const { of, row: usual, who, name, caption } = /** @type {NonNullable<Opened["line"]>} */ (opened.line);
  const [matrix, row] = cellOf(opened, at);
  const line = at[1] !== null && of.includes(matrix) ? row : usual;
  const count = meta.tokens.length;
  const tokens = meta.tokens.map((/** @type {any} */ token, /** @type {number} */ i) => {
    const share = arrays.shares.values[line * count + i];
    return { ...token, note: "weight " + rounded(share, 3).toFixed(3), shade: rounded(Math.min(1, Math.max(0, share)), 4) };
  });
  const said = (/** @type {string} */ words) => words.replace("{}", () => who[line]);
  return { tokens, name: said(name), caption: said(caption), selected: meta.pickable ? line : null };
}

/** Round as Python does: of two numbers that are as near, to the even one. @param {number} value @param {number} digits */
function rounded(value, digits) {
  const moved = value * 10 ** digits;
  const nearest = Math.round(moved);
  return (moved % 1 === 0.5 && nearest % 2 ? nearest - 1 : nearest) / 10 ** digits;
}
