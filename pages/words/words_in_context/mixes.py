"""The mix that one head makes for a word in several sentences: its controls, charts and tables."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.charts.word_contexts import drawn_data, drawn_spec
from core.readings.words import token_name
from core.topics.shared.places import Place
from core.topics.words_in_context.drawn import Drawn, drawn_from, telling_head
from core.topics.words_in_context.occurrences import FUNCTION_WORDS, head_differences, most_different
from core.topics.words_in_context.readings import note_head
from core.tracing.run import Run
from pages.compute.calls import core_call
from pages.compute.one_head import head
from pages.widgets import Caption, Cards, Chart, Control, Listing, Part, Values, control, spec
from pages.words.words_in_context import queries
from pages.words.words_in_context.parts import Compared
from pages.words.words_in_context.settings import HEAD, LAYER

CARD_WIDTH = 330


def mix_controls(run: Run, found: Compared | None) -> Iterator[Control]:
    """Yield the controls of the head; the default is the head that shows best which words the occurrences drew from."""
    layer, number = _telling_head(run, found) if found else (0, 0)
    yield control(LAYER, "more", options=LAYER.options[: run.config.layers], default=str(layer + 1))
    yield control(HEAD, "more", options=HEAD.options[: run.config.heads], default=str(number + 1))


def _telling_head(run: Run, found: Compared) -> tuple[int, int]:
    sources = []
    for at in found.places:
        sentence = found.sentences[at.sentence]
        sources.append(queries.sources(queries.sentence_run(run, sentence.text), sentence.tokens[at.word][1]))
    return telling_head(sources, found.word, FUNCTION_WORDS)


def chosen_head(run: Run, values: Values) -> Place:
    """Return the head of the run's first stack that the controls name; the last if there are fewer."""
    layer, number = min(int(values[LAYER]), run.config.layers), min(int(values[HEAD]), run.config.heads)
    return Place(run.config.stacks[0], layer - 1, number - 1)


def mixed_terms(run: Run, found: Compared, place: Place) -> list[Drawn]:
    """Return what the head mixed for each occurrence; for a word of several pieces, for the last one."""
    each = []
    for at in found.places:
        sentence = found.sentences[at.sentence]
        record = head(queries.sentence_run(run, sentence.text), place)
        each.append(core_call(drawn_from, record, sentence.tokens[at.word][1]))
    return each


def mix_charts(found: Compared, drawn: Sequence[Drawn]) -> list[Part]:
    """Return a chart for each occurrence, all on one scale, and a note on the head whose mixes differ most."""
    differences = core_call(head_differences, found.sentences, found.places)
    every = np.concatenate([[0.0], *(part for each in drawn for part in (each.shares, each.weights))])
    ends = float(every.min()), float(every.max())
    cards: list[list[Part]] = []
    for number, (at, each) in enumerate(zip(found.places, drawn, strict=True)):
        title = f"“{found.word}” in sentence {at.name}"
        data = drawn_data(each.labels, each.shares, each.weights, each.sizes, ends)
        cards.append([Chart(data, spec(drawn_spec, title), f"words-in-context-drawn-{number}", title)])
    grid = Cards(cards, "words-in-context-mixes", CARD_WIDTH, len(cards))
    return [grid, Caption(note_head(*most_different(differences), differences.size))]


def mix_sources(found: Compared, drawn: Sequence[Drawn]) -> list[tuple[str, str, float]]:
    """Return the name of each sentence, the token that gave most, and its share."""
    named = zip((at.name for at in found.places), drawn, strict=True)
    return [(name, token_name(each.labels, each.most), float(each.shares[each.most])) for name, each in named]


def mix_tables(found: Compared, drawn: Sequence[Drawn]) -> list[Listing]:
    """Return the numbers of each chart."""
    return [
        Listing(
            f"sentence {at.name}",
            {
                "token": list(each.labels),
                "weight w": each.weights.astype(float).tolist(),
                "size of w v": each.sizes.tolist(),
                "share of z": each.shares.tolist(),
            },
        )
        for at, each in zip(found.places, drawn, strict=True)
    ]
