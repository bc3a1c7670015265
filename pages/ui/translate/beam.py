"""Beam search as a tree, and beam, greedy and samples side by side."""

from collections.abc import Sequence
from functools import cache as once
from typing import Any

import streamlit as st

from core.analysis.arithmetic import number
from core.charts.beam_tree import beam_tree_data, beam_tree_spec
from core.decoding.beam import beam_search, length_penalty
from core.decoding.sampling import Sampling
from core.explorer.generation.records import BeamText, BeamTree
from core.explorer.generation.texts import generate, samples
from pages.ui.canvas.chart_save import chart_save
from pages.ui.say import code, formula, reading
from pages.ui.settings import ask
from pages.ui.translate.choices import ALPHA, TSEED, WARMTH, WIDTH
from pages.ui.translate.tables import listed
from pages.ui.translate.text import Translation
from pages.ui.writing import cache

BITS = 0.6931471805599453  # nats in a bit
SAMPLES = 3


def show_beam(text: Translation) -> None:
    """The whole tree, the finished texts with their scores, and which won."""
    st.caption(
        "**Beam search** goes on from several beginnings at once. At each step it looks at their likeliest next "
        "tokens, keeps the best of all these texts and drops the rest. At the end the best **score** wins: the sum of "
        "the logarithms of the chances, divided by a **length penalty**, since every further token makes a text less "
        "likely."
    )
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        width = ask(WIDTH, width=260)
        alpha = ask(ALPHA, step=0.1, format="%g", width=190)
    tree = cache.beam(text.run, width, alpha, text.most)
    best = tree.hypotheses[0]
    nodes = [
        {
            "index": n.index,
            "parent": n.parent,
            "step": n.step,
            "piece": n.piece,
            "chance": 2 ** (n.log_probability / BITS),
            "total": n.total,
            "score": n.score,
            "fate": n.fate,
        }
        for n in tree.nodes
    ]
    with st.container(key="translate-tree"):
        st.vega_lite_chart(beam_tree_data(nodes, best.path, "<s>"), _spec(), width="stretch")
    chart_save("translate-tree", name="The tree of the beam search")
    st.caption("Point at a dot to see its token, its chance, the sum so far and the score.")
    _hypotheses(tree)
    reading(_said(tree))
    length = len(best.path)
    formula(
        rf"\text{{score}} = \frac{{\sum_t \log p_t}}{{\big((5 + n)/6\big)^{{\alpha}}}} \qquad = "
        rf"\frac{{{best.log_probability:.3f}}}{{((5 + {length})/6)^{{{alpha:g}}}}} = {best.score:.3f}"
    )
    code(beam_search, length_penalty, key="translate-code-beam")


def _hypotheses(tree: BeamTree) -> None:
    rows: dict[str, Sequence[str | int | float]] = {
        "text": [each.text for each in tree.hypotheses],
        "tokens": [len(each.path) for each in tree.hypotheses],
        "log probability": [round(each.log_probability, 4) for each in tree.hypotheses],
        "score": [round(each.score, 4) for each in tree.hypotheses],
        "ends": ["cut at the limit" if each.cut else "with </s>" for each in tree.hypotheses],
    }
    st.markdown("**The texts that were found, the best first**")
    listed("beam", rows, "translate-hypotheses")


def _said(tree: BeamTree) -> str:
    fates = [node.fate for node in tree.nodes]
    best = tree.hypotheses[0]
    sentence = (
        f"Of {len(tree.nodes):,} ways on that were looked at, {fates.count('dropped'):,} were dropped; "
        f"{_named(best)} wins with a score of {number(best.score)}"
    )
    if len(tree.hypotheses) > 1:
        return f"{sentence}, before {_named(tree.hypotheses[1])} with {number(tree.hypotheses[1].score)}."
    return f"{sentence}."


def _named(text: BeamText) -> str:
    return f"“{text.text}”, cut after {len(text.path)} tokens," if text.cut else f"“{text.text}”"


def show_comparison(text: Translation) -> None:
    """The same sentence by beam search, greedily, and drawn at random."""
    st.caption(
        "**Greedy** writes the likeliest token each time; **beam search** keeps several texts and takes the best; a "
        "**sample** draws each token at random by its chance. **Surprisal** adds up −log₂ of the chances that the "
        "model gave the tokens: fewer bits, a likelier text."
    )
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        width = ask(WIDTH, width=260)
        warmth = ask(WARMTH, step=0.1, format="%g", width=220)
        seed = ask(TSEED, width=160)
    best = cache.beam(text.run, width, 0.6, text.most).hypotheses[0]
    drawn = cache.samples(text.run, Sampling(warmth, seed=seed), SAMPLES, text.most)
    greedy = sum(each.surprisal for each in text.written)
    rows = [
        (f"beam of {width}", best.text, -best.log_probability / BITS, len(best.path)),
        ("greedy", cache.text_of(text.run, text.ids), greedy, len(text.ids)),
        *(
            (f"sample {n}, T = {warmth:g}", each.text, -each.log_probability / BITS, len(each.ids))
            for n, each in enumerate(drawn)
        ),
    ]
    table: dict[str, Sequence[str | int | float]] = {
        "how": [how for how, *_ in rows],
        "text": [said for _, said, *_ in rows],
        "surprisal, bits": [round(bits, 3) for *_, bits, _ in rows],
        "bits a token": [round(bits / max(1, count), 3) for *_, bits, count in rows],
    }
    listed("compared", table, "translate-compared")
    reading(_compared([(how, said, bits) for how, said, bits, _ in rows]))
    formula(
        r"\text{surprisal} = -\sum_t \log_2 p(y_t \mid y_{<t}, x)"
        rf"\qquad \text{{greedy}} = {greedy:.3f}\ \text{{bits over }} {len(text.ids)} \text{{ tokens}}"
    )
    code(beam_search, generate, samples, key="translate-code-compare")


def _compared(rows: list[tuple[str, str, float]]) -> str:
    """Which ways found the likeliest text, and how many texts there are; rows: how, text, bits."""
    least = min(bits for *_, bits in rows)
    first = [how.partition(",")[0] for how, _, bits in rows if bits <= least + 1e-3]
    different = len({said for _, said, _ in rows})
    every = "All ways wrote the same text" if different == 1 else f"{len(rows)} ways wrote {different} different texts"
    names = first[0] if len(first) == 1 else f"{', '.join(first[:-1])} and {first[-1]}"
    return f"{every}. The likeliest, {number(least)} bits, was found by {names}."


@once
def _spec() -> dict[str, Any]:
    return beam_tree_spec()
