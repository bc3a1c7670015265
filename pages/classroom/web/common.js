// @ts-check
// What the pages of a class share: elements, requests, streams of events, bars, and the page of a class that is gone.

/** @typedef {{name: string, title: string, page: string}} Lesson */
/** @typedef {{lesson?: Lesson | null, sentence?: string}} Taken  What a class took: a lesson, on a sentence. */
/** @typedef {{label: string, share: number, words: string, right?: boolean, model?: number}} Bar */
/** @typedef {{title: string, bars: Bar[]}} Group */
/** @typedef {{title: string, people: number, before: string, after: string, gain: string}} GainRow */
/** @typedef {{rows: GainRow[], sentence: string, note: string}} Gain  What a class has gained; rows: by idea. */
/** @typedef {{status: number, content: any}} Answer  status: 0 if none came, and content.error says why. */

/** The address of the app. */
export const root = new URL(document.documentElement.dataset.root ?? "", document.baseURI);

/** Return the page's element with this id. @param {string} id */
export const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Return the page's text box with this id. @param {string} id */
export const box = (id) => /** @type {HTMLInputElement} */ (at(id));

/**
 * Make an element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} className
 * @param {string | number} textContent
 * @returns {HTMLElementTagNameMap[K]}
 */
export const make = (tag, className = "", textContent = "") =>
  Object.assign(document.createElement(tag), { className, textContent });

/**
 * Append a new element to `parent` and return it.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {Node} parent
 * @param {K} tag
 * @param {string} className
 * @param {string | number} text
 * @returns {HTMLElementTagNameMap[K]}
 */
export const put = (parent, tag, className = "", text = "") => parent.appendChild(make(tag, className, text));

/** Milliseconds until a request is made again that had no answer. */
export const RETRY = 2000;
const PATIENCE = 8000;
/** Milliseconds that models may take to compute what is right about a new sentence. */
export const COMPUTING = 120000;
const POLL = 45000;
const MANY = 6; // bars, which stand in two columns where there is room

/**
 * Append the words of a lesson to an element; in them ** marks terms and ` code.
 * @template {HTMLElement} E
 * @param {E} element
 * @param {string} text
 */
export function words(element, text) {
  for (const part of text.split(/(\*\*.+?\*\*|`.+?`)/)) {
    if (/^\*\*.+\*\*$/.test(part)) put(element, "b", "", part.slice(2, -2));
    else if (/^`.+`$/.test(part)) put(element, "code", "", part.slice(1, -1));
    else element.append(part);
  }
  return element;
}

/** Make a paragraph of the words of a lesson. @param {string} text */
export const paragraph = (text, className = "") => words(make("p", className), text);

/** @type {WeakMap<Element, string>} */
const shown = new WeakMap(); // what elements show

/**
 * Fill an element anew only if what it shows has changed, so that focus and screen readers stay where they are.
 * @param {Element} element
 * @param {unknown} content  What it shows.
 * @param {(Node | string | (() => (Node | string)[]))[]} children  Or functions that make them.
 */
export function fill(element, content, ...children) {
  const key = JSON.stringify(content ?? null);
  if (shown.get(element) === key) return;
  shown.set(element, key);
  element.replaceChildren(...children.flatMap((child) => (typeof child === "function" ? child() : child)));
}

/** Put a text into the element with this id, if there is one. @param {string} id @param {string} text */
export const say = (id, text) => {
  if (at(id) && at(id).textContent !== text) at(id).textContent = text;
};

const OFFLINE = "No connection.";
const AWAY = "The server does not answer just now.";

/**
 * Ask the server. If no answer came, or only one of a proxy before it, the status is 0 and content.error says so.
 * @param {string} path  Below class/.
 * @param {{id?: string, body?: unknown, patience?: number}} request  id: of the phone; body: what is sent; patience: the
 *   milliseconds that an answer may take.
 * @returns {Promise<Answer>}
 */
export async function ask(path, { id = "", body, patience = PATIENCE } = {}) {
  /** @type {Record<string, string>} */
  const headers = { ...(id && { "X-Participant": id }), ...(body ? { "Content-Type": "application/json" } : {}) };
  /** @type {RequestInit} */
  const options = { headers, cache: "no-store", signal: AbortSignal.timeout(patience) };
  if (body) Object.assign(options, { method: "POST", body: JSON.stringify(body) });
  try {
    const answer = await fetch(new URL("class/" + path, root), options);
    return { status: answer.status, content: await answer.json() };
  } catch (error) {
    return { status: 0, content: { error: error instanceof TypeError ? OFFLINE : AWAY } };
  }
}

