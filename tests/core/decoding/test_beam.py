"""Beam search against every text there is, and against a slow one that reads each prefix anew; beam 1 is greedy."""

from functools import partial
from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decoding.beam import Beam, beam_search, length_penalty
from core.decoding.translators import pad, translator
from core.model import recurrent, transformer
from core.model.config import TransformerConfig
from core.model.masks import causal
from core.model.transformer import Masks
from core.text.special import BOS, EOS
from tests.core.decoding.slow_beam import CloseCall, Logits, hypotheses, slow_beam_search
from tests.core.oracles import fill
from tests.core.strategies import configs

VOCABULARY, LIMIT = 5, 4


class Table:
    """A model whose next-token logits depend on the source and on the whole prefix."""

    def __init__(self, seed, sources=(0,)):
        fresh = torch.Generator().manual_seed(seed)
        self.weights = torch.randn(3, LIMIT + 1, VOCABULARY, VOCABULARY, generator=fresh) * 2
        self.sources = torch.tensor(sources)

    def __call__(self, prefixes, rows):
        self.sources = self.sources[rows]
        return torch.stack([self.of(source, ids) for source, ids in zip(self.sources, prefixes, strict=True)])

    def of(self, source, ids):
        return self.weights[source, torch.arange(len(ids)), torch.as_tensor(ids)].sum(0)


def log_probability(table, source, ids):
    """Of these ids after the beginning."""
    logs = [torch.log_softmax(table.of(source, (BOS, *ids[:n])), -1)[token] for n, token in enumerate(ids)]
    return float(sum(logs))


@settings(max_examples=10)
@given(seed=st.integers(0, 1000), alpha=st.sampled_from([0.0, 0.6, 1.0, 2.0]))
def test_a_beam_wide_enough_finds_the_best_text_there_is(seed, alpha):
    table = Table(seed)
    (beam,) = beam_search(Table(seed), [LIMIT], width=VOCABULARY**LIMIT, alpha=alpha)
    others = [token for token in range(VOCABULARY) if token != EOS]
    ended = [(*ids, EOS) for length in range(LIMIT) for ids in product(others, repeat=length)]
    ranked = sorted((log_probability(table, 0, ids) / length_penalty(len(ids), alpha), ids) for ids in ended)
    worst = ranked[0][0]
    cut = [
        (log_probability(table, 0, ids) / length_penalty(LIMIT, alpha), ids) for ids in product(others, repeat=LIMIT)
    ]
    ranked = sorted([*ranked, *(found for found in cut if found[0] > worst)], reverse=True)
    assert [(each.ids, each.cut) for each in beam.hypotheses] == [
        (ids[:-1], False) if ids[-1] == EOS else (ids, True) for _, ids in ranked
    ]
    assert [each.score for each in beam.hypotheses] == pytest.approx([value for value, _ in ranked], abs=1e-4)


def by_hand(table, source, limit):
    ids: list[int] = []
    while len(ids) < limit:
        token = int(table.of(source, (BOS, *ids)).argmax())
        if token == EOS:
            break
        ids.append(token)
    return tuple(ids)


@settings(max_examples=20)
@given(seed=st.integers(0, 1000), limits=st.lists(st.integers(1, LIMIT), min_size=3, max_size=3))
def test_a_beam_of_one_is_greedy(seed, limits):
    found = beam_search(Table(seed, range(3)), limits, 1)
    assert [beam.best.ids for beam in found] == [by_hand(Table(seed), *each) for each in enumerate(limits)]


@settings(max_examples=20)
@given(seed=st.integers(0, 1000), width=st.integers(1, 6))
def test_sources_do_not_disturb_each_other(seed, width):
    limits = [4, 2, 3]
    together = beam_search(Table(seed, range(3)), limits, width)
    for source, limit in enumerate(limits):
        (alone,) = beam_search(Table(seed, [source]), [limit], width)
        assert together[source] == alone and 1 <= len(alone.hypotheses) <= width
        scores = [each.score for each in alone.hypotheses]
        assert scores == sorted(scores, reverse=True)
        for each in alone.hypotheses:
            ids = tuple(alone.nodes[index].id for index in each.path)
            assert ids == (each.ids if each.cut else (*each.ids, EOS)) and (not each.cut or len(ids) == limit)
            assert each.log_probability == pytest.approx(log_probability(Table(seed), source, ids), abs=1e-4)


