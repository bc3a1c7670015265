// The picture: panels in a row that wraps.

const GAP = 26;
const SIGN = 28;

// Pixels a cell for an axis of `count` cells when the longest axis may take `budget`: equal axes look equal, so the
// rows of Q line up with the rows of Q Kᵀ.
const cellFor = (count, budget, fixed) => fixed ?? Math.max(1, Math.min(CELL.most, Math.floor(budget / count)));

// Layouts of all panels: the largest cells with which they fit in one row; if those are small, in several rows.
function arrange(theme, picture, room) {
  const { panels, height, cell } = picture;
  const signs = panels.filter((panel) => panel.before).length;
  const layoutsFor = (budget) =>
    panels.map((panel) => {
      const [row, col] = panel.shape.map((count) => cellFor(count, budget, cell));
      return panelLayout(theme, panel, row, col, room);
    });
  const widths = (layouts) => layouts.map((layout, i) => bodyWidth(panels[i], layout));
  const inOneRow = (all) => all.reduce((sum, width) => sum + width, 0) + GAP * (all.length - 1) + SIGN * signs <= room;
  const eachAlone = (all) => Math.max(...all) + (signs ? SIGN : 0) <= room;
  const most = height ?? 420;
  for (const [fits, least] of [[inOneRow, Math.min(most, 220)], [eachAlone, 1]])
    for (let budget = most; budget >= least; budget -= 4) {
      const layouts = layoutsFor(budget);
      if (fits(widths(layouts))) return layouts;
    }
  return layoutsFor(1);
}

function cellAt({ row, col, left, top, width, height }, x, y) {
  if (x < left || y < top || x >= left + width || y >= top + height) return null;
  return [Math.floor((y - top) / row), Math.floor((x - left) / col)];
}

const named = (axis, labels, index, other) => (axis || other) + " " + (labels.length ? isolate(labels[index]) : index);

// Value first, then its row and its column, each under the name of its axis.
function words(panel, [i, j]) {
  const value = panel.values[i * panel.shape[1] + j];
  const mask = value ? "may attend" : "may not attend";
  const said = panel.scale === "mask" ? mask : value === -Infinity ? "−inf (masked)" : format(value, 7);
  return [said, named(panel.rowAxis, panel.rows, i, "row"), named(panel.colAxis, panel.cols, j, "column")];
}

// What stage.js needs to know of one panel.
function viewOf(theme, panel, layout, send) {
  const { left, top, rowWidth, colHeight, row, col } = layout;
  const frame = { stroke: theme.text, lineWidth: 1.5 };
  return {
    size: [bodyWidth(panel, layout), bodyHeight(layout)],
    shape: panel.shape,
    label: panel.title + ", " + panel.shape[0] + " rows, " + panel.shape[1] + " columns",
    start: panel.selected,
    paint: (surface) => paintPanel(surface, theme, panel, layout),
    at: (x, y) => cellAt(layout, x, y),
    rect: (cell) => cellRect(cell, layout),
    words: (cell) => words(panel, cell),
    mark(surface, cell) {
      if (rowWidth) surface.rect(left - rowWidth - 9, top + cell[0] * row + 0.5, rowWidth + 7, row - 1, frame);
      if (colHeight) surface.rect(left + cell[1] * col + 0.5, top - colHeight - 8, col - 1, colHeight + 6, frame);
      outline(surface, theme, cellRect(cell, layout), 2);
    },
    send: send && (([row, col]) => send({ panel: panel.name, row, col })),
  };
}

function figureFor(row, place, panel, theme) {
  const group = row.children[place] ?? row.appendChild(document.createElement("div"));
  group.className = "group";
  const sign = child(group, "span", "sign");
  Object.assign(sign, { textContent: panel.before, hidden: !panel.before });
  const figure = child(group, "figure", "panel");
  const title = child(figure, "div", "title");
  title.textContent = panel.title;
  if (panel.tint) title.dataset.tint = panel.tint;
  else delete title.dataset.tint;
  title.style.setProperty("--tint", theme[panel.tint] ?? "none");
  child(figure, "div", "shape").textContent = panel.shape.join(" × ");
  return { sign, figure, title };
}

// Draws every panel for the room there is; titles share one height and matrices one top, so that rows line up.
function draw(root, picture, room) {
  if (!room) return;
  const [theme, row] = [readTheme(root), child(root, "div", "row")];
  const layouts = arrange(theme, picture, room);
  const top = Math.max(...layouts.map((layout) => layout.top));
  const parts = picture.panels.map((panel, place) => figureFor(row, place, panel, theme));
  while (row.children.length > parts.length) row.lastChild.remove();
  parts.forEach(({ figure, title }, i) => {
    layouts[i].top = top;
    title.style.minHeight = "";
    figure.style.width = Math.min(room, Math.max(bodyWidth(picture.panels[i], layouts[i]), 150)) + "px";
  });
  const tallest = Math.max(...parts.map(({ title }) => title.offsetHeight));
  const middle = top + Math.max(...layouts.map((layout) => layout.height)) / 2;
  parts.forEach(({ sign, figure, title }, i) => {
    title.style.minHeight = tallest + "px";
    figure.stage ??= new Stage(figure, root);
    figure.stage.draw(theme, viewOf(theme, picture.panels[i], layouts[i], picture.send));
    sign.style.marginTop = tallest + 26 + middle - 11 + "px";
  });
  saveBar(root, picture.name, ...savedPicture(theme, picture.panels, layouts));
}

// Size and painter of the file: all panels in one row, under their titles.
function savedPicture(theme, panels, layouts) {
  const margin = 20;
  const titleStyle = { size: 14, weight: 600, baseline: "top" };
  const titles = panels.map((panel) => textWidth(theme, panel.title, titleStyle) + 18);
  const widths = panels.map((panel, i) => Math.max(bodyWidth(panel, layouts[i]), titles[i]));
  const middle = margin + 44 + layouts[0].top + Math.max(...layouts.map((layout) => layout.height)) / 2;
  const before = panels.map((panel) => (panel.before ? SIGN : 0));
  const starts = widths.map((_, i) => {
    const past = widths.slice(0, i).reduce((sum, width, j) => sum + width + before[j] + GAP, margin);
    return past + before[i];
  });
  const width = starts.at(-1) + widths.at(-1) + margin;
  const height = margin * 2 + 44 + Math.max(...layouts.map(bodyHeight));
  const paint = (surface) =>
    panels.forEach((panel, i) => {
      const x = starts[i];
      const sign = { size: 22, align: "center", baseline: "middle", fill: theme.muted };
      if (panel.before) surface.text(panel.before, x - SIGN / 2 - 4, middle, sign);
      if (panel.tint) surface.rect(x, margin + 3, 9, 9, { fill: theme[panel.tint] });
      surface.text(panel.title, x + (panel.tint ? 16 : 0), margin, titleStyle);
      surface.text(panel.shape.join(" × "), x, margin + 20, { size: 12, baseline: "top", fill: theme.muted });
      paintPanel(surface, theme, panel, layouts[i], x, margin + 44);
    });
  return [[width, height], paint];
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".canvas-root");
  const { meta, arrays } = unpack(data);
  const send = meta.pickable ? (cell) => setTriggerValue("pick", cell) : null;
  const panels = meta.panels.map((panel, place) => ({ ...panel, ...arrays[place] }));
  for (const panel of panels) panelPixels(readTheme(root), panel);
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", meta.name);
  const picture = { ...meta, panels, send };
  onWidth(root, (room) => draw(root, picture, room));
  draw(root, picture, root.clientWidth);
}
