"""The eight stops of the journey: for each a heading, a few plain sentences, and the tensors shown."""

from dataclasses import dataclass

from core.topics.journey import pictures, words
from core.topics.journey.pictures import Picture
from core.topics.journey.records import Journey
from core.tracing.run import Run


@dataclass(frozen=True, eq=False)
class Stop:
    """One stop of the journey page: a group of stages that are shown together.

    sentence: markdown without any text that users typed.
    pictures: the pictures in their order; empty if tokens are shown.
    """

    heading: str
    sentence: str
    pictures: tuple[Picture, ...]


def stops(run: Run, journey: Journey, use: words.Use = None) -> tuple[Stop, ...]:
    """Return the stops from the text to the output.

    use: how a last step uses an encoder's output, if there is one.
    """
    parts: tuple[tuple[str, str, list[Picture]], ...] = (
        ("Text becomes tokens", words.tokens(run, journey), []),
        ("Tokens become vectors", words.vectors(run, journey), pictures.entering(run, journey)),
        ("Query, key and value", words.projection_words(run, journey), pictures.projecting(run, journey)),
        ("Queries meet keys", words.scores(run, journey), pictures.scoring(run, journey)),
        ("Values are mixed", words.mix(run, journey), pictures.mixed(run, journey)),
        ("The heads join", words.joined(run, journey), pictures.joining(run, journey)),
        ("Each token on its own", words.feed_forward(run, journey), pictures.thinking(run, journey)),
        ("What comes out", words.output(run, journey, use), pictures.leaving(run, journey)),
    )
    return tuple(Stop(heading, sentence, tuple(shown)) for heading, sentence, shown in parts)