/** Return what the tab's own name holds, which stays with the tab as long as it is on this site. */
function ofTab() {
  try {
    return Object(JSON.parse(window.name));
  } catch {
    return {};
  }
}

/** What a browser remembers, or only the tab if the browser may not store anything. */
export const memory = {
  /** Return what is remembered under a key, {} for nothing. @param {string} key */
  read(key) {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "null") ?? ofTab()[key] ?? {};
    } catch {
      return ofTab()[key] ?? {};
    }
  },
  /** Remember a value under a key. @param {string} key @param {unknown} value */
  write(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      window.name = JSON.stringify({ ...ofTab(), [key]: value });
    }
  },
};

/**
 * Keep a page up to date; return a function that loads it now. load() asks for everything; it returns true, "gone", or a
 * sentence that says why it did not come. It is called at the start, after each interruption, when the device wakes, and
 * now and then. address() is that of the events, each given to take(news). shared() names what tabs of one phone share:
 * the one that was looked at last holds the stream for all of them.
 * @param {{load: () => Promise<true | string>, address: () => URL, take: (news: any) => unknown, shared?: () => string}} page
 */
export function follow({ load, address, take, shared }) {
  /** @type {EventSource | null} */
  let source = null;
  let timer = 0;
  const tabs = otherTabs(shared, {
    held: () => source !== null,
    drop: () => drop(),
    take,
    left: () => later(document.hidden ? RETRY : RETRY / 10), // what is looked at comes first
  });
  /** @param {number} milliseconds */
  const later = (milliseconds) => {
    clearTimeout(timer);
    timer = setTimeout(() => refresh(), milliseconds * (1 + Math.random() / 4));
  };
  const drop = () => {
    source?.close();
    source = null;
  };
  const open = () => {
    drop();
    source = new EventSource(address());
    source.onmessage = ({ data }) => {
      take(JSON.parse(data));
      tabs.say({ news: JSON.parse(data) });
    };
    source.addEventListener("gone", () => refresh());
    source.onerror = () => (drop(), later(RETRY));
    tabs.begin();
  };
  /** @type {Promise<true | string> | null} */
  let loading = null;
  async function refresh(fresh = false) {
    loading ??= load().catch(() => "Something went wrong on this page.").finally(() => (loading = null));
    const came = await loading;
    if (came === "gone") return drop(), clearTimeout(timer);
    say("connection", came === true ? "" : came + " Trying again…");
    if (came === true) {
      if (fresh || (!source && !tabs.isHeld())) open();
      else if (source) tabs.say({});
    }
    later(came === true ? POLL : RETRY);
  }
  const wake = () => document.visibilityState === "visible" && refresh(true);
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", ({ persisted }) => persisted && wake());
  addEventListener("pagehide", () => {
    if (source) tabs.say({ left: true });
    drop();
  });
  refresh();
  return refresh;
}

/**
 * Talk with the other tabs of this phone about who holds the stream; a browser without BroadcastChannel has none.
 * @param {(() => string) | undefined} shared
 * @param {{held: () => boolean, drop: () => void, take: (news: any) => unknown, left: () => void}} own  Of this tab.
 */
function otherTabs(shared, { held, drop, take, left }) {
  /** @type {BroadcastChannel | null} */
  let channel = null;
  let since = 0; // when this tab opened its stream
  let heard = -Infinity; // when another tab spoke that holds it
  const meet = () => {
    if (channel || !shared || !("BroadcastChannel" in window)) return;
    channel = new BroadcastChannel(shared());
    channel.onmessage = ({ data }) => {
      if (data.left) return (heard = -Infinity), left();
      if (held() && data.since < since) return; // it has been told that this tab holds the stream now
      heard = Date.now();
      drop();
      if (data.news) take(data.news);
    };
  };
  /** @param {{news?: any, left?: true}} words */
  const tell = (words) => channel?.postMessage({ since, ...words });
  return {
    say: tell,
    begin() {
      meet();
      since = Date.now() + Math.random();
      tell({});
    },
    isHeld() {
      meet();
      return Date.now() - heard < 2 * POLL;
    },
  };
}

