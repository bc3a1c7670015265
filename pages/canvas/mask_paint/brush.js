// A mask under a brush. The first cell of a stroke says what the stroke does: an open cell closes all that it passes,
// a closed one opens them. The picture changes at once; the stroke is sent when it ends. While the server is still at
// work on what was sent last, further strokes wait, for a second message might take the place of the first.

import { placeIn } from "../runtime/dom.js";
import { Stage } from "../runtime/stage.js";

const PATIENCE = 2000; // milliseconds

export class Brush extends Stage {
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
    const cell = this.view.at(...placeIn(this.element, event));
    if (event.button || !event.isPrimary || this.stroke || !cell) return; // a second finger starts no stroke
    this.element.setPointerCapture(event.pointerId);
    this.begin(cell, this.view.reach);
  }

  drag(event) {
    const cell = this.stroke && this.view.at(...placeIn(this.element, event));
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
