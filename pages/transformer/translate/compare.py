"""Beam search, greedy search and samples side by side."""

from collections.abc import Iterator, Sequence

from core.decoding.sampling import Sampling
from core.explorer.translate.ways import translations
from core.readings.translate import read_translations
from pages.queries import generation as queries
from pages.shell import Shown
from pages.transformer.translate.settings import SEED, TEMPERATURE, WIDTH
from pages.transformer.translate.translation import Translation
from pages.widgets import AtRest, Cell, Control, Listing, Values, control

SAMPLES = 3
ALPHA = 0.6  # the length penalty of Wu et al. 2016


def compare_controls(text: Translation, values: Values) -> Iterator[Control]:
    yield control(WIDTH, width=260)
    yield control(TEMPERATURE, step=0.1, format="%g", width=220)
    yield control(SEED, width=160)


def show_comparison(text: Translation, values: Values) -> Shown:
    """The same sentence by beam search, greedily, and drawn at random."""
    width, temperature = values[WIDTH], values[TEMPERATURE]
    best = queries.beam(text.run, width, ALPHA, text.most).hypotheses[0]
    drawn = queries.samples(text.run, Sampling(temperature, seed=values[SEED]), SAMPLES, text.most)
    found = translations(
        (f"beam of {width}", best),
        ("greedy", queries.text_of(text.run, text.ids), text.written),
        [(f"sample {n}, T = {temperature:g}", each) for n, each in enumerate(drawn)],
    )
    columns: dict[str, Sequence[Cell]] = {
        "how": [way.name for way in found],
        "text": [way.text for way in found],
        "surprisal, bits": [round(way.surprisal, 3) for way in found],
        "bits a token": [round(way.bits_per_token, 3) for way in found],
    }
    return Shown(
        lead="**Greedy** writes the likeliest token each time; **beam search** keeps several texts and takes the best; "
        "a **sample** draws each token at random by its chance. **Surprisal** adds up −log₂ of the chances that the "
        "model gave the tokens: fewer bits, a likelier text.",
        pictures=[AtRest("translate")],
        takeaway=read_translations([(way.name, way.text, way.surprisal) for way in found]),
        notes=[text.cut],
        formula=r"\text{surprisal} = -\sum_t \log_2 p(y_t \mid y_{<t}, x)"
        rf"\qquad \text{{greedy}} = {found[1].surprisal:.3f}\ \text{{bits over }} {len(text.ids)} \text{{ tokens}}",
        table=Listing("compared", columns, unfolded=True),
        source=(
            "core.decoding.beam.beam_search",
            "core.explorer.generation.texts.generate",
            "core.explorer.generation.texts.samples",
        ),
    )
