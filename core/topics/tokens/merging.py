"""The merges by which BPE cuts a word, one after the other."""

from dataclasses import dataclass
from itertools import accumulate, pairwise

from core.text import segmentations
from core.text.hub import HubTokenizer
from core.text.pair_merges import PairMerges
from core.text.pieces import FIRST_LEARNED, LITERAL_MARK, byte_ids, mark_spaces
from core.text.subword_cutters import JsonCutter
from core.text.tokenizer import Tokenizer
from core.text.words import MARK, SPACE, byte_label, visible


@dataclass(frozen=True)
class MergePair:
    """Two neighbouring pieces that a merge joins.

    rank: the number of that merge in the training, from 1.
    """

    left: str
    right: str
    rank: int


@dataclass(frozen=True)
class MergeState:
    """A word after some merges.

    cuts: the offsets 0 … len of its pieces.
    pieces: their names.
    joined: the position of the piece that the last merge made, None at the start.
    pairs: the pairs that can be merged now, the next one first.
    """

    cuts: tuple[int, ...]
    pieces: tuple[str, ...]
    joined: int | None
    pairs: tuple[MergePair, ...]


@dataclass(frozen=True)
class Merged:
    """All states of a word, from its single characters to its last merge.

    ids: the ids of the final pieces; a piece that is not in the vocabulary is spelt in bytes, or unknown.
    spelt: the characters that are spelt in bytes.
    """

    states: tuple[MergeState, ...]
    ids: tuple[int, ...]
    spelt: tuple[str, ...]


def merged(tokenizer: Tokenizer | HubTokenizer, word: str) -> Merged:
    """Return the merges of a word without white space.

    Raises ValueError for a tokenizer that merges nothing.
    """
    if isinstance(tokenizer, HubTokenizer):
        return _merged_pairs(tokenizer, word)
    if tokenizer.kind != "bpe":
        raise ValueError(f"{tokenizer.name} merges nothing: choose a BPE tokenizer.")
    text, states, joined = mark_spaces(word), [], None
    ranks = {piece: rank for rank, piece in enumerate(tokenizer.scores, start=1)}
    for cuts, places in segmentations.merges(text, tokenizer.scores):
        pieces = [text[a:b] for a, b in pairwise(cuts)]
        names = tuple(map(piece_name, pieces))
        pairs = [MergePair(names[k - 1], names[k], ranks[pieces[k - 1] + pieces[k]]) for k in places]
        states.append(MergeState(tuple(cuts), names, joined, tuple(pairs)))
        joined = places[0] - 1 if places else None
    ids: list[int] = []
    for piece in pieces:
        known = piece in ranks
        ids += [FIRST_LEARNED + ranks[piece] - 1] if known else byte_ids(piece.replace(LITERAL_MARK, MARK))
    spelt = tuple(name for name, piece in zip(names, pieces, strict=True) if piece not in ranks)
    return Merged(tuple(states), tuple(ids), spelt)


def _merged_pairs(tokenizer: HubTokenizer, word: str) -> Merged:
    """Return the merges of a word by a tokenizer with a learned list of pairs (BPE).

    If its pre-tokenization splits the word, nothing is merged across the split. Raises ValueError if the tokenizer has
    no such list.
    """
    cutter, merges = tokenizer.cutter, merges_of(tokenizer)
    if merges is None or not isinstance(cutter, JsonCutter):
        raise ValueError("The model's tokenizer merges no pairs: choose a BPE tokenizer.")
    states = []
    for state in merges.states(cutter.parts(word)):
        pieces = state.pieces
        names = tuple(spelled_name(cutter.spell(piece)) for piece in pieces)
        pairs = [MergePair(names[k], names[k + 1], merges.ranks[pieces[k], pieces[k + 1]]) for k in state.fits]
        cuts = (0, *accumulate(map(len, pieces)))
        states.append(MergeState(cuts, names, state.joined, tuple(pairs)))
    ends = [cutter.spelt(piece) for piece in pieces]
    spelt = tuple(name for name, (_, in_bytes) in zip(names, ends, strict=True) if in_bytes)
    return Merged(tuple(states), tuple(i for ids, _ in ends for i in ids), spelt)


def merges_of(tokenizer: HubTokenizer) -> PairMerges | None:
    """Return the merges that the tokenizer of a model made elsewhere learned; None if it merges nothing."""
    return tokenizer.cutter.merges if isinstance(tokenizer.cutter, JsonCutter) else None


def spelled_name(spelled: bytes) -> str:
    """Return bytes as text, or byte by byte if they are only part of a character."""
    try:
        return visible(spelled.decode()).replace(" ", SPACE)
    except UnicodeDecodeError:
        return " ".join(map(byte_label, spelled))


def piece_name(piece: str) -> str:
    """Return a piece with each space as ␣."""
    return visible(piece.replace(MARK, " ").replace(LITERAL_MARK, MARK)).replace(" ", SPACE)
