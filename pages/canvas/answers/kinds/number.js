// A number, with what it counts.

import { put } from "../../runtime/dom.js";

export function number(box, { unit, question }, changed) {
  const label = put(box, "label", "entry");
  // The number pad of a phone has no minus sign, so it is only shown for what is counted.
  const input = Object.assign(put(label, "input"), { type: "text", inputMode: unit ? "decimal" : "text" });
  Object.assign(input, { autocomplete: "off", enterKeyHint: "send", maxLength: 30 });
  input.ariaLabel = unit ? "number, in " + unit : "number";
  put(label, "span", "unit", unit ?? "").ariaHidden = "true";
  input.oninput = () => changed();
  return {
    show: (value) => (input.value = value === null ? "" : String(value)),
    read: () => numberIn(input.value, unit),
    missing: "Write a number first.",
  };
}

// The number that a text says, or null: "1,000", "0,5", "−2", "20 %".
export function numberIn(text, unit = "") {
  let plain = text.trim().replace(/[−–]/g, "-");
  if (unit && plain.endsWith(unit)) plain = plain.slice(0, -unit.length);
  plain = plain.replace(/[\s%]/g, "");
  const isGrouped = /^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(plain);
  plain = isGrouped ? plain.replaceAll(",", "") : plain.replace(",", ".");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,2})?$/i.test(plain) ? Number(plain) : null;
}
