"""The leak test: change a token and see which outputs move, under each mask."""

from collections.abc import Iterator

import numpy as np

from core.explorer.masks.presets import PRESETS, preset_label, under
from core.explorer.masks.records import AFTER, RIGHT, ZERO, Leak
from core.explorer.shared.loading import estimate_seconds
from core.readings.masks import read_leak, read_reach
from core.tracing.run import Run
from pages.attention.masks import queries
from pages.attention.masks.chosen import Chosen, chosen, mask_controls
from pages.attention.masks.settings import CHANGED, EVERY, PRESET, SIZES, WORD
from pages.canvas import Matrices, Panel
from pages.shell import Shown
from pages.widgets import Control, Table, Values, control

HEAVY = 3  # seconds of one processor from which all masks are tested only if asked
WRONG = {AFTER: "zeros after", ZERO: "0 for −∞"}
Tests = dict[str, tuple[Run, str, str]]


def leak_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from mask_controls(PRESET, values)
    mask = chosen(run, values)
    yield control(CHANGED, width=170, placeholder="middle", high=mask.length - 1)
    yield control(WORD, width=240)
    if _heavy(mask):
        yield control(EVERY)
    if _every(mask, values):
        for preset, size in SIZES.items():
            if preset not in (mask.preset, "padding"):
                yield control(size, "more")


def show_leak(run: Run, values: Values) -> Shown:
    """Two pictures: the outputs under every mask, and the chosen mask layer by layer."""
    mask = chosen(run, values)
    tests = _tests(mask, _every(mask, values))
    at = mask.length // 2 if values[CHANGED] is None else values[CHANGED]
    found = {}
    for done, (name, (masked, painting, way)) in enumerate(tests.items()):
        values.progress(done / len(tests), f"{name}: {done + 1} of {len(tests)} masks")
        found[name] = queries.leak(masked, painting, at, values[WORD], way)
    mine, labels = found[_mine(mask)], mask.painted.tokens.labels
    final = np.stack([record.final for record in found.values()])
    wrong = f"“{'” and “'.join(WRONG.values())}” are wrong ways to apply the mask {mask.name}."
    padding = "There is no padding in this text, so the padding mask hides nothing."
    return Shown(
        lead="The model runs twice, with your text and with one token changed. Each number is the largest change of "
        "any number in a token's output vector. A plain 0 is exactly zero: nothing of the changed token arrives "
        "there. Colours end at the largest change of another token.",
        pictures=[_picture(mask, mine, list(found), final)],
        takeaway=[read_leak(mine.final, at, labels, mask.name), read_reach(mine.layers, mine.reached, at)],
        notes=[wrong, None if mask.run.pads else padding] if len(tests) > 1 else [],
        table=Table("leak", final, list(found), labels, corner="mask"),
        source=(
            "core.explorer.masks.experiments.leak",
            "core.analysis.masks.reach",
            "core.analysis.masks.weights",
        ),
    )


def _heavy(mask: Chosen) -> bool:
    """Whether it takes long to test every mask."""
    passes = 2 * (len(PRESETS) + len(WRONG) + 1)
    return estimate_seconds(mask.run.config, mask.length, passes) >= HEAVY


def _every(mask: Chosen, values: Values) -> bool:
    return bool(values[EVERY]) or not _heavy(mask)


def _tests(mask: Chosen, every: bool) -> Tests:
    """A run, a painting and a way to mask, by the name of the test."""
    mine: Tests = {_mine(mask): (mask.run, mask.painting, RIGHT)}
    if not every:
        return mine
    presets: Tests = {_short(mask.run, preset): (under(mask.run, preset), "", RIGHT) for preset in PRESETS}
    wrong: Tests = {said: (mask.run, mask.painting, way) for way, said in WRONG.items()}
    return presets | mine | wrong


def _mine(mask: Chosen) -> str:
    return "painted" if mask.painting else _short(mask.run, mask.preset)


def _short(run: Run, preset: str) -> str:
    """A preset's name where there is little room for it."""
    return preset_label(run, preset).removeprefix("sliding ")


def _picture(mask: Chosen, mine: Leak, names: list[str], final: np.ndarray) -> Matrices:
    labels, outlines = mine.tokens.labels, [(None, mine.at)]
    layers = ["as it enters", *(f"after layer {number}" for number in range(1, len(mine.layers)))]
    title = f"Whose output moves when {labels[mine.at]} becomes {mine.piece}?"
    travels = f"{mask.name}: the change travels"
    outputs = (final, names, labels, "masks", "output of", "size", mine.elsewhere(final))
    vectors = (mine.layers, layers, labels, "", "vector of", "size", mine.elsewhere(mine.layers))
    return Matrices(
        [
            Panel("masks", title, *outputs, outlines=outlines),
            Panel("layers", travels, *vectors, outlines=outlines),
        ],
        key="mask-leak",
        name="Leak test",
    )
