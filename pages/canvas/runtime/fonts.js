// @ts-check
// The page's typeface inside a saved picture: an SVG file that only names it would be drawn with another where it is not
// installed.

/** @type {Map<string, Promise<string>>} */
const kept = new Map(); // for each family, its @font-face rules with the fonts' bytes in them

/** @param {string} name */
const bare = (name) => name.split(",")[0].trim().replace(/^["']|["']$/g, "");

/** @typedef {{style: CSSStyleDeclaration, home: string | null}} Rule  An @font-face rule, and its style sheet's address. */

/** @param {string} family @returns {Rule[]} */
function rulesOf(family) {
  const rules = [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules].flatMap((rule) =>
      rule instanceof CSSFontFaceRule ? { style: rule.style, home: sheet.href } : [],
    ),
  );
  return rules.filter(({ style }) => bare(style.fontFamily) === family && style.fontStyle !== "italic");
}

/** @param {Rule} rule */
async function embedded({ style, home }) {
  const source = style.getPropertyValue("src");
  const [, address] = /url\(["']?(.*?)["']?\)/.exec(source) ?? [];
  const answer = await fetch(new URL(address, home ?? document.baseURI));
  const reader = new FileReader();
  const read = new Promise((done) => (reader.onload = () => done(reader.result)));
  reader.readAsDataURL(await answer.blob());
  const weight = style.fontWeight || "400";
  return `@font-face{font-family:"${bare(style.fontFamily)}";font-weight:${weight};src:url(${await read})}`;
}

/**
 * Return the rules of the first family that `font` names, each with its bytes; "" where the page has none or they cannot
 * be fetched.
 * @param {string} font
 * @returns {Promise<string>}
 */
export function fontFaces(font) {
  const family = bare(font);
  const faces = kept.get(family) ?? Promise.all(rulesOf(family).map(embedded)).then((found) => found.join(""));
  kept.set(family, faces);
  return faces.catch(() => (kept.delete(family), ""));
}

/** Put these rules into an SVG text. @param {string} svg @param {string} faces */
export const withFonts = (svg, faces) => (faces ? svg.replace(/(<svg[^>]*>)/, "$1<style>" + faces + "</style>") : svg);
