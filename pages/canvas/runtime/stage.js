// @ts-check
// A picture of cells that a pointer and the keyboard walk over: one canvas for the picture, one above it for what
// is pointed at, a tooltip, a spoken line. What the picture is it learns from a view (view.js).

import { child, placeIn } from "./dom.js";
import { canvasSurface, sharpCanvas } from "./surface.js";
import { tooltip } from "./tips.js";

/** @import { Band, Cell } from "./grid.js" */
/** @import { Surface } from "./surface.js" */
/** @import { Theme } from "./theme.js" */
/** @import { View } from "./view.js" */
/** @typedef {[cell: Cell, x: number, y: number]} Shown  A cell, and where its tooltip stands. */

const FINGER = 24; // pixels between two touches of one place

/**
 * A picture of cells in an element.
 * @template {View} [V=View]
 */
export class Stage {
  /** @type {V} */
  view;
  /** @type {Cell} */
  cursor = [0, 0]; // the cell where the keyboard is
  /** @type {Shown | null} */
  here = null; // the cell that is pointed at
  /** @type {Shown | null} */
  tapped = null; // the cell that a first touch has shown
  /** @type {Band[]} */
  bands = []; // the rows and columns that are framed wherever the pointer is
  /** @type {{ctx: CanvasRenderingContext2D, surface: Surface}} */
  over; // the painter of what is pointed at
  touched = false; // whether the last press was a finger's
  silent = false; // whether the next focus is not read out

  /** @param {HTMLElement} parent @param {HTMLElement} root  Of the drawing: all its stages share one tooltip. */
  constructor(parent, root) {
    this.scroll = child(parent, "div", "scroll");
    this.element = child(this.scroll, "div", "stage");
    this.canvases = ["base", "over"].map((name) => child(this.element, "canvas", name));
    this.spoken = child(parent, "div", "spoken");
    this.spoken.setAttribute("aria-live", "polite");
    this.tip = tooltip(root);
    Object.assign(this.element, { tabIndex: 0, role: "application", ariaRoleDescription: "matrix" });
    this.listen(this.element);
  }

  /** @param {HTMLElement} element */
  listen(element) {
    element.onpointerdown = (event) => (this.touched = event.pointerType === "touch");
    element.onpointermove = (event) => this.point(this.at(event), event.clientX, event.clientY);
    element.onpointerleave = () => this.leave();
    element.onclick = (event) => {
      this.click(this.here?.[0] ?? this.at(event), event.clientX, event.clientY);
      this.silent = true; // the keys go on from the cell that was clicked; nothing is read out for that
      element.focus({ preventScroll: true, focusVisible: false });
      this.silent = false;
    };
    element.onkeydown = (event) => this.key(event);
    element.onfocus = () => !this.silent && element.matches(":focus-visible") && this.speak(this.cursor);
    element.onblur = () => this.leave();
  }

  /** Return the cell under a pointer, or null. @param {MouseEvent} event */
  at(event) {
    return this.view.at(...placeIn(this.element, event));
  }

  /** Draw the picture as a view has it. @param {Theme} theme @param {V} view */
  draw(theme, view) {
    const within = this.view && this.cursor.every((index, axis) => index < view.shape[axis]);
    this.view = view;
    if (!within) this.cursor = view.start ?? [0, 0];
    const [width, height] = view.size;
    Object.assign(this.element.style, { width: width + "px", height: height + "px" });
    this.element.classList.toggle("pickable", Boolean(view.send));
    this.element.ariaLabel = view.label;
    const [base, over] = this.canvases.map((canvas) => sharpCanvas(canvas, width, height));
    view.paint(canvasSurface(base, theme));
    this.over = { ctx: over, surface: canvasSurface(over, theme) };
    const stays = this.here?.[0].every((index, axis) => index < view.shape[axis]);
    if (this.here && stays) this.point(...this.here);
    else this.leave();
  }

