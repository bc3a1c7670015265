"""The tokens on their way through the drawing: each step is what the model itself computes there."""

from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from core.model.config import NORM_POSITIONS, TransformerConfig
from core.model.masks import CausalMask, Mask, PaddingMask
from core.model.transformer import build
from core.text.tokenizer import Tokenizer
from core.topics.architecture.flow import SHOWN_TOKENS, Flow, flow
from core.tracing.run import Run

WORDS = "The cat sat on the mat."
TOKENIZER = Tokenizer.load("unigram-1000")
SIZES = {"vocab_size": TOKENIZER.vocab_size, "d_model": 16, "heads": 2, "layers": 2}


def flowing(text: str = WORDS, pads: int = 0, **config: Any) -> tuple[Flow, Any]:
    """A run through a small model with its second layer open and its second head in close-up."""
    settings = TransformerConfig(**(SIZES | config))
    masks: tuple[Mask, ...] = (CausalMask(),) if settings.architecture != "encoder" else (PaddingMask(),) * bool(pads)
    run = Run(text, settings, "Le chat.", masks=masks, pads=pads)
    model = build(settings)
    return flow(model, TOKENIZER, run, 1, 1), model


def strips(found: Flow) -> dict[str, np.ndarray]:
    return {step.box: step.strip for step in found.steps}


@pytest.mark.parametrize(("norm", "residual"), product(NORM_POSITIONS, (True, False)))
@torch.inference_mode()
def test_the_steps_are_the_sums_and_norms_of_the_drawing(norm: str, residual: bool) -> None:
    found, model = flowing(norm_position=norm, residual=residual, architecture="decoder")
    at, block = strips(found), model.decoder[1]
    stream, out = torch.tensor(at["decoder.0"]), torch.tensor(at["decoder.1.attn.attn_out"])
    added = stream + out if residual else out
    if residual:
        torch.testing.assert_close(torch.tensor(at["decoder.1.attn.add"]), added)
    after = block.norm_attn(added) if norm == "post" else added
    if norm == "post":
        torch.testing.assert_close(torch.tensor(at["decoder.1.norm_attn"]), after)
    read = block.norm_ffn(after) if norm == "pre" else after
    torch.testing.assert_close(torch.tensor(at["decoder.1.ffn.ffn_out"]), block.ffn(read))
    entering = block.norm_attn(stream) if norm == "pre" else stream
    q = (entering @ block.attn.w_q.weight.T + block.attn.w_q.bias)[:, 8:]
    torch.testing.assert_close(torch.tensor(at["decoder.1.attn.q"]), q)


@torch.inference_mode()
def test_the_answer_is_the_models_own_and_every_row_of_weights_sums_to_one() -> None:
    found, model = flowing(architecture="encoder-decoder", positions="rotary")
    source, target = (torch.tensor([list(map(int, ids))]) for ids in _ids(found))
    probabilities = model(source, target)[0, -1].softmax(-1)
    best = probabilities.topk(5)
    assert [label for label, _ in found.answer] == list(TOKENIZER.labels(best.indices.tolist()))
    np.testing.assert_allclose([share for _, share in found.answer], best.values, rtol=1e-4)
    at = strips(found)
    np.testing.assert_allclose(at["answer"][-1, :5], best.values, rtol=1e-4)
    for key in ("encoder.1.attn.scores", "decoder.1.attn.scores", "decoder.1.cross.scores"):
        np.testing.assert_allclose(at[key].sum(1), 1, atol=1e-5)
    steps = {step.box: step for step in found.steps}
    assert steps["decoder.1.cross.k"].stack == "encoder" and steps["decoder.1.cross.q"].stack == "decoder"
    assert steps["decoder.1.attn.q"].head == 1 and steps["decoder.1.attn.attn_out"].head is None


def _ids(found: Flow) -> list[tuple[float, ...]]:
    return [step.amounts for step in found.steps if step.unit == "id"]


@torch.inference_mode()
def test_what_is_told_of_a_row_is_its_length_or_its_largest_share() -> None:
    found, model = flowing(architecture="encoder", positions="none", scale_embeddings=False)
    steps = {step.box: step for step in found.steps}
    ids = torch.tensor(list(map(int, steps["encoder.tokens"].amounts)))
    embedded = F.embedding(ids, model.embed.weight)
    lengths = embedded.norm(dim=1).tolist()
    assert steps["encoder.embed"].amounts == pytest.approx(lengths, rel=1e-5)
    weights = steps["encoder.1.attn.scores"]
    assert weights.amounts == tuple(weights.strip.max(axis=1).tolist())
    assert weights.pieces == tuple(found.tokens["encoder"].pieces[key] for key in weights.strip.argmax(axis=1))


def test_of_a_long_text_the_first_tokens_are_drawn_and_the_last_that_is_no_padding() -> None:
    found, _ = flowing("one two three four five six seven eight nine ten", pads=3)
    shown = found.tokens["encoder"]
    assert len(shown.places) == SHOWN_TOKENS and shown.places[:3] == (0, 1, 2)
    assert shown.pieces[-1] != "<pad>" and shown.left == shown.places[-1] + 1 - SHOWN_TOKENS > 0
    assert all(step.strip.shape[0] == SHOWN_TOKENS == len(step.amounts) for step in found.steps)
