"""A classifier's verdict word by word and under permuted weights, against one text at a time."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch

from core.model.masks import CausalMask, PaddingMask, SlidingWindowMask
from core.model.tap import Tap
from core.text.negations import negations
from core.topics.sentiment import permuted
from core.topics.sentiment.growing import growing_verdict
from core.topics.sentiment.judging import margins, mask_rows, probabilities
from core.topics.sentiment.negated import judged_negations
from core.topics.sentiment.permuted import permute_rows, permuted_verdict
from core.tracing.edits import Edit
from core.tracing.taps import RecordingTap
from tests.core.topics.sentiment.conftest import Judge

TEXT = "it is not a bad film , not at all"


def test_each_prefix_is_judged_as_a_text_of_its_own(judge: Judge) -> None:
    found = growing_verdict(*judge.on(TEXT))
    words = TEXT.split()
    assert list(found.words) == words
    alone = [judge.verdict(" ".join(words[: count + 1])) for count in range(len(words))]
    assert found.probabilities == pytest.approx(alone, abs=1e-5)


def test_rows_of_unlike_lengths_are_judged_as_alone_under_the_runs_mask(judge: Judge) -> None:
    layer, model, tokenizer, run = judge.on(TEXT)
    run = replace(run, masks=(CausalMask(),))
    rows = [list(tokenizer.encode(text).ids) for text in (TEXT, "bad", "a good film")]
    together = margins(layer, model, run, rows)
    assert together == pytest.approx([float(margins(layer, model, run, [row])[0]) for row in rows], abs=1e-4)
    assert together[0] != pytest.approx(float(margins(layer, model, replace(run, masks=()), rows[:1])[0]), abs=1e-3)


def test_the_sentences_of_our_own_are_judged_one_by_one(judge: Judge) -> None:
    found = judged_negations(*judge.on(TEXT))
    some = [0, 31, 59]
    assert [found.probabilities[at] for at in some] == pytest.approx(
        [judge.verdict(negations()[at][0]) for at in some], abs=1e-5
    )
    right = sum(
        (probability >= 0.5) == label for probability, (_, label) in zip(found.probabilities, negations(), strict=True)
    )
    assert found.right.sum() == right


def test_a_permuted_row_has_the_same_weights_where_it_may_attend() -> None:
    draw = torch.Generator().manual_seed(0)
    allowed = torch.ones(6, 6, dtype=torch.bool).tril()
    pattern = torch.rand(2, 3, 6, 6, generator=draw).masked_fill(~allowed, 0.0)
    found = permute_rows(pattern, allowed, draw)
    assert (found[..., ~allowed] == 0).all() and not torch.equal(found, pattern)
    assert torch.equal(found.sort(-1).values, pattern.sort(-1).values)
    firsts = torch.stack([permute_rows(pattern, allowed, draw)[0, 0, 5] for _ in range(400)])
    assert firsts.mean(0) == pytest.approx(float(pattern[0, 0, 5].mean()) * np.ones(6), abs=0.08)


class Averaging:
    """A tap that puts equal weights in place of each pattern."""

    def __call__(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return torch.full_like(x, 1 / x.shape[-1]) if name == "pattern" else x

    def touches(self, name: str) -> bool:
        return True

    def scope(self, name: str) -> Tap:
        return self


def test_equal_weights_and_seeds(judge: Judge) -> None:
    layer, model, tokenizer, run = judge.on(TEXT)
    found = permuted_verdict(layer, model, tokenizer, run, 3)
    assert found.probability == pytest.approx(judge.verdict(TEXT), abs=1e-5)
    assert found.uniform == pytest.approx(judge.verdict(TEXT, Averaging()), abs=1e-5)
    assert found.permuted.std() > 0 and found.turned == int(((found.permuted > 0.5) != (found.probability > 0.5)).sum())
    again = permuted_verdict(layer, model, tokenizer, run, 3)
    assert np.array_equal(again.permuted, found.permuted) and np.array_equal(again.heads, found.heads)
    assert not np.array_equal(permuted_verdict(layer, model, tokenizer, run, 4).permuted, found.permuted)


def test_each_head_is_permuted_alone(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one order that is always the same, a head's pass is a whole one with that edit."""
    monkeypatch.setattr(permuted, "permute_rows", lambda pattern, allowed, draw: pattern.flip(-1))
    layer, model, tokenizer, run = judge.on(TEXT)
    found = permuted_verdict(layer, model, tokenizer, run, 3)
    assert found.heads.max() > 0
    for number, head in product(range(run.config.layers), range(run.config.heads)):
        edit = Edit(f"encoder.{number}.pattern", "replace", lambda pattern: pattern.flip(-1), head)
        alone = judge.verdict(TEXT, RecordingTap(edits=[edit]))
        assert found.heads[number, head] == pytest.approx(abs(alone - found.probability), abs=1e-6)


def test_one_word_cannot_change_places(judge: Judge) -> None:
    found = permuted_verdict(*judge.on("bad"), 0)
    assert found.permuted == pytest.approx(found.probability) and found.heads.max() == pytest.approx(0, abs=1e-6)
    assert found.uniform == pytest.approx(found.probability)


def test_a_chance_is_the_softmax_of_two_and_a_mask_leaves_padding_out(judge: Judge) -> None:
    logits = torch.tensor([0.3, -1.2])
    assert float(probabilities(np.array(-1.5))) == pytest.approx(float(logits.softmax(-1)[1]))
    run = replace(judge.on(TEXT)[3], masks=(PaddingMask(), SlidingWindowMask(1)), pads=3)
    assert mask_rows(run, 4).int().tolist() == [[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1]]
