"""Beam search as a tree, with the texts that it found."""

from collections.abc import Iterator, Sequence

from core.charts.beam_tree import beam_tree_data, beam_tree_spec
from core.explorer.generation.records import BeamTree
from core.readings.translate import read_beam
from pages.queries import generation as queries
from pages.shell import Shown
from pages.transformer.translate.settings import ALPHA, WIDTH
from pages.transformer.translate.translation import Translation
from pages.widgets import AtRest, Cell, Chart, Control, Listing, Values, control, spec


def beam_controls(text: Translation, values: Values) -> Iterator[Control]:
    yield control(WIDTH, width=260)
    yield control(ALPHA, step=0.1, format="%g", width=190)


def show_beam(text: Translation, values: Values) -> Shown:
    """The whole tree, the texts that were found with their scores, and which won."""
    alpha = values[ALPHA]
    tree = queries.beam(text.run, values[WIDTH], alpha, text.most)
    best, length = tree.hypotheses[0], len(tree.hypotheses[0].path)
    nodes = [vars(node) | {"chance": node.probability} for node in tree.nodes]
    found = [(each.text, each.score, len(each.path) if each.cut else 0) for each in tree.hypotheses]
    data = beam_tree_data(nodes, best.path, "<s>")
    return Shown(
        lead="**Beam search** goes on from several beginnings at once. At each step it looks at their likeliest next "
        "tokens, keeps the best of all these texts and drops the rest. At the end the best **score** wins: the sum of "
        "the logarithms of the chances, divided by a **length penalty**, since every further token makes a text less "
        "likely.",
        pictures=[
            AtRest("translate"),
            Chart(data, spec(beam_tree_spec), key="translate-tree", name="The tree of the beam search"),
        ],
        takeaway=read_beam([node.fate for node in tree.nodes], found),
        notes=[text.cut],
        formula=rf"\text{{score}} = \frac{{\sum_t \log p_t}}{{\big((5 + n)/6\big)^{{\alpha}}}} \qquad = "
        rf"\frac{{{best.log_probability:.3f}}}{{((5 + {length})/6)^{{{alpha:g}}}}} = {best.score:.3f}",
        about=[
            "Point at a dot to see its token, its chance, the sum so far and the score.",
            "The table holds the texts that were found, the best first.",
        ],
        table=_found(tree),
        source=("core.decoding.beam.beam_search", "core.decoding.beam.length_penalty"),
    )


def _found(tree: BeamTree) -> Listing:
    columns: dict[str, Sequence[Cell]] = {
        "text": [each.text for each in tree.hypotheses],
        "tokens": [len(each.path) for each in tree.hypotheses],
        "log probability": [round(each.log_probability, 4) for each in tree.hypotheses],
        "score": [round(each.score, 4) for each in tree.hypotheses],
        "ends": ["cut at the limit" if each.cut else "with </s>" for each in tree.hypotheses],
    }
    return Listing("beam", columns, unfolded=True)
