"""One step on the real tensors: what is kept, what is computed now, what need not be computed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from core.explorer.kv_cache.records import CacheStep
from core.explorer.shared.places import Place
from core.readings.kv_cache import read_proof, read_step
from pages.canvas import Matrices, Panel
from pages.shell import Shown
from pages.transformer.kv_cache import queries
from pages.transformer.kv_cache.moment import Moment
from pages.transformer.kv_cache.settings import OVER
from pages.widgets import SCORES, Control, Table, Values, control, head_of, layer_of, place_controls

HEIGHT = 240  # pixels: both lines of matrices on one screen, labelled up to 24 tokens
FIRST = "This is the first step: every row is computed, and its keys and values are kept for the next."
LATER = (
    "**Full colour, outlined:** computed in this step. **Pale:** keys and values kept from the steps before. "
    "**Grey:** not computed; a model without a cache would compute all of it again."
)


def step_controls(moment: Moment, values: Values) -> Iterator[Control]:
    if moment.source:
        yield control(OVER)
    yield from place_controls(moment.run, attention=False)


def show_step(moment: Moment, values: Values) -> Shown:
    """Q, K, V, scores, weights and z of one head, each row drawn as what becomes of it."""
    cross = bool(moment.source) and values[OVER] == "cross"
    place = Place("decoder", layer_of(moment.run, values), head_of(moment.run, values), cross)
    record = queries.cache_step(moment.run, moment.ids, moment.new, place)
    asked, told = _labels(record.pieces), _labels(record.key_pieces)
    name = f"Layer {place.layer + 1}, head {place.head + 1}"
    columns = [f"{letter}{n}" for letter, part in (("k", record.k), ("v", record.v)) for n in range(part.shape[1])]
    return Shown(
        lead=LATER if record.new < len(asked) else FIRST,
        pictures=[
            Matrices(
                _vectors(record, asked, () if told == asked else told),
                key="kv-cache-vectors",
                name=f"{name}: queries, keys and values",
                height=HEIGHT,
            ),
            Matrices(
                _weights(record, asked, told),
                key="kv-cache-weights",
                name=f"{name}: scores, weights and z",
                height=HEIGHT,
            ),
        ],
        takeaway=[
            read_step(asked[-1], len(asked), record.kept, len(told), cross),
            read_proof(record.kept, record.differences, cross),
        ],
        formula=_formula(record, moment.run.config.score),
        table=Table("keys-and-values", np.concatenate([record.k, record.v], axis=1), told, columns, corner="key"),
        source=("core.model.attention.MultiHeadAttention.forward", "core.model.kv.LayerKV.extend"),
    )


def _vectors(record: CacheStep, asked: Sequence[str], told: Sequence[str]) -> list[Panel]:
    old = len(asked) - record.new
    return [
        _panel("q", record.q, asked, old, "not needed"),
        _panel("k", record.k, told, record.kept, "kept"),
        _panel("v", record.v, (), record.kept, "kept"),
    ]


def _panel(letter: str, values: np.ndarray, rows: Sequence[str], old: int, fate: str) -> Panel:
    """One of Q, K and V, whose first `old` rows are not computed now."""
    new = len(values) - old
    how = [f"{new} new"] * bool(new) + [f"{old} {fate}"] * bool(old)
    return Panel(
        letter,
        f"{letter.upper()}: {', '.join(how)}",
        values,
        rows=rows,
        row_axis="queries" if letter == "q" else "keys",
        col_axis="d_v" if letter == "v" else "d_k",
        tint=letter,
        outlines=_outlines(old, new),
        faded=old,
        grey=letter == "q",
    )


def _weights(record: CacheStep, asked: Sequence[str], told: Sequence[str]) -> list[Panel]:
    old = len(asked) - record.new
    counted = f"{record.new} new" + (f", {old} not needed" if old else "")
    pattern = np.where(np.isneginf(record.scores), -np.inf, record.pattern)
    panels = [
        Panel("scores", f"Scores: {counted}", record.scores, cols=told, col_axis="keys"),
        Panel("pattern", "Weights, rows sum to 1", pattern, cols=told, col_axis="keys", scale="weight"),
        Panel("z", "Z: the values, mixed", record.z, col_axis="d_v"),
    ]
    outlines = _outlines(old, record.new)
    return [replace(each, rows=asked, row_axis="queries", outlines=outlines, faded=old, grey=True) for each in panels]


def _outlines(old: int, new: int) -> list[tuple[int | None, int | None]]:
    return [(old, None)] if old and new == 1 else []


def _labels(pieces: Sequence[str]) -> list[str]:
    return [f"{place}:{piece}" for place, piece in enumerate(pieces)]


def _formula(record: CacheStep, score: str) -> str:
    d_k, d_v, keys = record.k.shape[1], record.v.shape[1], len(record.k)
    new, grown = record.new, ""
    if 0 < record.kept < keys:
        grown = (
            rf"\underset{{{keys} \times {d_k}}}{{K}} = \begin{{bmatrix}} K_{{\text{{kept}}}} \\ k \end{{bmatrix}}"
            rf"\begin{{matrix}} \scriptstyle {record.kept} \times {d_k} \\ \scriptstyle {new} \times {d_k}"
            r"\end{matrix} \qquad "
        )
    return (
        rf"{grown}\underset{{{new} \times {keys}}}{{a}} = \mathrm{{softmax}}\Big({SCORES[score]}\Big) \qquad "
        rf"\underset{{{new} \times {d_v}}}{{z}} = a\,\underset{{{keys} \times {d_v}}}{{V}}"
    )
