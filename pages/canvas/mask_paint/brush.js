// @ts-check
// A mask under a brush. The first cell of a stroke says what the stroke does: an open cell closes all that it passes,
// a closed one opens them. The picture changes at once; the stroke is sent when it ends. While the server is still at
// work on what was sent last, further strokes wait, for a second message might take the place of the first.


import { Stage } from "../runtime/stage.js";

/** @import { Cell } from "../runtime/grid.js" */
/** @import { Panel } from "../runtime/panel.js" */
/** @import { View } from "../runtime/view.js" */
/** @typedef {{cells: number[], may: boolean}} Sent  A stroke: places in the matrix, row by row, and what they become. */
/**
 * A view of a mask. reach: how many cells a pointer paints on each side; open(cell): whether it may attend; set(cell, may)
 * paints it and returns its place, row by row.
 * @typedef {View & {reach: number, open: (cell: Cell) => boolean, set: (cell: Cell, may: boolean) => number,
 *   repaint: () => void, sendStrokes: (strokes: Sent[]) => void}} MaskView
 */

const PATIENCE = 2000; // milliseconds

/**
 * A mask that a pointer and the keyboard paint.
 * @extends {Stage<MaskView>}
 */
export class Brush extends Stage {
  /** @type {Sent[]} */
  unsent = [];
  /** @type {{may: boolean, cells: Set<number>, last: Cell, reach: number} | null} */
  stroke = null;
  waiting = 0; // the timer of the wait for the server's answer
  /** @type {boolean | null} */
  way = null; // the value that the last picked cell was given

  /** @param {HTMLElement} parent @param {HTMLElement} root */
  constructor(parent, root) {
    super(parent, root);
    this.element.classList.add("paintable");
    this.element.ariaRoleDescription = "mask to paint";
  }

  /** @param {HTMLElement} element */
  listen(element) {
    super.listen(element);
    element.onpointerdown = (event) => this.press(event);
    element.onpointermove = (event) => {
      this.point(this.at(event), event.clientX, event.clientY);
      this.drag(event);
    };
    element.onpointerup = () => this.finish();
    element.onpointercancel = () => this.finish();
  }

  click() {}

  /** @param {PointerEvent} event */
  press(event) {
    const cell = this.at(event);
    if (event.button || !event.isPrimary || this.stroke || !cell) return; // a second finger starts no stroke
    this.element.setPointerCapture(event.pointerId);
    this.begin(cell, this.view.reach);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const cell = this.at(event);
    if (cell) this.through(cell);
  }

  /** Begin a stroke that paints `reach` cells on each side of the one that is pointed at. @param {Cell} cell */
  begin(cell, reach = 0) {
    this.cursor = cell;
    this.stroke = { may: !this.view.open(cell), cells: new Set(), last: cell, reach };
    this.through(cell);
  }

  /** Paint every cell on the way from the last one, because a quick pointer skips some. @param {Cell} cell */
  through(cell) {
    if (!this.stroke) return;
    const { last } = this.stroke;
    const [down, across] = [cell[0] - last[0], cell[1] - last[1]];
    const steps = Math.max(1, Math.abs(down), Math.abs(across));
    for (let step = 0; step <= steps; step++) {
      this.dab(last[0] + Math.round((down * step) / steps), last[1] + Math.round((across * step) / steps), this.stroke);
    }
    this.stroke.last = cell;
    this.view.repaint();
  }

  /** @param {number} row @param {number} col @param {NonNullable<Brush["stroke"]>} stroke */
  dab(row, col, { cells, may, reach }) {
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
    this.waiting = 0;
    this.send();
  }

  /** Paint what is not sent yet on a picture that the server has just sent. @param {Panel} panel */
  keep(panel) {
    if (panel.shape[0] !== this.view?.shape[0]) [this.unsent, this.stroke] = [[], null];
    for (const { cells, may } of [...this.unsent, ...(this.stroke ? [this.stroke] : [])])
      for (const cell of cells) panel.values[cell] = may ? 1 : 0;
  }

  /** @param {Cell} cell */
  pick(cell) {
    this.way = !this.view.open(cell);
    this.begin(cell);
    this.finish();
    this.speak(cell);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    super.key(event);
    if (!event.shiftKey || !event.key.startsWith("Arrow") || this.way === null) return;
    if (this.view.open(this.cursor) === this.way) return;
    this.begin(this.cursor);
    this.finish();
    this.speak(this.cursor);
  }
}
