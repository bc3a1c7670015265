"""Four ways to say what a verdict rests on, against direct computation."""

import numpy as np
import pytest
import torch

from core.limits import JUDGED_TOKENS
from core.model.tap import Tap
from core.text.special import UNK
from core.topics.sentiment.judging import changed_word, word_pieces
from core.topics.sentiment.reasons import Reasons, WordChange, reasons
from core.topics.shared.places import HeadAddress
from core.topics.shared.rank_correlation import spearman
from tests.core.topics.sentiment.conftest import Judge

TEXT = "the plot is unquestionably thin , but the actors are wonderful"
NO_CHANGE = WordChange()
STARTS = ("<unk>", "zeros")


def found_in(judge: Judge, text: str = TEXT, change: WordChange = NO_CHANGE, start: str = "<unk>") -> Reasons:
    return reasons(*judge.on(text), change, None, True, start)


def words_of(judge: Judge, text: str = TEXT) -> list[list[int]]:
    return [list(judge.tokenizer.encode(word).ids) for word in text.split()]


def joined(words: list[list[int]]) -> list[int]:
    return [piece for word in words for piece in word]


@pytest.mark.parametrize("remove", [True, False])
def test_occlusion_leaves_each_word_out(judge: Judge, remove: bool) -> None:
    found = reasons(*judge.on(TEXT), NO_CHANGE, None, remove, "<unk>")
    words = words_of(judge)
    assert max(map(len, words)) > 1 and len(found.words) == len(words)
    whole = judge.logit(joined(words))
    for place, word in enumerate(words):
        instead = [] if remove else [UNK] * len(word)
        others = joined([*words[:place], instead, *words[place + 1 :]])
        assert found.scores[1, place] == pytest.approx(whole - judge.logit(others), abs=1e-4)


class Given:
    """A tap that puts these token vectors (L, D) in place of those of the ids."""

    def __init__(self, vectors: torch.Tensor) -> None:
        self.vectors = vectors

    def __call__(self, name: str, x: torch.Tensor) -> torch.Tensor:
        return self.vectors[None] if name == "embed" else x

    def touches(self, name: str) -> bool:
        return name == "embed"

    def scope(self, name: str) -> Tap:
        return self


def embedded_logit(judge: Judge, vectors: torch.Tensor) -> torch.Tensor:
    """The difference of the logits for token vectors (L, D)."""
    logits = judge.whole(torch.zeros(1, len(vectors), dtype=torch.long), tap=Given(vectors))[0]
    return logits[1] - logits[0]


def table_rows(judge: Judge, ids: list[int]) -> torch.Tensor:
    scale = judge.whole.config.encoder.d_model**0.5 if judge.whole.config.encoder.scale_embeddings else 1.0
    return judge.whole.encoder.embed.weight[ids].detach() * scale


def test_gradient_times_input_is_the_slope_along_each_words_vector(judge: Judge) -> None:
    words = words_of(judge)
    vectors = table_rows(judge, joined(words)).requires_grad_()
    (slopes,) = torch.autograd.grad(embedded_logit(judge, vectors), vectors)
    each = (slopes * vectors).sum(-1).detach().split([len(word) for word in words])
    assert found_in(judge).scores[2] == pytest.approx([float(x.sum()) for x in each], abs=1e-4)


@pytest.mark.parametrize("start", STARTS)
def test_integrated_gradients_add_up_to_the_difference_of_the_logits(judge: Judge, start: str) -> None:
    found, ids = found_in(judge, start=start), joined(words_of(judge))
    first = table_rows(judge, [UNK] * len(ids)) * (start == "<unk>")
    with torch.no_grad():
        baseline, last = float(embedded_logit(judge, first)), float(embedded_logit(judge, table_rows(judge, ids)))
    assert (found.baseline, found.margin) == pytest.approx((baseline, last), abs=1e-4)
    assert found.total == pytest.approx(last - baseline, abs=0.03 * max(1.0, abs(last - baseline)))
    assert found.off == pytest.approx(found.total - (last - baseline), abs=1e-4)


def test_integrated_gradients_are_the_plain_sum_over_a_fine_grid(judge: Judge) -> None:
    words = words_of(judge)
    last, first = (table_rows(judge, ids) for ids in (joined(words), [UNK] * len(joined(words))))
    total, steps = torch.zeros(len(last)), 400
    for step in range(steps):
        point = (first + (step + 0.5) / steps * (last - first)).requires_grad_()
        (slopes,) = torch.autograd.grad(embedded_logit(judge, point), point)
        total += ((last - first) * slopes).sum(-1) / steps
    each = [float(x.sum()) for x in total.split([len(word) for word in words])]
    assert found_in(judge).scores[3] == pytest.approx(each, abs=0.06)


def test_attention_is_what_each_word_receives_in_the_last_layer_or_of_one_head(judge: Judge) -> None:
    mean, layers = found_in(judge), judge.whole.config.encoder.layers
    heads = [
        reasons(*judge.on(TEXT), NO_CHANGE, HeadAddress("encoder", layers - 1, head), True, "<unk>")
        for head in range(judge.whole.config.encoder.heads)
    ]
    assert mean.scores[0] == pytest.approx(np.mean([head.scores[0] for head in heads], axis=0), abs=1e-6)
    assert mean.scores[0].sum() == pytest.approx(1) and mean.pattern.sum(-1) == pytest.approx(1)
    sizes = np.abs(mean.scores)
    assert mean.rho[0, 1] == pytest.approx(spearman(sizes[0], sizes[1]))


def test_a_changed_word_is_left_out_or_replaced_and_keeps_its_place(judge: Judge) -> None:
    words = words_of(judge)
    gone = found_in(judge, change=WordChange(4))
    assert gone.words == found_in(judge).words and np.abs(gone.scores[:, 4]).max() < 1e-6 and gone.changed == 4
    assert gone.margin == pytest.approx(judge.logit(joined([*words[:4], *words[5:]])), abs=1e-4)
    other = found_in(judge, change=WordChange(4, "very good"))
    new = list(judge.tokenizer.encode("very good").ids)
    assert other.words[4] == "very good"
    assert other.margin == pytest.approx(judge.logit(joined([*words[:4], new, *words[5:]])), abs=1e-4)
    assert other.before == pytest.approx(judge.verdict(TEXT), abs=1e-5)


def test_one_word_is_replaced_and_never_left_out(judge: Judge) -> None:
    found = found_in(judge, "bad", WordChange(0))
    assert found.changed is None and not found.removed and np.isnan(found.rho).all()
    (ids,) = words_of(judge, "bad")
    assert found.scores[1, 0] == pytest.approx(judge.logit(ids) - judge.logit([UNK] * len(ids)), abs=1e-4)


def test_a_long_text_is_cut_and_too_long_a_word_is_refused(judge: Judge) -> None:
    *_, tokenizer, run = judge.on("good film " * 100)
    text = word_pieces(tokenizer, run)
    assert len(text.row) == JUDGED_TOKENS and text.note
    with pytest.raises(ValueError, match="96 are the most"):
        changed_word(text, tokenizer, 0, "one two three")


def test_nothing_stays_on_the_model(judge: Judge) -> None:
    found_in(judge)
    assert all(parameter.grad is None for parameter in judge.whole.parameters())