  /** Frame rows and columns, wherever the pointer is. @param {Band[]} bands */
  light(bands) {
    this.bands = bands;
    this.mark(this.here?.[0] ?? null);
  }

  /** @param {Cell | null} cell */
  mark(cell) {
    this.over.ctx.clearRect(0, 0, ...this.view.size);
    for (const each of [...this.bands, ...(cell ? [cell] : [])]) this.view.mark(this.over.surface, each);
  }

  /**
   * Point at a cell, or at none; (x, y) is where its tooltip stands.
   * @param {Cell | null} cell
   * @param {number} x
   * @param {number} y
   * @param {string} how  A click is made here.
   */
  point(cell, x, y, how = this.touched ? "Tap again" : "Click") {
    if (!cell) return this.leave();
    this.here = [cell, x, y];
    this.view.pointed?.(cell);
    this.mark(cell);
    this.tip.show(x, y, [...this.view.words(cell), ...(this.view.hint ? [how + " " + this.view.hint] : [])]);
  }

  /** Point at nothing. */
  leave() {
    if (this.here) this.view.pointed?.(null);
    this.here = null;
    this.mark(null);
    this.tip.hide();
  }

  /**
   * Pick the cell that is shown: a click's own place is rounded to whole pixels. Where a click leaves the page, a first
   * touch shows a cell and a second one there opens it.
   * @param {Cell | null} cell
   * @param {number} x
   * @param {number} y
   */
  click(cell, x, y) {
    const shown = this.tapped;
    const again = shown && Math.hypot(x - shown[1], y - shown[2]) < FINGER;
    const isFirst = this.touched && !again;
    this.tapped = isFirst && cell ? [cell, x, y] : null;
    this.point(again ? shown[0] : cell, x, y);
    if (!isFirst || !this.view.leaves) this.pick(this.here?.[0] ?? null);
  }

  /** @param {Cell | null} cell */
  pick(cell) {
    if (!cell) return;
    this.cursor = cell;
    this.view.send?.(cell);
  }

  /** Scroll a cell into sight, within the stage's own box. @param {Cell} cell */
  reveal(cell) {
    const [x, y, w, h] = this.view.rect(cell);
    const box = this.scroll;
    if (x + w > box.scrollLeft + box.clientWidth) box.scrollLeft = x + w - box.clientWidth + 8;
    if (x < box.scrollLeft) box.scrollLeft = x - 8;
    if (y + h > box.scrollTop + box.clientHeight) box.scrollTop = y + h - box.clientHeight + 8;
    if (y < box.scrollTop) box.scrollTop = y - 8;
  }

  /** Show a cell, and read it out. @param {Cell} cell */
  speak(cell) {
    this.reveal(cell);
    const [x, y, w] = this.view.rect(cell);
    const corner = this.element.getBoundingClientRect();
    this.point(cell, corner.left + x + w, corner.top + y, "Press Enter");
    const [value, ...place] = this.view.words(cell);
    this.spoken.textContent = [...place, value].join(", ");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const [rows, cols] = this.view.shape;
    const [i, j] = this.cursor;
    /** @type {Record<string, Cell>} */
    const moves = {
      ArrowUp: [i - 1, j], ArrowDown: [i + 1, j], ArrowLeft: [i, j - 1], ArrowRight: [i, j + 1],
      PageUp: [i - 10, j], PageDown: [i + 10, j], Home: [i, 0], End: [i, cols - 1],
    };
    if (event.key === "Escape") {
      if (this.here) event.preventDefault(); // the Escape key was for the tooltip alone
      return this.leave();
    }
    if (event.key === "Enter" || event.key === " ") this.pick(this.cursor);
    else if (moves[event.key]) {
      const [down, across] = moves[event.key];
      this.cursor = [Math.min(rows - 1, Math.max(0, down)), Math.min(cols - 1, Math.max(0, across))];
      this.speak(this.cursor);
    } else return;
    event.preventDefault();
  }
}
