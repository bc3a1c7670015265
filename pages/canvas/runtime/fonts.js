// The page's typeface inside a saved picture: an SVG file that only names it would be drawn with another where it is not
// installed.

const kept = new Map(); // by family, the promise of its @font-face rule with the font's bytes in it

const bare = (name) => name.split(",")[0].trim().replace(/^["']|["']$/g, "");

function rulesOf(family) {
  const sheets = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => [rule, sheet.href]));
  return sheets.filter(
    ([rule]) =>
      rule instanceof CSSFontFaceRule && bare(rule.style.fontFamily) === family && rule.style.fontStyle !== "italic",
  );
}

async function embedded([rule, home]) {
  const [, address] = /url\(["']?(.*?)["']?\)/.exec(rule.style.src) ?? [];
  const answer = await fetch(new URL(address, home ?? document.baseURI));
  const reader = new FileReader();
  const read = new Promise((done) => (reader.onload = () => done(reader.result)));
  reader.readAsDataURL(await answer.blob());
  const weight = rule.style.fontWeight || "400";
  return `@font-face{font-family:"${bare(rule.style.fontFamily)}";font-weight:${weight};src:url(${await read})}`;
}

// The rules of the first family that `font` names, each with its bytes; "" where the page has none or it is not to be had.
export function fontFaces(font) {
  const family = bare(font);
  if (!kept.has(family)) kept.set(family, Promise.all(rulesOf(family).map(embedded)).then((found) => found.join("")));
  return kept.get(family).catch(() => (kept.delete(family), ""));
}

// The SVG text with these rules in it.
export const withFonts = (svg, faces) => (faces ? svg.replace(/(<svg[^>]*>)/, "$1<style>" + faces + "</style>") : svg);
