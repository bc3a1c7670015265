"""The mix that one head makes for a word in several sentences: its controls, charts and tables."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.charts.style import share_label
from core.charts.word_contexts import drawn_data, drawn_spec
from core.readings.words import plural
from core.text.labels import bare, head_label, token_name
from core.topics.shared.places import HeadAddress
from core.topics.words_in_context.drawn import DrawnContexts, drawn_from, telling_head
from core.topics.words_in_context.occurrences import FUNCTION_WORDS
from core.tracing.run import Run
from pages.canvas import Token, TokenButtons
from pages.compute.calls import core_call
from pages.compute.one_head import head
from pages.widgets import Caption, Cards, Chart, Control, Listing, Part, Values, control, spec
from pages.words.words_in_context import queries
from pages.words.words_in_context.parts import Compared
from pages.words.words_in_context.settings import HEAD, LAYER

CARD_WIDTH = 330
WRITTEN_SHARE = 0.02  # smaller shares are not written below their words


def mix_controls(run: Run, compared: Compared | None) -> Iterator[Control]:
    """Yield the controls of the head; the default is the head that shows best from which words the occurrences draw."""
    layer, number = _telling_head(run, compared) if compared else (0, 0)
    yield control(LAYER, "more", options=LAYER.options[: run.config.layers], default=str(layer + 1))
    yield control(HEAD, "more", options=HEAD.options[: run.config.heads], default=str(number + 1))


def _telling_head(run: Run, compared: Compared) -> tuple[int, int]:
    sources = []
    for occurrence in compared.places:
        sentence = compared.sentences[occurrence.sentence]
        sources.append(queries.sources(queries.sentence_run(run, sentence.text), sentence.tokens[occurrence.word][1]))
    return telling_head(sources, compared.word, FUNCTION_WORDS)


def chosen_head(run: Run, values: Values) -> HeadAddress:
    """Return the head of the run's first stack that the controls name; the last if there are fewer."""
    layer, number = min(int(values[LAYER]), run.config.layers), min(int(values[HEAD]), run.config.heads)
    return HeadAddress(run.config.stacks[0], layer - 1, number - 1)


def mixed_terms(run: Run, compared: Compared, place: HeadAddress) -> list[DrawnContexts]:
    """Return for each occurrence of a word the tokens that a head mixed there, with their weights and shares.

    For a word of several pieces, those of its last piece.
    """
    mixes = []
    for occurrence in compared.places:
        sentence = compared.sentences[occurrence.sentence]
        record = head(queries.sentence_run(run, sentence.text), place)
        mixes.append(core_call(drawn_from, record, sentence.tokens[occurrence.word][1]))
    return mixes


def mix_words(compared: Compared, mixes: Sequence[DrawnContexts], number: int) -> TokenButtons:
    """Return one of the sentences, each token coloured by its share of the mix, with larger shares written below."""
    occurrence, mix = compared.places[number], mixes[number]
    shares = np.clip(mix.shares, 0, 1).tolist()
    tokens = [
        Token(bare(label), f"share {exact:.3f}", share, under=share_label(share) if share >= WRITTEN_SHARE else "")
        for label, exact, share in zip(mix.labels, mix.shares.tolist(), shares, strict=True)
    ]
    chosen = compared.sentences[occurrence.sentence].tokens[occurrence.word][1]
    return TokenButtons(
        tokens,
        key=f"words-in-context-words-{number}",
        name=f"What “{compared.word}” takes from each word, sentence {occurrence.name}",
        selected=chosen,
        caption=f"What “{compared.word}” takes from each word, in one head: the stronger the colour, the more.",
    )


def mix_charts(run: Run, place: HeadAddress, compared: Compared, mixes: Sequence[DrawnContexts]) -> list[Part]:
    """Return a caption with the head, and a chart for each occurrence, all on one scale."""
    heads = run.config.depth(place.stack) * run.config.heads
    which = f"{head_label(place.layer, place.head).capitalize()}, one of {plural(heads, 'head')}"
    every = np.concatenate([[0.0], *(part for mix in mixes for part in (mix.shares, mix.weights))])
    ends = float(every.min()), float(every.max())
    cards: list[list[Part]] = []
    for number, (occurrence, mix) in enumerate(zip(compared.places, mixes, strict=True)):
        title = f"“{compared.word}” in sentence {occurrence.name}"
        data = drawn_data(mix.labels, mix.shares, mix.weights, mix.sizes, ends)
        cards.append([Chart(data, spec(drawn_spec, title), f"words-in-context-drawn-{number}", title)])
    grid = Cards(cards, "words-in-context-mixes", CARD_WIDTH, len(cards))
    return [Caption(which), grid]


def mix_sources(compared: Compared, mixes: Sequence[DrawnContexts]) -> list[tuple[str, str, float]]:
    """Return the name of each sentence, the token that gave most, and its share."""
    named = zip((occurrence.name for occurrence in compared.places), mixes, strict=True)
    return [(name, token_name(mix.labels, mix.main_token), float(mix.shares[mix.main_token])) for name, mix in named]


def mix_tables(compared: Compared, mixes: Sequence[DrawnContexts]) -> list[Listing]:
    """Return the numbers of each chart."""
    return [
        Listing(
            f"sentence {occurrence.name}",
            {
                "token": list(mix.labels),
                "weight w": mix.weights.astype(float).tolist(),
                "size of w v": mix.sizes.tolist(),
                "share of z": mix.shares.tolist(),
            },
        )
        for occurrence, mix in zip(compared.places, mixes, strict=True)
    ]
