"""What the views of this page look at: a word that the model writes, another to compare it with, and a part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.topics.circuits.attribution import Attribution
from core.topics.circuits.parts import Component
from core.tracing.run import Run, TokenRow
from pages.canvas import Token, TokenButtons
from pages.compute.cache import check
from pages.transformer.circuits import queries
from pages.transformer.circuits.settings import AGAINST, AVERAGE, CANDIDATE, KEY, NOTHING, PART, WORD
from pages.widgets import Control, Values, control

MAX_TOKENS, SCROLLED_LINES = 60, 3  # more than MAX_TOKENS tokens scroll in SCROLLED_LINES lines
NEXT = "…"
OF_WORD = (CANDIDATE.key, PART.key, KEY.key)  # chosen anew with another word
NO_PIECE = -1


@dataclass(frozen=True, eq=False)
class WrittenWord:
    """A piece that a model writes at one place of a text, and the parts that speak for it.

    word: its place among the stack's tokens; their number if it comes after all of them.
    candidate: its place among the candidates of `attribution`.
    against: the place of the piece that it is compared with; None for the average piece, `NO_PIECE` for nothing.
    """

    run: Run
    stack: str
    word: int
    attribution: Attribution
    candidate: int
    against: int | None
    chosen_part: int | None

    @property
    def piece(self) -> str:
        return self.attribution.candidates.pieces[self.candidate]

    @property
    def against_name(self) -> str:
        """The name of what the piece is compared with; "" for nothing."""
        if self.against is None:
            return "the average word"
        return "" if self.against == NO_PIECE else f"“{self.attribution.candidates.pieces[self.against]}”"

    def compared(self, numbers: np.ndarray) -> np.ndarray:
        """Return numbers (…, C + 1) of all candidates and of the mean as numbers (…,) of this comparison."""
        own = numbers[..., self.candidate]
        return np.asarray(
            own if self.against == -1 else own - numbers[..., -1 if self.against is None else self.against]
        )

    @cached_property
    def shares(self) -> np.ndarray:
        """What each part adds (P,)."""
        return self.compared(self.attribution.shares)

    @property
    def total(self) -> float:
        """The sum of the shares, from the model's own logits."""
        candidates = self.attribution.candidates
        return float(self.compared(np.append(candidates.logits, candidates.mean_logit)))

    @property
    def best_head(self) -> int | None:
        """The place of the head with the largest share among the parts; None if no head has one above 0."""
        parts = self.attribution.parts
        heads = [index for index, part in enumerate(parts) if part.head is not None and self.shares[index] > 0]
        return max(heads, key=lambda index: self.shares[index], default=None)

    @property
    def part_index(self) -> int:
        """The place of the part that is looked at: the chosen one, else the head that adds most."""
        if self.chosen_part is not None:
            return min(self.chosen_part, len(self.attribution.parts) - 1)
        best = self.best_head
        return int(self.shares.argmax()) if best is None else best

    @property
    def part(self) -> Component:
        return self.attribution.parts[self.part_index]

    @property
    def head_index(self) -> int:
        """The place of the part that is looked at if it is a head, else of the head that adds most."""
        parts = self.attribution.parts
        if parts[self.part_index].head is not None:
            return self.part_index
        heads = [index for index, part in enumerate(parts) if part.head is not None]
        return max(heads, key=lambda index: self.shares[index])


def written_word(run: Run, values: Values) -> WrittenWord | None:
    """Return the word that is looked at; None if the model writes no words."""
    if not queries.writes_words(run):
        return None
    stack = run.config.stacks[-1]
    word = word_at(run, values)
    attribution = queries.attribute(run, stack, word - (stack == "decoder"))
    candidates = attribution.candidates
    count = len(candidates.ids)
    default = candidates.written if candidates.written is not None else 0
    candidate = default if values[CANDIDATE] is None else min(int(values[CANDIDATE]), count - 1)
    chosen, part = values[AGAINST], values[PART]
    against = (
        {AVERAGE: None, NOTHING: NO_PIECE}[chosen] if chosen in (AVERAGE, NOTHING) else min(int(chosen), count - 1)
    )
    return WrittenWord(run, stack, word, attribution, candidate, against, None if part is None else int(part))


