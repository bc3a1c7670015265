"""Several texts drawn at once, and where they part."""

from collections.abc import Iterator

import numpy as np

from core.explorer.generation.choice import shared_start
from core.explorer.generation.records import Sample
from core.explorer.generation.texts import per_token
from core.readings.generation import read_samples
from pages.canvas import Token, TokenButtons
from pages.queries import generation as queries
from pages.shell import Shown
from pages.transformer.generate.settings import SAMPLES
from pages.transformer.generate.story import Story
from pages.widgets import Control, Table, Values, control

FEWEST = 8  # tokens of a text


def samples_controls(story: Story, values: Values) -> Iterator[Control]:
    yield control(SAMPLES, width=320)


def show_samples(story: Story, values: Values) -> Shown:
    """The same beginning, written several times, each with random numbers of its own."""
    count = values[SAMPLES]
    found = queries.samples(story.run, story.sampling, count, max(FEWEST, len(story.written)))
    shared = shared_start(found) if count > 1 else 0
    bits = [-per_token(each.log_probability, len(each.ids)) for each in found]
    best = int(np.argmin(bits)) if count > 1 else None
    branches = ", without its branches." if story.forced else "."
    return Shown(
        lead="The same beginning and the same stages; only the random numbers differ from text to text.",
        pictures=[
            TokenButtons(
                _tokens(each, shared, count > 1),
                key=f"generate-sample-{n}",
                name=f"Text {n}",
                caption=f"Text {n}: {bits[n]:.2f} bits a token{', the likeliest' if n == best else ''}",
            )
            for n, each in enumerate(found)
        ],
        takeaway=read_samples([each.pieces for each in found], shared, bits),
        notes=[
            "Framed: where the texts part. Bits: the model's own surprisal before any stage, on average; fewer is "
            f"likelier. Text 0 is the text above{branches}",
            "At temperature 0 nothing is drawn, so every text is the same." if story.sampling.greedy else None,
        ],
        table=Table(
            "samples",
            np.array([[bits[n], each.log_probability, len(each.ids)] for n, each in enumerate(found)]),
            [f"{n}: {each.text}" for n, each in enumerate(found)],
            ("bits per token", "log-probability, nats", "tokens"),
            corner="text",
        ),
        source=("core.explorer.generation.texts.samples",),
    )


def _tokens(sample: Sample, shared: int, parts: bool) -> list[Token]:
    return [Token(piece, new=parts and n == shared, dim=n < shared) for n, piece in enumerate(sample.pieces)]