def compare(beam: Beam, logits: Logits, limit: int, width: int, alpha: float) -> None:
    """A search's hypotheses against those of the slow one, unless two are so close that rounding could order them."""
    try:
        finished, cut = slow_beam_search(logits, limit, width, alpha)
    except CloseCall:
        return
    expected = hypotheses(finished, cut, width)
    assert [(each.ids, each.cut) for each in beam.hypotheses] == [(each.ids, each.cut) for each in expected]
    assert [each.score for each in beam.hypotheses] == pytest.approx([each.score for each in expected], abs=1e-4)
    assert beam.best.ids == (finished or cut)[0].ids


def tree_adds_up(beam: Beam, width: int, alpha: float) -> None:
    for node in beam.nodes:
        above = beam.nodes[node.parent] if node.parent is not None else None
        assert node.total == pytest.approx((above.total if above else 0.0) + node.log_probability, abs=1e-4)
        assert node.score == pytest.approx(node.total / length_penalty(node.step, alpha))
        assert node.step == (above.step + 1 if above else 1) and (above is None or above.fate == "kept")
        assert (node.fate == "finished") <= (node.id == EOS)
    for step in range(1, beam.nodes[-1].step + 1):
        level = [node for node in beam.nodes if node.step == step]
        assert sum(node.fate == "kept" for node in level) <= width and len(level) <= 2 * width
        totals = [node.total for node in level]
        assert totals == sorted(totals, reverse=True)


@settings(max_examples=30)
@given(
    seed=st.integers(0, 1000),
    width=st.integers(1, 4),
    limit=st.integers(1, LIMIT),
    alpha=st.sampled_from([0.0, 0.6, 2.0]),
)
def test_the_search_is_the_slow_one_and_keeps_its_tree(seed, width, limit, alpha):
    (beam,) = beam_search(Table(seed), [limit], width, alpha)
    compare(beam, partial(Table(seed).of, 0), limit, width, alpha)
    tree_adds_up(beam, width, alpha)
    ends = {beam.nodes[each.path[-1]].fate for each in beam.hypotheses}
    assert ends <= {"finished", "cut"} and sum(n.fate == "cut" for n in beam.nodes) == sum(
        each.cut for each in beam.hypotheses
    )


def scripted(first, prefixes, rows):
    """Logits of tokens 0, 1, 2, </s>: their chances at the beginning are given, afterwards 0.9, 0.06, 0.03 and 0.01."""
    later = [0.9, 0.06, 0.03, 0.01]
    return torch.tensor([first if len(ids) == 1 else later for ids in prefixes]).log()


def test_a_text_that_is_cut_stands_above_a_finished_one_that_scores_lower():
    """By hand, alpha 0: </s> at once has 0.1; tokens 0 and 0 have 0.8 · 0.9 = 0.72, and the limit is two."""
    (beam,) = beam_search(partial(scripted, [0.8, 0.06, 0.04, 0.1]), [2], width=2, alpha=0.0)
    assert [(each.ids, each.cut) for each in beam.hypotheses] == [((0, 0), True), ((), False)]
    assert [each.log_probability for each in beam.hypotheses] == pytest.approx(torch.tensor([0.72, 0.1]).log().tolist())
    assert beam.best.ids == ()  # what has ended is taken for the translation


def test_the_best_text_that_has_ended_is_there_even_where_cut_ones_would_fill_the_beam():
    """alpha 2: ln 0.45 / (7/6)² = −0.59 for 0 0 and ln 0.18 / (7/6)² = −1.26 for 1 0, and ln 0.25 = −1.39 for </s>."""
    (beam,) = beam_search(partial(scripted, [0.5, 0.2, 0.05, 0.25]), [2], width=2, alpha=2.0)
    assert [(each.ids, each.cut) for each in beam.hypotheses] == [((0, 0), True), ((), False)]
    assert [each.score for each in beam.hypotheses] == pytest.approx([-0.5867, -1.3863], abs=1e-4)
    assert sum(node.fate == "cut" for node in beam.nodes) == 1


