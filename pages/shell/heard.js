// @ts-check
// Tells a screen reader what it would not hear by itself. The sentence about the picture is a heading, and is read out
// once when a change has made it another one; so is the question of a page that is opened. Icons beside words are silent.
{
  const LOOK_MS = 400;
  const LOOKS = 2; // in a row that must find the same sentence: while a text plays or is typed, none is read out
  const QUESTION = "[data-testid=stMain] h1";
  const SENTENCE = ".st-key-sentence > [data-testid=stElementContainer] [data-testid=stMarkdownContainer] p";
  const SMALLER = "[data-testid=stMain] :is(h4, h5, h6)"; // by their size; what they head is part of the picture
  const ICON = 'span[role=img][aria-label$=" icon"]';

  const line = document.createElement("div");
  line.setAttribute("role", "status");
  line.style.cssText = "position: fixed; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)";

  /** Return the words of an element without its icons. @param {Element | null} element */
  const wordsOf = (element) => {
    const copy = /** @type {Element | undefined} */ (element?.cloneNode(true));
    copy?.querySelectorAll(ICON).forEach((icon) => icon.remove());
    return copy?.textContent.trim() ?? "";
  };
  const isRunning = () =>
    /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=stApp]"))?.dataset.testScriptState !== "notRunning";

  let [question, said] = ["", ""]; // of the page on the screen, and its sentence, as they were heard last
  let [seen, looks] = ["", 0]; // the sentence on the screen, and how many looks have found it

  const look = () => {
    document.querySelectorAll(ICON).forEach((icon) => icon.setAttribute("aria-hidden", "true"));
    const [asked, sentence] = [document.querySelector(QUESTION), document.querySelector(SENTENCE)];
    document.querySelectorAll(SMALLER).forEach((heading) => (heading.ariaLevel = "3"));
    if (sentence) Object.assign(sentence, { role: "heading", ariaLevel: "2" });
    const [page, words] = [wordsOf(asked), wordsOf(sentence)];
    looks = words === seen && !isRunning() ? looks + 1 : 0;
    seen = words;
    if (page && page !== question) {
      if (question) line.textContent = page;
      [question, said, looks] = [page, "", 0];
    }
    if (looks < LOOKS || !words || words === said) return;
    if (said) line.textContent = words; // the first one is read with the page
    said = words;
  };
  addEventListener("DOMContentLoaded", () => document.body.append(line));
  setInterval(look, LOOK_MS);
}
