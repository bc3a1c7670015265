"""A head's own queries and keys under every score function, against loops and against the model itself."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.analysis import arithmetic
from core.model.config import SCORES, TransformerConfig
from core.model.layers import initialise
from core.model.scores import make_score
from core.text.tokenizer import Tokenizer
from core.topics.scaling.analysis import WIDTHS, measure_softmax, measure_variance, softmax_rows, theory_of_ties
from core.topics.scaling.comparison import compare, explain, own_scores, rescored, used
from core.topics.scaling.experiment import (
    STATISTICS,
    entropy_curves,
    gradient_curves,
    statistics,
    variance_curves,
    weights_table,
)
from core.topics.scaling.readings import read_own_variance, read_spreads
from core.topics.self_attention import one_head
from core.topics.self_attention.cells import EXPLAIN, cell
from core.topics.self_attention.records import HeadRecord
from core.topics.shared import loading
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from tests.core import oracles
from tests.core.topics.self_attention.test_cells import record

CHOICES = [
    {"score": "scaled_dot"},
    {"score": "dot", "positions": "rotary"},
    {"score": "general", "positions": "alibi"},
    {"score": "additive", "cross": True, "architecture": "encoder-decoder"},
]


@pytest.fixture(params=CHOICES, ids=lambda choices: choices["score"])
def head(request: pytest.FixtureRequest) -> HeadRecord:
    return record(**request.param)


def with_vectors(head: HeadRecord, q: np.ndarray, k: np.ndarray, mask: np.ndarray | None = None) -> HeadRecord:
    """The head with other queries and keys; what follows from them is left as it was."""
    allowed = np.ones((len(q), len(k)), bool) if mask is None else mask
    return replace(head, q=q.astype(np.float32), k=k.astype(np.float32), mask=allowed)


def first_layer(score: str) -> HeadRecord:
    tokenizer = Tokenizer.load("unigram-1000")
    config = TransformerConfig(vocab_size=tokenizer.vocab_size, d_model=16, heads=2, layers=1, score=score)
    run = Run("The cat saw the other cat", config, tokenizer="unigram-1000")
    return one_head.head(loading.fresh_model(config, run.placement), tokenizer, run, HeadAddress(head=1))


def test_the_models_own_score_is_the_run_itself(head: HeadRecord) -> None:
    scored = compare(head, 3)
    assert [one.kind for one in scored] == list(SCORES)
    (own,) = (one for one in scored if one.own)
    assert own.kind == head.parts.kind
    for name in ("raw", "scores", "masked", "pattern"):
        np.testing.assert_array_equal(getattr(own, name), getattr(head, name))
    assert rescored(head, own) is head


def test_each_other_score_is_its_papers_formula(head: HeadRecord) -> None:
    q, k = (torch.from_numpy(vectors)[None, None] for vectors in used(head))
    bias = 0 if head.parts.bias is None else head.parts.bias
    for one in (one for one in compare(head, 3) if not one.own):
        score = make_score(one.kind, 1, q.shape[-1])
        initialise(score, 3)
        expected = oracles.score_matrix(one.kind, q, k, list(score.parameters()))[0, 0] + bias
        np.testing.assert_allclose(one.scores, expected, atol=1e-4)
        z, pattern = oracles.mix(expected, head.v, head.mask)
        np.testing.assert_allclose(one.pattern, pattern, atol=1e-5)
        np.testing.assert_array_equal(one.masked, np.where(head.mask, one.scores, -np.inf))
        swapped = rescored(head, one)
        np.testing.assert_allclose(swapped.z, z, atol=1e-5)
        np.testing.assert_allclose(swapped.out, z @ head.w_o, atol=1e-4)


def test_the_model_itself_computes_the_other_scores_so() -> None:
    """In the first layer queries and keys are the same, whatever the score."""
    dot, scaled = (first_layer(score) for score in ("dot", "scaled_dot"))
    np.testing.assert_array_equal(dot.q, scaled.q)
    np.testing.assert_allclose(compare(dot, 0)[1].pattern, scaled.pattern, atol=1e-6)
    np.testing.assert_allclose(compare(scaled, 0)[0].pattern, dot.pattern, atol=1e-6)


def test_parameters_are_counted(head: HeadRecord) -> None:
    width = head.q.shape[1]
    assert [one.parameters for one in compare(head, 0)] == [0, 0, width**2, 2 * width**2 + width]


def test_fresh_weights_follow_from_the_seed() -> None:
    head = record(score="scaled_dot")
    first, again, other = (compare(head, seed) for seed in (1, 1, 2))
    for kind in (2, 3):
        np.testing.assert_array_equal(first[kind].raw, again[kind].raw)
        assert not np.allclose(first[kind].raw, other[kind].raw)


def test_every_cell_agrees_with_its_arithmetic(head: HeadRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[arithmetic.Arithmetic] = []

    def note(result: arithmetic.Arithmetic, name: str) -> str:
        written.append(result)
        return name

    monkeypatch.setattr("core.topics.self_attention.cells.as_text", note)
    for one in compare(head, 3):
        swapped = rescored(head, one)
        values = {"raw S": one.raw, "S": one.scores, "masked S": one.masked, "A": one.pattern}
        for (name, matrix), row, col in itertools.product(values.items(), range(3), range(2)):
            before = len(written)
            EXPLAIN[name](swapped, row, col)
            for result in written[before:]:
                assert result.value == matrix[row, col] and result.agrees, (one.kind, name, row, col, result)
    assert len(written) > 60


def test_a_row_that_may_attend_to_nothing_has_no_weights() -> None:
    head = record(score="scaled_dot")
    mask = head.mask.copy()
    mask[0] = False
    for one in compare(replace(head, mask=mask), 0):
        if not one.own:
            assert not one.pattern[0].any() and one.pattern[1:].sum(1) == pytest.approx(1)
    shut = compare(replace(head, mask=np.zeros_like(mask)), 0)
    assert [one.spread for one in shut if not one.own] == [0, 0, 0]
    assert own_scores(replace(head, mask=np.zeros_like(mask))).raw is None


def test_independent_numbers_have_the_variance_that_is_expected() -> None:
    """All combinations of a few values in each dimension: the dimensions are independent to the letter."""
    q = np.array(list(itertools.product((0, 1), (-1, 3), (2, 2.5))))
    k = np.array(list(itertools.product((-2, 1), (0.5, 1), (1, 4, 5))))
    found = own_scores(with_vectors(record(), q, k))
    assert found.expected == pytest.approx(found.variance) and found.variance == pytest.approx((q @ k.T).var())
    assert (found.width, found.pairs) == (3, 8 * 12)
    assert found.q_variance == pytest.approx((0.25 + 4 + 0.0625) / 3)
    dependent = own_scores(with_vectors(record(), np.repeat(q[:, :1], 3, 1), k))
    assert dependent.variance != pytest.approx(dependent.expected)


def test_vectors_of_variance_1_give_the_line() -> None:
    q, k = np.random.default_rng(0).normal(size=(2, 400, 64))
    found = own_scores(with_vectors(record(), q, k))
    assert found.variance == pytest.approx(64, rel=0.1) and found.expected == pytest.approx(64, rel=0.1)


def test_what_is_kept_is_that_of_the_allowed_rows() -> None:
    head = record(score="scaled_dot")
    found = own_scores(head)
    rows = [softmax_rows(row[mask]) for row, mask in zip(head.scores.astype(float), head.mask, strict=True)]
    assert found.scaled is not None and found.raw is not None
    assert found.scaled.entropy == pytest.approx(np.mean([row.entropy for row in rows]), abs=1e-5)
    assert found.scaled.gradient == pytest.approx(np.mean([row.gradient for row in rows]), abs=1e-5)
    assert found.scaled.largest == pytest.approx(head.pattern.max(1).mean(), abs=1e-5)
    assert found.raw.largest > found.scaled.largest


def test_a_cell_is_explained_from_the_raw_score_to_the_weight(head: HeadRecord) -> None:
    for one in compare(head, 3):
        text = explain(head, one, 1, 0)
        shown = rescored(head, one)
        for name in ("raw S", "S", "masked S", "A"):
            said = cell(shown, name, 1, 0).text
            assert (said if one.own else said.replace("the model's value", "computed in float32")) in text
        assert ("the model's value" in text, "computed in float32" in text) == (one.own, not one.own), one.name
    with pytest.raises(ValueError, match="no cell"):
        explain(head, compare(head, 3)[0], 99, 0)


def test_curves_hold_theory_and_the_heads_own_beside_what_was_measured() -> None:
    variances, softmaxes = measure_variance("signs", 2, 0), measure_softmax("signs", 2, 8, 0)
    own = own_scores(record(score="scaled_dot"))
    found = variance_curves(variances, own)
    assert found.raw is variances.raw and found.own == (own.width, own.variance, own.variance / own.width)
    np.testing.assert_array_equal(found.theory, [WIDTHS, np.ones(len(WIDTHS))])
    entropy, gradient = entropy_curves(softmaxes, own), gradient_curves(softmaxes, own)
    assert own.raw and own.scaled and gradient.own == (own.width, own.raw.gradient, own.scaled.gradient)
    assert entropy.own == (own.width, own.raw.entropy, own.scaled.entropy)
    assert entropy.limit == 3 and entropy.raw is softmaxes.raw.entropy and gradient.scaled is softmaxes.scaled.gradient
    for curves, theory in zip((entropy, gradient), theory_of_ties(8), strict=True):
        np.testing.assert_array_equal(curves.theory[0], theory)


def test_statistics_are_columns_of_the_spread() -> None:
    found = measure_softmax("signs", 2, 3, 0)
    table = statistics(found.raw.entropy, found.scaled.entropy)
    assert table.shape == (2 * len(WIDTHS), len(STATISTICS))
    np.testing.assert_array_equal(table[:, 1], [*found.raw.entropy.error, *found.scaled.entropy.error])
    weights = statistics(found.raw.weights, found.scaled.weights, 4)
    np.testing.assert_array_equal(weights[:3, 0], found.raw.weights.mean[4])
    np.testing.assert_array_equal(weights[3:, 4], found.scaled.weights.high[4])


def test_tables_name_their_series() -> None:
    found = measure_softmax("signs", 2, 3, 0)
    table, rows, columns = entropy_curves(found, own_scores(record(score="dot"))).table(("as it is", "scaled"))
    assert table.shape == (len(rows), len(columns)) and rows[len(WIDTHS)] == "scaled, d_k = 1"
    table, rows, columns = weights_table(found, 4, ("as it is", "scaled"))
    assert table.shape == (6, len(columns)) and rows[2:4] == ["as it is, weight 3", "scaled, weight 1"]
    one = compare(record(score="dot"), 0)[2]
    assert one.numbers("weights") is one.pattern and one.numbers("scores") is one.masked


def test_readings_of_the_smallest_texts() -> None:
    assert "single dot product" in read_own_variance(16, 1, 0, 0, (0, 0))
    assert read_spreads({"dot": 0.0, "general": 0.0}, 3) == ["No query may attend to any key, whatever the score."]
    alone = ["There is one key, so its weight is 1 whatever the score."]
    assert read_spreads({"dot": 1.0, "general": 1.0}, 1) == alone
    below = "Scaled, they are divided by √d_k. There are 3 words to look at."
    assert read_spreads({"dot": 1.25, "scaled dot": 2.0}, 3) == [
        "Scaling the scores lets a word look at about 2 words instead of 1.",
        below,
    ]
    assert read_spreads({"dot": 1.9, "scaled dot": 2.1}, 3) == [
        "Scaled or not, the scores let a word look at about 2 words.",
        below,
    ]
