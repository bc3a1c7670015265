"""The trained word vectors: their words, both tables, and sorting words into known and unknown ones."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import numpy as np
import torch

from core.analysis.word_vectors import unit_rows
from core.checkpoints import weights
from core.checkpoints.shipped import MODELS_FOLDER, rebuild
from core.text.broken_file import BrokenFile
from core.text.withheld import withheld_words
from core.text.word_forms import read_words, text_words

NAME, WORDS = "word-vectors", "words.txt"
METHODS: Mapping[str, str] = {"skip-gram": "skipgram", "CBOW": "cbow"}  # the name on screen, and the name in the model
# Of a near spelling: the largest difference in length, and the least similarity.
MAX_LENGTH_DIFFERENCE, MIN_SIMILARITY = 2, 0.7


@dataclass(frozen=True, eq=False)
class WordTable:
    """The trained word vectors, shared by all callers and never written to.

    words: the words, commonest first.
    places: their numbers.
    vectors: the vectors by method, (V, D) with rows of length 1.
    title, data: the title and the data on the card.
    """

    words: tuple[str, ...]
    places: Mapping[str, int]
    vectors: Mapping[str, np.ndarray]
    title: str
    data: str

    def rows(self, method: str, words: Iterable[str]) -> np.ndarray:
        """Return the vectors of known words, (N, D), by one method, in float64."""
        return self.vectors[method][[self.places[word] for word in words]].astype(np.float64)


@dataclass(frozen=True)
class Sorted:
    """Words that someone typed, each once.

    known: the words in the table.
    unknown: the words not in the table, each with near spellings.
    cut: the number of further known words that were left out.
    """

    known: tuple[str, ...]
    unknown: Mapping[str, tuple[str, ...]]
    cut: int = 0


def read_table(folder: Path = MODELS_FOLDER) -> WordTable:
    """Return the table of word vectors in `folder`, without withheld words.

    Raises BrokenFile if a file is missing or damaged.
    """
    try:
        model, card = weights.load(folder / NAME)
        words = tuple(read_words(folder / NAME / WORDS))
        if len(words) != card.config.get("vocab_size"):
            raise ValueError(f"the list has {len(words):,} words, the card {card.config.get('vocab_size')}.")
    except ValueError as mistake:
        what = mistake.what if isinstance(mistake, BrokenFile) else str(mistake)
        why = what.replace(f"{folder}/", "")
        raise BrokenFile(f"The word vectors cannot be used: {why}", rebuild(NAME)) from mistake
    ids = torch.tensor([index for index, word in enumerate(words) if word not in withheld_words()])
    words = tuple(words[index] for index in ids.tolist())
    vectors = {name: unit_rows(model(ids, kind).numpy()) for name, kind in METHODS.items()}
    for rows in vectors.values():
        rows.setflags(write=False)
    places = {word: index for index, word in enumerate(words)}
    return WordTable(words, places, vectors, card.title, "; ".join(source["text"] for source in card.data))


def sort_words(table: WordTable, text: str, max_words: int) -> Sorted:
    """Return the words of a text, each once and in order, with at most `max_words` known ones."""
    distinct = list(dict.fromkeys(text_words(text)))
    known = [word for word in distinct if word in table.places]
    unknown = {word: near_spellings(table, word) for word in distinct if word not in table.places}
    return Sorted(tuple(known[:max_words]), unknown, max(0, len(known) - max_words))


def near_spellings(table: WordTable, word: str) -> tuple[str, ...]:
    """Return at most three known words that are spelt most like this one."""
    letters, length = set(word), len(word)
    like = [
        candidate
        for candidate in table.words
        if abs(len(candidate) - length) <= MAX_LENGTH_DIFFERENCE and 2 * len(letters & set(candidate)) >= len(letters)
    ]
    return tuple(get_close_matches(word, like, 3, MIN_SIMILARITY))
