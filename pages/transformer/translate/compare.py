"""The view of beam search, greedy search and samples side by side."""

from collections.abc import Iterator

from core.decoding.sampling import Sampling
from core.topics.translate.readings import read_translations, write_greedy_surprisal
from core.topics.translate.translation import Translation
from core.topics.translate.ways import translations, ways_table
from pages.compute import generation as queries
from pages.shell import Shown, View
from pages.transformer.translate.settings import SEED, TEMPERATURE, WIDTH
from pages.transformer.translate.translation import note_cut
from pages.widgets import Control, Listing, Values, control

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
    return Shown(
        lead="**Greedy** writes the likeliest token each time; **beam search** keeps several texts and takes the best; "
        "a **sample** draws each token at random by its chance. **Surprisal** adds up −log₂ of the chances that the "
        "model gave the tokens: fewer bits, a likelier text.",
        takeaway=read_translations([(way.name, way.text, way.surprisal) for way in ways]),
        notes=[note_cut(text)],
        formula=write_greedy_surprisal(ways[1].surprisal, len(text.ids)),
        table=Listing("compared", ways_table(ways), unfolded=True),
        source=("core.decoding.beam.beam_search", f"{TEXTS}.generate", "core.topics.generate.samples.samples"),
    )


VIEW = View("ways to write", _show, _controls)
