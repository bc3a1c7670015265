"""The same text cut by every tokenizer, and the entries of a tokenizer's vocabulary."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.limits import TOKENS
from core.text import segmentations
from core.text.hub import THE_MODELS, HubTokenizer
from core.text.pieces import FIRST_LEARNED, Tokens, label
from core.text.subword_cutters import JsonCutter
from core.text.tokenizer import Tokenizer
from core.text.words import MARK, SPACE, byte_label, visible
from core.topics.tokens.merging import merges_of, spelled_name
from core.topics.tokens.words import Looked, pieces_of_words

CHARACTERS, BYTES = "characters", "bytes"
CODE_POINTS, BYTE_VALUES = 0x110000, 256
NEIGHBOURS_EACH_SIDE = 3  # neighbours in the vocabulary, on each side


@dataclass(frozen=True)
class Cut:
    """A text cut by one tokenizer, with at most `TOKENS` of its tokens.

    size: the number of pieces in the vocabulary.
    owners: for each token the number of its word, None between words.
    shares: for each token the number of tokens of its word, or 1 between words.
    total: tokens of the whole text, with the special ones around it.
    around: the number of special tokens around the text.
    per_word: tokens of each word between white space.
    """

    name: str
    size: int
    labels: tuple[str, ...]
    ids: tuple[int, ...]
    owners: tuple[int | None, ...]
    shares: tuple[int, ...]
    total: int
    around: int
    per_word: tuple[int, ...]

    @property
    def mean(self) -> float:
        """The mean number of tokens of a word, without the special tokens around the text."""
        return (self.total - self.around) / len(self.per_word)


@dataclass(frozen=True)
class Entry:
    """A piece of a vocabulary.

    score: its log-probability, None if it has none.
    rank: the number of the merge that made it, from 1, None if no merge did.
    parts: the pieces that this merge joined, () if there is none.
    """

    id: int
    label: str
    score: float | None = None
    rank: int | None = None
    parts: tuple[str, ...] = ()


def cut(looked: Looked, tokenizer: Tokenizer | HubTokenizer) -> Cut:
    """Return the run's text cut by one tokenizer."""
    tokens = tokenizer.encode(looked.run.text)
    name = THE_MODELS if isinstance(tokenizer, HubTokenizer) or tokenizer is looked.model else tokenizer.name
    return _cut(looked, name, tokenizer.vocab_size, tokens)


def plain_cuts(looked: Looked) -> tuple[Cut, Cut]:
    """Return the run's text cut into characters and into bytes of UTF-8; ids are Unicode numbers and byte values."""
    text = looked.run.text
    one_each = [(i, i + 1) for i in range(len(text))]
    letters = _tokens(
        text,
        [ord(letter) for letter in text],
        [SPACE if letter == " " else visible(letter) for letter in text],
        one_each,
    )
    spelt = [(byte, (i, i + 1)) for i, letter in enumerate(text) for byte in letter.encode()]
    ids = [byte for byte, _ in spelt]
    data = _tokens(text, ids, [byte_label(byte) for byte in ids], [span for _, span in spelt])
    return _cut(looked, CHARACTERS, CODE_POINTS, letters), _cut(looked, BYTES, BYTE_VALUES, data)


def entries(tokenizer: Tokenizer | HubTokenizer, i: int) -> tuple[Entry, ...]:
    """Return the piece with this id and its neighbours in the vocabulary, in the order of their ids."""
    first, last = max(0, i - NEIGHBOURS_EACH_SIDE), min(tokenizer.vocab_size - 1, i + NEIGHBOURS_EACH_SIDE)
    return tuple(entry(tokenizer, number) for number in range(first, last + 1))


def entry(tokenizer: Tokenizer | HubTokenizer, i: int) -> Entry:
    """Return the piece with this id."""
    if isinstance(tokenizer, HubTokenizer):
        return _hub_entry(tokenizer, i)
    (piece,) = tokenizer.pieces([i])
    (shown,) = tokenizer.labels([i])
    if i < FIRST_LEARNED:
        return Entry(i, shown)
    if tokenizer.kind == "unigram":
        return Entry(i, shown, score=tokenizer.scores[piece])
    if len(piece) == 1:
        return Entry(i, shown)
    states = [cuts for cuts, _ in segmentations.merges(piece, tokenizer.scores) if len(cuts) == 3]
    parts = [_part(piece[a:b]) for cuts in states for a, b in pairwise(cuts)]
    return Entry(i, shown, rank=i - FIRST_LEARNED + 1, parts=tuple(parts))


def _hub_entry(tokenizer: HubTokenizer, i: int) -> Entry:
    cutter, merges, (shown,) = tokenizer.cutter, merges_of(tokenizer), tokenizer.labels([i])
    if not isinstance(cutter, JsonCutter) or i >= len(cutter.names):
        return Entry(i, shown)
    if i < len(cutter.scores):
        return Entry(i, shown, score=cutter.scores[i])
    pair = merges.made_of.get(cutter.names[i]) if merges else None
    if merges is None or pair is None:
        return Entry(i, shown)
    return Entry(i, shown, rank=merges.ranks[pair], parts=tuple(spelled_name(cutter.spell(name)) for name in pair))


def hardest(text_cut: Cut) -> int:
    """Return the position of the word that a tokenizer cuts into most pieces, the first of equals."""
    return text_cut.per_word.index(max(text_cut.per_word))


def longest_whole(text_cut: Cut, lengths: Sequence[int]) -> int | None:
    """Return the position of the longest word that a tokenizer keeps in one piece, the first of equals.

    lengths: number of characters of each word.

    Returns None if it cuts every word.
    """
    whole = [k for k, count in enumerate(text_cut.per_word) if count == 1]
    return max(whole, key=lambda k: lengths[k], default=None)


def _part(piece: str) -> str:
    return label(FIRST_LEARNED, piece, joins=not piece.startswith(MARK))


def _tokens(text: str, ids: Sequence[int], labels: Sequence[str], spans: Sequence[tuple[int, int]]) -> Tokens:
    return Tokens(text, tuple(ids), tuple(labels), tuple(labels), tuple(spans), (), ())


def _cut(looked: Looked, name: str, size: int, tokens: Tokens) -> Cut:
    owners = pieces_of_words(tokens, looked.spans)
    counts = Counter(owners)
    shares = tuple(1 if k is None else counts[k] for k in owners)[:TOKENS]
    per_word = tuple(counts[k] for k in range(len(looked.spans)))
    labels, ids = tokens.labels[:TOKENS], tokens.ids[:TOKENS]
    return Cut(name, size, labels, ids, tuple(owners[:TOKENS]), shares, len(tokens), sum(tokens.around), per_word)
