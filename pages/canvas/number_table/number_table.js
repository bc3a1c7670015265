// @ts-check
// A table of numbers and words in a saved page.

import { component, sheetsOf } from "../runtime/component.js";
import { child, make } from "../runtime/dom.js";

/** @import { Data } from "../runtime/component.js" */
/** @import { Packed } from "../runtime/unpack.js" */
/** @typedef {{name: string, note: string, columns: string[], words: Record<string, string[]>}} Meta */

const styles = await sheetsOf(import.meta.url, "../runtime/shared.css", "number_table.css");

/** @param {number} value */
const written = (value) => (Number.isNaN(value) ? "–" : String(Number(value.toPrecision(6))));

export default component(
  styles,
  /**
   * @param {HTMLElement} root
   * @param {Data<Meta, {values: Packed}>} data
   */
  (root, { meta, arrays }) => {
    const { shape, values } = arrays.values;
    const [rows, width] = shape;
    const scroll = child(root, "div", "scroll");
    Object.assign(scroll, { tabIndex: 0, role: "region", ariaLabel: meta.name });
    const table = make("table");
    const head = table.createTHead().insertRow();
    for (const name of meta.columns) head.append(Object.assign(make("th", "", name), { scope: "col" }));
    const body = table.createTBody();
    for (let row = 0; row < rows; row++) {
      const line = body.insertRow();
      let number = row * width;
      meta.columns.forEach((_, place) => {
        const words = meta.words[place];
        const text = words ? words[row] : written(values[number++]);
        if (place) line.append(make("td", words ? "" : "number", text));
        else line.append(Object.assign(make("th", words ? "" : "number", text), { scope: "row" }));
      });
    }
    scroll.replaceChildren(table);
    child(root, "div", "note").textContent = meta.note;
  },
);
