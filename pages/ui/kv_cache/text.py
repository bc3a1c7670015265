"""The text as it stands: what was kept, and the token that is read now."""

from pages.canvas.token_buttons.token_buttons import Token, TokenButtons
from pages.ui.kv_cache.moment import Moment
from pages.ui.writing import cache


def draw_text(moment: Moment, written: list[str]) -> None:
    """Each token read so far; the ones read in this step are outlined in full colour."""
    old = moment.length - moment.new
    pieces = [*cache.start_pieces(moment.run), *written]
    tokens = [
        Token(
            piece,
            "kept" if place < old else "read in this step",
            0.0 if place < old else 1.0,
            new=place >= moment.start,
        )
        for place, piece in enumerate(pieces)
    ]
    TokenButtons(
        tokens,
        key="kv-text",
        name="The text, token by token",
        selected=moment.length - 1,
        caption="Coloured: read in this step. Framed: written by the model, the likeliest token each time. "
        "The others were read before; their keys and values are kept.",
        hue="k",
    ).draw()
