"""How long a change of a control takes to be on screen on the pages of experiments and of writing, in a real Chromium.

    python -m tests.benchmarks.experiment_latency [--json] [--changes 8] [--only positions masks] [--sizes default]

As `ui_latency`: the clock starts at the time stamp of a trusted click or key, and stops at the end of the last frame
that changed anything in the page's main part. Each row is one control, worked with values that were not shown before
wherever it has that many, once at the sizes with which a page opens and once at the largest that it lets a visitor set.
"""

import argparse
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks import controls
from tests.benchmarks.controls import Change
from tests.benchmarks.report import as_json, table
from tests.benchmarks.ui_latency import LONG, PROBE, at
from tests.browser.driver import FLAGS, WAIT, address, browser_path, open_box, settled
from tests.browser.server import serving

AIMS = {"default": 300, "largest": 3000}
FULL: dict[str, Any] = {"t": LONG, "d": 1024, "h": 16, "n": 12}
BATCH = "padding in a batch"
HEATMAP = {"positions-view": "heatmap"}
Moves = Callable[[Page], Iterator[tuple[str, Change]]]


@dataclass(frozen=True)
class Case:
    """A page with its settings, the control that is worked, and the size that this is: a key of AIMS."""

    page: str
    control: str
    moves: Moves
    size: str = "default"
    settings: dict[str, Any] = field(default_factory=dict)


def pills(key: str, *labels: str) -> Moves:
    return lambda tab: controls.pills(tab, key, *labels)


def numbers(key: str, first: int = 1) -> Moves:
    """Ever new numbers written into a box; the clock starts at Enter."""

    def moves(tab: Page) -> Iterator[tuple[str, Change]]:
        box = open_box(tab, key)
        for number in count(first):
            box.fill(str(number))
            yield "keydown", partial(box.press, "Enter")

    return moves


def button(label: str) -> Moves:
    return lambda tab: (("click", tab.get_by_role("button", name=label, exact=True).click) for _ in count())


CASES = (
    Case(
        "positions",
        "encoding",
        pills("positions-encoding", "rotary", "binary", "learned", "sinusoidal"),
        settings=HEATMAP,
    ),
    Case("positions", "shift k", numbers("positions-shift", 6), settings={"positions-view": "shift"}),
    Case(
        "positions", "seed of the draw", numbers("positions-draw-seed"), settings={"positions-view": "random vectors"}
    ),
    Case("positions", "seed of the shuffle", numbers("positions-shuffle-seed"), settings={"positions-view": "shuffle"}),
    Case("masks", "mask", pills("masks-preset", "none", "sliding window", "prefix", "block", "causal")),
    Case(
        "masks",
        "mask, leak test",
        pills("masks-preset", "none", "prefix", "causal"),
        settings={"masks-view": "leak test"},
    ),
    Case("masks", "token, leak test", numbers("masks-token"), settings={"masks-view": "leak test"}),
    Case(
        "masks",
        "mask, empty rows",
        pills("masks-preset", "none", "prefix", "causal"),
        settings={"masks-view": "empty rows"},
    ),
    Case(
        "masks", "other mask, batch", pills("masks-other", "causal", "prefix", "none"), settings={"masks-view": BATCH}
    ),
    Case("scaling", "head", pills("head", "2", "3", "4", "1")),
    Case("scaling", "seed, variance", numbers("scaling-seed"), settings={"scaling-view": "variance"}),
    Case("scaling", "seed, gradient", numbers("scaling-seed"), settings={"scaling-view": "gradient"}),
    Case("translate", "Step", button("Step"), settings={"translate-tokens": 1}),
    Case("generate", "Step", button("Step"), settings={"gn": 1}),
    Case("kv-cache", "Step", button("Step"), settings={"kn": 1}),
    Case(
        "positions",
        "shift k",
        numbers("positions-shift", 6),
        "largest",
        {"positions-view": "shift", "positions-length": 512, "positions-width": 1024},
    ),
    Case(
        "positions",
        "seed of the draw",
        numbers("positions-draw-seed"),
        "largest",
        {"positions-view": "random vectors", "positions-draws": 10_000},
    ),
    Case(
        "positions",
        "seed of the shuffle",
        numbers("positions-shuffle-seed"),
        "largest",
        FULL | {"positions-view": "shuffle"},
    ),
    Case("masks", "mask", pills("masks-preset", "none", "prefix", "block", "causal"), "largest", FULL),
    Case("masks", "head, last layer", pills("head", "2", "3", "4", "1"), "largest", FULL | {"layer": 12}),
    Case("masks", "row, wrong ways", numbers("masks-row"), "largest", FULL | {"layer": 12, "masks-view": "wrong ways"}),
    Case("masks", "token, leak test", numbers("masks-token"), "largest", FULL | {"masks-view": "leak test"}),
    Case(
        "masks",
        "mask, empty rows",
        pills("masks-preset", "none", "prefix", "block", "causal"),
        "largest",
        FULL | {"layer": 12, "masks-view": "empty rows"},
    ),
    Case(
        "masks",
        "other mask, batch",
        pills("masks-other", "causal", "prefix", "block", "none"),
        "largest",
        FULL | {"layer": 12, "masks-view": BATCH, "patient": "true"},
    ),
    Case("scaling", "head", pills("head", "2", "3", "4", "1"), "largest", FULL),
    Case(
        "scaling",
        "seed, gradient",
        numbers("scaling-seed"),
        "largest",
        {"scaling-view": "gradient", "scaling-draws": 500, "scaling-keys": 512, "scaling-width": 1024},
    ),
)


