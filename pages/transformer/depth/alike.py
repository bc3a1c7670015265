"""The view of how alike the tokens grow, layer by layer, with and without residuals and feed-forward layers."""

from collections.abc import Iterator

from core.topics.depth.charts.by_depth import TRAINED
from core.topics.depth.curves import NORM_NAMES, cosine_curve, curves_table
from core.topics.depth.readings.signal import read_cosines, read_own_alike, write_alike
from core.topics.depth.stacks import alike_curves
from core.tracing.run import Run
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.transformer.depth import queries
from pages.transformer.depth.parts import cut_note, depth_chart, for_each_seed, stack_controls
from pages.transformer.depth.settings import LAYERS, NORM, SEEDS
from pages.widgets import Control, Message, Table, Values, control, plain

LEAD = (
    "Attention mixes the tokens, and a mix of a mix is more alike than what went in. The **cosine** of two tokens is 1 "
    "where their rows point the same way. Take the **residual connection** or the **feed-forward layer** away, and "
    "see how soon all tokens are the same."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(NORM)
    yield from stack_controls()


def _show(run: Run, values: Values) -> Shown:
    """Show four wirings of a stack in one chart, and the trained model beside them."""
    try:
        text = queries.stack_text(run)
    except ValueError as mistake:
        return Shown(lead=LEAD, pictures=[Message(plain(str(mistake)))])
    norm = next(norm for norm, called in NORM_NAMES.items() if called == values[NORM])
    curves = core_call(alike_curves, for_each_seed(values, lambda shape: queries.cosines(run, shape, norm)), norm)
    own_cosines = queries.trained_cosines(run)
    sentences = list(read_cosines(values[LAYERS], [(curve.group, curve.way, curve.middle) for curve in curves]))
    if own_cosines is not None:
        sentences.append(read_own_alike(len(own_cosines) - 1, own_cosines[0], own_cosines[-1]))
        curves = [*curves, cosine_curve(TRAINED, "", own_cosines[None])]
    words = ("Do the tokens grow alike?", "layer", "mean cosine of two tokens")
    return Shown(
        lead=LEAD,
        pictures=[depth_chart("depth-alike", "Mean cosine of two tokens", curves, words, log=False)],
        takeaway=sentences,
        notes=[cut_note(text)],
        formula=write_alike(text.ids.shape[1]),
        about="Layer 0 is what enters the first block. Without a feed-forward layer a block ends after attention. "
        f"Lines: the mean of {values[SEEDS]} stacks with other weights; bands: from the least to the greatest. "
        "Attention alone makes all tokens alike, faster than any power of a number below 1 (Dong et al. 2021, "
        "*Attention is not all you need*).",
        table=Table("alike", *curves_table(curves, "layer"), corner="stack"),
        source=(
            "core.analysis.word_contexts.mean_cosine",
            "core.topics.depth.analysis.signal.wired",
            "core.topics.depth.stacks.stack_cosines",
        ),
    )


VIEW = View("tokens grow alike", _show, _controls)
