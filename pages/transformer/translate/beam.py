"""The view of beam search as a tree, with the texts that it found."""

from collections.abc import Iterator

from core.text.special import BOS, SPECIAL_LABELS
from core.topics.translate.charts import beam_tree_data, beam_tree_spec
from core.topics.translate.readings import read_beam, write_beam_score
from core.topics.translate.translation import Translation
from pages.compute import generation as queries
from pages.shell import Shown, View
from pages.transformer.translate.settings import ALPHA, WIDTH
from pages.transformer.translate.translation import note_cut
from pages.widgets import Chart, Control, Listing, Values, control, spec


def _controls(text: Translation, values: Values) -> Iterator[Control]:
    yield control(WIDTH, width=260)
    yield control(ALPHA, step=0.1, format="%g", width=190)


def _show(text: Translation, values: Values) -> Shown:
    """Show the whole tree, the texts that were found with their scores, and the winner."""
    alpha = values[ALPHA]
    tree = queries.beam(text.run, values[WIDTH], alpha, text.max_tokens)
    best, name = tree.hypotheses[0], "The tree of the beam search"
    data = beam_tree_data(tree.drawn, best.path, SPECIAL_LABELS[BOS])
    texts = [
        (hypothesis.text, hypothesis.score, len(hypothesis.path) if hypothesis.cut else 0)
        for hypothesis in tree.hypotheses
    ]
    return Shown(
        lead="**Beam search** goes on from several beginnings at once. At each step it looks at their likeliest next "
        "tokens, keeps the best of all these texts and drops the rest. At the end the best score wins.",
        pictures=[Chart(data, spec(beam_tree_spec), key="translate-tree", name=name)],
        takeaway=read_beam([node.fate for node in tree.nodes], texts),
        notes=[note_cut(text)],
        formula=write_beam_score(best.log_probability, len(best.path), alpha, best.score),
        about=[
            "The score is the sum of the logarithms of the chances, divided by a **length penalty**, since every "
            "further token makes a text less likely.",
            "Point at a dot to see its token, its chance, the sum so far and the score.",
            "The table holds the texts that were found, the best first.",
        ],
        table=Listing("beam", tree.table, unfolded=True),
        source=("core.decoding.beam.beam_search", "core.decoding.beam.length_penalty"),
    )


VIEW = View("beam", _show, _controls)
