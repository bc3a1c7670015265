"""The merges by which BPE made the pieces of a word, one at a time."""

from collections.abc import Iterator

from core.text.hub import HubTokenizer
from core.text.words import visible
from core.topics.tokens.charts.piece_bars import (
    LATER_KIND,
    LIT_KIND,
    OTHER_KIND,
    PieceBar,
    piece_bars_data,
    piece_bars_spec,
)
from core.topics.tokens.merging import Merged, MergeState, merged, merges_of
from core.topics.tokens.readings import note_no_merges, note_spelt, read_merges, read_next_merge
from core.topics.tokens.words import Looked
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Chart, Control, Listing, Player, Values, control, spec
from pages.words.tokens import queries
from pages.words.tokens.parts import chosen_word, there, word_control
from pages.words.tokens.settings import BPE, STEP

PLAYER = "tokens-player"
STEP_SECONDS = 0.9  # from one merge to the next, so that it can be read


def _controls(looked: Looked, values: Values) -> Iterator[Control]:
    yield control(BPE, options=there(BPE.options, looked, "bpe"), width=220)
    yield word_control(looked)


def _show(looked: Looked, values: Values) -> Shown:
    """Show the word after each merge, up to the chosen step."""
    tokenizer = queries.any_named(values[BPE], looked)
    line, word, cut = chosen_word(looked, values, lambda word: len(core_call(merged, tokenizer, word).states))
    merges = core_call(merged, tokenizer, word)
    steps = len(merges.states) - 1
    step = min(int(values[STEP] or 0), steps)
    state = merges.states[step]
    player = Player(PLAYER, STEP, max(1, steps), step, step == steps, seconds=STEP_SECONDS)
    data = piece_bars_data(merges.states[0].pieces, _bars(merges, step))
    chart = spec(piece_bars_spec, "The word after each merge", numbered=True)
    pairs = [(pair.left, pair.right, pair.rank) for pair in state.pairs]
    letters = len(merges.states[0].pieces)
    return Shown(
        pictures=[line, player, Chart(data, chart, key="tokens-merges-chart", name="Merges of a word")],
        takeaway=[
            *read_merges(visible(word), step, steps, len(state.pieces), letters),
            read_next_merge(pairs),
        ],
        notes=[cut, note_spelt(merges.spelt), note_no_merges(looked.title) if _hides(looked) else None],
        about="**BPE** starts from single characters. Each time it looks at all pairs of neighbours and joins the pair "
        "whose merge was learned earliest, which was the most frequent pair in the training text then. ␣ is the space "
        "before the word. Orange: what the last merge of each row made.",
        table=_table(state),
        source=("core.text.segmentations.merges", "core.topics.tokens.merging.merged"),
    )


def _hides(looked: Looked) -> bool:
    """Return whether the model's own tokenizer has no merges, so that it cannot be shown here."""
    return isinstance(looked.model, HubTokenizer) and merges_of(looked.model) is None


def _bars(merges: Merged, step: int) -> list[PieceBar]:
    """Return a row of pieces for each state; rows after `step` only keep their space."""
    bars = []
    for row, state in enumerate(merges.states):
        for index, piece in enumerate(state.pieces):
            kind = LATER_KIND if row > step else LIT_KIND if index == state.joined else OTHER_KIND
            tip = f"{row} merges" if row != 1 else "1 merge"
            bars.append(PieceBar(row, state.cuts[index], state.cuts[index + 1], piece, "", tip, kind))
    return bars


def _table(state: MergeState) -> Listing:
    """Return the pairs that could be merged now."""
    return Listing(
        "pairs-that-fit",
        {
            "left": [pair.left for pair in state.pairs],
            "right": [pair.right for pair in state.pairs],
            "merge number": [pair.rank for pair in state.pairs],
        },
    )


VIEW = View("how BPE got there", _show, _controls, player=PLAYER, reads_mask=False)
