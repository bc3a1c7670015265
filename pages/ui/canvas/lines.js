// Tokens in two columns, a curve for each weight. Two canvases lie under the columns: one holds all lines and is
// painted when data, threshold or scroll change; the other holds the pointed token's lines. Pointing hides the
// first and paints the second, so it costs at most heads x tokens curves.

// More lines than this are neither seen apart nor drawn in one frame; the strongest are kept.
const LINE_LIMIT = 6000;

// One colour a head, told apart by hue and lightness, none of them the colour of queries, keys or values.
const HEADS_LIGHT =
  "#cc6677 #332288 #44aa99 #882255 #999933 #5fb6dc #aa4499 #117733 #8c5a2b #5b6b7f #7fb800 #c1272d #9a8ce0 #1b4f72 #e78ac3 #c2a83e";
const HEADS_DARK =
  "#e58a98 #8577d8 #5cc9b7 #c9578f #b9b94c #88ccee #cf77c3 #3fa860 #c08a55 #93a3b8 #a5dd2a #f0645f #c3b9ff #5c9bc9 #f5addb #e3cb66";

const shortWeight = (w) => (w === 0 ? "0" : w < 0.005 ? "<0.01" : w.toFixed(2));
const percent = (share) => (share > 0 && share < 0.005 ? "<1" : String(Math.round(100 * share))) + " %";

// Indices of the strongest weights of the shown heads that are above 0 and not below `floor`, weakest first, and
// what the threshold hides. Counting by w ** (1/4) keeps small weights apart; of the last bin every n-th is taken.
function strongest(weights, shown, size, floor) {
  const bins = new Uint32Array(1025);
  const bin = (w) => Math.min(1024, (Math.sqrt(Math.sqrt(w)) * 1024) | 0);
  const passing = (each) => {
    for (const head of shown)
      for (let i = head * size; i < (head + 1) * size; i++) if (weights[i] > 0 && weights[i] >= floor) each(i);
  };
  let [mass, kept, count] = [0, 0, 0];
  for (const head of shown) for (let i = head * size; i < (head + 1) * size; i++) mass += weights[i];
  passing((i) => {
    bins[bin(weights[i])]++;
    kept += weights[i];
    count++;
  });
  let [cut, room] = [1024, LINE_LIMIT];
  while (cut >= 0 && bins[cut] <= room) room -= bins[cut--];
  const step = cut < 0 ? 1 : Math.ceil(bins[cut] / Math.max(1, room));
  const lines = [];
  let seen = 0;
  passing((i) => {
    const at = bin(weights[i]);
    if (at > cut || (at === cut && room > 0 && seen++ % step === 0)) lines.push(i);
  });
  lines.sort((a, b) => weights[a] - weights[b]);
  return { lines, count, hidden: mass > 0 ? Math.max(0, 1 - kept / mass) : 0 };
}