/**
 * Make lists of bars of the spread of answers.
 * @param {Group[]} groups
 * @param {string[]} names  Of the two bars of a pair.
 * @returns {HTMLElement[]}
 */
export function spread(groups, names = ["the class", "the model"]) {
  const isPaired = groups.some(({ bars }) => bars.some(({ model }) => model !== undefined));
  return [...(isPaired ? [key(names)] : []), ...groups.flatMap((group) => barList(group))];
}

/** @param {string[]} names */
function key(names) {
  const line = make("p", "key");
  names.forEach((name, i) => put(line, "span", i ? "model" : "class", name));
  return line;
}

/** @param {Group} group */
function barList({ title, bars }) {
  const list = make("ul", bars.length > MANY ? "tally many" : "tally");
  bars.forEach((bar) => list.append(barItem(bar)));
  return title ? [make("h3", "", title), list] : [list];
}

/** @param {Bar} bar */
function barItem({ label, share, words: length, right, model }) {
  const item = make("li", right ? "right" : "");
  const name = put(item, "span", "label");
  if (right) put(name, "span", "", "✓ ").ariaHidden = "true";
  if (right) put(name, "span", "unseen", "right: ");
  put(name, "bdi", "", label);
  const track = put(item, "span", "track");
  track.ariaHidden = "true";
  level(track, "level", share);
  if (model !== undefined) {
    item.classList.add("pair");
    level(track, "model", model);
  }
  put(item, "span", "words", length);
  return item;
}

/** @param {HTMLElement} track @param {string} name @param {number} share */
const level = (track, name, share) => put(track, "span", name).style.setProperty("width", 100 * share + "%");

/**
 * Make the table of what a class has gained, with what it is and is not.
 * @param {Gain} gain
 */
export function gainParts({ rows, sentence, note }) {
  /** @type {HTMLElement[]} */
  const parts = [make("p", "verdict", sentence)];
  if (!rows.length) return parts;
  const table = make("table", "gain");
  const head = put(put(table, "thead"), "tr");
  for (const name of ["Idea", "People", "Right before", "Right after", "Gain"]) {
    Object.assign(put(head, "th", "", name), { scope: "col" });
  }
  const body = put(table, "tbody");
  for (const { title, people, before, after, gain } of rows) {
    const line = put(body, "tr");
    Object.assign(put(line, "th", "", title), { scope: "row" });
    for (const cell of [people, before, after, gain]) put(line, "td", "", cell);
  }
  return [...parts, table, make("p", "quiet", note)];
}

/** Return where a learner finds the lesson without the class. @param {Lesson | null | undefined} lesson @param {string} [sentence] */
export function lessonAddress(lesson, sentence) {
  if (!lesson) return root.href;
  const query = new URLSearchParams({ lesson: lesson.name, screen: "1", ...(sentence && { t: sentence }) });
  return new URL(`${lesson.page}?${query}`, root).href;
}

/** Make a link. @param {string} text @param {string} href */
export function link(text, href, className = "") {
  return Object.assign(make("a", className, text), { href });
}

/**
 * Replace the page by one that says why there is no class.
 * @param {string} heading
 * @param {string} why
 * @param {[HTMLAnchorElement, ...HTMLAnchorElement[]]} ways  Where to go from there; the first is the main one.
 */
export function showEnd(heading, why, ...ways) {
  document.body.className = "plain";
  const main = make("main");
  const title = put(main, "h1", "", heading);
  put(main, "p", "", why);
  ways[0].className = "main";
  ways.forEach((way) => put(main, "p", "quiet").append(way));
  document.body.replaceChildren(main);
  document.title = heading + " · Attention Explorer";
  focusOn(title);
}

/** Return a link to the page on which learners join. @param {string} text */
export const joining = (text) => link(text, new URL("class", root).href);

/** Say that the server does not know the class any more. @param {Taken} taken */
export function showGone({ lesson, sentence }) {
  const alone = lesson ? `Take the lesson “${lesson.title}” on your own` : "Open Attention Explorer";
  const why = "Your teacher has closed it, its four hours have passed, or the server was started again.";
  showEnd("This class is over", why, link(alone, lessonAddress(lesson, sentence)), joining("Join another class"));
}

/** Give the focus to something new that takes none by itself, so that it is read aloud. @param {HTMLElement} element */
export function focusOn(element) {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
