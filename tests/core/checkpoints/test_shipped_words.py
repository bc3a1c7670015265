"""The word vectors that are shipped: their neighbours, their analogies, and the scores of their card."""

import pytest
import torch
from torch import Tensor

from core.checkpoints import shipped, weights
from core.checkpoints.card import read_card
from core.model.word2vec import KINDS
from core.text.word_forms import read_words
from core.training.recipes.analogies import questions
from core.training.recipes.word_vectors import WORDS, accuracy

FOLDER = shipped.MODELS_FOLDER / "word-vectors"


@pytest.fixture(scope="module")
def words() -> list[str]:
    return read_words(FOLDER / WORDS)


@pytest.fixture(scope="module")
def vectors(words: list[str]) -> dict[str, Tensor]:
    """By kind, (V, D), every row of length 1."""
    model, _ = weights.load(FOLDER)
    ids = torch.arange(len(words))
    return {kind: torch.nn.functional.normalize(model(ids, kind).detach().float(), dim=1) for kind in KINDS}


def nearest(table: Tensor, words: list[str], wanted: Tensor, without: tuple[str, ...], count: int) -> list[str]:
    order = (table @ wanted).argsort(descending=True).tolist()
    return [words[i] for i in order if words[i] not in without][:count]


def test_the_sizes_are_those_that_were_asked_for(words: list[str]) -> None:
    card = read_card(FOLDER)
    assert (card.config["vocab_size"], card.config["d_model"], len(words)) == (20000, 100, 20000)
    assert len(questions()) >= card.scores["analogy_questions"] >= 200
    assert {"gender", "plural", "tense", "comparative", "opposite", "family"} <= {q.family for q in questions()}


@pytest.mark.parametrize("kind", KINDS)
def test_the_neighbours_of_king(kind: str, words: list[str], vectors: dict[str, Tensor]) -> None:
    table = vectors[kind]
    near = nearest(table, words, table[words.index("king")], ("king",), 10)
    assert {"queen", "prince"} <= set(near), near


@pytest.mark.parametrize("kind", KINDS)
def test_king_less_man_plus_woman_is_queen(kind: str, words: list[str], vectors: dict[str, Tensor]) -> None:
    table = vectors[kind]
    king, man, woman = (table[words.index(word)] for word in ("king", "man", "woman"))
    assert nearest(table, words, king - man + woman, ("king", "man", "woman"), 1) == ["queen"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_analogies_are_those_of_the_card(kind: str, words: list[str], vectors: dict[str, Tensor]) -> None:
    card = read_card(FOLDER)
    assert accuracy(vectors[kind], words) == pytest.approx(card.scores[f"analogies_{kind}"], abs=0.2)