def test_a_cut_text_that_scores_lower_than_all_finished_ones_is_dropped():
    (beam,) = beam_search(partial(scripted, [0.2, 0.11, 0.09, 0.6]), [2], width=2, alpha=0.0)
    assert [(each.ids, each.cut) for each in beam.hypotheses] == [((), False)]
    assert {node.fate for node in beam.nodes if node.step == 2} == {"dropped"}


def test_the_length_penalty_by_hand():
    assert length_penalty(7, 1.0) == 2.0
    assert length_penalty(1, 0.6) == 1.0


@pytest.mark.parametrize(("limits", "width"), [([0], 1), ([3], 0)])
def test_a_beam_needs_a_width_and_a_limit(limits, width):
    with pytest.raises(ValueError, match="at least 1"):
        beam_search(Table(0), limits, width)


def test_nothing_to_search_gives_nothing():
    assert beam_search(Table(0), []) == []


def test_padding():
    ids, mask = pad([[5], [6, 7]])
    assert ids.tolist() == [[5, 0], [6, 7]]
    assert mask.tolist() == [[True, False], [True, True]]


SOURCES = st.lists(st.lists(st.integers(4, 10), min_size=1, max_size=6), min_size=1, max_size=4)


def test_a_source_without_its_end_is_refused():
    sizes = TransformerConfig("encoder-decoder", vocab_size=11, d_model=4, heads=1, layers=1, max_length=8)
    model = transformer.build(sizes)
    with pytest.raises(ValueError, match="Source 1 does not end with the piece 3"):
        translator(model, [[5, EOS], [5, 6]], 4)
    translator(model, [[5, 6]], 4, end=None)


def compare_with_slow(model, plain, sources, width, alpha):
    """Every source's hypotheses, found at once with what was read kept, against each alone and each prefix anew."""
    limits = [min(len(source) + 3, 8) for source in sources]
    with torch.no_grad():
        found = beam_search(translator(model, sources, max(limits), end=None), limits, width, alpha)
        for beam, source, limit in zip(found, sources, limits, strict=True):
            compare(beam, partial(plain, source), limit, width, alpha)


@settings(max_examples=40)
@given(configs(architecture="encoder-decoder", residual=True), SOURCES, st.integers(1, 4), st.sampled_from([0.0, 0.6]))
def test_a_transformers_translations_are_those_of_the_slow_search(config, sources, width, alpha):
    model = fill(transformer.build(config), config.seed)

    def plain(source, ids):
        return model(torch.tensor([source]), torch.tensor([ids]), Masks(decoder=causal(len(ids), len(ids))))[0, -1]

    compare_with_slow(model, plain, sources, width, alpha)


@pytest.mark.parametrize("kind", recurrent.KINDS)
@settings(max_examples=25)
@given(seed=st.integers(0, 99), sources=SOURCES, width=st.integers(1, 4), alpha=st.sampled_from([0.0, 0.6]))
def test_a_recurrent_models_translations_are_those_of_the_slow_search(kind, seed, sources, width, alpha):
    model = fill(recurrent.build(recurrent.RecurrentConfig(kind, 11, 6, 5, max_length=8)), seed)

    def plain(source, ids):
        mask = torch.ones(1, len(source), dtype=torch.bool)
        return model(torch.tensor([source]), torch.tensor([ids]), mask)[0][0, -1]

    compare_with_slow(model, plain, sources, width, alpha)


def test_withheld_tokens_are_in_no_text_and_the_others_keep_their_chances() -> None:
    (free,) = beam_search(Table(2), [4], VOCABULARY**2, 0.0)
    first = free.best.ids[0]
    (found,) = beam_search(Table(2), [4], VOCABULARY**2, 0.0, withheld=lambda text: (first,) if len(text) == 1 else ())
    assert all(node.id != first for node in found.nodes if node.step == 1)
    chances = {(node.step, node.id, node.total): node.log_probability for node in free.nodes}
    assert all(
        chances[node.step, node.id, node.total] == node.log_probability for node in found.nodes if node.step == 1
    )
