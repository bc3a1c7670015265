"""The eight stops of the journey: a heading, a few plain sentences, and the tensors shown there."""

from dataclasses import dataclass

from core.explorer.journey import pictures, words
from core.explorer.journey.pictures import Picture
from core.explorer.journey.records import Journey
from core.tracing.run import Run


@dataclass(frozen=True, eq=False)
class Stop:
    """sentence: markdown without anything that people typed. pictures: in their order; none where tokens are shown."""

    heading: str
    sentence: str
    pictures: tuple[Picture, ...]


def stops(run: Run, journey: Journey) -> tuple[Stop, ...]:
    """From the text to what comes out."""
    found: tuple[tuple[str, str, list[Picture]], ...] = (
        ("Text becomes tokens", words.tokens(run, journey), []),
        ("Tokens become vectors", words.vectors(run, journey), pictures.entering(run, journey)),
        ("Query, key and value", words.projection_words(run, journey), pictures.projecting(journey)),
        ("Queries meet keys", words.scores(run, journey), pictures.scoring(run, journey)),
        ("Values are mixed", words.mix(journey), pictures.mixed(journey)),
        ("The heads join", words.joined(run, journey), pictures.joining(run, journey)),
        ("Each token on its own", words.feed_forward(run, journey), pictures.thinking(run, journey)),
        ("What comes out", words.output(run, journey), pictures.leaving(journey)),
    )
    return tuple(Stop(heading, sentence, tuple(shown)) for heading, sentence, shown in found)
