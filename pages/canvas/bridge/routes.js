// @ts-check
// Ways for the lines of a bridge: through the gaps between the words, never over a word.

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

const BEND = 4; // pixels beside the last word of a row

/** Group boxes in rows, top to bottom. @param {Box[]} boxes */
export function rowsOf(boxes) {
  /** @type {Box[][]} */
  const rows = [];
  for (const box of boxes) {
    const row = rows.find(([first]) => Math.abs(first.y - box.y) < first.height / 2);
    if (row) row.push(box);
    else rows.push([box]);
  }
  return rows.sort(([a], [b]) => a.y - b.y);
}

/** Find the gap of a row that is nearest to x: between two words, or behind the last. @param {Box[]} row @param {number} x */
function gapNear(row, x) {
  const gaps = row.map((box, i) => {
    const [right, next] = [box.x + box.width, row[i + 1]];
    return next ? (right + next.x) / 2 : right + BEND;
  });
  return gaps.reduce((best, gap) => (Math.abs(gap - x) < Math.abs(best - x) ? gap : best));
}

/**
 * Go from a box to the open side of its list, as points: [x, y] at the box, then where each row in between is entered and
 * left. down: the open side is below.
 * @type {(box: Box, boxes: Box[], down: boolean) => [number, number][]}
 */
function wayOut(box, boxes, down) {
  const rows = rowsOf(boxes);
  const mine = rows.findIndex((row) => row.includes(box));
  const between = down ? rows.slice(mine + 1) : rows.slice(0, mine).reverse();
  let x = box.x + box.width / 2;
  /** @type {[number, number][]} */
  const points = [[x, down ? box.y + box.height : box.y]];
  for (const row of between) {
    const [top, bottom] = [row[0].y, Math.max(...row.map((each) => each.y + each.height))];
    x = gapNear(row, x);
    points.push([x, down ? top : bottom], [x, down ? bottom : top]);
  }
  return points;
}

/**
 * Return the curves, as a Surface paints them, of a line from a box of the upper list to one of the lower.
 * @type {(from: Box, upper: Box[], to: Box, lower: Box[]) => number[][]}
 */
export function route(from, upper, to, lower) {
  const points = [...wayOut(from, upper, true), ...wayOut(to, lower, false).reverse()];
  return points.slice(1).map(([u, v], i) => {
    const [x, y] = points[i];
    return [x, y, x, (y + v) / 2, u, (y + v) / 2, u, v];
  });
}
