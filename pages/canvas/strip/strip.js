// Small matrices in lines, joined by signs; a tooltip tells each cell, and some tiles can be chosen.

const UNIT = { least: 66, most: 132, cell: 22 };
const BETWEEN = { sign: 26, gap: 12 };

// The lines of tiles: a new one wherever a tile says that it starts one.
function linesOf(tiles) {
  const lines = [];
  for (const tile of tiles) (tile.starts || !lines.length ? lines.push([tile]) : lines.at(-1).push(tile));
  return lines;
}

// Pixels of the unit with which the longest line fits the room; lines of tiles to choose from may wrap.
function unitFor(tiles, room) {
  const whole = linesOf(tiles).filter((line) => !line[0].pick);
  const fits = whole.map((line) => {
    const signs = line.reduce((sum, tile, i) => sum + (tile.before ? BETWEEN.sign : i ? BETWEEN.gap : 0), 0);
    return (room - signs) / line.reduce((sum, { size }) => sum + size[1], 0);
  });
  return Math.max(UNIT.least, Math.min(UNIT.most, ...fits));
}

// The tile's pixels: its share of the unit, less where cells would be larger than needed; labels are never drawn.
function tileLayout(tile, unit) {
  const [height, width] = tile.shape.map((count, axis) => Math.min(Math.floor(tile.size[axis] * unit), count * UNIT.cell));
  const [rows, cols] = tile.shape;
  return { row: height / rows, col: width / cols, left: 0, top: 0, width, height };
}

function cellIn({ row, col, width, height }, [rows, cols], x, y) {
  if (x < 0 || y < 0 || x >= width || y >= height) return null;
  return [Math.min(rows - 1, Math.floor(y / row)), Math.min(cols - 1, Math.floor(x / col))];
}

function paintTile(surface, theme, tile, { width, height }, x = 0, y = 0) {
  surface.image(tile.image, x, y, width, height);
  if (tile.masked) surface.image(hatchedCells(theme, tile, { width, height }), x, y, width, height);
  surface.rect(x + 0.5, y + 0.5, width - 1, height - 1, { stroke: theme.border });
}

function said(tile, [i, j]) {
  const value = tile.values[i * tile.shape[1] + j];
  const place = (axis, labels, index) => tile.axes[axis] + " " + (labels.length ? isolate(labels[index]) : index);
  const number = value === -Infinity ? "−inf (masked)" : format(value, 5);
  return [number, place(0, tile.rows, i), place(1, tile.cols, j)];
}

function viewOf(theme, tile, layout, send) {
  return {
    size: [layout.width, layout.height],
    shape: tile.shape,
    label: tile.title + ", " + tile.shape[0] + " rows, " + tile.shape[1] + " columns",
    start: null,
    paint: (surface) => paintTile(surface, theme, tile, layout),
    at: (x, y) => cellIn(layout, tile.shape, x, y),
    rect: (cell) => cellRect(cell, layout),
    words: (cell) => said(tile, cell),
    mark: (surface, cell) => outline(surface, theme, cellRect(cell, layout), 1.5),
    send: tile.pick ? () => send(tile.name) : null,
  };
}

const OWN_LINE = "line-of-its-own";
const spanOf = (text, className = "") => Object.assign(document.createElement("span"), { textContent: text, className });

// What stands under the shape: how large the numbers are, and what of a large tensor is left out.
function detailsOf(tile) {
  if (!tile.written) return [];
  return [tile.scale === "signed" ? "± " + format(tile.largest, 2) : "0 to 1", ...(tile.part ? [tile.part] : [])];
}

// The scales in use, as [least, colour table, most]; −inf is drawn striped on both.
function scalesOf(theme, tiles) {
  const { signed, weight } = colourTables(theme);
  const used = new Set(tiles.map((tile) => tile.scale));
  const words = { signed: ["−", signed, "+"], weight: ["weight 0", weight, "1"] };
  return Object.keys(words).filter((name) => used.has(name)).map((name) => words[name]);
}

function legend(foot, theme, tiles) {
  const box = child(foot, "div", "scales");
  const keys = scalesOf(theme, tiles).map(([low, table, high]) => {
    const [item, bar] = [spanOf(low), document.createElement("i")];
    const stops = [0, 32, 64, 96, 128, 160, 192, 224, 255].map((index) => entry(table, index));
    bar.style.background = "linear-gradient(90deg, " + stops.join(", ") + ")";
    item.append(bar, high);
    return item;
  });
  if (tiles.some((tile) => tile.masked)) keys.push(spanOf("striped: hidden"));
  box.replaceChildren(...keys);
}