def word_at(run: Run, values: Values) -> int:
    """Return the place of the word that is looked at.

    If none is chosen: for a decoder alone the one that comes next; for an encoder-decoder the longest word of the
    decoder's text; for an encoder the first hidden token, else the last word.
    """
    row, written = _row(run)
    first, last = _ends(run)
    if values[WORD] is not None:
        return int(min(max(values[WORD], first), last))
    if run.config.stacks == ("decoder",):
        return last
    words = [place for place in range(first, written) if row.pieces[place].isalpha()]
    if run.config.has_two_stacks:
        return max(words, key=lambda place: len(row.pieces[place]), default=last)
    mask = run.format.special.mask
    if mask is not None and mask in row.ids:
        return row.ids.index(mask)
    return words[-1] if words else written - 1


def word_controls(run: Run, values: Values) -> Iterator[Control]:
    """Yield the controls for the word, what it is compared with, and the part that is looked at."""
    if not queries.writes_words(run):
        return
    word = written_word(run, values)
    assert word is not None
    pieces = word.attribution.candidates.pieces
    names = {AVERAGE: "the average word", NOTHING: "nothing"} | {str(at): f"“{it}”" for at, it in enumerate(pieces)}
    yield control(AGAINST, "below", options=tuple(names), format_func=names.__getitem__, width=220)
    yield control(WORD, "below", high=_ends(run)[1], width=120)
    yield control(CANDIDATE, "below", high=len(pieces) - 1, width=120)
    yield control(PART, "below", high=len(word.attribution.parts) - 1, width=120)


def words_row(run: Run, values: Values) -> TokenButtons:
    """Return the tokens of the text, and one for what comes next; a click asks who wrote it."""
    row, written = _row(run)
    first, last = _ends(run)
    tokens = [Token(piece, still=not first <= place <= last) for place, piece in enumerate(row.pieces[:written])]
    if last == written:
        tokens.append(Token(NEXT, "what the model would write next", new=True))
    return TokenButtons(
        tokens,
        key="circuits-words",
        name="the word that was written",
        selected=word_at(run, values),
        hue="size",
        click="Click a word to ask about it.",
        lines=SCROLLED_LINES if len(tokens) > MAX_TOKENS else None,
        sets=lambda place: dict.fromkeys(OF_WORD, None) | {WORD.key: place} if first <= place <= last else {},
    )


def part_name(part: Component) -> str:
    """Name a part in a sentence."""
    if part.head is not None:
        crossing = " in cross-attention" if part.kind == "cross-attention" else ""
        return f"head {part.head + 1} of layer {part.layer + 1}{crossing}"
    return f"feed-forward layer {part.layer + 1}" if part.layer >= 0 else f"the {part.kind}"


def distinct(labels: Sequence[str]) -> list[str]:
    """Return labels of which no two are equal: a small vocabulary has fewer words than the chart has bars."""
    seen: dict[str, int] = {}
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
    counted = dict.fromkeys(labels, 0)
    named = []
    for label in labels:
        counted[label] += 1
        named.append(label if counted[label] == 1 else f"{label} ({counted[label]})")
    return named


def _row(run: Run) -> tuple[TokenRow, int]:
    """Return the tokens of the stack that writes words, and the number of those before the padding."""
    row = check(run)[run.config.stacks[-1]]
    return row, len(row) - (0 if run.config.has_two_stacks else run.pads)


def _ends(run: Run) -> tuple[int, int]:
    """Return the first and the last place at which a word is written."""
    written = _row(run)[1]
    return (1, written) if run.config.stacks[-1] == "decoder" else (0, written - 1)
