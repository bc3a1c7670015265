// Ways for the lines of a bridge: through the gaps between the words, never over a word.

const BEND = 4; // pixels beside the last word of a row

// The rows of boxes [{x, y, width, height}], top to bottom.
export function rowsOf(boxes) {
  const rows = [];
  for (const box of boxes) {
    const row = rows.find(([first]) => Math.abs(first.y - box.y) < first.height / 2);
    if (row) row.push(box);
    else rows.push([box]);
  }
  return rows.sort(([a], [b]) => a.y - b.y);
}

// The gap of a row that is nearest to x: between two words, or behind the last.
function gapNear(row, x) {
  const gaps = row.map((box, i) => {
    const [right, next] = [box.x + box.width, row[i + 1]];
    return next ? (right + next.x) / 2 : right + BEND;
  });
  return gaps.reduce((best, gap) => (Math.abs(gap - x) < Math.abs(best - x) ? gap : best));
}

// From the box to the open side of its list, as points: [x, y] at the box, then where each row in between is entered
// and left. down: the open side is below.
function wayOut(box, boxes, down) {
  const rows = rowsOf(boxes);
  const mine = rows.findIndex((row) => row.includes(box));
  const between = down ? rows.slice(mine + 1) : rows.slice(0, mine).reverse();
  const points = [[box.x + box.width / 2, down ? box.y + box.height : box.y]];
  for (const row of between) {
    const [top, bottom] = [row[0].y, Math.max(...row.map((each) => each.y + each.height))];
    const gap = gapNear(row, points.at(-1)[0]);
    points.push([gap, down ? top : bottom], [gap, down ? bottom : top]);
  }
  return points;
}

// The curves [x0, y0, x1, y1, x2, y2, x3, y3] of a line from a box of the upper list to one of the lower.
export function route(from, upper, to, lower) {
  const points = [...wayOut(from, upper, true), ...wayOut(to, lower, false).reverse()];
  return points.slice(1).map(([u, v], i) => {
    const [x, y] = points[i];
    return [x, y, x, (y + v) / 2, u, (y + v) / 2, u, v];
  });
}
