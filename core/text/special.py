"""The special pieces with which our vocabularies start, and a record of the special pieces' ids in any vocabulary."""

from dataclasses import dataclass

SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")
SPECIAL_LABELS = ("(pad)", "(unknown)", "(start)", "(end)")  # as every screen names them
PAD, UNK, BOS, EOS = range(len(SPECIAL))
# Hides a token from a masked language model. No tokenized text contains it, because unknown characters become bytes.
MASK = UNK


@dataclass(frozen=True)
class SpecialIds:
    """The ids of the special pieces in a vocabulary; None if it has no such piece.

    pad: fills up the shorter texts of a batch.
    begin: the first token that the decoder of an encoder-decoder reads.
    end: ends a text.
    mask: hides a token.
    other_ends: further pieces that end a text written by a model.
    unknown: replaces a word that no pieces can spell.
    """

    pad: int | None = None
    begin: int | None = None
    end: int | None = None
    mask: int | None = None
    other_ends: tuple[int, ...] = ()
    unknown: int | None = None

    @property
    def ends(self) -> frozenset[int]:
        """The pieces that end a text written by a model."""
        return frozenset(self.other_ends if self.end is None else (self.end, *self.other_ends))


OUR_IDS = SpecialIds(PAD, BOS, EOS, MASK, unknown=UNK)
NO_IDS = SpecialIds()


@dataclass(frozen=True)
class TextFormat:
    """The form in which a model reads a text.

    begin, end: whether <s> comes before the text, and </s> after it.
    lower: whether the text is put into lower case.
    special: the ids of the special pieces in the model's vocabulary.
    """

    begin: bool = False
    end: bool = False
    lower: bool = False
    special: SpecialIds = OUR_IDS

    def in_case(self, text: str) -> str:
        """Return a text in lower case if the model reads that, otherwise unchanged."""
        return text.lower() if self.lower else text
