"""What a finger has to hit on a phone, and is too small for it."""

from playwright.sync_api import Page

LEAST = 38  # pixels: 40, less the frame of a box of 40 that a button stands in
# Links in sentences are as high as their lines; the parts of a drawing are reached by its player and by the keyboard
# too; a list opens by a touch anywhere in its box.
IN_TEXT = ":is([data-testid=stMarkdownContainer], [data-testid=stCaptionContainer]) a, [data-testid=stSkipToContent]"
EXEMPT = f".inline, .spot, {IN_TEXT}, [data-testid=stSelectbox] button"
SMALL = """([least, exempt]) => {
  const kinds = "button, summary, a[href], [role=radio], [role=switch]";
  const roots = [document, ...[...document.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? [])];
  return roots.flatMap((root) => [...root.querySelectorAll(kinds)])
    .filter((element) => element.checkVisibility({ checkVisibilityCSS: true }) && !element.matches(exempt))
    .map((element) => [element, element.getBoundingClientRect()])
    .filter(([element, { width, height }]) => width && height && Math.min(width, height) < least)
    .map(([element, { width, height }]) => [element.innerText || element.ariaLabel || element.outerHTML, width, height])
    .map(([name, width, height]) => `${Math.round(width)} × ${Math.round(height)}: ${name.slice(0, 80)}`);
}"""


def small_targets(tab: Page) -> list[str]:
    """The controls of a touch screen that are smaller than a finger, one line each."""
    return [f"too small for a finger, {each}" for each in tab.evaluate(SMALL, [LEAST, EXEMPT])]
