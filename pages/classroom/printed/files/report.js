// @ts-check
// Fills the report with the answers that this browser holds, written there by
// pages/canvas/lesson_progress/lesson_progress.js. What stands there may be anybody's: it is shown as text only.

const KEY = "attention-explorer-lessons";
const MOST = 300; // characters of a learner's text

function held() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {}; // no storage in this browser, or not ours
  }
}

/** Return a value of the object's own. @param {any} object @param {string} key */
const ownValue = (object, key) => (Object.hasOwn(Object(object), key) ? object[key] : undefined);

/** Return the element that the page has for a selector. @param {ParentNode} parent @param {string} selector */
const only = (parent, selector) => /** @type {HTMLElement} */ (parent.querySelector(selector));

/** @param {ParentNode} parent @param {string} selector @returns {HTMLElement[]} */
const all = (parent, selector) => [.../** @type {NodeListOf<HTMLElement>} */ (parent.querySelectorAll(selector))];

/** Show how a lesson was answered; whether it was. @param {HTMLElement} section @param {unknown} answers */
function showLesson(section, answers) {
  const items = all(section, "[data-screen]");
  let given = 0, right = 0;
  for (const item of items) {
    const answer = ownValue(answers, `${section.dataset.lesson}/${item.dataset.screen}`);
    const isRight = ownValue(answer, "right") === true;
    const text = ownValue(answer, "text");
    if (answer !== undefined) given += 1;
    if (isRight) right += 1;
    const said = answer === undefined ? "Not answered." : isRight ? "Right." : "To look at again.";
    only(item, ".result").textContent = said;
    if (typeof text === "string" && text) only(item, ".text").textContent = `Your text: “${text.slice(0, MOST)}”`;
  }
  only(section, ".count").textContent = `${right} of ${items.length} right.`;
  section.hidden = given === 0;
  return given > 0;
}

/** Show how the concept inventory was answered; whether it was. @param {HTMLElement} section @param {unknown} answers */
function showInventory(section, answers) {
  let any = false;
  for (const half of ["A", "B"]) {
    const chosen = ownValue(answers, `inventory/${half}`);
    const cells = all(section, `[data-half="${half}"]`);
    if (!Array.isArray(chosen) || chosen.length !== cells.length) continue;
    any = true;
    cells.forEach((cell, i) => (cell.textContent = String(chosen[i]) === cell.dataset.right ? "right" : "to look at again"));
  }
  section.hidden = !any;
  return any;
}

const answers = held();
const shown = all(document, "[data-lesson]").map((section) => showLesson(section, answers));
shown.push(showInventory(only(document, "#inventory"), answers));
only(document, "#empty").hidden = shown.some(Boolean);
only(document, "#date").textContent = new Date().toLocaleDateString("en-GB");
