"""The view of the leak test: one token is changed to see which outputs move, under each mask."""

from collections.abc import Iterator
from functools import partial

from core.topics.masks.chosen import WRONG_WAYS, ChosenMask
from core.topics.masks.readings import read_leak, read_leak_tests, read_reach
from core.topics.masks.records import Leaks
from core.topics.shared.named_masks import PADDING
from core.tracing.run import Run
from pages.attention.masks import queries
from pages.attention.masks.brush import brush
from pages.attention.masks.chosen import chosen, mask_controls, seconds
from pages.attention.masks.settings import CHANGED_TOKEN, EVERY_MASK, NEW_WORD, PRESET, SIZES
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.widgets import Control, Table, Values, control


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from mask_controls(PRESET, values)
    mask = chosen(run, values)
    yield control(CHANGED_TOKEN, width=170, placeholder="a word", high=len(mask.labels) - 1)
    yield control(NEW_WORD, width=240, placeholder="another word of the text")
    if mask.is_heavy:
        yield control(EVERY_MASK, "more")
    if values[EVERY_MASK] or not mask.is_heavy:
        yield from (control(size, "more") for preset, size in SIZES if preset not in (mask.preset, PADDING))


def _show(run: Run, values: Values) -> Shown:
    """Show the outputs under every mask, and the chosen mask layer by layer."""
    mask = chosen(run, values)
    record, name = _tested(mask, values), mask.name
    leak, position = record.mine, record.mine.at
    sentences = [*read_leak(leak.final, position, mask.labels, name), read_reach(leak.layers, leak.reached, position)]
    return Shown(
        lead="The model runs twice, with your text and with one token changed. Each number is the largest change of "
        "any number in a token's output vector. A plain 0 is exactly zero: nothing of the changed token arrives "
        "there. Colours end at the largest change of another token.",
        pictures=[_picture(name, record)],
        takeaway=sentences,
        notes=read_leak_tests(len(record.by_mask), name, list(WRONG_WAYS), bool(mask.run.pads)),
        table=Table("leak", *record.outputs, corner="mask"),
        source=(
            "core.topics.shared.token_change.change_token",
            "core.topics.shared.token_change.reach",
            "core.topics.masks.analysis.masks.weights",
        ),
    )


def _tested(mask: ChosenMask, values: Values) -> Leaks:
    """Run the test under the chosen mask, and under all others if that is quick or the visitor asks for it."""
    tests, position = mask.tests(values[EVERY_MASK] or not mask.is_heavy), mask.changed(values[CHANGED_TOKEN])
    leaks = {}
    for done, (name, test) in enumerate(tests.items()):
        values.progress(done / len(tests), f"{name}: {done + 1} of {len(tests)} masks")
        leaks[name] = queries.leak(test.run, test.painting, position, values[NEW_WORD], test.way)
    return Leaks(leaks, mask.short_name)


def _picture(name: str, record: Leaks) -> Matrices:
    leak, outlines = record.mine, [(None, record.mine.at)]
    title = f"Whose output moves when {leak.tokens.labels[leak.at]} becomes {leak.piece}?"
    outputs = (*record.outputs, "masks", "output of", "size", leak.elsewhere(record.outputs[0]))
    vectors = (*leak.by_layer, "", "vector of", "size", leak.elsewhere(leak.layers))
    moved = Panel("masks", title, *outputs, outlines=outlines, unit="change")
    travels = Panel("layers", f"{name}: the change travels", *vectors, outlines=outlines, unit="change")
    return Matrices([moved, travels], key="mask-leak", name="Leak test")


VIEW = View("leak test", _show, _controls, partial(seconds, passes=2), brush)
