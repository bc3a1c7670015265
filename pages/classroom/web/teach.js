// @ts-check
// The page on which a teacher chooses a lesson and opens a class.

import { ask, at, box, make, put, RETRY, root, say } from "./common.js";

/** @typedef {{name: string, title: string, goal: string, questions: number, minutes: number, words: string}} Offer */

const wanted = new URLSearchParams(location.search);
let edited = Boolean(wanted.get("t"));

/** @param {Offer} lesson @param {boolean} chosen */
function option(lesson, chosen) {
  const label = make("label", "option");
  const input = Object.assign(put(label, "input"), { type: "radio", name: "lesson", value: lesson.name });
  input.checked = chosen;
  input.onchange = () => choose(lesson);
  const text = put(label, "span");
  put(text, "b", "", lesson.title);
  const count = lesson.questions === 1 ? "1 question" : `${lesson.questions} questions`;
  put(text, "span", "quiet", `${lesson.goal} ${count}, about ${Math.round(lesson.minutes)} minutes.`);
  return label;
}

/** @param {Offer} lesson */
function choose(lesson) {
  if (!edited) box("sentence").value = lesson.words;
}

async function begin() {
  const { status, content } = await ask("lessons");
  say("note", status === 200 ? "" : content.error + " Trying again…");
  if (status !== 200) return setTimeout(begin, RETRY);
  /** @type {Offer[]} */
  const lessons = content.lessons;
  const first = lessons.find(({ name }) => name === wanted.get("lesson")) ?? lessons[0];
  at("lessons").replaceChildren(...lessons.map((lesson) => option(lesson, lesson === first)));
  box("sentence").maxLength = content.characters;
  box("sentence").value = wanted.get("t") ?? "";
  if (first) choose(first);
}

at("sentence").oninput = () => (edited = true);
at("open").onsubmit = async (event) => {
  event.preventDefault();
  const lesson = new FormData(/** @type {HTMLFormElement} */ (at("open"))).get("lesson");
  say("note", "One moment…");
  const { status, content } = await ask("rooms", { body: { lesson, text: box("sentence").value } });
  if (status !== 200) return say("note", content.error);
  location.assign(new URL("class/teacher/" + content.secret, root));
};

begin();
