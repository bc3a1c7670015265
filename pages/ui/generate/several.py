"""Several texts drawn at once, and where they part."""

import numpy as np
import streamlit as st

from core.explorer.generation.choice import shared_start
from core.explorer.generation.records import Sample
from core.explorer.generation.texts import per_token, samples
from core.readings.generation import read_samples
from pages.canvas.token_buttons.token_buttons import Token, TokenButtons
from pages.ui.generate.choices import SAMPLES
from pages.ui.generate.text import Story
from pages.ui.numbers import numbers
from pages.ui.say import code, notes, reading
from pages.ui.settings import ask
from pages.ui.writing import cache

FEWEST = 8  # tokens of a text


def show_samples(story: Story, at: int) -> None:
    """The same beginning, written several times, each with random numbers of its own."""
    st.caption("The same beginning and the same stages; only the random numbers differ from text to text.")
    count = ask(SAMPLES, width=320)
    found = cache.samples(story.run, story.sampling, count, max(FEWEST, len(story.written)))
    shared = shared_start(found) if count > 1 else 0
    bits = [-per_token(each.log_probability, len(each.ids)) for each in found]
    best = int(np.argmin(bits))
    for n, each in enumerate(found):
        TokenButtons(
            _tokens(each, shared, count > 1),
            key=f"generate-sample-{n}",
            name=f"Text {n}",
            caption=f"Text {n}: {bits[n]:.2f} bits a token" + (", the likeliest" if n == best and count > 1 else ""),
        ).draw()
    reading(read_samples([each.pieces for each in found], shared, bits))
    notes(
        [
            "Framed: where the texts part. Bits: the model's own surprisal before any stage, on average; fewer is "
            "likelier. Text 0 is the text above" + (", without its branches." if story.forced else "."),
            "At temperature 0 nothing is drawn, so every text is the same." if story.sampling.greedy else None,
        ]
    )
    table = np.array([[bits[n], each.log_probability, len(each.ids)] for n, each in enumerate(found)])
    names = [f"{n}: {each.text}" for n, each in enumerate(found)]
    columns = ["bits per token", "log-probability, nats", "tokens"]
    numbers("samples", table, names, columns, "generate-sampled", "text")
    code(samples, key="generate-code-samples")


def _tokens(sample: Sample, shared: int, parts: bool) -> list[Token]:
    return [Token(piece, new=parts and n == shared, dim=n < shared) for n, piece in enumerate(sample.pieces)]
