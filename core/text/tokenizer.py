"""Text to tokens and back: the six sentencepiece tokenizers of ``assets/tokenizers``.

sentencepiece: Kudo and Richardson 2018. Any text round-trips exactly: one space is put before each line that is not
empty and removed in decoding, a character that is not a piece becomes its UTF-8 bytes, and a typed U+2581,
sentencepiece's mark for a space, is always spelt in bytes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
import sentencepiece

from core.limits import CUT_CHARACTERS, READ_CHARACTERS, SEGMENTED_CHARACTERS, TOKENIZER_MIB
from core.memory import MIB
from core.text import segmentations
from core.text.bounded_read import bounded_bytes
from core.text.broken_file import BrokenFile
from core.text.pieces import (
    FIRST_BYTE,
    FIRST_LEARNED,
    LITERAL_MARK,
    Tokens,
    byte_ids,
    cut_note,
    describe,
    is_byte,
    label,
    mark_spaces,
    prefixed,
    unprefixed,
)
from core.text.special import OUR_IDS, SPECIAL, UNK, SpecialIds
from core.text.withheld import WithheldPieces, is_withheld
from core.text.words import MARK

TOKENIZERS: tuple[str, ...] = ("unigram-8000", "unigram-4000", "unigram-1000", "bpe-8000", "bpe-4000", "bpe-1000")
TOKENIZERS_FOLDER = Path(__file__).parents[2] / "assets" / "tokenizers"
REBUILD = "python -m core.training tokenizers --data DIR"
MAX_ALPHA = 100
MAX_WORD_PIECES = 64  # pieces at the end of a text among which its last word is sought
WITHHELD = "(not written)"  # the label of a piece that is a withheld word


@dataclass(frozen=True)
class Segmentation:
    """One way to cut a text.

    score: its log-probability; None for BPE, which has no probabilities.
    probability: its probability divided by the sum over all ways to cut the text; None for BPE.
    """

    tokens: Tokens
    score: float | None
    probability: float | None


@dataclass(frozen=True, eq=False)
class Tokenizer:
    """One of the `TOKENIZERS`; get it with `Tokenizer.load`. No call changes it."""

    name: str
    kind: str
    _processor: sentencepiece.SentencePieceProcessor
    _pieces: tuple[str, ...]
    _scores: Mapping[str, float]

    @classmethod
    def load(cls, name: str = TOKENIZERS[0], folder: Path = TOKENIZERS_FOLDER) -> "Tokenizer":
        """Read the tokenizer in ``folder/name.model``.

        Raises ValueError for an unknown name, and BrokenFile for a missing or damaged file.
        """
        if name not in TOKENIZERS:
            raise ValueError(f"There is no tokenizer {name!r:.40}; choose one of {', '.join(TOKENIZERS)}.")
        kind, size = name.split("-")
        path, again = folder / f"{name}.model", REBUILD if folder == TOKENIZERS_FOLDER else None
        try:
            tokenizer = cls.from_model(name, kind, bounded_bytes(path, TOKENIZER_MIB * MIB))
        except (OSError, RuntimeError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error  # an OSError's own text holds the path
            raise BrokenFile(f"The tokenizer file {path.name} is missing or damaged ({why}).", again) from error
        expected = SPECIAL + tuple(f"<0x{byte:02X}>" for byte in range(256))
        if tokenizer.vocab_size != int(size) or tokenizer._pieces[:FIRST_LEARNED] != expected:
            what = f"The tokenizer file {path.name} is damaged: it does not hold the {size} pieces expected."
            raise BrokenFile(what, again)
        return tokenizer

    @classmethod
    def from_model(cls, name: str, kind: str, model: bytes) -> "Tokenizer":
        """Return the tokenizer of a model that `core.text.trainer.train_model` has returned.

        Raises RuntimeError if the bytes are damaged.
        """
        processor = sentencepiece.SentencePieceProcessor()
        processor.LoadFromSerializedProto(model)
        pieces = tuple(processor.IdToPiece(i) for i in range(processor.GetPieceSize()))
        scores = {pieces[i]: processor.GetScore(i) for i in range(FIRST_LEARNED, len(pieces))}
        return cls(name, kind, processor, pieces, scores)

    @property
    def scores(self) -> Mapping[str, float]:
        """The log-probability of each learned piece, or for BPE minus its rank, in the order of the ids."""
        return self._scores

    def to_bytes(self) -> bytes:
        """Return the tokenizer as a sentencepiece model file."""
        held: bytes = self._processor.serialized_model_proto()
        return held

    @property
    def special(self) -> SpecialIds:
        return OUR_IDS

    @property
    def target(self) -> "Tokenizer":
        return self

    @property
    def vocab_size(self) -> int:
        """The number of pieces, including the 4 special ones and the 256 bytes."""
        return len(self._pieces)

    def encode(self, text: str, *, limit: int | None = None) -> Tokens:
        """Return the pieces of ``text``, at most ``limit`` of them.

        At most `READ_CHARACTERS` characters are read. Raises ValueError for a text without a word, for half of a
        surrogate pair, and for a limit below 1.
        """
        if limit is not None and limit < 1:
            raise ValueError(f"The limit of {limit} tokens must be at least 1.")
        check_text(text)
        read = text[:READ_CHARACTERS]
        ids = self.ids(read)
        tokens = describe(ids[:limit], self._pieces, prefixed(read))
        note = cut_note(len(tokens.ids), len(ids), len(read), len(text))
        return replace(tokens, cut=len(ids) - len(tokens.ids), note=note)

    def ids(self, text: str) -> list[int]:
        """Return only the ids, of the whole text: fast, for training. An empty text gives none.

        Raises ValueError for half of a surrogate pair.
        """
        check_unicode(text)
        return self._cut(prefixed(text))

    def _cut(self, line_spaced: str) -> list[int]:
        """Return the ids of a text that `prefixed` has returned, or of a part of one."""
        ids: list[int] = []
        for index, part in enumerate(line_spaced.split(MARK)):
            if index:
                ids += byte_ids(MARK)
            ids += self._processor.Encode(part)
        return ids

    def best_ids(self, word: str, count: int) -> tuple[list[list[int]], list[float]]:
        """Return the ids of the `count` best segmentations of one spaced word, and their log-probabilities."""
        if MARK in word:
            return [self._cut(word)], [0.0]
        ways = self._processor.NBestEncodeAsIds(word, count) or [self._processor.Encode(word)]
        scores = [sum(self._processor.GetScore(i) for i in way) for way in ways]
        return ways, scores

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ``ids``. `PAD`, `BOS` and `EOS` are left out; `UNK` and invalid UTF-8 become U+FFFD."""
        self._check_ids(ids)
        return unprefixed(b"".join(map(self._bytes, ids)).decode("utf-8", errors="replace"))

    def describe(self, ids: Sequence[int]) -> Tokens | None:
        """Return the record of ids that a model wrote.

        None if there are no ids, if one of them is special, or if a character is incomplete.
        """
        self._check_ids(ids)
        text = b"".join(map(self._bytes, ids)).decode("utf-8", errors="replace")
        if not ids or "\ufffd" in text or min(ids) < FIRST_BYTE:
            return None
        return describe(ids, self._pieces, text)

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Return the pieces of ``ids`` as the sentencepiece model spells them."""
        self._check_ids(ids)
        return tuple(self._pieces[i] for i in ids)

    def labels(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Return labels for pieces that need not form a text, such as the likeliest next ones.

        A piece that is a withheld word has `WITHHELD` for its label.
        """
        self._check_ids(ids)
        return tuple(self._label(i, self._pieces[i]) for i in ids)

    def withheld_after(self, ids: Sequence[int]) -> tuple[int, ...]:
        """Return the ids that our models may not write after `ids`: each would complete a withheld word."""
        return self._withheld.after(b"".join(map(self._bytes, ids[-MAX_WORD_PIECES:])))

    def nbest(self, text: str, n: int) -> tuple[Segmentation, ...]:
        """Return the ``n`` most probable segmentations by the unigram model, best first; fewer if there are not ``n``.

        Raises ValueError for BPE, for a text longer than `SEGMENTED_CHARACTERS`, and if ``n`` is below 1 or ``n`` times
        the length of the text exceeds `CUT_CHARACTERS`.
        """
        if self.kind != "unigram":
            raise ValueError(
                f"{self.name} gives one segmentation: BPE has no probabilities. Choose a unigram tokenizer."
            )
        marked = _marked(text, n)
        edges = segmentations.lattice(marked, self._scores)
        total = segmentations.totals(edges)[-1]
        return tuple(self._segmentation(marked, cuts, score, total) for cuts, score in segmentations.best(edges, n))

    def sample(self, text: str, alpha: float, seed: int, count: int = 1) -> tuple[Segmentation, ...]:
        """Return ``count`` segmentations drawn at random; the same ``seed`` draws the same ones.

        alpha: for unigram, the exponent of the probability in proportion to which a segmentation is drawn (Kudo 2018):
            with 0 all are equally likely, 1 is the model's own distribution, and more, up to `MAX_ALPHA`, favours the
            best. For BPE, the probability of leaving out a merge (Provilkov et al. 2020): 0 is plain BPE, 1 gives
            single characters.

        Raises ValueError for an alpha outside these, for a text longer than `SEGMENTED_CHARACTERS`, and if ``count`` is
        below 1 or ``count`` times the length of the text exceeds `CUT_CHARACTERS`.
        """
        highest = 1 if self.kind == "bpe" else MAX_ALPHA
        if not 0 <= alpha <= highest:
            raise ValueError(f"alpha {alpha} is outside 0 to {highest}.")
        marked = _marked(text, count)
        rng = np.random.default_rng(seed)
        if self.kind == "bpe":
            cuts = (segmentations.bpe_dropout(marked, self._scores, alpha, rng) for _ in range(count))
            return tuple(self._segmentation(marked, offsets) for offsets in cuts)
        edges = segmentations.lattice(marked, self._scores)
        total = segmentations.totals(edges)[-1]
        drawn = segmentations.draws(edges, alpha, rng, count)
        return tuple(self._segmentation(marked, offsets, score, total) for offsets, score in drawn)

    def _segmentation(
        self, marked: str, cuts: Sequence[int], score: float | None = None, total: float = 0.0
    ) -> Segmentation:
        ids: list[int] = []
        for piece in (marked[a:b] for a, b in pairwise(cuts)):
            known = piece in self._scores
            ids += [self._processor.PieceToId(piece)] if known else byte_ids(piece.replace(LITERAL_MARK, MARK))
        tokens = describe(ids, self._pieces, marked.replace(MARK, " ").replace(LITERAL_MARK, MARK))
        probability = None if score is None else float(np.exp(score - total))
        return Segmentation(tokens, score, probability)

    @cached_property
    def _withheld(self) -> WithheldPieces:
        return WithheldPieces.of([self._bytes(i) for i in range(self.vocab_size)])

    @staticmethod
    def _label(i: int, piece: str) -> str:
        return WITHHELD if is_withheld(piece) else label(i, piece, joins=not piece.startswith(MARK))

    def _bytes(self, i: int) -> bytes:
        if is_byte(i):
            return bytes([i - FIRST_BYTE])
        if i == UNK:
            return "\ufffd".encode()
        return b"" if i < FIRST_BYTE else self._pieces[i].replace(MARK, " ").encode()

    def _check_ids(self, ids: Sequence[int]) -> None:
        for i in ids:
            if not 0 <= i < self.vocab_size:
                raise ValueError(f"Token id {i} is outside 0 to {self.vocab_size - 1}.")


def _marked(text: str, count: int) -> str:
    """Return ``text`` as `core.text.segmentations` needs it.

    Raises ValueError for a text without a word or with half of a surrogate pair, and if ``count`` segmentations of it
    are too much work.
    """
    check_text(text)
    if len(text) > SEGMENTED_CHARACTERS:
        raise ValueError(
            f"Other ways to cut are for up to {SEGMENTED_CHARACTERS:,} characters; this text has {len(text):,}."
        )
    max_ways = CUT_CHARACTERS // len(text)
    if not 1 <= count <= max_ways:
        raise ValueError(f"1 to {max_ways:,} ways to cut {len(text):,} characters can be had, not {count:,}.")
    return mark_spaces(text)


def check_text(text: str) -> None:
    """Raise ValueError for a text without a word, and for half of a surrogate pair."""
    if not text.strip():
        raise ValueError("Type at least one word.")
    check_unicode(text)


def check_unicode(text: str) -> None:
    """Raise ValueError for half of a surrogate pair, which no text in UTF-8 can contain."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = ord(text[error.start])
        raise ValueError(
            f"Character {error.start + 1:,} is half of a surrogate pair (U+{half:04X}), which is not text; take it out."
        ) from error
