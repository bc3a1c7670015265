// @ts-check
// The tokens at the box that they have reached, as a row of chips: on the screen and in the saved files alike.

import { ellipsis } from "../runtime/text.js";

/** @import { Surface, TextStyle } from "../runtime/surface.js" */
/** @import { Theme } from "../runtime/theme.js" */
/** @import { Flow } from "./flow.js" */
/** @import { Layout } from "./layout.js" */

const CHIP = { word: 22, good: 30, most: 62, gap: 2, high: 12, size: 11 };

/**
 * Return the place of the row of chips at a step, its width and that of a chip, and whether chips have no words.
 * @param {Flow} flow
 * @param {number} at
 * @param {Layout} layout
 */
export function trainOf(flow, at, layout) {
  const { box, stack } = flow.steps[at];
  const { pieces, left: others } = flow.tokens[stack];
  const { look, column, lanes, scale } = layout;
  const rect = layout.rects[box];
  const count = pieces.length + (others ? 1 : 0);
  const left = lanes[rect.stack] - look.lane + look.branch;
  const most = column - look.branch - look.side;
  const worded = Math.max(Math.min(rect.w, column - look.side), Math.min(count * CHIP.good * scale, most));
  const roomy = Math.min(CHIP.most * scale, (worded - CHIP.gap * (count - 1)) / count);
  const bare = roomy < CHIP.word * scale;
  const wide = bare ? rect.w : worded;
  const each = bare ? Math.min((wide - CHIP.gap * (count - 1)) / count, 9 * scale) : roomy;
  const middle = rect.x + rect.w / 2 - wide / 2;
  const x = wide > rect.w ? Math.max(left, Math.min(middle, left + most - wide)) : rect.x;
  const y = rect.y + rect.h + 0.8 * scale;
  return { x, y, wide, each, bare, pieces, others: others ? "+" + others : "", rect };
}

/**
 * Paint the row at a step.
 * @param {Surface} surface
 * @param {Theme} theme
 * @param {Flow} flow
 * @param {number} at
 * @param {Layout} layout
 * @param {string} colour  Of the chips, and of the frame round the box.
 */
export function paintTrain(surface, theme, flow, at, layout, colour) {
  const { x, y, wide, each, bare, pieces, others, rect } = trainOf(flow, at, layout);
  const { scale } = layout;
  surface.rect(rect.x - 1, rect.y - 1, rect.w + 2, rect.h + 2, { stroke: colour, lineWidth: 2, radius: 6 });
  const words = bare ? pieces : [...pieces, ...(others ? [others] : [])];
  /** @type {TextStyle} */
  const style = { size: CHIP.size * scale, weight: 500, align: "center", baseline: "middle" };
  let left = x + (wide - words.length * each - CHIP.gap * (words.length - 1)) / 2;
  for (const [i, word] of words.entries()) {
    const chip = i < pieces.length;
    if (chip) surface.rect(left, y, each, CHIP.high * scale, { fill: colour, radius: 3 });
    const said = bare ? "" : ellipsis(theme, word, each - 2, style);
    if (said) surface.text(said, left + each / 2, y + (CHIP.high * scale) / 2, { ...style, fill: chip ? theme.background : theme.text });
    left += each + CHIP.gap;
  }
}