def measure(tab: Page, base: str, case: Case, changes: int) -> dict[str, Any]:
    """One row of the table: median and longest time in milliseconds."""
    tab.goto(address(base, case.page, **case.settings))
    settled(tab)
    tab.wait_for_timeout(800)
    times = []
    moves = case.moves(tab)
    for number in range(changes + 1):
        kind, change = next(moves)
        tab.evaluate("(kind) => probe.arm(kind, '.none', 300, 0)", kind)
        change()
        time = tab.evaluate("() => probe.result")["all"]
        settled(tab)
        if number:  # the first also loads what the browser has not seen yet
            times.append(time)
    times.sort()
    median, longest = round(at(times, 0.5)), round(times[-1])
    return {"page": case.page, "control": case.control, "size": case.size, "median": median, "longest": longest}


def main() -> None:
    parser = argparse.ArgumentParser(description="From a change of a control to the painted screen.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--changes", type=int, default=8, help="measured changes of each control")
    parser.add_argument("--only", nargs="+", choices=sorted({case.page for case in CASES}), help="these pages")
    parser.add_argument("--sizes", nargs="+", choices=list(AIMS), default=list(AIMS))
    options = parser.parse_args()
    path = browser_path()
    if path is None:
        parser.exit(1, "no Chromium found on the path\n")
    load, rows = os.getloadavg()[0], []
    with serving("app.py") as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for case in CASES:
            if case.size in options.sizes and case.page in (options.only or [case.page]):
                tab = browser.new_page(viewport={"width": 1280, "height": 900})
                tab.set_default_timeout(WAIT)
                tab.add_init_script(path=PROBE)
                rows.append(measure(tab, base, case, options.changes))
                tab.close()
        browser.close()
    about = {"benchmark": "experiment_latency", "aim_ms": AIMS, "changes": options.changes}
    about |= {"cores": os.cpu_count(), "load_before": round(load, 2)}
    if options.json:
        print(as_json(about | {"rows": rows}))
        return
    print(table(list(rows[0]), [list(row.values()) for row in rows]))
    print(f"milliseconds; aims {AIMS}; {os.cpu_count()} cores, load {load:.2f} at the start")


if __name__ == "__main__":
    main()
