"""The view of a forced alignment: all weight on one word for one token, with both translations side by side."""

from collections.abc import Iterator

from core.checkpoints.languages import FRENCH
from core.topics.sequence_to_sequence.readings import read_forced_tokens
from core.topics.sequence_to_sequence.records import ADDITIVE, Passage
from core.topics.translate.changes import changes
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.parts import place_in
from pages.comparisons.sequence_to_sequence.settings import REDIRECTED_TOKEN, SOURCE_TOKEN
from pages.shell import Shown, View
from pages.widgets import Control, Listing, Markdown, Values, control


def _controls(text: str, values: Values) -> Iterator[Control]:
    """Yield the controls for the token that is redirected, and for the source token to which it is."""
    passage = queries.passage(ADDITIVE, text)
    yield control(REDIRECTED_TOKEN, high=len(passage.ids) - 1, width=170)
    yield control(SOURCE_TOKEN, high=len(passage.source) - 1, width=150)


def _show(text: str, values: Values) -> Shown:
    """Show the two translations of the GRU with attention, and the weights of the second."""
    before = queries.passage(ADDITIVE, text)
    row, column = place_in(before, values[REDIRECTED_TOKEN], values[SOURCE_TOKEN])
    after = queries.passage(ADDITIVE, text, (row, column))
    changed_tokens = changes(before.ids, after.ids)
    source = TokenButtons(
        [Token(piece) for piece in before.source],
        key="sequence-to-sequence-force-source",
        name="The source",
        selected=column,
        sets=lambda clicked: {SOURCE_TOKEN.key: clicked},
        hue="k",
    )
    first = TokenButtons(
        _tokens(before, changed_tokens.lost, struck=True),
        key="sequence-to-sequence-before",
        name="The translation as it was",
        language=FRENCH,
        selected=row,
        sets=lambda clicked: {REDIRECTED_TOKEN.key: clicked},
    )
    second = TokenButtons(
        _tokens(after, changed_tokens.new),
        key="sequence-to-sequence-after",
        name="The forced translation",
        language=FRENCH,
        hue="size",
    )
    weights = after.states["decoder.pattern"]
    labels = (after.rows, after.columns, "written (queries)", "read (keys)")
    panel = Panel("forced", "The weights, forced", weights, *labels, scale="weight", outlines=[(row, column)])
    return Shown(
        pictures=[
            Markdown("**The source** (click the token to look at)"),
            source,
            Markdown("**The translation as it was** (click the token to redirect)"),
            first,
            Markdown("**The translation with all weight on that token**"),
            second,
            Matrices([panel], key="sequence-to-sequence-forced", name="The forced alignment", height=420),
        ],
        lead="Does the word come from where the GRU looks? Make it look at one token of the source alone when it "
        "writes one token. The tokens after it go on from there by themselves.",
        takeaway=read_forced_tokens(
            before.source[column], (before.pieces[row], after.pieces[row]), len(changed_tokens.new), len(after.ids)
        ),
        formula=rf"a_{{{row},{column}}} = 1 \qquad a_{{{row},j}} = 0 \text{{ for }} j \ne {column}",
        table=Listing("forced", {"": ["as it was", "forced"], "translation": [before.text, after.text]}),
        source=("core.tracing.step_tap.StepTap", "core.topics.sequence_to_sequence.translations.looking_only_at"),
    )


def _tokens(passage: Passage, marked: frozenset[int], struck: bool = False) -> list[Token]:
    return [
        Token(
            piece,
            f"chance {probability:.3f}",
            float(n in marked and not struck),
            new=True,
            struck=n in marked and struck,
        )
        for n, (piece, probability) in enumerate(zip(passage.pieces, passage.probabilities, strict=True))
    ]


VIEW = View("force it", _show, _controls)
