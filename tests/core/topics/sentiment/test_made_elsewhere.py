"""A classifier that other people made, judged as transformers judges the same ids."""

from pathlib import Path

import numpy as np
import pytest
import torch

from core.checkpoints.class_layer import ClassLayer
from core.device import Placement
from core.model.transformer import Transformer
from core.registry import ModelRegistry
from core.text.hub import HubTokenizer
from core.topics.journey.verdict import verdict
from core.topics.sentiment.growing import growing_verdict
from core.topics.sentiment.judging import changed_word, follow_likeliest, word_pieces
from core.topics.sentiment.negated import judged_negations
from core.topics.sentiment.permuted import permuted_verdict
from core.topics.sentiment.reasons import WordChange, reasons
from core.tracing.run import Run
from tests.core.checkpoints.real.real_place import write_judge

TEXT = "the cat sat on the mat and the dog sat by the door"
CPU = Placement("cpu", "float32")


class Elsewhere:
    """Such a classifier as a page has it, and as transformers reads it."""

    def __init__(self, place: Path, labels: tuple[str, ...]) -> None:
        self.theirs = write_judge(place / "judge", labels, seed=3)
        known, tokenizer = ModelRegistry(place=place).source("real:judge").open()
        assert isinstance(tokenizer, HubTokenizer)
        self.tokenizer = tokenizer
        self.run = Run(TEXT, known.config, source=known.source, format=known.format)
        self.model = known.source.load(CPU)
        layer = known.source.class_layer()
        assert layer is not None
        self.layer = follow_likeliest(layer, self.model, self.tokenizer, self.run)

    @property
    def parts(self) -> tuple[ClassLayer, Transformer, HubTokenizer, Run]:
        return self.layer, self.model, self.tokenizer, self.run

    @torch.no_grad()
    def probabilities(self, ids: list[int]) -> torch.Tensor:
        found: torch.Tensor = self.theirs(torch.tensor([ids])).logits[0].softmax(-1)
        return found

    def logit(self, ids: list[int]) -> float:
        return float(torch.logit(self.probabilities(ids)[self.layer.followed].double()))


@pytest.fixture(params=[("positive", "negative"), ("angry", "calm", "glad")], ids=["two classes", "three"])
def judge(request: pytest.FixtureRequest, tmp_path: Path) -> Elsewhere:
    return Elsewhere(tmp_path, request.param)


def test_the_verdict_is_that_of_transformers(judge: Elsewhere) -> None:
    ids = judge.tokenizer.ids(TEXT)
    known = judge.probabilities(ids)
    said = verdict(*judge.parts)
    assert [name for name, _ in said] == [judge.layer.labels[n] for n in known.argsort(descending=True)]
    assert [probability for _, probability in said] == pytest.approx(
        known.sort(descending=True).values.tolist(), abs=1e-5
    )
    if len(judge.layer.labels) > 2:
        assert judge.layer.followed == int(known.argmax())


def test_each_prefix_is_judged_between_the_special_pieces(judge: Elsewhere) -> None:
    found = growing_verdict(*judge.parts)
    assert list(found.words) == TEXT.split()
    alone = [judge.tokenizer.ids(" ".join(TEXT.split()[: n + 1])) for n in range(len(found.words))]
    assert found.probabilities == pytest.approx(
        [float(judge.probabilities(ids)[judge.layer.followed]) for ids in alone], abs=1e-5
    )


@pytest.mark.parametrize("start", ["<unk>", "zeros"])
def test_words_are_left_out_and_the_special_pieces_never(judge: Elsewhere, start: str) -> None:
    found = reasons(*judge.parts, WordChange(), None, False, start)
    text = word_pieces(judge.tokenizer, judge.run)
    assert found.words == text.words
    unknown = judge.run.format.special.unknown
    assert unknown is not None and judge.tokenizer.labels([unknown]) == ("[UNK]",)
    whole = judge.logit(text.row)
    assert found.margin == pytest.approx(whole, abs=1e-3)
    for place, word in enumerate(text.ids):
        before = len(text.first) + sum(map(len, text.ids[:place]))
        others = [*text.row[:before], *[unknown] * len(word), *text.row[before + len(word) :]]
        assert found.scores[1, place] == pytest.approx(whole - judge.logit(others), abs=1e-3)
    assert found.total == pytest.approx(found.margin - found.baseline, abs=0.05)
    if start == "<unk>":
        hidden = [text.row[0], *[unknown] * (len(text.row) - 2), text.row[-1]]
        assert found.baseline == pytest.approx(judge.logit(hidden), abs=1e-3)


def test_a_word_in_anothers_place_brings_no_special_pieces(judge: Elsewhere) -> None:
    text = word_pieces(judge.tokenizer, judge.run)
    other = changed_word(text, judge.tokenizer, 1, "dog")
    assert other.row == judge.tokenizer.ids(TEXT.replace("cat", "dog"))
    assert len(other.pieces) == len(other.row)
    assert changed_word(text, judge.tokenizer, 1, "").row == text.without(1)


def test_permuting_begins_at_the_same_verdict(judge: Elsewhere) -> None:
    found = permuted_verdict(*judge.parts, 0)
    assert found.probability == pytest.approx(float(growing_verdict(*judge.parts).probabilities[-1]), abs=1e-6)
    assert np.isfinite(found.permuted).all() and found.permuted.std() > 0


def test_sentences_with_negations_are_right_by_the_names_of_the_classes(tmp_path: Path) -> None:
    judge = Elsewhere(tmp_path, ("positive", "negative"))
    found = judged_negations(*judge.parts)
    ids = judge.tokenizer.ids(found.sentences[0])
    assert found.labels == ("negative", "positive")
    assert found.probabilities[0] == pytest.approx(float(judge.probabilities(ids)[0]), abs=1e-5)
