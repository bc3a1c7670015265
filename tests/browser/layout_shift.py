"""How far what is seen moves while a page comes for the first time, as the browser itself measures it."""

from playwright.sync_api import Page

from tests.browser.driver import OFTEN, settled

# Sum of shares of the screen that moved times how far: below 0.1 is called good. The pills of the views make place for
# a button beside them.
MOST = 0.02
WATCH = """window.moved = [];
new PerformanceObserver((list) => list.getEntries().forEach(({ value, sources }) => {
  const names = sources.map(({ node, previousRect, currentRect }) => {
    const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    return `${element?.textContent.slice(0, 30)} from ${previousRect.top} to ${currentRect.top}`;
  });
  window.moved.push([value, names.join("; ")]);
})).observe({ type: "layout-shift", buffered: true });"""
UNFINISHED = "[data-testid=stMain] [data-testid=stSkeleton]"


def moved_too_far(tab: Page) -> list[str]:
    """What moved since a tab was opened whose page is drawn, if it is more than MOST."""
    settled(tab)
    tab.wait_for_function(f"() => !document.querySelector('{UNFINISHED}')", polling=OFTEN)
    moved = tab.evaluate("() => window.moved")
    return [f"moved: {moved}"] if sum(value for value, _ in moved) >= MOST else []