class TokenLines {
  constructor(root) {
    this.root = root;
    this.part = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((e) => [e.dataset.part, e]));
    Object.assign(this, { pointed: null, pinned: null, shown: [], labels: { q: [], k: [] } });
    for (const side of ["q", "k"]) this.listen(side, this.part[side]);
    this.part.scroll.onscroll = () => this.paint();
    this.part.slider.oninput = () => {
      this.floor = (this.part.slider.value / 1000) ** 2;
      this.choose();
      this.paint();
    };
    onWidth(this.part.stage, () => this.layout());
  }

  update(meta, weights, send) {
    const before = this.meta;
    Object.assign(this, { meta, weights, send, theme: readTheme(this.root) });
    for (const side of ["q", "k"]) {
      this.root.style.setProperty("--" + side, this.theme[side]);
      this.root.style.setProperty("--ink-" + side, this.theme.ink[side]);
      this.fill(side, side === "q" ? meta.queries : meta.keys);
    }
    if (before?.heads.length !== meta.heads.length) this.shown = meta.heads.map((_, head) => head);
    if (before?.threshold !== meta.threshold) {
      this.floor = meta.threshold;
      this.part.slider.value = Math.round(1000 * Math.sqrt(this.floor));
    }
    this.adoptPin(!before);
    this.root.setAttribute("aria-label", meta.name);
    this.part.caption.textContent = meta.caption;
    this.legend();
    this.choose();
    this.layout();
    saveBar(this.part.save, meta.name, () => this.saveSize(), (surface) => this.paintWhole(surface));
  }

  // The page owns the pinned query when it listens; a pinned key is the browser's own.
  adoptPin(first) {
    const own = this.pinned?.side === "k" && this.meta.pinned === null;
    if (first || (this.meta.controlled && !own))
      this.pinned = this.meta.pinned === null ? null : { side: "q", index: this.meta.pinned };
    for (const name of ["pinned", "pointed"])
      if (this[name] && this[name].index >= this.labels[this[name].side].length) this[name] = null;
  }

  fill(side, labels) {
    if (labels.join("\n") === this.labels[side].join("\n")) return;
    this.labels[side] = labels;
    const buttons = labels.map((label, index) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", dir: "auto", textContent: label, title: label, tabIndex: index ? -1 : 0 });
      button.setAttribute("aria-label", this.kind(side) + " " + label);
      button.dataset.index = index;
      return button;
    });
    this.part[side].replaceChildren(...buttons);
    this.pointed = null;
  }

  listen(side, column) {
    const at = (event) => {
      const button = event.target.closest("button");
      return button && { side, index: Number(button.dataset.index) };
    };
    column.onpointerover = (event) => event.pointerType === "mouse" && at(event) && this.point(at(event));
    column.onpointerleave = () => this.point(null);
    column.addEventListener("focusin", (event) => {
      this.point(at(event));
      event.target.setAttribute("aria-label", this.kind(side) + " " + this.labels[side][at(event).index] + this.largest());
    });
    column.addEventListener("focusout", () => this.point(null));
    column.onclick = (event) => at(event) && this.pin(at(event));
    column.onkeydown = (event) => this.move(event, at(event));
  }

  move(event, from) {
    const columns = { ArrowLeft: "q", ArrowRight: "k" };
    const side = columns[event.key] ?? from.side;
    const last = this.labels[side].length - 1;
    const rows = { ArrowUp: from.index - 1, ArrowDown: from.index + 1, Home: 0, End: last };
    if (event.key === "Escape" && this.pinned) this.pin(this.pinned);
    else if (!(event.key in rows) && !(event.key in columns)) return;
    event.preventDefault();
    if (event.key === "Escape") return;
    const to = this.part[side].children[Math.min(last, Math.max(0, rows[event.key] ?? from.index))];
    for (const button of this.part[side].children) button.tabIndex = button === to ? 0 : -1;
    to.focus();
  }

  point(token) {
    if (this.pointed?.side === token?.side && this.pointed?.index === token?.index) return;
    this.pointed = token;
    this.show();
  }

  pin(token) {
    const again = this.pinned?.side === token.side && this.pinned?.index === token.index;
    const sent = this.pinned?.side === "q" ? this.pinned.index : -1;
    this.pinned = again ? null : token;
    this.pointed = null;
    const query = this.pinned?.side === "q" ? this.pinned.index : -1;
    if (this.meta.controlled && query !== sent) this.send(query);
    this.show();
  }

  legend() {
    const names = this.meta.heads;
    const buttons = names.map((name, head) => {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.title = "Show or hide " + name + "; double click: only this one";
      button.style.setProperty("--head", this.headColour(head));
      button.setAttribute("aria-pressed", this.shown.includes(head));
      button.append(document.createElement("i"), document.createTextNode(name));
      button.onclick = () => this.toggle(this.shown.includes(head) ? this.shown.filter((h) => h !== head) : [...this.shown, head]);
      button.ondblclick = () => this.toggle([head]);
      return button;
    });
    this.part.heads.replaceChildren(...(names.length > 1 ? buttons : []));
  }

  toggle(shown) {
    this.shown = shown.sort((a, b) => a - b);
    [...this.part.heads.children].forEach((button, head) => button.setAttribute("aria-pressed", shown.includes(head)));
    this.choose();
    this.paint();
    this.show();
  }

  // ---- what is drawn

  kind = (side) => (side === "q" ? "query" : "key");
  headColour = (head) => (this.theme.dark ? HEADS_DARK : HEADS_LIGHT).split(" ")[head % 16];
  size = () => this.labels.q.length * this.labels.k.length;
  at = (head, query, key) => head * this.size() + query * this.labels.k.length + key;

  choose() {
    const { lines, count, hidden } = strongest(this.weights, this.shown, this.size(), this.floor);
    this.lines = lines;
    const parts = ["below " + format(this.floor, 2), "hides " + percent(hidden) + " of the weight"];
    if (lines.length < count) parts.push("strongest " + lines.length + " of " + count + " lines drawn");
    this.part.threshold.textContent = parts.join(" · ");
  }

  get active() {
    return this.pointed ?? this.pinned;
  }

  // The active token's weights: for each token of the other side, one a shown head, and their mean.
  activeWeights() {
    const { side, index } = this.active;
    return this.labels[side === "q" ? "k" : "q"].map((_, other) => {
      const heads = this.shown.map((h) => this.weights[side === "q" ? this.at(h, index, other) : this.at(h, other, index)]);
      return { heads, mean: heads.length ? heads.reduce((a, b) => a + b, 0) / heads.length : 0 };
    });
  }

  largest() {
    const [{ side }, labels] = [this.active, this.labels[this.active.side === "q" ? "k" : "q"]];
    const order = this.activeWeights().map((weight, i) => [weight.mean, i]).filter(([w]) => w > 0).sort((a, b) => b[0] - a[0]);
    if (!order.length) return side === "q" ? " attends to nothing" : " is attended to by nothing";
    const named = order.slice(0, 3).map(([w, i]) => isolate(labels[i]) + " " + shortWeight(w));
    const over = this.shown.length > 1 ? " (mean of " + this.shown.length + " heads)" : "";
    return (side === "q" ? " attends most to " : " is attended to most by ") + named.join(", ") + over;
  }

  show() {
    const active = this.active;
    this.root.dataset.active = active ? active.side + active.index : "";
    for (const button of this.root.querySelectorAll(".column .on")) button.classList.remove("on");
    for (const button of this.root.querySelectorAll(".column [aria-pressed]")) button.removeAttribute("aria-pressed");
    if (active) this.part[active.side].children[active.index].classList.add("on");
    if (this.pinned) this.part[this.pinned.side].children[this.pinned.index].setAttribute("aria-pressed", true);
    const hint = "Point at a token to see only its lines; click it to keep them.";
    this.part.reading.textContent = active ? isolate(this.labels[active.side][active.index]) + this.largest() + "." : hint;
    this.part.all.style.visibility = active ? "hidden" : "visible";
    this.paintActive();
  }

  layout() {
    const rows = Math.max(this.labels.q.length, this.labels.k.length);
    this.row = rows <= 12 ? 34 : rows <= 24 ? 30 : rows <= 60 ? 24 : 17;
    this.root.style.setProperty("--row", this.row + "px");
    this.root.style.setProperty("--size", (this.row >= 30 ? 15 : this.row >= 24 ? 13.5 : 11.5) + "px");
    const { stage, q, k, scroll } = this.part;
    this.root.style.setProperty("--left", q.offsetWidth + "px");
    this.root.style.setProperty("--right", k.offsetWidth + "px");
    this.box = { left: q.offsetWidth + 2, right: k.offsetLeft - 2, width: stage.clientWidth, rows };
    this.box.height = Math.min(rows * this.row, scroll.clientHeight);
    this.paint();
    this.show();
  }

  paint() {
    const { all, scroll } = this.part;
    const surface = canvasSurface(sharpCanvas(all, this.box.width, this.box.height), this.theme);
    this.curves(surface, this.lines, this.box, scroll.scrollTop);
    this.paintActive();
  }

  paintActive() {
    const { some, scroll } = this.part;
    const surface = canvasSurface(sharpCanvas(some, this.box.width, this.box.height), this.theme);
    if (this.active) this.isolated(surface, this.box, scroll.scrollTop);
  }

  // `fan`: the side at which the lines of several heads end one below the other, instead of on one point.
  curves(surface, lines, { left, right, height }, top, fan) {
    const [row, size, keys, middle] = [this.row, this.size(), this.labels.k.length, (left + right) / 2];
    const single = this.meta.heads.length === 1;
    const apart = Math.min(3, (row - 6) / this.shown.length);
    for (const line of lines) {
      const [w, pair, head] = [Math.min(1, this.weights[line]), line % size, Math.floor(line / size)];
      const lower = fan ? apart * (this.shown.indexOf(head) - (this.shown.length - 1) / 2) : 0;
      const y1 = (Math.floor(pair / keys) + 0.5) * row - top + (fan === "q" ? lower : 0);
      const y2 = ((pair % keys) + 0.5) * row - top + (fan === "k" ? lower : 0);
      if (Math.max(y1, y2) < 0 || Math.min(y1, y2) > height) continue;
      const stroke = single ? weightColour(this.theme, w) : this.headColour(head);
      const style = { stroke, lineWidth: 0.75 + 0.14 * row * w, alpha: single ? 1 : Math.max(0.04, w) };
      surface.curve([left, y1, middle, y1, middle, y2, right, y2], style);
    }
  }

  // Lines of the active token, and at their other ends its weights: a number, and a bar for each head.
  isolated(surface, box, top) {
    const { side, index } = this.active;
    const bar = this.shown.length > 1 ? Math.max(2, Math.min(6, 44 / this.shown.length)) : 0;
    const room = 34 + (bar ? bar * this.shown.length + 6 : 0);
    const edge = side === "q" ? box.right - 4 : box.left + 4;
    const inner = side === "q" ? { ...box, right: box.right - room } : { ...box, left: box.left + room };
    const weights = this.activeWeights();
    const lines = weights.flatMap((_, other) =>
      this.shown.map((h) => (side === "q" ? this.at(h, index, other) : this.at(h, other, index))),
    );
    const drawn = lines.filter((i) => this.weights[i] > 0 && this.weights[i] >= this.floor);
    this.curves(surface, drawn.sort((a, b) => this.weights[a] - this.weights[b]), inner, top, side === "q" ? "k" : "q");
    weights.forEach(({ heads, mean }, other) => {
      const y = (other + 0.5) * this.row - top;
      if (y < -this.row || y > box.height + this.row) return;
      const fill = mean > 0 && mean >= this.floor ? this.theme.text : this.theme.muted;
      const style = { fill, size: Math.min(12.5, this.row - 5), align: side === "q" ? "right" : "left", baseline: "middle" };
      surface.text(shortWeight(mean), edge, y, style);
      if (bar && mean > 0) this.bars(surface, heads, side === "q" ? edge - room + 6 : edge + room - 6 - bar * heads.length, y, bar);
    });
  }

  bars(surface, heads, x, y, bar) {
    const tall = this.row - 6;
    surface.rect(x, y - tall / 2, bar * heads.length, tall, { fill: this.theme.panel });
    heads.forEach((w, i) => {
      const fill = this.headColour(this.shown[i]);
      if (w > 0) surface.rect(x + i * bar, y + tall / 2 - w * tall, bar - 0.5, w * tall, { fill });
    });
  }

  // ---- the saved picture: the same lines, with the tokens painted beside them

  saveSize = () => [this.box.width + 24, this.box.rows * this.row + 56];

  paintWhole(surface) {
    const { theme, row, box } = this;
    const shift = (call) => (points, style) => call(points.map((value, i) => value + (i % 2 ? 44 : 12)), style);
    const moved = {
      curve: shift(surface.curve),
      text: (string, x, y, style) => surface.text(string, x + 12, y + 44, style),
      rect: (x, y, w, h, style) => surface.rect(x + 12, y + 44, w, h, style),
    };
    const whole = { ...box, height: box.rows * row };
    if (this.active) this.isolated(moved, whole, 0);
    else this.curves(moved, this.lines, whole, 0);
    const size = row >= 30 ? 15 : row >= 24 ? 13.5 : 11.5;
    for (const [side, x, align, room] of [["q", box.left - 12, "right", box.left - 14], ["k", box.right + 12, "left", box.width - box.right - 14]]) {
      surface.text(side === "q" ? "Queries" : "Keys", side === "q" ? 12 : box.width + 12, 24, { align: side === "q" ? "left" : "right", size: 14, weight: 600, fill: theme.ink[side] });
      moved.rect(side === "q" ? box.left - 5 : box.right + 2, 0, 3, this.labels[side].length * row, { fill: theme[side] });
      this.labels[side].forEach((label, i) => moved.text(isolate(ellipsis(theme, label, room, { size })), x, (i + 0.5) * row, { align, size, baseline: "middle" }));
    }
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".lines");
  const { meta, arrays } = unpack(data);
  root.lines ??= new TokenLines(root);
  root.lines.update(meta, arrays.weights.values, (query) => setTriggerValue("pin", query));
}
