"""What explains a softmax over the keys alone refuses a model whose softmax has a sink logit."""

from collections.abc import Callable
from functools import partial

import pytest

from core.model.config import TransformerConfig
from core.model.transformer import build
from core.topics.masks.experiments import emptied, ways
from core.topics.scaling.comparison import compare
from core.topics.scaling.opening import scaled_place
from core.topics.self_attention.one_head import head
from core.topics.self_attention.questions import colder
from core.topics.shared.places import HeadAddress
from tests.core.topics.circuits.test_attribution import LETTERS, run_of

PLACE = HeadAddress("decoder")


@pytest.mark.parametrize(
    "ask",
    [
        partial(scaled_place, place=PLACE),
        lambda model, tokenizer, run: compare(head(model, tokenizer, run, PLACE), 0),
        partial(ways, place=PLACE),
        partial(emptied, place=PLACE),
        partial(colder, layer=1, head=1),
    ],
    ids=["scaling", "scores", "wrong ways", "empty rows", "temperature"],
)
def test_what_explains_a_softmax_without_a_sink_refuses_one(ask: Callable[..., object]) -> None:
    run = run_of(TransformerConfig("decoder", d_model=8, heads=2, layers=1, sink_logits=True))
    with pytest.raises(ValueError, match="a learned logit beside the scores"):
        ask(build(run.config), LETTERS, run)
