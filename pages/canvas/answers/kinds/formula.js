// A formula with gaps: in each gap one of the options is chosen.

import { make, put } from "../../runtime/dom.js";

const GAP = "___";

export function formula(box, { formula: text, options }, changed) {
  const line = put(box, "p", "line");
  const parts = text.split(GAP);
  const selects = parts.slice(1).map((_, i) => gap(options, `gap ${i + 1} of ${parts.length - 1}`));
  parts.forEach((part, i) => {
    if (part) put(line, "span", "", part);
    if (selects[i]) line.append(selects[i]);
  });
  line.onchange = () => changed();
  return {
    show: (value) => selects.forEach((select, i) => (select.value = value?.[i] ?? "")),
    read: () => (selects.every((select) => select.value) ? selects.map((select) => select.value) : null),
    missing: selects.length > 1 ? "Fill all gaps first." : "Fill the gap first.",
  };
}

function gap(options, name) {
  const select = Object.assign(make("select"), { ariaLabel: name });
  for (const option of [{ name: "", text: "…" }, ...options])
    Object.assign(put(select, "option", "", option.text), { value: option.name });
  return select;
}
