"""Switch heads off and see what changes downstream."""

from dataclasses import replace
from functools import cache as once
from typing import Any

import numpy as np
import streamlit as st

from core.analysis.select import largest
from core.charts.bars import bars_data, layer_bars_spec, tokens_bars_spec
from core.charts.head_scores import head_scores_data, head_scores_spec
from core.explorer.heads.ablation import ablate
from core.explorer.heads.all_heads import patterns
from core.explorer.heads.records import Ablation
from core.explorer.shared.places import Place
from core.readings.heads import read_variation
from core.readings.words import head_label
from core.readings.patterns import read_ablation
from core.tracing.edits import Edit, ablate_head
from core.tracing.run import Run
from pages.canvas.chart_save.chart_save import chart_save
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui import cache
from pages.ui.choices import EFFECT, SILENT
from pages.ui.frame import tokens
from pages.ui.heads_pattern import title
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, notes, reading
from pages.ui.settings import ask

BARS = 48
ATTENTIONS = {
    "encoder": "the encoder's self-attention",
    "decoder": "the decoder's self-attention",
    "cross": "cross-attention",
}


def silenced(run: Run) -> list[tuple[int, int]]:
    """The heads that the visitor switched off and this model has, counted from 0."""
    chosen = st.session_state.get(SILENT.key) or ()
    pairs = [tuple(int(number) - 1 for number in name[1:].split("H")) for name in chosen]
    return [(layer, head) for layer, head in pairs if layer < run.config.layers and head < run.config.heads]


def toggle(layer: int, head: int) -> None:
    """Switch a head off, or on again; for callbacks."""
    name = f"L{layer + 1}H{head + 1}"
    chosen = list(st.session_state.get(SILENT.key) or ())
    st.session_state[SILENT.key] = [each for each in chosen if each != name] if name in chosen else [*chosen, name]


def choose_silence(run: Run, place: Place) -> tuple[list[tuple[int, int]], str]:
    """The heads to switch off, and what to look at; the chosen head where the visitor has switched off none."""
    heads = [f"L{layer + 1}H{head + 1}" for layer in range(run.config.layers) for head in range(run.config.heads)]
    ask(SILENT, options=heads, placeholder="Click heads in the grid, or choose them here")
    off = silenced(run)
    effect = ask(EFFECT)
    if not off:
        off = [(place.layer, place.head)]
        notes([f"No head is switched off yet: below is what switching off {head_label(*off[0])} would change."])
    if len(run.config.stacks) == 2:
        st.caption(f"These are heads of {ATTENTIONS['cross' if place.cross else place.stack]}.")
    st.caption(
        "A head that is switched off adds nothing to the stream: its output z becomes zero. The run is made again, and "
        "compared with the one before. A head that changes little here may still matter: another can stand in for it."
    )
    return off, effect


def show_ablation(run: Run, place: Place, off: list[tuple[int, int]], effect: str) -> None:
    """What changes when heads `off` are silent."""
    edits = tuple(ablate_head(layer, head, place.stack, place.cross) for layer, head in sorted(off))
    if effect == "this pattern":
        _before_and_after(run, place, edits)
    else:
        _effect(effect, cache.ablate(run, Place(place.stack, cross=place.cross), edits))
    _silence_formula(run, place)
    st.caption("Weights show mixing, not cause. Switching a head off is a test of cause, for this text and this model.")
    code(ablate_head, patterns if effect == "this pattern" else ablate, key="heads-code-ablate")


def _silence_formula(run: Run, place: Place) -> None:
    asked, width, d_model = len(tokens(run)[place.stack]), run.config.value_width, run.config.d_model
    formula(
        rf"\underset{{{asked} \times {width}}}{{z_h}} \leftarrow 0 \;\text{{ for each head }} h \text{{ that is off}}"
        rf"\qquad \underset{{{asked} \times {d_model}}}{{\text{{attn\_out}}}} = \sum_{{h \text{{ on}}}} "
        rf"\underset{{{asked} \times {width}}}{{z_h}}\;\underset{{{width} \times {d_model}}}{{W_O^{{(h)}}}} + b_O"
    )


