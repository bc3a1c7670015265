"""The view of beam search, greedy search and samples side by side."""

from collections.abc import Iterator, Mapping, Sequence

from core.decoding.sampling import Sampling
from core.readings.words import capital, listed, number
from core.topics.translate.readings import read_translations, write_greedy_surprisal
from core.topics.translate.translation import Translation
from core.topics.translate.ways import Way, distinct_texts, translations, ways_table, word_changes
from pages.canvas import Token, TokenButtons
from pages.compute import generation as queries
from pages.shell import Shown, View
from pages.transformer.translate.settings import SEED, TEMPERATURE, WIDTH
from pages.transformer.translate.translation import note_cut
from pages.widgets import Control, Listing, Markdown, Part, Values, control, plain

TEXTS = "core.topics.generate.texts"
SAMPLES = 3
ALPHA = 0.6  # the length penalty of Wu et al. 2016


def _controls(text: Translation, values: Values) -> Iterator[Control]:
    yield control(WIDTH, width=260)
    yield control(TEMPERATURE, step=0.1, format="%g", width=220)
    yield control(SEED, "more", width=160)


def _show(text: Translation, values: Values) -> Shown:
    """Show the same sentence translated by beam search, greedily, and by drawing at random."""
    run, width, temperature = text.run, values[WIDTH], values[TEMPERATURE]
    best = queries.beam(run, width, ALPHA, text.max_tokens).hypotheses[0]
    drawn = queries.samples(run, Sampling(temperature, seed=values[SEED]), SAMPLES, text.max_tokens)
    ways = translations(
        (f"beam of {width}", best),
        ("greedy", queries.text_of(run, text.ids), text.written),
        [(f"sample {n}, T = {temperature:g}", sample) for n, sample in enumerate(drawn)],
    )
    texts = distinct_texts(ways)
    return Shown(
        pictures=[part for text_ways in texts.values() for part in _line(next(iter(texts)), text_ways)],
        lead="**Greedy** writes the likeliest token each time; **beam search** keeps several texts and takes the best; "
        "a **sample** draws each token at random by its chance. **Surprisal** adds up −log₂ of the chances that the "
        "model gave the tokens: fewer bits, a likelier text.",
        takeaway=read_translations([(way.name, way.text, way.surprisal) for way in ways], _first_change(texts)),
        notes=[note_cut(text)],
        formula=write_greedy_surprisal(ways[1].surprisal, len(text.ids)),
        table=Listing("compared", ways_table(ways)),
        source=("core.decoding.beam.beam_search", f"{TEXTS}.generate", "core.topics.generate.samples.samples"),
    )


def _line(likeliest: str, ways: Sequence[Way]) -> list[Part]:
    """Return the names of the ways that wrote one text, and its words; coloured: those that the likeliest has not."""
    new = {place + k for _, words, place in word_changes(likeliest, ways[0].text) for k in range(len(words))}
    tokens = [Token(word, shade=float(place in new)) for place, word in enumerate(ways[0].text.split())]
    names = listed(_short_name(way) for way in ways)
    title = f"{capital(names)}: {number(ways[0].surprisal)} bits of surprise"
    line = TokenButtons(
        tokens, key=f"translate-way-{_short_name(ways[0])}", name=names, hue="chance", item="word", large=True
    )
    return [Markdown(f"**{plain(title)}**"), line]


def _first_change(texts: Mapping[str, Sequence[Way]]) -> tuple[str, str, str] | None:
    """Return who wrote the next likeliest text, and the first words in which it differs from the likeliest."""
    if len(texts) < 2:
        return None
    likeliest, other = list(texts)[:2]
    old, new, _ = word_changes(likeliest, other)[0]
    return _short_name(texts[other][0]), " ".join(old), " ".join(new)


def _short_name(way: Way) -> str:
    return way.name.partition(",")[0]


VIEW = View("ways to write", _show, _controls)
