"""The leak test: change a token and see which outputs move, under each mask."""

import numpy as np
import streamlit as st

from core.analysis.masks import AFTER, RIGHT, ZERO, largest_elsewhere, reach, weights
from core.explorer.masks.experiments import estimate_seconds, leak
from core.explorer.masks.records import Leak
from core.readings.masks import read_leak, read_reach
from core.tracing.run import Run
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui.masks import cache
from pages.ui.masks.choices import CHANGED, EVERY, PRESET, SIZES, WORD
from pages.ui.masks.chosen import Chosen, named
from pages.ui.numbers import numbers
from pages.ui.say import code, notes, reading
from pages.ui.settings import ask

SLOW, HEAVY = 0.5, 3  # seconds from which progress is shown, and all masks are tested only if asked
WRONG = {AFTER: "zeros after", ZERO: "0 for −∞"}
Tests = dict[str, tuple[Run, str, str]]


def show_leak(chosen: Chosen) -> None:
    """Two pictures: the outputs under every mask, and the chosen mask layer by layer."""
    length = len(cache.painted(chosen.run, chosen.painting).tokens)
    seconds = estimate_seconds(chosen.run.config, length, 2 * (len(PRESET.options) + 3))
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        asked, word = ask(CHANGED, width=170, placeholder="middle"), ask(WORD, width=240) or ""
        every = seconds < HEAVY or ask(EVERY)
        if every:
            with st.popover("Sizes", icon=":material/tune:"):
                for preset in PRESET.options:
                    if preset in SIZES and preset != chosen.preset and preset != "padding":
                        ask(SIZES[preset])
    at = length // 2 if asked is None else int(asked)
    st.caption(
        "The model runs twice, with your text and with one token changed. Each number is the largest change of any "
        "number in a token's output vector. A plain 0 is exactly zero: nothing of the changed token arrives there. "
        "Colours end at the largest change of another token."
    )
    found = _tested(_tests(chosen, every), at, word, seconds > SLOW)
    _draw(chosen, found, at)
    wrong = f"“{'” and “'.join(WRONG.values())}” are wrong ways to apply the mask {chosen.name}."
    padding = "There is no padding in this text, so the padding mask hides nothing."
    notes([wrong, None if chosen.run.pads else padding] if every else [])
    code(leak, reach, weights, key="mask-code-leak")


def _tests(chosen: Chosen, every: bool) -> Tests:
    """A run, a painting and a way to mask, by the name of the test."""
    mine: Tests = {_mine(chosen): (chosen.run, chosen.painting, RIGHT)}
    if not every:
        return mine
    presets: Tests = {_short(preset, chosen.run): (chosen.under(preset), "", RIGHT) for preset in PRESET.options}
    wrong: Tests = {said: (chosen.run, chosen.painting, way) for way, said in WRONG.items()}
    return presets | mine | wrong


def _mine(chosen: Chosen) -> str:
    return "painted" if chosen.painting else _short(chosen.preset, chosen.run)


def _short(preset: str, run: Run) -> str:
    """A preset's name where there is little room for it."""
    return named(preset, run).removeprefix("sliding ")


def _tested(tests: Tests, at: int, word: str, slow: bool) -> dict[str, Leak]:
    bar = st.progress(0.0, "Running the model twice for each mask…") if slow else None
    found = {}
    for done, (name, (run, painting, way)) in enumerate(tests.items(), 1):
        found[name] = cache.leak(run, painting, at, word, way)
        if bar:
            bar.progress(done / len(tests), f"{name}: {done} of {len(tests)}")
    if bar:
        bar.empty()
    return found


def _draw(chosen: Chosen, found: dict[str, Leak], at: int) -> None:
    mine = found[_mine(chosen)]
    labels, changed = mine.tokens.labels, [(None, at)]
    names, final = list(found), np.stack([record.final for record in found.values()])
    layers = ["as it enters", *(f"after layer {number}" for number in range(1, len(mine.layers)))]
    limit = largest_elsewhere(final, at)
    title = f"Whose output moves when {labels[at]} becomes {mine.piece}?"
    Matrices(
        [
            Panel("masks", title, final, names, labels, "masks", "output of", "size", limit, outlines=changed),
            Panel(
                "layers",
                f"{chosen.name}: the change travels",
                mine.layers,
                layers,
                labels,
                "",
                "vector of",
                "size",
                largest_elsewhere(mine.layers, at),
                outlines=changed,
            ),
        ],
        key="mask-leak",
        name="Leak test",
    ).draw()
    reading(read_leak(mine.final, at, labels, chosen.name))
    reading(read_reach(mine.layers, mine.reached, at))
    numbers("leak", final, names, labels, "mask-leak", "mask")
