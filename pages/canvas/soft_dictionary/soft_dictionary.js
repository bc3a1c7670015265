// One query against all keys. The table is plain HTML, rewritten while the temperature is turned; the values are a
// canvas of one pixel a number, stretched over its cell, and so is the mix below them.

// softmax(score / T) over the allowed keys, less the largest score before exp; all zeros when none is allowed.
function softmaxAt(scores, allowed, temperature) {
  const largest = scores.reduce((most, score, i) => (allowed[i] ? Math.max(most, score) : most), -Infinity);
  const exps = Array.from(scores, (score, i) => (allowed[i] ? Math.exp((score - largest) / temperature) : 0));
  const sum = exps.reduce((a, b) => a + b, 0);
  return exps.map((x) => (sum > 0 ? x / sum : 0));
}

function mixOf(weights, values, width) {
  const mix = new Float64Array(width);
  weights.forEach((w, row) => {
    if (w > 0) for (let e = 0; e < width; e++) mix[e] += w * values[row * width + e];
  });
  return mix;
}

const entropyBits = (weights) => weights.reduce((sum, w) => (w > 0 ? sum - w * Math.log2(w) : sum), 0);
const cut = (w) => (w === 0 ? "0" : w < 0.001 ? "<0.001" : w.toFixed(3));

class SoftDictionary {
  constructor(root) {
    this.root = root;
    this.part = Object.fromEntries([...root.querySelectorAll("[data-part]")].map((e) => [e.dataset.part, e]));
    this.tip = tooltip(root);
    this.part.slider.oninput = () => this.turn();
    this.part.slider.onchange = () => this.tell();
    this.part.slider.ondblclick = this.part.reset.onclick = () => {
      this.part.slider.value = 0;
      this.turn();
      this.tell();
    };
    this.explain(this.part.mix, () => ["Σ weight × value", this.mix]);
  }

  // The page hears of a temperature when the slider is let go, never while it moves.
  tell() {
    this.told = this.temperature;
    if (this.meta.tells) this.send("temperature", Number(this.temperature.toPrecision(4)));
  }

  update(meta, arrays, send) {
    this.send = send;
    if (meta.temperature !== undefined && Math.abs(Math.log10(meta.temperature / (this.told ?? 1))) > 0.002) {
      this.told = meta.temperature;
      this.part.slider.value = Math.round(100 * Math.log10(meta.temperature));
    }
    const [{ values: scores }, { values, shape }, { values: allowed }] = [arrays.scores, arrays.values, arrays.allowed];
    Object.assign(this, { meta, scores, values, allowed, width: shape[1], theme: readTheme(this.root) });
    const { theme, root, part } = this;
    for (const side of ["q", "k", "v"]) root.style.setProperty("--" + side, theme.ink[side]);
    root.style.setProperty("--bar", weightColour(theme, 0.6));
    const row = scores.length <= 16 ? 28 : scores.length <= 32 ? 23 : 18;
    root.style.setProperty("--row", row + "px");
    root.style.setProperty("--size", (row > 20 ? 14 : 12) + "px");
    root.classList.toggle("ruled", this.width <= 32 && row > 20);
    root.setAttribute("aria-label", meta.name);
    part.heading.textContent = "Value (" + this.width + " numbers)";
    this.limit = values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    this.fill();
    this.legend();
    this.turn();
    saveBar(part.save, meta.name, () => this.saveSize(), (surface) => this.paint(surface));
  }

