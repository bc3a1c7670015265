"""Every stop of the Tab key is seen: it is on the screen, and marked by an outline, a shadow or a border."""

from playwright.sync_api import Page

from tests.browser.tabs import STILL

STOPS = 60  # of a page, in either direction
# Whether the end of the page is reached, and what is wrong: this stop is out of sight; or the stop before looks as it
# did with the focus, and so does all that is near it. What the new stop marks by itself does not count.
LOOK = """() => {
  const NEAR = 4;
  const near = (element) => {
    const found = [element, ...element.querySelectorAll("*")].slice(0, 20);
    for (let up = element.parentElement, n = 0; up && n < NEAR; up = up.parentElement, n++) found.push(up);
    return [...found, ...[element.previousElementSibling, element.nextElementSibling].filter(Boolean)];
  };
  const outline = ({ outlineStyle, outlineWidth, outlineColor }) =>
    outlineStyle === "none" || outlineWidth === "0px" ? "" : [outlineStyle, outlineWidth, outlineColor].join(" ");
  const strong = (shadow) => (/rgba\\(.*, 0?\\.[0-3]\\d*\\)/.test(shadow) ? "none" : shadow); // less is not seen
  const look = (element) => ["", "::before", "::after"].map((part) => {
    const style = getComputedStyle(element, part);
    return [outline(style), strong(style.boxShadow), style.borderColor, style.borderWidth].join("; ");
  }).join("; ");
  const named = (element) =>
    `${element.tagName} ${element.dataset.testid ?? element.className} ${element.ariaLabel ?? ""}`;
  let element = document.activeElement;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  element = element.closest("canvas") ?? element; // a table draws its cells: what is in its canvas has no box
  const [problems, before, end] = [[], window.stopBefore, element === document.body];
  if (before?.element.isConnected && before.element !== element) { // a grid moves among its own cells
    const [around, within] = [element.contains(before.element), before.element.contains(element)];
    const isNew = (each) => each.contains(element) || within || (element.contains(each) && !around);
    const old = [...before.looks].filter(([each]) => end || each === before.element || !isNew(each));
    if (old.every(([each, looked]) => look(each) === looked)) problems.push(`not marked: ${named(before.element)}`);
  }
  window.stopBefore = end ? null : { element, looks: new Map(near(element).map((each) => [each, look(each)])) };
  const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
  const seen = width > 0 && height > 0 && left < innerWidth && right > 0 && top < innerHeight && bottom > 0;
  return [end, end || seen ? problems : [...problems, `out of sight: ${named(element)}`]];
}"""


def unseen_stops(tab: Page) -> list[str]:
    """What is wrong with the stops of the Tab key in the light theme, and backwards in the dark one."""
    tab.evaluate(f"() => {STILL}")  # a border that changes slowly has not changed yet
    tab.emulate_media(color_scheme="light")
    light = stops(tab, "Tab")
    tab.emulate_media(color_scheme="dark")
    return light + stops(tab, "Shift+Tab")


def stops(tab: Page, key: str) -> list[str]:
    """What is wrong with the next stops of this key, one line each."""
    found, seen = list[str](), 0
    for _ in range(STOPS):
        tab.keyboard.press(key)
        end, problems = tab.evaluate(LOOK)
        found += [f"{key}: {each}" for each in problems]
        seen += not end
    assert seen > STOPS / 2
    return found
