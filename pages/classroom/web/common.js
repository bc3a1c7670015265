// What the pages of a class share: elements, requests, streams of events, bars, and the page of a class that is gone.

export const root = new URL(document.documentElement.dataset.root, document.baseURI);
export const at = (id) => document.getElementById(id);
export const make = (tag, className = "", textContent = "") =>
  Object.assign(document.createElement(tag), { className, textContent });
export const put = (parent, tag, className = "", text = "") => parent.appendChild(make(tag, className, text));
export const RETRY = 2000; // milliseconds
const PATIENCE = 8000;
const POLL = 45000;
const MANY = 6; // bars, which stand in two columns where there is room

// The words of a lesson, in which ** marks terms and ` code.
export function words(element, text) {
  for (const part of text.split(/(\*\*.+?\*\*|`.+?`)/)) {
    if (/^\*\*.+\*\*$/.test(part)) put(element, "b", "", part.slice(2, -2));
    else if (/^`.+`$/.test(part)) put(element, "code", "", part.slice(1, -1));
    else element.append(part);
  }
  return element;
}

export const paragraph = (text, className = "") => words(make("p", className), text);

// Fills an element anew only if what it shows has changed, so that focus and screen readers stay where they are.
const shown = new WeakMap();
export function fill(element, content, ...children) {
  const key = JSON.stringify(content ?? null);
  if (shown.get(element) === key) return;
  shown.set(element, key);
  element.replaceChildren(...children.flatMap((child) => (typeof child === "function" ? child() : child)));
}

export const say = (id, text) => {
  if (at(id) && at(id).textContent !== text) at(id).textContent = text;
};

const OFFLINE = "No connection.";
const AWAY = "The server does not answer just now.";

// { status, content } of an answer of the server. If none came, or only one of a proxy before it, the status is 0 and
// content.error says so.
export async function ask(path, { id = "", body } = {}) {
  const headers = { ...(id && { "X-Participant": id }), ...(body && { "Content-Type": "application/json" }) };
  const options = { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) };
  if (body) Object.assign(options, { method: "POST", body: JSON.stringify(body) });
  try {
    const answer = await fetch(new URL("class/" + path, root), options);
    return { status: answer.status, content: await answer.json() };
  } catch (error) {
    return { status: 0, content: { error: error instanceof TypeError ? OFFLINE : AWAY } };
  }
}

// What a browser remembers; nothing if it may not store anything.
export const memory = {
  read(key) {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? {};
    } catch {
      return {};
    }
  },
  write(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {} // private windows of some browsers
  },
};

// Keeps a page up to date. load() asks for everything; it returns true, "gone", or a sentence that says why it did not
// come. It is called at the start, after each interruption, when the device wakes, and now and then. address() is that of
// the events, each given to take(news).
export function follow({ load, address, take }) {
  let source = null;
  let timer = 0;
  const later = (milliseconds) => {
    clearTimeout(timer);
    timer = setTimeout(refresh, milliseconds * (1 + Math.random() / 4));
  };
  const drop = () => {
    source?.close();
    source = null;
  };
  const open = () => {
    drop();
    source = new EventSource(address());
    source.onmessage = ({ data }) => take(JSON.parse(data));
    source.addEventListener("gone", refresh);
    source.onerror = () => (drop(), later(RETRY));
  };
  let loading = null;
  async function refresh(fresh = false) {
    loading ??= load().catch(() => "Something went wrong on this page.").finally(() => (loading = null));
    const came = await loading;
    if (came === "gone") return drop(), clearTimeout(timer);
    say("connection", came === true ? "" : came + " Trying again…");
    if (came === true && (!source || fresh === true)) open();
    later(came === true ? POLL : RETRY);
  }
  const wake = () => document.visibilityState === "visible" && refresh(true);
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", ({ persisted }) => persisted && wake());
  refresh();
  return refresh;
}

// The spread of answers, as lists of bars. names: of the two bars of a pair.
export function spread(groups, names = ["the class", "the model"]) {
  const isPaired = groups.some(({ bars }) => bars.some(({ model }) => model !== undefined));
  return [...(isPaired ? [key(names)] : []), ...groups.flatMap((group) => barList(group))];
}

function key(names) {
  const line = make("p", "key");
  names.forEach((name, i) => put(line, "span", i ? "model" : "class", name));
  return line;
}

function barList({ title, bars }) {
  const list = make("ul", bars.length > MANY ? "tally many" : "tally");
  bars.forEach((bar) => list.append(barItem(bar)));
  return title ? [make("h3", "", title), list] : [list];
}

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

const level = (track, name, share) => put(track, "span", name).style.setProperty("width", 100 * share + "%");

// Where a learner finds the lesson without the class.
export function lessonAddress(lesson, sentence) {
  if (!lesson) return root.href;
  const query = new URLSearchParams({ lesson: lesson.name, screen: "1", ...(sentence && { t: sentence }) });
  return new URL(`${lesson.page}?${query}`, root).href;
}

export function link(text, href, className = "") {
  return Object.assign(make("a", className, text), { href });
}

// Replaces the page, because the server does not know the class any more.
export function showGone({ lesson, sentence } = {}) {
  document.body.className = "plain";
  const main = make("main");
  put(main, "h1", "", "This class is over");
  put(main, "p", "", "Your teacher has closed it, its four hours have passed, or the server was started again.");
  const text = lesson ? `Take the lesson “${lesson.title}” on your own` : "Open Attention Explorer";
  put(main, "p").append(link(text, lessonAddress(lesson, sentence), "main"));
  put(main, "p", "quiet").append(link("Join another class", new URL("class", root).href));
  document.body.replaceChildren(main);
  document.title = "This class is over · Attention Explorer";
}
