"""What stands above every view: the player, and the text as buttons."""

from collections.abc import Sequence

from core.explorer.generation.records import GeneratedToken
from core.explorer.generation.setup import mask_note
from core.readings.generation import read_end
from pages.canvas import Token, TokenButtons
from pages.queries.generation import start_pieces
from pages.transformer.generate.settings import COUNT, FORCED, LOOKED
from pages.transformer.generate.story import NAME, Story, left_out
from pages.widgets import Button, Notes, Part, Player, Values

LINES = 3  # of the text, before it scrolls
BITS = 12.0  # a surprisal of this many bits has the full colour


def story_parts(story: Story, values: Values) -> Sequence[Part]:
    """What was left out, the player, the text, and why nothing follows it."""
    notes = [mask_note(story.run.mask), left_out(values[FORCED], story.run.config.vocab_size)]
    player = Player(NAME, COUNT, story.most, len(story.written), story.over, LOOKED)
    end = read_end(story.ended, len(story.start) + len(story.written) - 1) if story.over else None
    back = Button("Take all branches back", "generate-unbranch", lambda: {FORCED.key: ""}, icon=":material/undo:")
    return [Notes(notes), player, _buttons(story), Notes([end]), *([back] if story.forced else [])]


def _buttons(story: Story) -> TokenButtons:
    beginning = [Token(piece, "the beginning", still=True) for piece in start_pieces(story.run)]
    first = len(beginning)
    return TokenButtons(
        [*beginning, *(_token(each, place) for place, each in enumerate(story.written))],
        key="generate-text",
        name="The text, token by token",
        selected=first + story.at if story.written else None,
        sets=lambda place: {LOOKED.key: place - first} if place >= first else {},
        caption="Framed: written by the model; dashed: by you. The stronger the colour, the more it surprised the "
        f"model, up to {BITS:g} bits. Click one to see how it was chosen.",
        lines=LINES,
    )


def _token(each: GeneratedToken, place: int) -> Token:
    how = "written in the model's place" if each.forced else f"chance {100 * each.own:.3g} %"
    note = f"written {place}, {how}, surprisal {each.surprisal:.2f} bits"
    return Token(each.piece, note, min(1.0, each.surprisal / BITS), new=True, forced=each.forced)
