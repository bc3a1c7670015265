// @ts-check
// A number, with what it counts.

import { put } from "../../runtime/dom.js";

/** @import { Kind } from "../form.js" */

/** Ask for a number. @type {Kind} */
export function number(box, { unit }, changed) {
  const entry = put(box, "div", "entry");
  // A phone's pad for numbers may have no minus sign, so it is shown only where something is counted.
  const input = Object.assign(put(entry, "input"), { type: "text", inputMode: unit ? "decimal" : "text" });
  Object.assign(input, { autocomplete: "off", enterKeyHint: "send", maxLength: 30 });
  input.ariaLabel = unit ? "number, in " + unit : "number";
  put(entry, "span", "unit", unit).ariaHidden = "true";
  input.oninput = () => changed();
  return {
    show: (value) => (input.value = value === null ? "" : String(value)),
    read: () => numberIn(input.value, unit),
    missing: "Write a number first, such as 12 or 0.5.",
  };
}

/** Write digits and signs of any script as those of English. @param {string} text */
const inEnglish = (text) =>
  text
    .normalize("NFKC") // full-width digits, signs and points
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => String(worth(digit)))
    .replace(/[−–]/g, "-")
    .replaceAll("٫", ".")
    .replaceAll("٬", ",")
    .replaceAll("٪", "%");

/** Return what a decimal digit of another script is worth: in Unicode a script's ten digits follow each other. @param {string} digit */
function worth(digit) {
  const place = /** @type {number} */ (digit.codePointAt(0));
  let zero = place;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (place - zero) % 10;
}

/** Read a number such as "1,000", "0,5", "−2" or "20 %"; null if the text is none. @param {string} text */
export function numberIn(text, unit = "") {
  let plain = inEnglish(text.trim());
  const end = inEnglish(unit);
  if (end && plain.endsWith(end)) plain = plain.slice(0, -end.length);
  const isPercent = plain.endsWith("%");
  plain = plain.replace("%", "").replace(/\s/g, "");
  const isGrouped = /^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(plain);
  plain = isGrouped ? plain.replaceAll(",", "") : plain.replace(",", ".");
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,2})?$/i.test(plain)) return null;
  return isPercent ? Number(plain) / 100 : Number(plain);
}
