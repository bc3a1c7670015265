// Copies the chart's SVG element out of the page. Vega writes colours and fonts into it; what it takes from the
// page is only the background behind it.

const MARGIN = 10; // a file is drawn with the reader's fonts, which may be wider than the page's

function copyChart(chart) {
  const found = document.querySelector(".st-key-" + CSS.escape(chart) + " svg.marks");
  if (!found) return null;
  const [left, top, across, down] = found.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  const box = { x: left - MARGIN, y: top - MARGIN, width: across + 2 * MARGIN, height: down + 2 * MARGIN };
  const copy = found.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  copy.setAttribute("viewBox", Object.values(box).join(" "));
  copy.removeAttribute("style");
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ ...box, fill: behind(found) })) ground.setAttribute(name, value);
  copy.prepend(ground);
  return { width: box.width, height: box.height, text: new XMLSerializer().serializeToString(copy) };
}

// The first opaque background at or above the element.
function behind(element) {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour && colour !== "transparent" && !colour.endsWith(", 0)")) return colour;
  }
  return "white";
}

async function pngOf({ width, height, text }) {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  await image.decode();
  const canvas = document.createElement("canvas");
  sharpCanvas(canvas, width, height, 2).drawImage(image, 0, 0, width, height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

export default function ({ data, parentElement }) {
  const bar = parentElement.querySelector(".save-bar");
  const status = bar.querySelector("[role=status]");
  const stem = data.name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "") || "chart";
  const makers = { PNG: pngOf, SVG: async ({ text }) => new Blob([text], { type: "image/svg+xml" }) };
  for (const [kind, make] of Object.entries(makers)) {
    const button = child(bar, "button", "save-" + kind.toLowerCase());
    Object.assign(button, { type: "button", textContent: kind, title: "Save this chart as " + kind });
    button.setAttribute("aria-label", "Save " + data.name + " as " + kind);
    button.onclick = async () => {
      const chart = copyChart(data.chart);
      status.textContent = chart ? "" : "No chart to save here.";
      if (chart) download(await make(chart), stem + "." + kind.toLowerCase());
    };
  }
}
