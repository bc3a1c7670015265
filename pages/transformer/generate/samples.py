"""The view of several texts drawn at once, and the positions from which they differ."""

from collections.abc import Iterator

from core.readings.generation import name_sample, read_samples
from core.topics.generate.drawn import DrawnTexts
from core.topics.generate.story import Story
from pages.canvas import Token, TokenButtons
from pages.compute import generation as queries
from pages.shell import Shown, View
from pages.transformer.generate.settings import SAMPLES
from pages.transformer.generate.story import once_written
from pages.widgets import Control, Table, Values, control

MIN_TOKENS = 8  # tokens: the smallest limit on a text's length


def _controls(story: Story, values: Values) -> Iterator[Control]:
    yield control(SAMPLES, "more", width=320)


def _show(story: Story, values: Values) -> Shown:
    """Show several continuations of the same text, each drawn with its own random numbers."""
    max_tokens = max(MIN_TOKENS, len(story.written))
    drawn = DrawnTexts(queries.samples(story.run, story.sampling, values[SAMPLES], max_tokens))
    pieces = [sample.pieces for sample in drawn.samples]
    branches = ", without its branches." if story.forced else "."
    return Shown(
        lead="The same beginning and the same stages; only the random numbers differ from text to text.",
        pictures=[_text(drawn, number) for number in range(len(pieces))],
        takeaway=read_samples(pieces, drawn.shared, drawn.bits),
        notes=[
            "Framed: where the texts begin to differ. Bits: the model's own surprisal before any stage, on average; "
            f"fewer is likelier. Text 0 is the text above{branches}",
            "At temperature 0 nothing is drawn, so every text is the same." if story.sampling.greedy else None,
        ],
        table=Table("samples", *drawn.table, corner="text"),
        source=("core.topics.generate.samples.samples",),
    )


def _text(drawn: DrawnTexts, number: int) -> TokenButtons:
    pieces, part = drawn.samples[number].pieces, drawn.shared if drawn.several else None
    return TokenButtons(
        [Token(piece, new=position == part, dim=position < drawn.shared) for position, piece in enumerate(pieces)],
        key=f"generate-sample-{number}",
        name=f"Text {number}",
        caption=name_sample(number, drawn.bits[number], number == drawn.likeliest),
    )


VIEW = View("many texts", once_written(_show), _controls)
