// @ts-check
// Keeps a learner's answers in this browser. The first drawing in a tab tells the server what is held from former
// visits; later ones write what the server knows, which includes that.

/** @import { Mount } from "../runtime/component.js" */

const KEY = "attention-explorer-lessons";
const MOST = 100_000; // the most characters that are stored
let told = false;

const held = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {}; // no storage in this browser, or its content is not ours
  }
};

/** @param {Record<string, unknown>} answers */
function keep(answers) {
  const text = JSON.stringify(answers);
  try {
    if (text.length < MOST) localStorage.setItem(KEY, text);
  } catch {
    // A private window may have no storage: the answers last as long as the visit.
  }
}

/** Tell the page which answers are held, or hold those that it knows. @param {Mount} mount */
export default function ({ data, setTriggerValue }) {
  if (told) return keep({ ...held(), ...data.answers });
  told = true;
  const before = held();
  if (Object.keys(before).length) setTriggerValue("held", before);
}
