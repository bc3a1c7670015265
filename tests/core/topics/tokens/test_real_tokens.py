"""The tokenizer of a model made elsewhere beside ours: its pieces, its merges one by one, and what is known of each."""

import json

import pytest

from core.text.hub import THE_MODELS, HubTokenizer
from core.text.subword_cutters import JsonCutter, PieceCutter
from core.topics.shared.run_from_choices import text_run
from core.topics.tokens.cuts import cut, entry
from core.topics.tokens.merging import merged, merges_of
from core.topics.tokens.words import Looked
from tests.core.checkpoints.real.vocabularies import sentence_pieces, trained

WORDS = ("mat", "degrees", "don't", "café", "crème,", "日本語", "😀", "1,234", "queen", "▁mat")


def hub(kind: str, **model: object) -> HubTokenizer:
    """A tokenizer of tests, with other options of its model."""
    values = json.loads(trained(kind))
    values["model"] |= model
    cutter = JsonCutter.of(json.dumps(values))
    return HubTokenizer(cutter, len(cutter.names))


@pytest.mark.parametrize("kind", ["byte-level", "marked-bytes"])
@pytest.mark.parametrize("word", WORDS)
def test_the_merges_end_with_the_pieces_that_the_package_cuts(kind: str, word: str) -> None:
    tokenizer = hub(kind)
    found = merged(tokenizer, word)
    cutter = tokenizer.cutter
    assert isinstance(cutter, JsonCutter)
    first = "the " if kind == "byte-level" else ""  # the others put a space before a text, and merge over words
    theirs = [each.id for each in cutter.cut(first + word)][len(cutter.cut(first.strip())) :]
    assert list(found.ids) == theirs and found.ids
    unknown = tuple(each for each in word if each not in cutter.names)
    assert found.spelt == (() if kind == "byte-level" else unknown)
    for before, after in zip(found.states, found.states[1:], strict=False):
        assert len(after.pieces) == len(before.pieces) - 1 and set(after.cuts) < set(before.cuts)
        assert [pair.rank for pair in before.pairs] == sorted(pair.rank for pair in before.pairs)
        assert after.joined is not None
        gone = set(before.cuts) - set(after.cuts)
        assert gone == {before.cuts[after.joined + 1]}


def test_two_merges_by_hand() -> None:
    """ab was merged before bc, so abc is ab + c; and abc itself is a pair of no merge."""
    values = {"vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5}, "merges": [["a", "b"], ["b", "c"]]}
    raw: dict[str, object] = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
    }
    tokenizer = HubTokenizer(JsonCutter.of(json.dumps({**raw, "decoder": None, "model": {"type": "BPE", **values}})), 6)
    found = merged(tokenizer, "abc")
    assert [state.pieces[-3:] for state in found.states] == [("a", "b", "c"), ("␣", "ab", "c")]
    assert [(pair.left, pair.right, pair.rank) for pair in found.states[0].pairs] == [("a", "b", 1), ("b", "c", 2)]
    assert entry(tokenizer, 3).parts == ("a", "b") and entry(tokenizer, 3).rank == 1
    assert entry(tokenizer, 5).rank is None


def test_a_word_that_is_a_piece_is_taken_whole_where_the_model_says_so() -> None:
    assert len(merged(hub("byte-level"), "mat").states) > 1
    assert len(merged(hub("byte-level", ignore_merges=True), "mat").states) == 1


@pytest.mark.parametrize("kind", ["word-pieces", "unigram"])
def test_what_merges_nothing_says_so(kind: str) -> None:
    assert merges_of(hub(kind)) is None
    with pytest.raises(ValueError, match="merges no pairs"):
        merged(hub(kind), "mat")


def test_a_score_is_the_one_in_the_file() -> None:
    tokenizer = hub("unigram")
    vocabulary = json.loads(trained("unigram"))["model"]["vocab"]
    assert entry(tokenizer, 7).score == vocabulary[7][1] and entry(hub("word-pieces"), 20).score is None
    plain = PieceCutter.of(sentence_pieces())
    assert entry(HubTokenizer(plain, len(plain.names)), 20).score is None


@pytest.mark.parametrize("kind", ["byte-level", "word-pieces", "unigram"])
def test_special_pieces_belong_to_no_word(kind: str) -> None:
    tokenizer = hub(kind)
    found = cut(Looked(text_run("the cat sat")), tokenizer)
    around = len(tokenizer.cutter.before) + len(tokenizer.cutter.after)
    assert found.name == THE_MODELS and found.total == len(tokenizer.ids("the cat sat"))
    assert sum(found.per_word) == found.total - around and found.owners.count(None) == around
    assert found.mean == sum(found.per_word) / 3
