"""What is different without a part, against the two runs themselves."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from core.model.config import TransformerConfig
from core.text.special import MASK
from core.topics.block.ablation import untouched, whole_pass, without
from core.topics.block.answers import AnswerHead, answer_row
from core.topics.shared.loading import fresh_model
from core.tracing.edits import Edit
from core.tracing.run import Run, execute, prepare
from core.tracing.taps import ALL
from tests.core.topics.heads.test_head_and_heads import TOKENIZER

TEXT = "the cat sat on the mat"


def small(architecture: str, **changes: Any) -> Run:
    config = TransformerConfig(architecture, TOKENIZER.vocab_size, d_model=12, heads=3, layers=2, **changes)
    return Run(TEXT, config, "a cat" if architecture == "encoder-decoder" else "")


@pytest.mark.parametrize("architecture", ["decoder", "encoder-decoder"])
def test_vectors_lengths_and_answers_are_those_of_the_two_runs(architecture: str) -> None:
    run = small(architecture)
    model, step, stack = fresh_model(run.config, run.placement), AnswerHead(), run.config.stacks[0]
    rows = prepare(run, TOKENIZER).rows
    at = answer_row(run, dict(rows), step, stack, 1)
    edits = [Edit(f"{stack}.1.ffn_out", "zero")]
    first, second = (execute(model, run, prepare(run, TOKENIZER), ALL, edits=each) for each in ([], edits))
    kept = whole_pass(model, TOKENIZER, run, stack)
    before = untouched(step, kept, model, TOKENIZER, run, at)
    found = without(step, kept, before, model, TOKENIZER, run, at, "no feed-forward 2")
    assert found is not None
    a, b = (each[f"{stack}.final"][0].numpy() for each in (first, second))
    np.testing.assert_allclose(
        found.moved, [np.linalg.norm(y - x) / np.linalg.norm(x) for x, y in zip(a, b, strict=True)], rtol=1e-4
    )
    np.testing.assert_allclose(
        found.cosine, [x @ y / np.linalg.norm(x) / np.linalg.norm(y) for x, y in zip(a, b, strict=True)], rtol=1e-4
    )
    for number, key in enumerate(("0.resid_pre", "0.resid_post", "1.resid_post")):
        np.testing.assert_allclose(found.lengths[number], second[f"{stack}.{key}"][0].norm(dim=-1), rtol=1e-5)
        np.testing.assert_allclose(before.lengths[number], first[f"{stack}.{key}"][0].norm(dim=-1), rtol=1e-5)
    probabilities = [each["logits"][0, at].softmax(-1) for each in (first, second)]
    best = [int(each.argmax()) for each in probabilities]
    assert before.best == (TOKENIZER.labels([best[0]])[0], pytest.approx(float(probabilities[0][best[0]]), rel=1e-4))
    assert found.best == (TOKENIZER.labels([best[1]])[0], pytest.approx(float(probabilities[1][best[1]]), rel=1e-4))
    assert found.answers[0][1:] == pytest.approx([float(each[best[0]]) for each in probabilities], rel=1e-4)


def test_the_answer_is_read_where_it_is_given() -> None:
    def read(run: Run, step: AnswerHead, stack: str, token: int) -> int:
        return answer_row(run, dict(prepare(run, TOKENIZER).rows), step, stack, token)

    decoder, both, encoder = (small(kind) for kind in ("decoder", "encoder-decoder", "encoder"))
    length = len(prepare(decoder, TOKENIZER).rows["decoder"])
    assert (
        read(decoder, AnswerHead(), "decoder", 0)
        == read(replace(decoder, pads=2), AnswerHead(), "decoder", 0)
        == length - 1
    )
    assert read(both, AnswerHead(), "encoder", 3) == 0 and read(both, AnswerHead(), "decoder", 1) == 1
    assert read(encoder, AnswerHead(hidden=True), "encoder", 3) == 3
    rows = dict(prepare(encoder, TOKENIZER).rows)
    ids = (*rows["encoder"].ids[:2], MASK, *rows["encoder"].ids[3:])
    hidden = {"encoder": replace(rows["encoder"], ids=ids)}
    assert answer_row(encoder, hidden, AnswerHead(hidden=True), "encoder", 3) == 2


def test_numbers_that_overflow_give_no_record_and_an_encoder_no_answer() -> None:
    run = small("encoder")
    model = fresh_model(run.config, run.placement)
    with torch.no_grad():
        for block in model.get_submodule("encoder").children():
            block.get_parameter("ffn.w_2.weight").mul_(1e30)
    kept = whole_pass(model, TOKENIZER, run, "encoder")
    before = untouched(AnswerHead(), kept, model, TOKENIZER, run, 0)
    assert before.probabilities is None and before.best is None
    assert without(AnswerHead(), kept, before, model, TOKENIZER, run, 0, "no norms") is None
    found = without(AnswerHead(), kept, before, model, TOKENIZER, run, 0, "no attention")
    assert found is not None and found.answers == ()
