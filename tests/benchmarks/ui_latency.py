"""How long a change of a control takes to be on screen, in a real Chromium, as a multiple of a bare page's.

    python -m tests.benchmarks.ui_latency [--json] [--changes 30] [--warm 2] [--pages heads block]
                                          [--controls layer typing]

Starts the app and the least page of Streamlit's own (`bare.py`), opens each page with a sentence of 24 tokens, and
works its controls with trusted clicks and keys; the bare page's clicks come before, between and after. For every change
the clock starts at the event's own time stamp and stops inside the page (`probe.js`):

  picture   at the end of the first frame in which the pixels of the page's picture are new
  all       at the end of the last frame that changed anything in the page's main part: the figure held to the aims

Before each change the seed is changed, unmeasured, so that no result lies in a cache: every measured change runs the
model. Pages with models of their own are given a new size or a longer text each time instead. Typing is one letter at
the end of the text, from its input event, so it contains the pause for which the text box waits for another letter.
"512 tokens" is the largest matrix of the Heads page, of a text of more tokens than that.
"""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page, sync_playwright

from tests.benchmarks.controls import OPENED, PICTURES, SIZED, Change, controls, pills
from tests.benchmarks.report import as_json, table
from tests.browser.driver import FLAGS, WAIT, address, browser_path, enter, settled, widget
from tests.browser.server import serving

AIM = {"median": 1.6, "p95": 2.5, "control": 2.5}  # times the bare page's median click
LARGE_AIM = 1000
WARM = 2
PATIENCE = 15_000  # milliseconds for a picture; a busy browser draws a chart long after its words
SENTENCE = "The animal didn't cross the street because it was too tired, and the driver of the car saw it."
LONG = "the cat sat on the mat and then " * 100
BARE = "tests/benchmarks/bare.py"
PROBE = Path(__file__).with_name("probe.js")


def measure(
    tab: Page, moves: Iterator[tuple[str, Change]], selector: str, changes: int, warm: int = WARM
) -> list[dict[str, float]]:
    """Milliseconds of each change: {"picture", "all"}. Raises RuntimeError when a picture stays as it was.

    warm: changes before these that do not count.
    """
    times = []
    seeded = widget(tab, "seed").count() > 0
    for number in range(warm + changes):
        if seeded:
            reseed(tab)
        time = clocked(tab, moves, selector, PATIENCE)
        if time["picture"] is None:
            raise RuntimeError(f"the picture did not change within {time['all']:.0f} ms")
        if number >= warm:
            times.append(time)
    return times


def clocked(tab: Page, moves: Iterator[tuple[str, Change]], selector: str, patience: int) -> dict[str, float]:
    """One change, with so many milliseconds of patience for its picture."""
    kind, change = next(moves)
    tab.evaluate("([kind, selector, patience]) => probe.arm(kind, selector, 200, patience)", [kind, selector, patience])
    change()
    return dict(tab.evaluate("() => probe.result"))


def bare_clicks(tab: Page, clicks: int) -> list[float]:
    """Milliseconds from a click on the bare page to its last frame."""
    moves = pills(tab, "layer", "1", "2", "3")
    return [clocked(tab, moves, ".none", 0)["all"] for _ in range(clicks + WARM)][WARM:]


def reseed(tab: Page) -> None:
    """Another model of the same shape, so that nothing measured was computed before."""
    box = widget(tab, "seed").locator("input")
    tab.evaluate("() => probe.arm('keydown', '.none', 200, 0)")
    enter(tab, "seed", int(box.input_value() or 0) + 1)
    tab.evaluate("() => probe.result")


def open_page(tab: Page, url: str, selector: str) -> None:
    tab.goto(url)
    settled(tab)
    shown = "canvas:visible, svg.marks:visible, .canvas-root > *:visible"
    tab.locator(selector).locator(shown).first.wait_for(timeout=60_000)
    if (opener := tab.get_by_test_id("stExpandSidebarButton")).is_visible():
        opener.click()
    tab.wait_for_timeout(1000)


def summary(page: str, control: str, times: list[dict[str, float]]) -> dict[str, Any]:
    """One row of the table."""
    whole, pictures = (sorted(time[name] for time in times) for name in ("all", "picture"))
    figures = {"picture_median": at(pictures, 0.5), "median": at(whole, 0.5), "p95": at(whole, 0.95)}
    return {"page": page, "control": control, "n": len(times)} | {name: round(x) for name, x in figures.items()}


