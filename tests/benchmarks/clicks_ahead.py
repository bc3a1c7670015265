"""How long a click or a control takes to be on screen where the browser can draw the answer before the server.

    python -m tests.benchmarks.clicks_ahead [--json] [--changes 30] [--warm 6] [--tokens 24 128]

Starts the app, opens each page with a text of so many tokens and makes one change after the other, once each answer has
come. The first ones bring the frames and do not count. For every other change the clock starts at the event's own time
stamp (`probe.js`):

  picture   at the end of the first frame in which the picture is new
  server    at the end of the last frame that changed anything, when the server's answer is drawn, too
"""

import argparse
import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.controls import Change, arrows, pills
from tests.benchmarks.report import as_json, table
from tests.benchmarks.ui_latency import PATIENCE, PROBE, SENTENCE, at, clocked, open_page
from tests.browser.driver import FLAGS, WAIT, address, browser_path, click_cell, stage
from tests.browser.server import serving

Moves = Callable[[Page], Iterator[tuple[str, Change]]]


def cells(key: str) -> Moves:
    """Clicks on cells of a drawing, each on another row and column than the one before."""

    def click(tab: Page) -> Iterator[tuple[str, Change]]:
        for number in cycle(range(5)):
            yield "click", partial(click_cell, stage(tab, key), number, number)

    return click


def head_pills(tab: Page) -> Iterator[tuple[str, Change]]:
    return pills(tab, "head", *"1234")


# Page, its settings, what is clicked or moved, and the drawing in which the answer is measured.
CASES: dict[str, tuple[str, dict[str, str], Moves, str]] = {
    "heads, all": ("heads", {}, cells("heads-grid"), "heads-matrix"),
    "a written text": ("generate", {"generate_view": "attention"}, cells("generate-heads"), "generate-weights"),
    "heads, lines": ("heads", {"heads_view": "lines"}, cells("heads-grid"), "heads-lines"),
    "heads, pills": ("heads", {}, head_pills, "heads-matrix"),
    "masks, pills": ("masks", {}, head_pills, "mask-effect"),
    "six steps, cells": ("self-attention", {}, cells("step-picture"), "step-looks"),
    "soft dictionary": (
        "self-attention",
        {"self_attention_view": "soft dictionary"},
        head_pills,
        "dictionary",
    ),
    "powers, slider": (
        "depth",
        {"depth_view": "powers of a matrix"},
        lambda tab: arrows(tab, "depth-power"),
        "depth-matrices",
    ),
}


def text_of(tokens: int) -> str:
    """A text of about so many tokens."""
    return " ".join((SENTENCE.split() * tokens)[: round(tokens * 0.8)])


def measure(tab: Page, base: str, case: str, tokens: int, changes: int, warm: int) -> dict[str, Any]:
    """One row of the table."""
    page, settings, moves_in, shown = CASES[case]
    selector = f".st-key-{shown}"
    open_page(tab, address(base, page, t=text_of(tokens), **settings), selector)
    moves = moves_in(tab)
    times = [clocked(tab, moves, selector, PATIENCE) for _ in range(warm + changes)][warm:]
    pictures, servers = (sorted(time[name] for time in times) for name in ("picture", "all"))
    figures = {
        "picture": at(pictures, 0.5),
        "picture_p95": at(pictures, 0.95),
        "server": at(servers, 0.5),
        "server_p95": at(servers, 0.95),
    }
    return {"clicks": case, "tokens": tokens, "n": changes} | {name: round(time) for name, time in figures.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="From a click on a drawing to the painted screen.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--changes", type=int, default=30, help="measured clicks of each kind")
    parser.add_argument("--warm", type=int, default=6, help="clicks of each kind that do not count")
    parser.add_argument("--tokens", nargs="+", type=int, default=[24, 128])
    options = parser.parse_args()
    path = browser_path()
    if path is None:
        parser.exit(1, "no Chromium found on the path\n")
    with serving("app.py") as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        tab = browser.new_page(viewport={"width": 1440, "height": 900})
        tab.set_default_timeout(WAIT)
        tab.add_init_script(path=PROBE)
        rows = [
            measure(tab, base, case, tokens, options.changes, options.warm)
            for tokens in options.tokens
            for case in CASES
        ]
        browser.close()
    if options.json:
        print(as_json({"benchmark": "clicks_ahead", "rows": rows, "cores": os.cpu_count()}))
    else:
        print(table([name.replace("_", " ") for name in rows[0]], [list(row.values()) for row in rows]))


if __name__ == "__main__":
    main()
