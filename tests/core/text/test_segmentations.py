"""core.text.segmentations: the best, the n best and sampled ways to cut a text, with true probabilities."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import segmentations as segmentation
from core.text.pieces import prefixed
from core.text.tokenizer import TOKENIZERS
from tests.core.texts import load, names, texts

SCORES = {"▁": -2.0, "▁a": -1.0, "b": -1.5, "ab": -1.2, "a": -2.5, "▁ab": -2.2, "bb": -3.0, "c": -4.0}


def all_ways(marked: str, scores: dict[str, float], unknown: float) -> dict[tuple[int, ...], float]:
    """Every segmentation by plain recursion."""
    if marked == "":
        return {(0,): 0.0}
    ways = {}
    for start in range(len(marked)):
        last = marked[start:]
        score = scores.get(last, unknown if len(last) == 1 else None)
        if score is not None:
            for cuts, total in all_ways(marked[:start], scores, unknown).items():
                ways[(*cuts, len(marked))] = total + score
    return ways


@given(st.text(alphabet="▁abcz", min_size=1, max_size=8), st.floats(0, 3), st.integers(1, 30))
def test_the_lattice_agrees_with_plain_enumeration(marked, alpha, n):
    edges = segmentation.lattice(marked, SCORES)
    ways = all_ways(marked, SCORES, min(SCORES.values()) - segmentation.UNKNOWN_PENALTY)
    found = segmentation.best(edges, n)
    assert [score for _, score in found] == pytest.approx(sorted(ways.values(), reverse=True)[:n])
    assert len({tuple(cuts) for cuts, _ in found}) == len(found)
    assert all(ways[tuple(cuts)] == pytest.approx(score) for cuts, score in found)
    total = math.log(sum(math.exp(alpha * score) for score in ways.values()))
    assert segmentation.totals(edges, alpha)[-1] == pytest.approx(total)
    for cuts, score in segmentation.draws(edges, alpha, np.random.default_rng(n), 5):
        assert ways[tuple(cuts)] == pytest.approx(score)


@pytest.mark.parametrize("name", [name for name in TOKENIZERS if name.startswith("unigram")])
@pytest.mark.parametrize("typed", ["unbelievable", "the cat 👩 sat ▁ here\nand there"])
def test_nbest_descends_and_begins_with_the_best(name, typed):
    tokenizer = load(name)
    found = tokenizer.nbest(typed, 40)
    scores = [each.score or 0.0 for each in found]
    assert scores == sorted(scores, reverse=True)
    assert len({each.tokens.ids for each in found}) == 40
    assert found[0].tokens == tokenizer.encode(typed)
    assert all(each.tokens.text == typed == tokenizer.decode(each.tokens.ids) for each in found)
    assert 0 < sum(each.probability or 0.0 for each in found) <= 1 + 1e-9


@given(st.sampled_from([name for name in TOKENIZERS if name.startswith("unigram")]), texts)
def test_our_best_scores_as_high_as_sentencepiece(name, typed):
    tokenizer = load(name)
    typed = typed[:200].strip() or "word"
    tokens = tokenizer.encode(typed)
    unknown = {span for span, piece in zip(tokens.spans, tokens.pieces, strict=True) if piece.startswith("<0x")}
    penalty = min(tokenizer._scores.values()) - segmentation.UNKNOWN_PENALTY
    score = sum(tokenizer._scores[piece] for piece in tokens.pieces if not piece.startswith("<0x"))
    assert tokenizer.nbest(typed, 1)[0].score == pytest.approx(score + penalty * len(unknown), rel=1e-5)


@given(
    st.sampled_from([name for name in TOKENIZERS if name.startswith("unigram")]),
    st.text(alphabet="etaoinshr dlu,.é日", min_size=1, max_size=30),
    st.integers(2, 30),
)
def test_nbest_is_that_of_sentencepiece(name, typed, n):
    """A typed U+2581 and n = 1 are left out: see `core.text.segmentations.best`."""
    tokenizer = load(name)
    typed = typed.strip() or "word"
    theirs = tokenizer._processor.NBestEncode(prefixed(typed), nbest_size=n, return_type="proto").nbests
    ours = tokenizer.nbest(typed, n)
    scores = [each.score or 0.0 for each in ours]
    assert scores == pytest.approx([each.score for each in theirs], abs=1e-3)
    last = scores[-1] + 1e-2  # those that score like the last may be others
    certain = {each.tokens.ids for each, score in zip(ours, scores, strict=True) if score > last}
    assert certain <= {tuple(piece.id for piece in each.pieces) for each in theirs}


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_sampled_frequencies_follow_the_model(alpha):
    tokenizer = load("unigram-4000")
    ways = {each.tokens.ids: each for each in tokenizer.nbest("cats", 1000)}
    assert sum(each.probability or 0.0 for each in ways.values()) == pytest.approx(1)
    weights = np.exp([alpha * (each.score or 0.0) for each in ways.values()])
    expected = dict(zip(ways, 5000 * weights / weights.sum(), strict=True))
    drawn = Counter(each.tokens.ids for each in tokenizer.sample("cats", alpha, 7, 5000))
    assert set(drawn) <= set(expected)
    common = [ids for ids, count in expected.items() if count >= 5]
    assert len(common) >= 2
    chi_square = sum((drawn[ids] - expected[ids]) ** 2 / expected[ids] for ids in common)
    freedom = len(common)
    assert chi_square < freedom + 4 * math.sqrt(2 * freedom)


@given(names, texts, st.integers(0, 2**32), st.floats(0, 1))
def test_samples_are_reproducible_and_spell_the_text(name, typed, seed, alpha):
    tokenizer = load(name)
    typed = typed[:200].strip() or "word"
    before = str(np.random.get_state())
    samples = tokenizer.sample(typed, alpha, seed, 3)
    assert samples == tokenizer.sample(typed, alpha, seed, 3)
    assert all(each.tokens.text == typed == tokenizer.decode(each.tokens.ids) for each in samples)
    assert str(np.random.get_state()) == before


@given(st.sampled_from([name for name in TOKENIZERS if name.startswith("bpe")]), texts)
def test_bpe_without_dropout_is_plain_bpe(name, typed):
    typed = typed[:200].strip() or "word"
    (sample,) = load(name).sample(typed, 0, 0)
    assert sample.tokens == load(name).encode(typed)
    assert (sample.score, sample.probability) == (None, None)


def test_bpe_dropout_by_hand():
    """With pieces ab and abc, "abc" stays apart with chance p, stops at ab|c with (1-p)p, ends whole with (1-p)²."""
    scores = {"a": -9.0, "b": -9.0, "c": -9.0, "ab": 0.0, "abc": -1.0}
    rng = np.random.default_rng(3)
    drawn = Counter(tuple(segmentation.bpe_dropout("abc", scores, 0.3, rng)) for _ in range(4000))
    assert drawn[(0, 1, 2, 3)] / 4000 == pytest.approx(0.3, abs=0.03)
    assert drawn[(0, 2, 3)] / 4000 == pytest.approx(0.21, abs=0.03)
    assert drawn[(0, 3)] / 4000 == pytest.approx(0.49, abs=0.03)