def _before_and_after(run: Run, place: Place, edits: tuple[Edit, ...]) -> None:
    here = replace(place, head=0)
    before = cache.patterns(run, here)
    after = cache.patterns(replace(run, edits=edits), here)
    first, second = (record.pattern[place.head] for record in (before, after))
    queries, keys = before.queries.labels, before.keys.labels
    axes = ("queries", "keys")
    Matrices(
        [
            Panel("before", f"{title(place)}, before", first, queries, keys, *axes, scale="weight"),
            Panel("after", "After", second, queries, keys, *axes, scale="weight", before="→"),
            Panel("change", "Change (after − before)", second - first, queries, keys, *axes),
        ],
        key="heads-before-after",
        name=f"{title(place)} before and after",
        height=250,
    ).draw()
    if np.array_equal(first, second):
        reading(f"{title(place)} looks where it looked: none of its weights changed.")
    else:
        row, column = np.unravel_index(int(np.abs(second - first).argmax()), first.shape)
        now, was = float(second[row, column]), float(first[row, column])
        reading(f"“{queries[row]}” → “{keys[column]}” changed most: from {was:.3f} to {now:.3f}.")
    numbers("change", second - first, queries, keys, "heads-change")


def _effect(effect: str, record: Ablation) -> None:
    several = len(record.stacks) > 1
    if effect == "every pattern":
        _every_pattern(record)
    elif effect == "layers":
        values = np.concatenate([change.per_layer for change in record.stacks])
        labels = [
            f"{change.stack + ' ' if several else ''}layer {number + 1}"
            for change in record.stacks
            for number in range(len(change.per_layer))
        ]
        _bars(values, labels, _layer_spec(), read_ablation(values, labels, "layer"), "layer")
    elif effect == "tokens":
        values = np.concatenate([change.per_token for change in record.stacks])
        labels = [f"{each.stack} {label}" if several else label for each in record.stacks for label in each.labels]
        _bars(values, labels, _token_spec(), read_ablation(values, labels), "token")
    elif record.surprise is None:
        st.info("An encoder predicts no next token. Choose a decoder in the sidebar.", icon=":material/info:")
    else:
        _next_token(record.surprise, record)


def _every_pattern(record: Ablation) -> None:
    """A map of heads for each attention that there is downstream; “–” where the change comes too late."""
    named = {ATTENTIONS[name]: values for name, values in record.per_head.items()}
    reading(read_variation(named))
    for (attention, values), key in zip(named.items(), record.per_head, strict=True):
        with st.container(key=f"heads-effect-{key}"):
            spec = _variation_spec(attention if len(named) > 1 else "")
            st.vega_lite_chart(head_scores_data(values, (0, 1)), spec, width="stretch")
        chart_save(f"heads-effect-{key}", name=f"change of every pattern, {key}")
        layers, heads = values.shape
        rows, columns = [f"layer {n + 1}" for n in range(layers)], [f"head {n + 1}" for n in range(heads)]
        numbers(f"variation-{key}", values.filled(np.nan), rows, columns, f"heads-effect-numbers-{key}", "layer")
    if any(values.mask.any() for values in named.values()):
        notes(["“–”: these patterns are made before what was switched off, so they cannot change."])


def _next_token(surprise: np.ndarray, record: Ablation) -> None:
    labels = list(record.stacks[-1].labels)
    said = read_ablation(surprise, labels).replace("its output changed by", "its next-token guess moved by")
    _bars(surprise, labels, _surprise_spec(), f"{said[:-1]} bits." if "moved by" in said else said, "token")
    names = [f"{place + 1}. {piece}" for place, (piece, _, _) in enumerate(record.next_pieces)]
    chances = np.array([[before, after] for _, before, after in record.next_pieces])
    st.caption("The likeliest pieces after the last token, by their probability before, and after:")
    numbers("next", chances, names, ["before", "after"], "heads-next", "piece", unfolded=True)


def _bars(values: np.ndarray, labels: list[str], spec: dict[str, Any], said: str, what: str) -> None:
    shown = largest(values, BARS)
    if len(shown) < len(values):
        notes([f"Of {len(values)} tokens these are the {BARS} that moved most."])
    with st.container(key="heads-effect"):
        st.vega_lite_chart(bars_data(values[shown], [labels[i] for i in shown]), spec, width="stretch")
    chart_save("heads-effect", name=f"change of every {what}")
    reading(said)
    numbers("change", values[:, None], labels, ["change"], "heads-effect-numbers", what)


@once
def _variation_spec(attention: str) -> dict[str, Any]:
    where = f" in {attention}" if attention else ""
    return head_scores_spec(f"Whose pattern changes{where}? (share of attention that went elsewhere)")


@once
def _layer_spec() -> dict[str, Any]:
    return layer_bars_spec(value_title="size of the change ÷ size of the stream")


@once
def _token_spec() -> dict[str, Any]:
    return tokens_bars_spec(value_title="size of the change ÷ size of the output")


@once
def _surprise_spec() -> dict[str, Any]:
    return tokens_bars_spec("Whose guess of the next token moves most?", "KL divergence before ‖ after, in bits")
