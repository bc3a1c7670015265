"""The shipped classifier, and a deep one with fresh weights, each as the page runs it and by itself."""

from dataclasses import dataclass

import pytest
import torch

from core.checkpoints import shipped, weights
from core.checkpoints.class_layer import ClassLayer
from core.device import Placement
from core.model.classifier import Classifier, ClassifierConfig, build
from core.model.config import TransformerConfig
from core.model.tap import IDENTITY, Tap
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.positions.shuffle import trained_run
from core.tracing.run import Run

NAME = "sentiment"
DEEP = TransformerConfig(
    "encoder", 4000, d_model=16, heads=2, layers=3, positions="learned", norm_position="post", seed=5
)


@dataclass(frozen=True)
class Judge:
    """A whole classifier, and what a page has of it."""

    whole: Classifier
    tokenizer: AnyTokenizer

    def on(self, text: str) -> tuple[ClassLayer, Transformer, AnyTokenizer, Run]:
        """What a function of `core.topics` is called with."""
        run = trained_run(text, shipped.read(NAME))
        run = Run(run.text, self.whole.config.encoder, placement=Placement("cpu", "float32"))
        layer = ClassLayer(self.whole.config.labels, self.whole.head)
        return layer, self.whole.encoder, self.tokenizer, run

    def logit(self, ids: list[int], tap: Tap = IDENTITY) -> float:
        """The second class's logit less the first's, by the classifier's own forward pass."""
        with torch.no_grad():
            first, second = self.whole(torch.tensor([ids]), tap=tap)[0]
        return float(second - first)

    def verdict(self, text: str, tap: Tap = IDENTITY) -> float:
        """The chance of the second class."""
        return float(torch.sigmoid(torch.tensor(self.logit(list(self.tokenizer.encode(text).ids), tap))))


@pytest.fixture(params=["shipped", "deep"])
def judge(request: pytest.FixtureRequest) -> Judge:
    tokenizer = shipped.tokenizer(NAME)
    if request.param == "deep":
        whole = build(ClassifierConfig(DEEP, embedding_init="normal"))
        with torch.no_grad():
            whole.head.weight.mul_(6.0)
        return Judge(whole, tokenizer)
    loaded, _ = weights.load(shipped.MODELS_FOLDER / NAME)
    assert isinstance(loaded, Classifier)
    return Judge(loaded, tokenizer)
