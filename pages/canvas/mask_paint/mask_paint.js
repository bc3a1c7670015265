// A mask under a brush. The first cell of a stroke says what the stroke does: an open cell closes all that it passes,
// a closed one opens them. The picture changes at once; the stroke is sent when it ends. While the server is still at
// work on what was sent last, further strokes wait, for a second message might take the place of the first.

const PATIENCE = 2000; // milliseconds
const BRUSH = 6; // pixels that a pointer paints at least
const HINT = "Drag to paint. Keyboard: arrows to move, Space to paint, Shift + arrows to go on painting.";

class Brush extends Stage {
  constructor(parent, root) {
    super(parent, root);
    this.unsent = [];
    this.element.classList.add("paintable");
    this.element.ariaRoleDescription = "mask to paint";
    const point = this.element.onpointermove;
    Object.assign(this.element, {
      onpointerdown: (event) => this.press(event),
      onpointermove: (event) => (point(event), this.drag(event)),
      onpointerup: () => this.finish(),
      onpointercancel: () => this.finish(),
    });
  }

  click() {}

  press(event) {
    const cell = this.view.at(event.offsetX, event.offsetY);
    if (event.button || !event.isPrimary || this.stroke || !cell) return; // a second finger starts no stroke
    this.element.setPointerCapture(event.pointerId);
    this.begin(cell, this.view.reach);
  }

  drag(event) {
    const cell = this.stroke && this.view.at(event.offsetX, event.offsetY);
    if (cell) this.through(cell);
  }

  // reach: how many cells are painted on each side of the one that is pointed at.
  begin(cell, reach = 0) {
    this.cursor = cell;
    this.stroke = { may: !this.view.open(cell), cells: new Set(), last: cell, reach };
    this.through(cell);
  }

  // Every cell on the way from the last one, for a quick pointer skips some.
  through(cell) {
    const { last } = this.stroke;
    const [down, across] = [cell[0] - last[0], cell[1] - last[1]];
    const steps = Math.max(1, Math.abs(down), Math.abs(across));
    for (let step = 0; step <= steps; step++) {
      const at = [last[0] + Math.round((down * step) / steps), last[1] + Math.round((across * step) / steps)];
      this.dab(at);
    }
    this.stroke.last = cell;
    this.view.repaint();
  }

  dab([row, col]) {
    const { cells, may, reach } = this.stroke;
    const [rows, cols] = this.view.shape;
    for (let i = Math.max(0, row - reach); i <= Math.min(rows - 1, row + reach); i++)
      for (let j = Math.max(0, col - reach); j <= Math.min(cols - 1, col + reach); j++)
        cells.add(this.view.set([i, j], may));
  }

  finish() {
    if (!this.stroke) return;
    const { may, cells } = this.stroke;
    this.stroke = null;
    this.unsent.push({ cells: [...cells], may });
    this.send();
  }

  send() {
    if (this.waiting || !this.unsent.length) return;
    this.view.sendStrokes(this.unsent);
    this.unsent = [];
    this.waiting = setTimeout(() => this.answered(), PATIENCE);
  }

  answered() {
    clearTimeout(this.waiting);
    this.waiting = null;
    this.send();
  }

  // What is painted but not sent stays on the picture when the server sends a new one.
  keep(panel) {
    if (panel.shape[0] !== this.view.shape[0]) Object.assign(this, { unsent: [], stroke: null });
    for (const { cells, may } of [...this.unsent, this.stroke ?? { cells: [] }])
      for (const cell of cells) panel.values[cell] = may ? 1 : 0;
  }

  pick(cell) {
    this.begin(cell);
    this.way = this.stroke.may;
    this.finish();
    this.speak(cell);
  }

  key(event) {
    super.key(event);
    if (!event.shiftKey || !event.key.startsWith("Arrow") || this.way === undefined) return;
    if (this.view.open(this.cursor) === this.way) return;
    this.begin(this.cursor);
    this.finish();
    this.speak(this.cursor);
  }
}

