// @ts-check
// The page on which a teacher chooses a lesson or a plan and opens a class.

import { ask, at, box, COMPUTING, link, make, put, RETRY, root, say } from "./common.js";
import { planBuilder } from "./plan_builder.js";

/** @import { Limits, Plan, Row } from "./plan_builder.js" */
/** @typedef {{title: string, questions: number, minutes: number}} Sized */
/** @typedef {Sized & {name: string, goal: string, words: string, rows: Row[]}} Lesson */
/** @typedef {Sized & {name: string, lessons: string[], inventory: boolean, asked: string}} Timed  One of the plans of 45 and 90 minutes. */
/** @typedef {{lesson: string} | {plan: string | Plan, inventory?: boolean}} Choice  As the server takes it. */
/** @typedef {{number: number, question: string, problem: string}} Problem */
/**
 * One of the things to choose from. inventory: whether it is offered with the inventory; a lesson alone never is.
 * asked: what of the inventory its class is asked, if that is known.
 * @typedef {{value: string, title: string, about: string, words: string, inventory?: boolean, asked?: string, choice: () => Choice}} Offer
 */

const OWN = "own plan";
const ASKED = "One question, of about a minute, for each idea that the plan’s lessons teach; for all ideas if they teach none.";
const EACH = "Left empty, each question is about the sentence of its lesson.";
const wanted = new URLSearchParams(location.search);
let edited = Boolean(wanted.get("t"));
/** @type {Offer[]} */
let offers = [];
/** @type {string[]} */
let judged = []; // what the teacher has been told does not suit: the choice and the sentence, and the questions' numbers

/** @param {Sized} sized */
function size({ questions, minutes }) {
  return `${questions === 1 ? "1 question" : `${questions} questions`}, about ${Math.round(minutes)} minutes.`;
}

/** @param {Lesson} lesson @returns {Offer} */
const lessonOffer = (lesson) => ({
  value: lesson.name,
  title: lesson.title,
  about: `${lesson.goal} ${size(lesson)}`,
  words: lesson.words,
  choice: () => ({ lesson: lesson.name }),
});

/** @param {Timed} plan @returns {Offer} */
const timedOffer = (plan) => ({
  value: plan.name,
  title: plan.title,
  about: `The questions of the printed plan, from ${plan.lessons.length === 1 ? "1 lesson" : `${plan.lessons.length} lessons`}. ${size(plan)}`,
  words: "",
  inventory: plan.inventory,
  asked: plan.asked,
  choice: () => ({ plan: plan.name, inventory: box("inventory").checked }),
});

/** @param {Offer} offer @param {boolean} checked */
function option(offer, checked) {
  const label = make("label", "option");
  const input = Object.assign(put(label, "input"), { type: "radio", name: "lesson", value: offer.value, checked });
  input.onchange = () => choose(offer);
  const text = put(label, "span");
  put(text, "b", "", offer.title);
  put(text, "span", "quiet", offer.about);
  return label;
}

/** @param {Offer} offer */
function choose(offer) {
  if (!edited) box("sentence").value = offer.words;
  say("each", offer.words ? "" : EACH);
  at("asks").hidden = offer.inventory === undefined;
  say("asked", offer.asked ?? ASKED);
  box("inventory").checked = Boolean(offer.inventory);
  const builder = document.querySelector(".builder");
  if (builder) /** @type {HTMLElement} */ (builder).hidden = offer.value !== OWN;
  forget();
}

/** Let the class be opened without more ado again, because what was judged has changed. */
function forget() {
  judged = [];
  at("problems").replaceChildren();
  say("submit", "Open the class");
}

/** @param {string} code */
const leading = (code) => new URL("class/teacher/" + code, root).href;

/** Offer the ways back to the classes that this browser leads. @param {{code: string, title: string}[]} classes */
function offerClasses(classes) {
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
  offerClasses(content.classes);
  if (at("lessons").childElementCount) return; // back from a class: a plan stays as it was put together
  box("sentence").maxLength = content.characters.sentence;
  box("sentence").value = wanted.get("t") ?? "";
  drawOffers(content);
}

/** @param {{lessons: Lesson[], plans: Timed[], characters: Limits}} content */
function drawOffers({ lessons, plans, characters }) {
  const builder = planBuilder({
    lessons,
    limits: characters,
    sentence: () => box("sentence").value,
    inventory: () => box("inventory").checked,
    onOpen: (sentence, inventory) => {
      box("sentence").value = sentence;
      box("inventory").checked = inventory;
      edited = Boolean(sentence);
    },
    onChange: forget,
  });
  const about = "Questions of any lessons in your order, and your own. Save it as a file, and open it again.";
  const own = { value: OWN, title: "A plan of your own", about, words: "", inventory: false, choice: () => ({ plan: builder.plan() }) };
  const timed = plans.map(timedOffer);
  const single = lessons.map(lessonOffer);
  offers = [...timed, own, ...single];
  const named = wanted.get("plan") ?? wanted.get("lesson");
  const first = offers.find(({ value }) => value === named) ?? single[0] ?? own;
  /** @param {Offer} offer */
  const drawn = (offer) => option(offer, offer === first);
  const heading = (/** @type {string} */ text) => make("h2", "", text);
  at("lessons").append(heading("A plan"), ...[...timed, own].map(drawn), builder.box, at("asks"), heading("A lesson"), ...single.map(drawn));
  choose(first);
}

/**
 * Return the questions that a sentence does not suit; null if it could not be judged.
 * @param {Choice} choice
 * @param {string} text
 * @returns {Promise<Problem[] | null>}
 */
async function judge(choice, text) {
  const { status, content } = await ask("judge", { body: { ...choice, text }, patience: COMPUTING });
  if (status === 200) return content.problems;
  say("note", content.error);
  return null;
}

/** Say which questions a sentence does not suit, and what happens to them. @param {Problem[]} problems */
function tell(problems) {
  const list = make("ul");
  for (const { number, question, problem } of problems) put(list, "li", "", `Question ${number}, “${question}”: ${problem}`);
  const count = problems.length === 1 ? "one question" : `${problems.length} questions`;
  const why = `This sentence does not suit ${count}, which will be about the sentence of its lesson instead.`;
  at("problems").replaceChildren(make("p", "problem", problems.length === 1 ? why : why.replace("its lesson", "their lessons")), list);
  say("submit", "Open the class nevertheless");
}

box("inventory").onchange = forget;
box("sentence").oninput = () => {
  edited = true;
  forget();
};
at("open").onsubmit = async (event) => {
  event.preventDefault();
  const chosen = new FormData(/** @type {HTMLFormElement} */ (at("open"))).get("lesson");
  const offer = offers.find(({ value }) => value === chosen);
  if (!offer) return;
  const [choice, text] = [offer.choice(), box("sentence").value];
  const key = JSON.stringify([choice, text]);
  let keep = judged[0] === key ? judged.slice(1).map(Number) : [];
  say("note", "One moment…");
  if (judged[0] !== key && text.trim() && text !== offer.words) {
    const problems = await judge(choice, text);
    if (!problems) return;
    keep = problems.map(({ number }) => number);
    judged = [key, ...keep.map(String)];
    if (problems.length) return say("note", ""), tell(problems);
  }
  const { status, content } = await ask("rooms", { body: { ...choice, text, keep } });
  if (status !== 200) return say("note", content.error);
  location.assign(leading(content.code));
};

addEventListener("pageshow", ({ persisted }) => persisted && begin()); // back from a class
begin();
