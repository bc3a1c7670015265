"""What all texts share, whatever their tokenizer: the special pieces that every vocabulary starts with, and the most
tokens of one text."""

from dataclasses import dataclass

SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")
SPECIAL_LABELS = ("(pad)", "(unknown)", "(start)", "(end)")  # as every screen names them
PAD, UNK, BOS, EOS = range(len(SPECIAL))
MASK = UNK  # hides a token from a masked language model; no text in pieces holds it: what is unknown is spelt in bytes


@dataclass(frozen=True)
class SpecialIds:
    """The ids that a vocabulary keeps for itself; None where it has no such piece.

    pad: behind a shorter text of a batch. begin: what a decoder of two stacks begins with. end: what ends a text; a
    text that a model writes ends with any of other_ends too. mask: what hides a token. unknown: what stands for a word
    that no piece spells.
    """

    pad: int | None = None
    begin: int | None = None
    end: int | None = None
    mask: int | None = None
    other_ends: tuple[int, ...] = ()
    unknown: int | None = None

    @property
    def ends(self) -> frozenset[int]:
        """What ends a text that a model writes."""
        return frozenset(self.other_ends if self.end is None else (self.end, *self.other_ends))


OUR_IDS = SpecialIds(PAD, BOS, EOS, MASK, unknown=UNK)
NO_IDS = SpecialIds()