def at(ordered: list[float], share: float) -> float:
    """The nearest-rank quantile: the least number that at least this share does not exceed."""
    return ordered[max(0, -(-int(share * 100) * len(ordered) // 100) - 1)]


def beside_bare(rows: list[dict[str, Any]], bare: float) -> list[dict[str, Any]]:
    """The rows with their medians and 95th percentiles as multiples of the bare page's median."""
    names = {"times_bare": "median", "p95_times": "p95"}
    return [row | {times: round(row[name] / bare, 2) for times, name in names.items()} for row in rows]


def run(tab: Page, base: str, bare: Page, options: argparse.Namespace) -> tuple[list[dict[str, Any]], list[float]]:
    """Every control of every page, and the large matrix; and the bare page's clicks, in milliseconds."""
    rows: list[dict[str, Any]] = []
    everything: list[dict[str, float]] = []
    changes, warm = options.changes, options.warm
    clicks = bare_clicks(bare, changes)
    for number, page in enumerate(options.pages):
        selector = PICTURES[page]
        open_page(tab, address(base, page, **{"t": SENTENCE} | OPENED.get(page, SIZED)), selector)
        every = controls(tab, page)
        for control in [name for name in every if name in (options.controls or every)]:
            try:
                times = measure(tab, every[control], selector, changes, warm)
            except (Error, RuntimeError) as mistake:
                raise RuntimeError(f"{page}, {control}: {mistake}") from mistake
            rows.append(summary(page, control, times))
            everything += times
        if number == len(options.pages) // 2:
            clicks += bare_clicks(bare, changes)
    rows.append(summary("every page", "every control", everything))
    open_page(tab, address(base, "heads", t=LONG, model="random weights"), PICTURES["heads"])
    moves = pills(tab, "head", "1", "2", "3", "4")
    rows.append(summary("heads", "512 tokens: head", measure(tab, moves, PICTURES["heads"], -(-changes // 3), warm)))
    return rows, clicks + bare_clicks(bare, changes)


def main() -> None:
    parser = argparse.ArgumentParser(description="From a change of a control to the painted screen.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--changes", type=int, default=30, help="measured changes of each control")
    parser.add_argument("--warm", type=int, default=WARM, help="changes of each control that do not count")
    parser.add_argument("--pages", nargs="+", choices=PICTURES, default=list(PICTURES))
    parser.add_argument("--controls", nargs="+", metavar="CONTROL", help="these controls, where a page has them")
    options = parser.parse_args()
    path = browser_path()
    if path is None:
        parser.exit(1, "no Chromium found on the path\n")
    load = os.getloadavg()[0]
    with serving("app.py") as base, serving(BARE) as plain, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        tab, bare = (browser.new_page(viewport={"width": 1280, "height": 900}) for _ in range(2))
        for each in (tab, bare):
            each.set_default_timeout(WAIT)
            each.add_init_script(path=PROBE)
        bare.goto(plain)
        settled(bare)
        rows, clicks = run(tab, base, bare, options)
        browser.close()
    clicks.sort()
    floor = {"clicks": len(clicks), "median": round(at(clicks, 0.5)), "p95": round(at(clicks, 0.95))}
    report(beside_bare(rows, at(clicks, 0.5)), floor, load, options.json)


def report(rows: list[dict[str, Any]], floor: dict[str, int], load: float, json: bool) -> None:
    if json:
        result = {"benchmark": "ui_latency", "aims": AIM, "large_aim_ms": LARGE_AIM, "bare": floor, "rows": rows}
        print(as_json(result | {"cores": os.cpu_count(), "load_before": round(load, 2)}))
        return
    headings = ("page", "control", "n", "picture_median", "median", "p95", "times_bare", "p95_times")
    print(table([name.replace("_", " ") for name in headings], [[row[name] for name in headings] for row in rows]))
    print(
        f"milliseconds; the bare page: median {floor['median']}, p95 {floor['p95']}. Aims, times its median: "
        f"median {AIM['median']}, p95 {AIM['p95']}, no control over {AIM['control']}; 512 tokens {LARGE_AIM} ms; "
        f"{os.cpu_count()} cores, load {load:.2f} at the start"
    )


if __name__ == "__main__":
    main()
