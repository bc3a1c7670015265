// One tile per head: layers are rows, heads are columns.

const TILE = { least: 24, most: 104 };
const EDGE = { top: 24, left: 62, narrow: 26, legend: 34 };

function gridLayout(shape, room) {
  const [layers, heads] = shape;
  const left = room < 480 ? EDGE.narrow : EDGE.left;
  const space = room < 480 ? 5 : 8;
  const tile = Math.max(TILE.least, Math.min(TILE.most, Math.floor((room - left - 4) / heads) - space));
  const step = tile + space;
  return { left, tile, step, width: left + heads * step, height: EDGE.top + layers * step + EDGE.legend };
}

const tileRect = ({ left, tile, step }, [layer, head]) => [left + head * step, EDGE.top + layer * step, tile, tile];
const headName = ([layer, head]) => "layer " + (layer + 1) + " · head " + (head + 1);

function paintTile(surface, theme, picture, layout, cell) {
  const [layer, head] = cell;
  const rect = tileRect(layout, cell);
  const [x, y, size] = rect;
  surface.image(picture.images[layer][head], ...rect);
  surface.rect(...rect, { stroke: theme.border });
  if (!picture.isHidden(cell)) return;
  const lines = [[x, y, x + size, y + size], [x + size, y, x, y + size]];
  surface.rect(...rect, { fill: theme.background, alpha: 0.7 });
  for (const line of lines) surface.line(...line, { stroke: theme.text, lineWidth: 1.5 });
}

function frame(surface, theme, [x, y, w, h], lineWidth) {
  surface.rect(x - 2, y - 2, w + 4, h + 4, { stroke: theme.text, lineWidth });
}

function paintGrid(surface, theme, picture, layout) {
  const [layers, heads] = picture.shape;
  const { left, tile, step } = layout;
  const narrow = left === EDGE.narrow;
  const quiet = { size: 12, fill: theme.muted };
  for (let head = 0; head < heads; head++) {
    const word = tile > 50 ? "Head " + (head + 1) : String(head + 1);
    surface.text(word, left + head * step + tile / 2, 14, { ...quiet, align: "center" });
  }
  for (let layer = 0; layer < layers; layer++) {
    const word = narrow ? "L" + (layer + 1) : "Layer " + (layer + 1);
    const middle = EDGE.top + layer * step + tile / 2;
    surface.text(word, left - 9, middle, { ...quiet, align: "right", baseline: "middle" });
    for (let head = 0; head < heads; head++) paintTile(surface, theme, picture, layout, [layer, head]);
  }
  if (picture.selected) frame(surface, theme, tileRect(layout, picture.selected), 2.5);
  const y = EDGE.top + layers * step + 14;
  const bar = indexImage(colourTables(theme).weight, Uint8Array.from({ length: 256 }, (_, i) => i), 1, 256);
  surface.text("weight 0", left, y, { ...quiet, size: 11, baseline: "middle" });
  const start = left + textWidth(theme, "weight 0", { size: 11 }) + 6;
  surface.image(bar, start, y - 4, 64, 8);
  surface.rect(start, y - 4, 64, 8, { stroke: theme.border });
  surface.text(String(Number(picture.limit.toPrecision(3))), start + 70, y, { ...quiet, size: 11, baseline: "middle" });
}

function viewOf(theme, picture, layout) {
  const { left, tile, step, width, height } = layout;
  const [layers, heads] = picture.shape;
  return {
    size: [Math.max(width, left + 150), height],
    shape: picture.shape,
    label: picture.name + ", " + layers + " layers, " + heads + " heads",
    start: picture.selected,
    paint: (surface) => paintGrid(surface, theme, picture, layout),
    at(x, y) {
      const [layer, head] = [Math.floor((y - EDGE.top) / step), Math.floor((x - left) / step)];
      const within = layer >= 0 && layer < layers && head >= 0 && head < heads;
      return within && (y - EDGE.top) % step < tile && (x - left) % step < tile ? [layer, head] : null;
    },
    rect: (cell) => tileRect(layout, cell),
    words: (cell) => [headName(cell), ...(picture.isHidden(cell) ? ["switched off"] : [])],
    mark: (surface, cell) => frame(surface, theme, tileRect(layout, cell), 1.5),
    send: picture.send && (([layer, head]) => picture.send({ layer, head })),
  };
}

function draw(root, picture, room) {
  if (!room) return;
  const theme = readTheme(root);
  child(root, "div", "caption").textContent = picture.caption;
  const grid = child(root, "div", "grid");
  const view = viewOf(theme, picture, gridLayout(picture.shape, room));
  grid.stage ??= new Stage(grid, root);
  grid.stage.draw(theme, view);
  saveBar(root, picture.name, view.size, view.paint);
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".canvas-root");
  const { meta, arrays } = unpack(data);
  const { shape, values } = arrays.shades;
  const [layers, heads, h, w] = shape;
  const table = colourTables(readTheme(root)).weight;
  const tileOf = (index) => indexImage(table, values.subarray(index * h * w, (index + 1) * h * w), h, w);
  const range = (count) => [...Array(count).keys()];
  const images = range(layers).map((layer) => range(heads).map((head) => tileOf(layer * heads + head)));
  const isHidden = (cell) => meta.hidden.some((head) => head[0] === cell[0] && head[1] === cell[1]);
  const send = meta.pickable ? (head) => setTriggerValue("pick", head) : null;
  const picture = { ...meta, shape: [layers, heads], images, isHidden, send };
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", meta.name);
  onWidth(root, (room) => draw(root, picture, room));
  draw(root, picture, root.clientWidth);
}
