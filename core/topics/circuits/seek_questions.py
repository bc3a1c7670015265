"""The right answer to a lesson's question about what a head looks for."""

from core.model.transformer import Transformer
from core.text.labels import token_name
from core.text.pieces import AnyTokenizer
from core.topics.circuits.attribution import attribute
from core.topics.circuits.looked_for import looked_for
from core.topics.circuits.parts import Component
from core.topics.circuits.word_questions import STACK, continued_labels
from core.topics.shared.places import HeadAddress
from core.topics.shared.truth import Truth, place_facts
from core.tracing.run import Run

MIN_TOKENS = 4


def place_or_word(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int) -> Truth:
    """Return whether the last token's query looks for a "place" or for a "word", as the view says.

    layer, head: counted from 1.

    Raises ValueError for a model that does not go on with a text, for one in which distance does not act on scores, and
    for a text that is too short or too long to choose from.
    """
    labels = continued_labels(tokenizer, run, MIN_TOKENS)
    place = HeadAddress(STACK, min(layer, run.config.depth(STACK)) - 1, min(head, run.config.heads) - 1)
    found = looked_for(model, tokenizer, run, place, len(labels) - 1)
    if found.by_distance is None:
        raise ValueError("This question needs a model in which a score depends on how far apart two tokens are.")
    parts = attribute(model, tokenizer, run, STACK, len(labels) - 1).parts
    facts = {
        "last": token_name(labels, len(labels) - 1),
        "looked_at": token_name(labels, found.looked_at),
        "by_place": found.distance_range,
        "fitting": f"“{found.here[0]}”",
        "by_word": float(found.here_by[0]),
        "part_number": parts.index(Component("attention", place.layer, place.head)),
    }
    return Truth("place" if found.for_place else "word", facts | place_facts(place))
