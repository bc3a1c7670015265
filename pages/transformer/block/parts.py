"""Parts shared by several views of this page: the stack, the chosen token, and the row of tokens to choose from."""

from collections.abc import Iterator

from core.tracing.run import Run, TokenRow
from pages.canvas import Token, TokenButtons
from pages.compute.cache import check, tells_hidden
from pages.shell import Shown
from pages.transformer.block.settings import STACK, TOKEN
from pages.widgets import Control, Message, Values, control, place_controls

MAX_TOKENS, SCROLLED_LINES = 60, 3  # more than MAX_TOKENS tokens scroll in SCROLLED_LINES lines
NUMBERS_PIXELS = 960  # pixels for the numbers of a vector, if there is room
NO_NEURONS = (
    "This model has no feed-forward layer, so it has no neurons. To see some, choose another model, or build your own "
    "with a d_ff above 0."
)


def block_controls(run: Run, values: Values, layer: bool = True) -> Iterator[Control]:
    """Yield the controls for the stack, if there are two, and for the layer."""
    if run.config.has_two_stacks:
        yield control(STACK, "more")
    yield from place_controls(run, attention=False, layer=layer, head=False, stack=stack_of(run, values))


def stack_of(run: Run, values: Values) -> str:
    """Return the stack whose blocks are shown."""
    chosen = values[STACK].rpartition(" ")[2]
    return chosen if chosen in run.config.stacks else run.config.stacks[0]


def token_at(run: Run, values: Values) -> int:
    """Return the selected token.

    If none is chosen: for a model that predicts hidden pieces, the first hidden token; otherwise the last word that an
    encoder reads, or the last token before a decoder's padding.
    """
    stack = stack_of(run, values)
    row = check(run)[stack]
    if values[TOKEN] is not None:
        return int(min(values[TOKEN], len(row) - 1))
    if tells_hidden(run) and (mask := run.format.special.mask) is not None and mask in row.ids:
        return row.ids.index(mask)
    last = len(row) - 1 - (run.pads if stack == run.config.stacks[0] else 0)
    words = [position for position, piece in enumerate(row.pieces[: last + 1]) if piece.isalpha()]
    return words[-1] if stack == "encoder" and words else last


def token_control(run: Run, values: Values) -> Control:
    """Return the control in which the token's number can be typed."""
    return control(TOKEN, "below", high=len(check(run)[stack_of(run, values)]) - 1, width=160)


def token_row_of(run: Run, values: Values, key: str) -> TokenButtons:
    """Return the tokens of the stack's text; a click chooses another one."""
    row: TokenRow = check(run)[stack_of(run, values)]
    return TokenButtons(
        [Token(piece) for piece in row.pieces],
        key=key,
        name="token that is followed",
        selected=token_at(run, values),
        hue="size",
        lines=SCROLLED_LINES if len(row) > MAX_TOKENS else None,
        sets=lambda position: {TOKEN.key: position},
    )


def without_neurons(lead: str) -> Shown:
    """Return a view of the feed-forward layer of a model that has none, which says so."""
    return Shown([Message(NO_NEURONS)], lead)
