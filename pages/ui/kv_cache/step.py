"""One step on the real tensors: what is kept, what is computed now, what need not be computed; and why."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from core.charts.kv_pairs import kv_pairs_data
from core.explorer.kv_cache.records import CacheStep, Unchanged
from core.explorer.kv_cache.steps import unchanged
from core.explorer.shared.places import Place
from core.model.attention import MultiHeadAttention
from core.model.kv import Kept
from pages.canvas.chart_save.chart_save import chart_save
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui.formulas import SCORES
from pages.ui.kv_cache import cache, specs
from pages.ui.kv_cache.choices import WHICH
from pages.ui.kv_cache.moment import Moment
from pages.ui.numbers import numbers
from pages.ui.place import HEAD, LAYER
from pages.ui.say import code, formula, reading
from pages.ui.settings import ask

HEIGHT = 240  # pixels: both lines of matrices on one screen, labelled up to 24 tokens


def show_step(moment: Moment) -> None:
    """Q, K, V, scores, weights and z of one head, each row drawn as what becomes of it."""
    config = moment.run.config
    with st.container(horizontal=True, gap="medium"):
        cross = len(config.stacks) == 2 and ask(WHICH) == "cross"
        layer = int(ask(LAYER, options=LAYER.options[: config.layers])) - 1
        head = int(ask(HEAD, options=HEAD.options[: config.heads])) - 1
    record = cache.cache_step(moment.run, moment.ids, moment.new, Place("decoder", layer, head, cross))
    name = f"Layer {layer + 1}, head {head + 1}"
    st.caption(_legend(record))
    Matrices(_vectors(record), key="kv-vectors", name=f"{name}: queries, keys and values", height=HEIGHT).draw()
    Matrices(_weights(record), key="kv-weights", name=f"{name}: scores, weights and z", height=HEIGHT).draw()
    reading(_said(record, cross))
    reading(_proof(record, cross))
    _formula(record, config.score)
    _numbers(record)
    code(MultiHeadAttention._answers, Kept.extend, key="kv-code-step")


def _legend(record: CacheStep) -> str:
    if record.new == len(record.pieces):
        return "This is the first step: every row is computed, and its keys and values are kept for the next."
    return (
        "**Full colour, outlined:** computed in this step. **Pale:** keys and values kept from the steps before. "
        "**Grey:** not computed; a model without a cache would compute all of it again."
    )


def _vectors(record: CacheStep) -> list[Panel]:
    old, asked = len(record.pieces) - record.new, _labels(record.pieces)
    told = () if record.key_pieces == record.pieces else _labels(record.key_pieces)
    return [
        _panel("q", "Q", record.q, asked, old, True),
        _panel("k", "K", record.k, told, record.kept, False),
        _panel("v", "V", record.v, (), record.kept, False),
    ]


def _panel(letter: str, title: str, values: np.ndarray, rows: Sequence[str], old: int, grey: bool) -> Panel:
    """One of Q, K and V, whose first `old` rows are not computed now."""
    new = len(values) - old
    how = [f"{new} new"] * bool(new) + [f"{old} {'not needed' if grey else 'kept'}"] * bool(old)
    return Panel(
        letter,
        f"{title}: {', '.join(how)}",
        values,
        rows=rows,
        row_axis="queries" if letter == "q" else "keys",
        col_axis="d_v" if letter == "v" else "d_k",
        tint=letter,
        outlines=_outlines(old, new),
        faded=old,
        grey=grey,
    )


def _weights(record: CacheStep) -> list[Panel]:
    rows, cols = _labels(record.pieces), _labels(record.key_pieces)
    old = len(rows) - record.new
    counted = f"{record.new} new" + (f", {old} not needed" if old else "")
    pattern = np.where(np.isneginf(record.scores), -np.inf, record.pattern)
    panels = [
        Panel("scores", f"Scores: {counted}", record.scores, rows, cols, col_axis="keys"),
        Panel("pattern", "Weights, rows sum to 1", pattern, cols=cols, col_axis="keys", scale="weight"),
        Panel("z", "Z: the values, mixed", record.z, col_axis="d_v"),
    ]
    outlines = _outlines(old, record.new)
    return [replace(each, rows=rows, row_axis="queries", outlines=outlines, faded=old, grey=True) for each in panels]


def _outlines(old: int, new: int) -> list[tuple[int | None, int | None]]:
    return [(old, None)] if old and new == 1 else []


def _labels(pieces: tuple[str, ...]) -> list[str]:
    return [f"{place}:{piece}" for place, piece in enumerate(pieces)]


def _said(record: CacheStep, cross: bool) -> str:
    length, kept = len(record.pieces), record.kept
    last = f"“{length - 1}:{record.pieces[-1]}”"
    if cross:
        told = f"all {len(record.k)} keys and values of the source"
        if not kept:
            return f"The first step computes {told}; every later step finds them kept."
        return f"To read {last}, only its query is new: {told} were computed once, in the first step, and kept."
    if not kept:
        return (
            f"The first step reads {length} token{'s' if length > 1 else ''} at once and keeps their keys and values."
        )
    rows = f"{kept} row{'s' if kept > 1 else ''}"
    return f"To read {last}, one row of q, k and v is computed; {rows} of K and V are kept."


def _proof(record: CacheStep, cross: bool) -> str:
    off = record.differences
    if not record.kept:
        return "Nothing is kept yet, so there is nothing to compare: with or without a cache, this step is the same."
    kept, new = max(off["k"], off["v"]), max(off[name] for name in ("q", "scores", "pattern", "z"))
    why = "the source does not change" if cross else "the causal mask lets no token see a later one"
    same = f"differ by at most {kept:.2g} from" if kept else "are exactly"
    return (
        f"The kept rows of K and V {same} those that a model without a cache computes again, because {why}; "
        f"the new rows of the other matrices differ by at most {new:.2g}, from rounding."
    )


def _formula(record: CacheStep, score: str) -> None:
    d_k, d_v, keys = record.k.shape[1], record.v.shape[1], len(record.k)
    new = record.new
    grown = ""
    if record.kept and record.kept < keys:
        grown = (
            rf"\underset{{{keys} \times {d_k}}}{{K}} = \begin{{bmatrix}} K_{{\text{{kept}}}} \\ k \end{{bmatrix}}"
            rf"\begin{{matrix}} \scriptstyle {record.kept} \times {d_k} \\ \scriptstyle {new} \times {d_k}"
            r"\end{matrix} \qquad "
        )
    formula(
        rf"{grown}\underset{{{new} \times {keys}}}{{a}} = \mathrm{{softmax}}\Big({SCORES[score]}\Big) \qquad "
        rf"\underset{{{new} \times {d_v}}}{{z}} = a\,\underset{{{keys} \times {d_v}}}{{V}}"
    )


def _numbers(record: CacheStep) -> None:
    columns = [f"{letter}{n}" for letter, values in (("k", record.k), ("v", record.v)) for n in range(values.shape[1])]
    both = np.concatenate([record.k, record.v], axis=1)
    numbers("keys-and-values", both, _labels(record.key_pieces), columns, "kv-step-numbers", "key")


def show_why(moment: Moment) -> None:
    """Old keys and values before and after one more token: they stand still, but for the mask they would move."""
    found = cache.unchanged(moment.run, moment.ids)
    if not found.rows:
        st.info("Only one token has been read: there is nothing before it that could change. Press Step.")
        return
    layers = [f"{n + 1}" for n in range(len(found.masked))]
    masked, unmasked = found.masked.max(1), found.unmasked.max(1)
    texts = [(f"{a:.2g}", f"{b:.2g}") for a, b in zip(masked, unmasked, strict=True)]
    with st.container(key="kv-moves"):
        st.vega_lite_chart(kv_pairs_data(layers, specs.MOVES, masked, unmasked, texts), specs.moves(), width="stretch")
    chart_save("kv-moves", name="How far old keys and values move")
    reading(_movement(found))
    st.caption(
        "Both times the whole text is computed afresh, without and with its last token. In layer 1 a token's key and "
        "value come from the token alone, so they never move. From layer 2 on they come from what attention has mixed: "
        "the causal mask lets in only earlier tokens, which are the same as before. What is left is rounding."
    )
    formula(
        r"k_i = x_i W_K + b_K \qquad x_i \text{ depends on tokens } j \le i \text{ only}"
        rf"\qquad \max_{{i < {found.rows}}} |\Delta k_i|, |\Delta v_i| = \text{{{masked.max():.2g}}}"
    )
    table = np.concatenate([found.masked, found.unmasked], axis=1)
    columns = [f"{what}, {how}" for how in ("masked", "no mask") for what in ("keys", "values")]
    numbers("moved", table, [f"layer {n}" for n in layers], columns, "kv-why-numbers", "layer")
    code(unchanged, key="kv-code-why")


def _movement(found: Unchanged) -> str:
    masked, unmasked = float(found.masked.max()), float(found.unmasked.max())
    many = found.rows > 1
    whose = f"the keys and values of the {found.rows} tokens before it" if many else "the key and value before it"
    said = f"move by at most {masked:.2g}" if masked else "do not move at all"
    said = f"When token {found.rows} is read, {whose} {said}; their largest number is {found.size:.3g}."
    if unmasked > 100 * masked:
        said += f" With the same weights and no mask they would move by up to {unmasked:.2g}, and would be out of date."
    return said
