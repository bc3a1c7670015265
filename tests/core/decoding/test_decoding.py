"""Beam search against every text there is; beam 1 is greedy."""

from functools import partial
from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decoding.search import beam_search, greedy, length_penalty, pad, translator_score
from core.model import masks, recurrent, transformer
from core.model.config import TransformerConfig
from core.model.transformer import Masks
from core.text.special import BOS, EOS

VOCABULARY, LIMIT = 5, 4


def table(seed):
    """A model whose next-token scores depend on the source and on the whole prefix."""
    fresh = torch.Generator().manual_seed(seed)
    weights = torch.randn(3, LIMIT + 1, VOCABULARY, VOCABULARY, generator=fresh) * 2

    def score(rows, prefixes):
        places = torch.arange(prefixes.shape[1])
        return torch.stack([weights[row, places, ids].sum(0) for row, ids in zip(rows, prefixes, strict=True)])

    return score


def log_probability(score, source, ids):
    total = 0.0
    for place, token in enumerate(ids):
        prefix = torch.tensor([[BOS, *ids[:place]]])
        total += float(torch.log_softmax(score(torch.tensor([source]), prefix)[0], -1)[token])
    return total


def every_text():
    others = [token for token in range(VOCABULARY) if token != EOS]
    return [(*ids, EOS) for length in range(LIMIT) for ids in product(others, repeat=length)]


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000), alpha=st.sampled_from([0.0, 0.6, 1.0]))
def test_a_beam_wide_enough_finds_the_best_text_there_is(seed, alpha):
    score = table(seed)
    found = beam_search(score, 1, [LIMIT], width=VOCABULARY**LIMIT, alpha=alpha)[0]
    ranked = sorted(
        ((log_probability(score, 0, ids) / length_penalty(len(ids), alpha), ids[:-1]) for ids in every_text()),
        reverse=True,
    )
    assert [hypothesis.ids for hypothesis in found] == [ids for _, ids in ranked]
    assert [hypothesis.score for hypothesis in found] == pytest.approx([value for value, _ in ranked], abs=1e-4)


def shifted(score, source, rows, prefixes):
    return score(rows + source, prefixes)


def by_hand(score, source, limit):
    ids: list[int] = []
    while len(ids) < limit:
        token = int(score(torch.tensor([source]), torch.tensor([[BOS, *ids]]))[0].argmax())
        if token == EOS:
            break
        ids.append(token)
    return ids


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), limits=st.lists(st.integers(1, LIMIT), min_size=3, max_size=3))
def test_a_beam_of_one_is_greedy(seed, limits):
    score = table(seed)
    assert greedy(score, 3, limits) == [by_hand(score, source, limit) for source, limit in enumerate(limits)]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), width=st.integers(1, 6))
def test_sources_do_not_disturb_each_other(seed, width):
    score, limits = table(seed), [4, 2, 3]
    together = beam_search(score, 3, limits, width)
    for source, limit in enumerate(limits):
        alone = beam_search(partial(shifted, score, source), 1, [limit], width)[0]
        assert [h.ids for h in together[source]] == [h.ids for h in alone]
        assert 1 <= len(alone) <= width
        assert [h.score for h in alone] == sorted((h.score for h in alone), reverse=True)
        for h in alone:
            ended = (*h.ids, EOS) if len(h.ids) < limit else h.ids
            assert h.log_probability == pytest.approx(log_probability(score, source, ended), abs=1e-4)


def test_the_length_penalty_by_hand():
    assert length_penalty(7, 1.0) == 2.0
    assert length_penalty(1, 0.6) == 1.0


@pytest.mark.parametrize(("limits", "width"), [([0], 1), ([3], 0)])
def test_a_beam_needs_a_width_and_a_limit(limits, width):
    with pytest.raises(ValueError, match="at least 1"):
        beam_search(table(0), 1, limits, width)


def test_nothing_to_search_gives_nothing():
    assert beam_search(table(0), 0, []) == []


def test_padding():
    ids, mask = pad([[5], [6, 7]])
    assert ids.tolist() == [[5, 0], [6, 7]]
    assert mask.tolist() == [[True, False], [True, True]]


def test_a_translators_scores_are_those_of_its_plain_run():
    config = TransformerConfig("encoder-decoder", vocab_size=11, d_model=8, heads=2, layers=1)
    model, sources = transformer.build(config), [[4, 5, 6], [7, 8]]
    rows, prefixes = torch.tensor([1, 0, 1]), torch.tensor([[2, 4], [2, 5], [2, 6]])
    found = translator_score(model, sources)(rows, prefixes)
    for row, prefix, logits in zip(rows.tolist(), prefixes, found, strict=True):
        right = model(torch.tensor([sources[row]]), prefix[None], Masks(decoder=masks.causal(2, 2)))[0, -1]
        torch.testing.assert_close(logits, right)


@pytest.mark.parametrize("kind", recurrent.KINDS)
def test_a_recurrent_translators_scores_are_those_of_its_plain_run(kind):
    model = recurrent.build(recurrent.RecurrentConfig(kind, 11, 6, 5))
    sources = [[4, 5, 6], [7, 8]]
    found = translator_score(model, sources)(torch.tensor([1]), torch.tensor([[2, 4]]))
    right, _ = model(torch.tensor([[7, 8]]), torch.tensor([[2, 4]]), torch.ones(1, 2, dtype=torch.bool))
    torch.testing.assert_close(found[0], right[0, -1])
