"""The current state of the text: the tokens that the decoder has read, and which of them are new."""

from collections.abc import Sequence
from dataclasses import replace

from core.topics.generate.setup import mask_note
from core.topics.kv_cache.moment import Moment
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run, text_limit
from pages.canvas import Token, TokenButtons
from pages.compute import cache, generation
from pages.transformer.kv_cache.settings import COUNT
from pages.widgets import Notes, Part, Player, Values


def moment(run: Run, values: Values) -> Moment:
    """Return the text as the model writes it, with the likeliest token each time."""
    run = replace(run, pads=0)
    start, limit = generation.start(run), text_limit(run.config)
    capacity = limit - len(start)
    count = min(int(values[COUNT] or 0), max(1, capacity))
    ahead = generation.written(run, count=min(count + 1, capacity))  # one more, to know whether there is one
    ahead = tuple(token for token in ahead if token.chosen not in run.format.special.ends)
    written = ahead[:count]
    source = len(cache.check(run)["encoder"]) if run.config.has_two_stacks else 0
    ids = (*start, *(token.chosen for token in written))
    pieces = (*generation.start_pieces(run), *(token.piece for token in written))
    return Moment(run, len(start), ids, pieces, source, limit, len(ahead) <= count)


def newest_place(run: Run, values: Values) -> HeadAddress:
    """Return the head in which the newest token looks most clearly at a word before it."""
    text = moment(run, values)
    return generation.newest_place(text.run, text.ids)


def text_parts(moment: Moment, values: Values) -> Sequence[Part]:
    """Return the player, a note on the mask, and the text with the tokens read in this step coloured."""
    written, old = moment.length - moment.start, moment.old
    player = Player("kv-cache", COUNT, max(1, moment.limit - moment.start), written, moment.over)
    tokens = [
        Token(
            piece,
            "kept" if position < old else "read in this step",
            float(position >= old),
            new=position >= moment.start,
        )
        for position, piece in enumerate(moment.pieces)
    ]
    text = TokenButtons(
        tokens,
        key="kv-cache-text",
        name="The text, token by token",
        selected=moment.length - 1,
        caption="Coloured: read in this step. Framed: written by the model, the likeliest token each time. "
        "The others were read before; their keys and values are kept.",
        hue="k",
    )
    return [player, Notes([mask_note(moment.run.masks)]), text]
