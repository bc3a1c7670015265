"""How much memory every view takes at its peak, beside what was estimated before it ran.

    python -m tests.benchmarks.memory [--json] [--only heads journey] [--kind decoder] [--d 1024] [--layers 12]

Each page runs in a process of its own, each view with empty caches, random weights of these sizes or the page's own
models, and the longest text that it reads. The peak is what the process held more than before the view was opened; the
estimate is what the server expected to hold when it began the view's largest run; `ratio` is the one divided by the
other. A view that is refused says so. Linux only: it reads /proc.
"""

import argparse
import gc
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from unittest import mock

import streamlit as st

from core import limits
from core.memory import MIB, limit_arenas, resident, trim_heap
from core.text.tokenizer import Tokenizer
from core.topics.sequence_to_sequence.changed_words import MOST_WORDS
from pages.comparisons.sequence_to_sequence.settings import OTHER_WORD
from pages.compute.memory_budget import Bookings
from pages.shell.page import Page
from pages.shell.settings import RANDOM_WEIGHTS
from pages.words.words_in_context.settings import SENTENCES
from tests.benchmarks.report import as_json, table
from tests.pages.conftest import opened
from tests.pages.house import BY_ADDRESS, PAGES, path_of

ROOT = Path(__file__).parents[2]
SMALL = {"d": "32", "n": "2", "h": "4", "t": "the cat sat on the mat", "tt": "the cat sat"}
WORDS = "the cat sat on the mat and "
SENTENCE = (WORDS * limits.SENTENCE_CHARACTERS)[: limits.SENTENCE_CHARACTERS].strip()
OWN = {  # what else the address says where a page has models or texts of its own
    "sequence-to-sequence": {OTHER_WORD.key: "thing " * MOST_WORDS},
    "words-in-context": dict.fromkeys((setting.key for setting in SENTENCES), SENTENCE),
    "sentiment": {"model": "sentiment-reader"},
}
HEADINGS = ("page", "view", "peak MiB", "estimate MiB", "ratio", "processor s", "said")


def sizes(d: int, heads: int, layers: int, tokens: int) -> dict[str, str]:
    """What the address says of such a model and of texts of so many tokens, or a few more."""
    each = len(Tokenizer.load("unigram-8000").encode(WORDS).ids)
    text = (WORDS * (tokens // each + 1))[: limits.TEXT_CHARACTERS].strip()
    return {"d": str(d), "h": str(heads), "n": str(layers), "t": text, "tt": text}


def peak_bytes() -> int:
    """The most that this process has held since `forget_peak`."""
    rows = Path("/proc/self/status").read_text().splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("VmHWM:")) * 1024


def forget_peak() -> None:
    """Count the peak anew, from now on (proc(5), clear_refs)."""
    Path("/proc/self/clear_refs").write_text("5")


def empty() -> None:
    """Empty all caches, and give back what they held."""
    st.cache_data.clear()
    st.cache_resource.clear()
    gc.collect()
    trim_heap()


def measure(page: Page, view: str, params: dict[str, str]) -> tuple[Any, ...]:
    """A row of the table: the peak of one view, and what the server expected of it, with the heaps of the server."""
    limit_arenas()
    own = OWN.get(page.address, {})
    shown = {"model": RANDOM_WEIGHTS, f"{page.address}-view": view, "kind": params["kind"]} | own
    opened(path_of(page), **shown, **SMALL)
    empty()
    idle, begun, expected = resident(), time.process_time(), [0]
    take = Bookings.take

    def noted(self: Bookings, needed: int, reserve: int = 0) -> bool:
        expected.append(resident() - idle + needed)
        return take(self, needed, reserve)

    forget_peak()
    with mock.patch.object(Bookings, "take", noted):
        at = opened(path_of(page), **(shown | params), patient="true")
    peak, seconds = (peak_bytes() - idle) / MIB, time.process_time() - begun
    most = max(expected) / MIB
    said = "; ".join(each.value for each in at.error)[:120]
    return page.address, view, round(peak), round(most), round(peak / most, 2) if most else 0, round(seconds, 1), said


def measure_apart(page: Page, params: dict[str, str]) -> list[Any]:
    """The rows of all views of a page, from a process of its own, which may take as much as it likes."""
    command = [sys.executable, "-m", "tests.benchmarks.memory", "--one", json.dumps([page.address, params])]
    environment = os.environ | {f"{limits.PREFIX}MEMORY_MIB": "64000"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    return [json.loads(line) for line in lines] or [[page.address, "", 0, 0, 0, 0, done.stderr[-300:]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", nargs="*", metavar="PAGE")
    parser.add_argument("--kind", default="encoder-decoder", help="where a page can show it")
    for name, most in (("d", limits.D_MODEL), ("heads", limits.HEADS), ("layers", limits.LAYERS)):
        parser.add_argument(f"--{name}", type=int, default=most)
    parser.add_argument("--tokens", type=int, default=limits.TOKENS)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        address, params = json.loads(asked.one)
        for view in BY_ADDRESS[address].views:
            print(json.dumps(measure(BY_ADDRESS[address], view.name, params)), flush=True)
        return
    params = sizes(asked.d, asked.heads, asked.layers, asked.tokens)
    rows: list[Any] = []
    for page in PAGES:
        measured = (page.uses_model and not page.reference) or page.address in OWN
        if measured and (not asked.only or page.address in asked.only):
            kind = asked.kind if asked.kind in page.architectures else page.architectures[-1]
            rows += measure_apart(page, params | {"kind": kind})
    print(
        as_json({"views": [dict(zip(HEADINGS, row, strict=True)) for row in rows]})
        if asked.json
        else table(HEADINGS, rows)
    )


if __name__ == "__main__":
    main()
