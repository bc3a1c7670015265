// @ts-check
// The page on which a teacher chooses a lesson and opens a class.

import { ask, at, box, link, make, put, RETRY, root, say } from "./common.js";

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

/** @param {string} code */
const leading = (code) => new URL("class/teacher/" + code, root).href;

/** Offer the ways back to the classes that this browser leads. @param {{code: string, title: string}[]} classes */
function offer(classes) {
  at("yours").replaceChildren();
  for (const { code, title } of classes) {
    const line = put(at("yours"), "p");
    line.append(link(classes.length > 1 ? `Back to your class ${code}` : "Back to your class", leading(code), "main"));
    put(line, "span", "quiet", `${code}: ${title}`);
  }
}

/** Whether this browser keeps cookies here; most keep none in a frame of another site. */
function keepsCookies() {
  document.cookie = "class-probe=1; SameSite=Strict";
  const isKept = document.cookie.includes("class-probe=1");
  document.cookie = "class-probe=; Max-Age=0; SameSite=Strict";
  return isKept;
}

/** Say that no class can be led from here. */
function refuse() {
  for (const part of at("open").children) /** @type {HTMLElement} */ (part).hidden = part.id !== "note";
  say("note", "The browser that leads a class keeps a cookie, and this one keeps none here. Allow cookies for this site, or ");
  const own = link("open this page in a tab of its own", location.href);
  own.target = "_blank";
  at("note").append(own, ".");
}

async function begin() {
  if (!keepsCookies()) return refuse();
  const { status, content } = await ask("lessons");
  say("note", status === 200 ? "" : content.error + " Trying again…");
  if (status !== 200) return setTimeout(begin, RETRY);
  /** @type {Offer[]} */
  const lessons = content.lessons;
  offer(content.classes);
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
  location.assign(leading(content.code));
};

addEventListener("pageshow", ({ persisted }) => persisted && begin()); // back from a class
begin();
