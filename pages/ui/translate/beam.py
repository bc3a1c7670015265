"""Beam search as a tree, and beam, greedy and samples side by side."""

from functools import cache as once
from typing import Any

import streamlit as st

from core.charts.beam_tree import beam_tree_data, beam_tree_spec
from core.decoding.sampling import Sampling
from core.decoding.search import length_penalty
from core.decoding.tree import beam_tree
from core.explorer.generation_records import BeamTree
from pages.ui.canvas.chart_save import chart_save
from pages.ui.say import code, formula, reading
from pages.ui.settings import ask
from pages.ui.translate.choices import ALPHA, TSEED, WARMTH, WIDTH
from pages.ui.translate.text import Translation
from pages.ui.writing import cache

BITS = 0.6931471805599453  # nats in a bit
SAMPLES = 3


def show_beam(text: Translation) -> None:
    """The whole tree, the finished texts with their scores, and which won."""
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
    _hypotheses(tree)
    reading(_said(tree))
    length = len(best.path)
    formula(
        rf"\text{{score}} = \frac{{\sum_t \log p_t}}{{\big((5 + n)/6\big)^{{\alpha}}}} = "
        rf"\frac{{{best.log_probability:.3f}}}{{((5 + {length})/6)^{{{alpha:g}}}}} = {best.score:.3f}"
    )
    code(beam_tree, length_penalty, key="translate-code-beam")


def _hypotheses(tree: BeamTree) -> None:
    rows = {
        "text": [each.text for each in tree.hypotheses],
        "tokens": [len(each.path) for each in tree.hypotheses],
        "log probability": [round(each.log_probability, 4) for each in tree.hypotheses],
        "score": [round(each.score, 4) for each in tree.hypotheses],
    }
    st.dataframe(rows, hide_index=False, key="translate-hypotheses")


def _said(tree: BeamTree) -> str:
    fates = [node.fate for node in tree.nodes]
    best = tree.hypotheses[0]
    sentence = (
        f"Of {len(tree.nodes)} ways on that were looked at, {fates.count('dropped')} were dropped; "
        f"“{best.text}” wins with a score of {best.score:.3f}"
    )
    if len(tree.hypotheses) > 1:
        return f"{sentence}, before “{tree.hypotheses[1].text}” with {tree.hypotheses[1].score:.3f}."
    return f"{sentence}."


def show_comparison(text: Translation) -> None:
    """The same sentence by beam search, greedily, and drawn at random."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        width = ask(WIDTH, width=260)
        warmth = ask(WARMTH, step=0.1, format="%g", width=220)
        seed = ask(TSEED, width=160)
    best = cache.beam(text.run, width, 0.6, text.most).hypotheses[0]
    drawn = cache.samples(text.run, Sampling(warmth, seed=seed), SAMPLES, text.most)
    greedy = sum(-each.surprisal for each in text.written)
    rows = [
        (f"beam of {width}", best.text, best.log_probability / BITS, len(best.path)),
        ("greedy", cache.text_of(text.run, text.ids), greedy, len(text.ids)),
        *(
            (f"sample {n}, T = {warmth:g}", each.text, each.log_probability / BITS, len(each.ids))
            for n, each in enumerate(drawn)
        ),
    ]
    table = {
        "how": [how for how, *_ in rows],
        "text": [said for _, said, *_ in rows],
        "bits, total": [round(bits, 3) for *_, bits, _ in rows],
        "bits a token": [round(bits / max(1, count), 3) for *_, bits, count in rows],
    }
    st.dataframe(table, hide_index=True, key="translate-compared")
    likeliest = max(rows, key=lambda row: round(row[2], 4))
    reading(
        f"{likeliest[0].capitalize()} found the likeliest of these texts, with a log-probability of "
        f"{likeliest[2]:.2f} bits; {len({said for _, said, *_ in rows})} of the {len(rows)} texts are different."
    )
    code(beam_tree, key="translate-code-compare")


@once
def _spec() -> dict[str, Any]:
    return beam_tree_spec()