  fill() {
    const make = (tag, className, text = "") => Object.assign(document.createElement(tag), { className, textContent: text });
    const rows = this.meta.keys.map((label, i) => {
      const row = make("tr", this.allowed[i] ? "" : "masked");
      const head = Object.assign(make("th", "k"), { scope: "row" });
      head.append(Object.assign(make("span", "label", label), { dir: "ltr", title: label }));
      const [weight, share, track] = [make("td", "weight"), make("div", "share"), make("span", "track")];
      track.append(make("i", ""));
      share.append(track, make("b", ""));
      weight.append(share);
      row.append(head, make("td", "number", format(this.scores[i])), weight);
      return row;
    });
    const cell = make("td", "cells");
    const canvas = make("canvas", "");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "The values, one row a key");
    cell.rowSpan = rows.length;
    cell.append(canvas);
    rows[0]?.append(cell);
    this.part.rows.replaceChildren(...rows);
    this.show(canvas, this.values, rows.length);
    this.explain(canvas, (row) => [this.meta.keys[row], this.values.subarray(row * this.width, (row + 1) * this.width)]);
  }

  image = (values, rows) =>
    indexImage(colourTables(this.theme).signed, Array.from(values, (x) => signedIndex(this.limit ? x / this.limit : 0)), rows, this.width);

  show(canvas, values, rows) {
    Object.assign(canvas, { width: this.width, height: rows });
    canvas.getContext("2d").drawImage(this.image(values, rows), 0, 0);
  }

  explain(canvas, at) {
    canvas.onpointermove = (event) => {
      const row = Math.min(canvas.height - 1, Math.floor((event.offsetY / canvas.clientHeight) * canvas.height));
      const column = Math.min(this.width - 1, Math.floor((event.offsetX / canvas.clientWidth) * this.width));
      const [label, numbers] = at(Math.max(0, row));
      this.tip.show(event.clientX, event.clientY, [format(numbers[Math.max(0, column)]), isolate(label) + ", number " + (column + 1)]);
    };
    canvas.onpointerleave = () => this.tip.hide();
  }

  turn() {
    const { part } = this;
    this.temperature = 10 ** (part.slider.value / 100);
    this.weights = softmaxAt(this.scores, this.allowed, this.temperature);
    this.mix = mixOf(this.weights, this.values, this.width);
    part.temperature.textContent = this.dial();
    part.slider.setAttribute("aria-valuetext", part.temperature.textContent);
    part.reset.disabled = this.temperature === 1;
    this.weights.forEach((w, i) => {
      const cell = part.rows.children[i].children[2];
      const [track, number] = cell.firstChild.children;
      cell.dataset.weight = w;
      track.firstChild.style.width = 100 * w + "%";
      number.textContent = cut(w);
    });
    part.total.textContent = this.total();
    part.mix.dataset.mix = JSON.stringify([...this.mix]);
    this.show(part.mix, this.mix, 1);
    part.reading.textContent = this.reading();
  }

  total = () => "sum " + this.weights.reduce((a, b) => a + b, 0).toFixed(3);
  dial = () => "T = " + Number(this.temperature.toPrecision(2));

  reading() {
    const label = "The query " + isolate(this.meta.query);
    if (!this.allowed.includes(1)) return label + " may attend to no key, so all weights are 0 and the mix is 0.";
    const most = Math.max(...this.weights);
    const best = this.meta.keys.filter((_, i) => this.weights[i] === most).slice(0, 3).map(isolate).join(", ");
    const [spread, open] = [2 ** entropyBits(this.weights), this.allowed.reduce((a, b) => a + b, 0)];
    const keys = open === 1 ? "the 1 key it may attend to" : "the " + open + " keys it may attend to";
    return label + " uses about " + spread.toFixed(1) + " of " + keys + "; the largest weight is " + cut(most) + ", on " + best + ".";
  }

  legend() {
    const colours = [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1].map((x) => signedColour(this.theme, x));
    const bar = document.createElement("i");
    bar.style.background = "linear-gradient(90deg, " + colours.join(", ") + ")";
    const masked = this.allowed.includes(0) ? [document.createElement("u"), "masked: weight 0"] : [];
    this.part.legend.replaceChildren(format(-this.limit), bar, format(this.limit), ...masked);
  }

  // ---- the saved picture

  saveSize = () => [760, 34 * 2 + this.row() * (this.scores.length + 1) + 28];
  row = () => parseFloat(this.root.style.getPropertyValue("--row"));

  paint(surface) {
    const { theme } = this;
    const [row, top, small] = [this.row(), 68, { size: 12, baseline: "middle" }];
    const y = (i) => top + (i + 0.5) * row;
    surface.text(this.dial() + ". " + this.reading(), 16, 22, { size: 12 });
    const domain = ", from " + format(-this.limit) + " (purple) to " + format(this.limit) + " (orange)";
    const heads = [["Key", 16, "k"], ["Score", 163], ["Weight", 216], [this.part.heading.textContent + domain, 400, "v"]];
    for (const [label, x, side] of heads) surface.text(label, x, 54, { size: 12, weight: 600, fill: theme.ink[side] ?? theme.text });
    this.meta.keys.forEach((label, i) => {
      surface.text(isolate(ellipsis(theme, label, 120, small)), 16, y(i), small);
      surface.text(format(this.scores[i]), 196, y(i), { ...small, align: "right", fill: this.allowed[i] ? theme.text : theme.muted });
      if (this.allowed[i]) surface.rect(216, y(i) - 5, 110 * this.weights[i], 10, { fill: weightColour(theme, 0.6) });
      else hatch(surface, theme, 216, y(i) - 5, 110, 10);
      surface.text(cut(this.weights[i]), 376, y(i), { ...small, align: "right" });
    });
    surface.image(this.image(this.values, this.scores.length), 400, top, 344, row * this.scores.length);
    const under = y(this.scores.length) + 10;
    surface.text("Σ weight × value", 16, under, { ...small, weight: 600 });
    surface.text(this.total(), 216, under, small);
    surface.image(this.image(this.mix, 1), 400, under - row / 2, 344, row);
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".dictionary");
  const { meta, arrays } = unpack(data);
  root.dictionary ??= new SoftDictionary(root);
  root.dictionary.update(meta, arrays, setTriggerValue);
}
