"""The view of one step on the real tensors: rows that are kept, computed now, or not needed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from core.readings.generation import name_head
from core.readings.kv_cache import name_rows, read_proof, read_step, write_cached_step
from core.readings.scores import SCORE_FORMULAS
from core.topics.kv_cache.moment import Moment
from core.topics.kv_cache.records import CacheStep
from core.topics.shared.labels import UNITS
from core.topics.shared.places import HeadAddress
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.transformer.kv_cache import queries
from pages.transformer.kv_cache.settings import ATTENTION
from pages.widgets import Control, Table, Values, control, head_of, layer_of, place_controls

HEIGHT, WIDTH = 240, 360  # pixels: both rows of matrices fit on one screen, with labels for up to 24 tokens
ROWS = {"q": "queries", "k": "keys", "v": "values"}
FIRST_STEP_LEAD = "This is the first step: every row is computed, and its keys and values are kept for the next."
LATER_STEP_LEAD = (
    "**Full colour, outlined:** computed in this step. **Pale:** keys and values kept from the steps before. "
    "**Grey:** not computed; a model without a cache would compute all of it again."
)


def _controls(moment: Moment, values: Values) -> Iterator[Control]:
    if moment.source:
        yield control(ATTENTION, "more")
    yield from place_controls(moment.run, attention=False, stack="decoder")


def _show(moment: Moment, values: Values) -> Shown:
    """Show Q, K, V, scores, weights and z of one head, each row drawn by whether it is kept, computed or not needed."""
    run, cross = moment.run, bool(moment.source) and values[ATTENTION] == "cross"
    layer_head = HeadAddress("decoder", layer_of(run, values, "decoder"), head_of(run, values), cross)
    step = queries.cache_step(run, moment.ids, moment.new, layer_head)
    (keys, d_k), d_v, name = step.k.shape, step.v.shape[1], name_head(layer_head.layer, layer_head.head)
    vectors, weights = f"{name}: queries, keys and values", f"{name}: scores, weights and z"
    return Shown(
        lead=LATER_STEP_LEAD if step.old else FIRST_STEP_LEAD,
        pictures=[
            Matrices(_vectors(step), key="kv-cache-vectors", name=vectors, height=HEIGHT, width=WIDTH),
            Matrices(
                _weights(step, run.config.sink_logits), key="kv-cache-weights", name=weights, height=HEIGHT, width=WIDTH
            ),
        ],
        takeaway=[
            read_step(step.labels, moment.length, step.kept, keys, cross),
            read_proof(step.kept, step.differences, cross),
        ],
        formula=write_cached_step(
            SCORE_FORMULAS[run.config.score], step.new, step.kept, keys, d_k, d_v, run.config.sink_logits
        ),
        table=[
            Table("keys-and-values", *step.table, corner="key"),
            Table("from-a-pass-without-a-cache", *step.difference_table, corner="of"),
        ],
        source=("core.model.attention.MultiHeadAttention.forward", "core.model.kv.LayerKV.extend"),
    )


def _vectors(step: CacheStep) -> list[Panel]:
    key_labels = step.key_labels if step.key_labels != step.labels else ()
    return [
        _panel("q", step.q, step.labels, step.old, "not needed"),
        _panel("k", step.k, key_labels, step.kept, "kept"),
        _panel("v", step.v, (), step.kept, "kept"),
    ]


def _panel(letter: str, values: np.ndarray, rows: Sequence[str], old: int, fate: str) -> Panel:
    """Return the panel of Q, K or V, whose first `old` rows are not computed now.

    fate: the words for these rows.
    """
    new, axes = (
        len(values) - old,
        (ROWS[letter], "d_v numbers" if letter == "v" else "d_k numbers"),
    )
    panel = Panel(letter, name_rows(letter.upper(), new, old, fate), values, rows, (), *axes, tint=letter)
    return replace(panel, unit=UNITS[letter], outlines=_outlines(old, new), faded=old, grey=letter == "q")


def _weights(step: CacheStep, sink: bool) -> list[Panel]:
    total = "less than 1" if sink else "1"
    rows = (step.labels, step.key_labels, "queries", "keys")
    panels = [
        Panel("scores", name_rows("Scores", step.new, step.old, "not needed"), step.scores, *rows, unit="score"),
        Panel("pattern", f"Weights, rows sum to {total}", step.masked_pattern, *rows, scale="weight"),
        Panel("z", "Z: the values, mixed", step.z, step.labels, (), "queries", "d_v numbers", unit="mix"),
    ]
    return [replace(panel, outlines=_outlines(step.old, step.new), faded=step.old, grey=True) for panel in panels]


def _outlines(old: int, new: int) -> list[tuple[int | None, int | None]]:
    return [(old, None)] if old and new == 1 else []


VIEW = View("one step", _show, _controls)