// The largest cell that fits the room, with the margins that its labels then take; of a long text less than a pixel.
function fitted(theme, panel, height, room) {
  const count = panel.shape[0];
  for (let cell = Math.min(CELL.most, Math.floor(height / count)); cell >= 1; cell--) {
    const layout = panelLayout(theme, panel, cell, cell, room);
    if (bodyWidth(panel, layout) <= room) return layout;
  }
  const cell = Math.min(1, height / count, (room - panelLayout(theme, panel, 1, 1, room).left - 2) / count);
  return panelLayout(theme, panel, cell, cell, room);
}

function cellUnder({ row, col, left, top, width, height }, count, x, y) {
  if (x < left || y < top || x >= left + width || y >= top + height) return null;
  return [(y - top) / row, (x - left) / col].map((index) => Math.min(count - 1, Math.floor(index)));
}

// A dot in each cell that is not as the preset has it, where a cell has room for one.
function paintDots(surface, theme, panel, layout, x = 0, y = 0) {
  if (layout.row < CELL.gap) return;
  const size = Math.min(6, Math.round(layout.row / 4));
  panel.values.forEach((value, place) => {
    if (value === panel.base[place]) return;
    const [i, j] = [Math.floor(place / panel.shape[1]), place % panel.shape[1]];
    const [left, top, w, h] = cellRect([i, j], layout, x, y);
    const spot = [left + (w - size) / 2, top + (h - size) / 2, size, size];
    surface.rect(...spot, { fill: theme.background, stroke: theme.text });
  });
}

function viewOf(theme, panel, layout, repaint, send) {
  const count = panel.shape[1];
  const open = ([i, j]) => panel.values[i * count + j] === 1;
  return {
    size: [bodyWidth(panel, layout), bodyHeight(layout)],
    shape: panel.shape,
    label: panel.name,
    start: null,
    paint(surface) {
      paintPanel(surface, theme, panel, layout);
      paintDots(surface, theme, panel, layout);
    },
    at: (x, y) => cellUnder(layout, count, x, y),
    reach: Math.floor(BRUSH / 2 / layout.row),
    rect: (cell) => cellRect(cell, layout),
    words: ([i, j]) => [
      open([i, j]) ? "may attend" : "may not attend",
      "query " + isolate(panel.rows[i]),
      "key " + isolate(panel.cols[j]),
    ],
    mark: (surface, cell) => outline(surface, theme, cellRect(cell, layout), 2),
    open,
    set([i, j], may) {
      panel.values[i * count + j] = may ? 1 : 0;
      return i * count + j;
    },
    repaint,
    sendStrokes: (strokes) => send({ strokes, length: count }),
  };
}

function draw(root, picture, room) {
  if (!room) return;
  const [theme, { panel }] = [readTheme(root), picture];
  const figure = child(root, "figure", "panel");
  child(figure, "div", "title").textContent = picture.title;
  child(figure, "div", "shape").textContent = panel.shape.join(" × ");
  figure.stage ??= new Brush(figure, root);
  child(figure, "div", "hint").textContent = picture.refused || HINT;
  panelPixels(theme, panel);
  const layout = fitted(theme, panel, picture.height, room);
  const again = () => draw(root, picture, root.clientWidth);
  figure.stage.draw(theme, viewOf(theme, panel, layout, again, picture.send));
  saveBar(root, picture.name, [bodyWidth(panel, layout) + 40, bodyHeight(layout) + 64], (surface) => {
    surface.text(picture.title, 20, 20, { size: 14, weight: 600, baseline: "top" });
    paintPanel(surface, theme, panel, layout, 20, 44);
    paintDots(surface, theme, panel, layout, 20, 44);
  });
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".canvas-root");
  const { meta, arrays } = unpack(data);
  const panel = {
    name: meta.name, title: meta.title, rows: meta.labels, cols: meta.labels, rowAxis: "queries", colAxis: "keys",
    scale: "mask", limit: 1, tint: null, selected: null,
    outlines: meta.outlined === null ? [] : [[meta.outlined, null]],
    shape: arrays.mask.shape, values: arrays.mask.values, base: arrays.base.values,
  };
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", meta.name);
  const picture = { ...meta, panel, send: (value) => setTriggerValue("strokes", value) };
  const figure = child(root, "figure", "panel");
  figure.stage?.keep(panel);
  onWidth(root, (room) => draw(root, picture, room));
  draw(root, picture, root.clientWidth);
  figure.stage?.answered();
}