// Empty figures in lines, made again only when tiles come, go or move.
function figuresFor(root, tiles) {
  const box = child(root, "div", "lines");
  const order = JSON.stringify(tiles.map(({ name, starts }) => [name, starts]));
  if (box.order === order) return box.figures;
  const lineOf = (line) => {
    const element = Object.assign(document.createElement("div"), { className: "line" });
    element.append(...line.map(() => Object.assign(document.createElement("div"), { className: "group" })));
    return element;
  };
  const lines = linesOf(tiles).map(lineOf);
  box.replaceChildren(...lines);
  return Object.assign(box, { order, figures: lines.flatMap((line) => [...line.children]) }).figures;
}

function refresh(root, group, tile, theme, layout, send) {
  Object.assign(child(group, "span", "sign"), { textContent: tile.before, hidden: !tile.before });
  const figure = child(group, "figure", "tile");
  figure.classList.toggle("chosen", tile.chosen);
  const title = child(figure, "div", "title");
  title.textContent = tile.title;
  title.style.setProperty("--tint", theme[tile.tint] ?? "none");
  title.classList.toggle("tinted", Boolean(tile.tint));
  figure.stage ??= new Stage(figure, root);
  figure.stage.draw(theme, viewOf(theme, tile, layout, send));
  const caption = child(figure, "figcaption", "shape");
  caption.style.maxWidth = Math.max(layout.width, 62) + "px";
  const parts = tile.written ? tile.written.split(/ (?==)/) : [];
  caption.replaceChildren(...parts.map((text) => spanOf(text)), ...detailsOf(tile).map((text) => spanOf(text, OWN_LINE)));
}

function draw(root, picture, room) {
  if (!room) return;
  const [theme, unit] = [readTheme(root), unitFor(picture.tiles, room)];
  const figures = figuresFor(root, picture.tiles);
  picture.tiles.forEach((tile, i) => refresh(root, figures[i], tile, theme, tileLayout(tile, unit), picture.send));
  const foot = child(root, "div", "foot");
  legend(foot, theme, picture.tiles);
  Object.assign(foot, { theme, themeKey: root.themeKey });
  saveBar(foot, picture.name, ...savedStrip(theme, picture.tiles));
}

// Size and painter of the file: the same lines, each tile under its title and over its shape.
function savedStrip(theme, tiles) {
  const [margin, head, foot] = [16, 22, 44];
  const heading = { size: 12, weight: 600, baseline: "top" };
  const quiet = { size: 11, baseline: "top", fill: theme.muted };
  const placed = [];
  let [top, right] = [margin, 0];
  for (const line of linesOf(tiles)) {
    const layouts = line.map((tile) => tileLayout(tile, UNIT.most));
    let left = margin;
    line.forEach((tile, i) => {
      left += tile.before ? BETWEEN.sign : i ? BETWEEN.gap : 0;
      placed.push([tile, layouts[i], left, top]);
      const words = [[tile.title, heading], [tile.written, quiet]].map(([text, style]) => textWidth(theme, text, style));
      left += Math.max(layouts[i].width, ...words);
    });
    right = Math.max(right, left);
    top += head + Math.max(...layouts.map(({ height }) => height)) + foot;
  }
  const paint = (surface) => {
    paintScales(surface, theme, tiles, margin, top);
    for (const [tile, layout, x, y] of placed) {
      if (tile.before) surface.text(tile.before, x - BETWEEN.sign + 4, y + head + 20, { size: 16, fill: theme.muted });
      surface.text(tile.title, x, y, { ...heading, fill: theme.ink[tile.tint] ?? theme.text });
      paintTile(surface, theme, tile, layout, x, y + head);
      [tile.written, detailsOf(tile).join("; ")].forEach((text, i) => {
        if (text) surface.text(text, x, y + head + layout.height + 6 + 15 * i, quiet);
      });
    }
  };
  return [[right + margin, top + margin], paint];
}

function paintScales(surface, theme, tiles, x, y) {
  const small = { fill: theme.muted, size: 11, baseline: "middle" };
  const all = Uint8Array.from({ length: 256 }, (_, i) => i);
  let left = x;
  const put = (text) => {
    surface.text(text, left, y, small);
    left += textWidth(theme, text, small) + 6;
  };
  for (const [low, table, high] of scalesOf(theme, tiles)) {
    put(low);
    surface.image(indexImage(table, all, 1, 256), left, y - 4, 44, 8);
    surface.rect(left, y - 4, 44, 8, { stroke: theme.border });
    left += 50;
    put(high);
    left += 10;
  }
  if (tiles.some((tile) => tile.masked)) put("striped: hidden");
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".canvas-root");
  const { meta, arrays } = unpack(data);
  const tiles = meta.tiles.map((tile, place) => ({ ...tile, written: tile.shape, ...arrays[place] }));
  for (const tile of tiles) panelPixels(readTheme(root), tile);
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", meta.name);
  const picture = { ...meta, tiles, send: (tile) => setTriggerValue("pick", tile) };
  onWidth(root, (room) => draw(root, picture, room));
  draw(root, picture, root.clientWidth);
}
