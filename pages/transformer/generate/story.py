"""The text of the page Generate, written with the visitor's settings, and the parts above every view of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from core.decoding.sampling import Sampling
from core.limits import BRANCH_CHARACTERS, WRITTEN_TOKENS
from core.readings.generation import name_written, read_end, read_unusable
from core.topics.generate.setup import mask_note
from core.topics.generate.story import Story, read_branches, room_behind
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.canvas import Token, TokenButtons
from pages.compute import generation as queries
from pages.shell import Shown
from pages.transformer.generate import settings
from pages.transformer.generate.settings import BRANCHES, COUNT, LOOKED_AT_TOKEN
from pages.widgets import Button, Control, Message, Notes, Part, Player, Values, control

NAME = "generate"  # of the page and its player
LINES = 2  # of the text, before it scrolls
MAX_BITS = 12.0  # a surprisal of this many bits has the full colour
NOTHING_WRITTEN = Shown([Message("Nothing is written yet: press Step or Play.", icon=":material/play_arrow:")])


def sampling_controls(run: Run, values: Values) -> Iterator[Control]:
    """Yield the controls for drawing the next token; all but the temperature are under "More"."""
    yield control(settings.TEMPERATURE, step=0.1, format="%g", width=130)
    yield control(settings.TOP_K, "more")
    yield control(settings.TOP_P, "more", step=0.05, format="%g")
    yield control(settings.MIN_P, "more", step=0.05, format="%g")
    yield control(settings.PENALTY, "more", step=0.1, format="%g")
    yield control(settings.SEED, "more")
    yield control(BRANCHES, "more", max_chars=BRANCH_CHARACTERS)


def story(run: Run, values: Values) -> Story:
    """Return the text that the model writes after the visitor's own."""
    run = replace(run, pads=0)
    sampling = Sampling(*(values[setting] for setting in settings.SAMPLING))
    start, (forced, _) = queries.start(run), read_branches(values[BRANCHES], run.config.vocab_size)
    max_tokens = room_behind(run.config, len(start))
    written = queries.written(run, sampling, forced, min(int(values[COUNT] or 0), max_tokens))
    looked = values[LOOKED_AT_TOKEN]
    return Story(run, sampling, forced, start, written, max_tokens, None if looked is None else int(looked))


def newest_place(run: Run, values: Values) -> HeadAddress:
    """Return the head in which the last token that was read looks most clearly at a word before it."""
    text = story(run, values)
    return queries.newest_place(text.run, text.ids)


def story_parts(story: Story, values: Values) -> Sequence[Part]:
    """Return the parts above a view: notes on ignored settings, the player, the text, and why nothing follows it.

    If the visitor has written branches, there is also a button that takes them back.
    """
    vocabulary = story.run.config.vocab_size
    wrong = read_branches(values[BRANCHES], vocabulary)[1]
    unusable = read_unusable(wrong, WRITTEN_TOKENS, vocabulary, BRANCH_CHARACTERS)
    player = Player(NAME, COUNT, story.max_tokens, len(story.written), story.over, LOOKED_AT_TOKEN)
    end = read_end(story.ended, len(story.start) + len(story.written) - 1) if story.over else None
    back = Button("Take all branches back", "generate-unbranch", lambda: {BRANCHES.key: ""}, icon=":material/undo:")
    notes = [mask_note(story.run.masks), unusable]
    return [Notes(notes), player, _buttons(story), Notes([end]), *([back] if story.forced else [])]


def _buttons(story: Story) -> TokenButtons:
    tokens = [Token(piece, "the beginning", still=True) for piece in queries.start_pieces(story.run)]
    first = len(tokens)
    for index, token in enumerate(story.written):
        note = name_written(index, token.own, token.surprisal, token.forced)
        tokens.append(Token(token.piece, note, min(1.0, token.surprisal / MAX_BITS), new=True, forced=token.forced))
    return TokenButtons(
        tokens,
        key="generate-text",
        name="The text, token by token",
        selected=first + story.at if story.written else None,
        sets=lambda position: {LOOKED_AT_TOKEN.key: position - first} if position >= first else {},
        caption="Framed: written by the model; dashed: by you. The stronger the colour, the more it surprised the "
        f"model, up to {MAX_BITS:g} bits.",
        click="Click one to see how it was chosen.",
        hue="chance",
        lines=LINES,
    )


def once_written(show: Callable[[Story, Values], Shown]) -> Callable[[Story, Values], Shown]:
    """Wrap a view of a token so that it shows a sentence while nothing is written."""

    def shown(text: Story, values: Values) -> Shown:
        return show(text, values) if text.written else NOTHING_WRITTEN

    return shown
