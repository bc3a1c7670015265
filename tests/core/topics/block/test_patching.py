"""A patched run against the model's own forward pass with the same edit, and against what must be true of any patch."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from core.checkpoints import shipped
from core.checkpoints.class_layer import ClassLayer
from core.limits import PATCHED_TOKENS
from core.model.config import TransformerConfig
from core.model.masks import CausalMask
from core.model.transformer import Transformer
from core.topics.block import patching
from core.topics.block.answers import AnswerHead
from core.topics.block.counterparts import TURNING, counterparts
from core.topics.block.pairs import TextPair, matched, pair_of, shortened
from core.topics.shared.loading import fresh_model
from core.tracing.edits import Edit
from core.tracing.run import Run, execute
from core.tracing.taps import ALL
from tests.core.topics.heads.test_head_and_heads import TOKENIZER

TEXT, OTHER = "the cat sat on the mat", "the dog sat on the mat"
LAYERS = 3


def small(architecture: str, **changes: Any) -> Run:
    config = TransformerConfig(architecture, TOKENIZER.vocab_size, d_model=12, heads=3, layers=LAYERS, **changes)
    mask = () if architecture == "encoder" else (CausalMask(),)
    return Run(TEXT, config, "a cat here" if architecture == "encoder-decoder" else "", masks=mask)


def paired(
    run: Run, stack: str, step: AnswerHead | None = None, other: str = OTHER
) -> tuple[Transformer, AnswerHead, TextPair]:
    model, step = fresh_model(run.config, run.placement), step or AnswerHead()
    return model, step, pair_of(step, other, model, TOKENIZER, run, stack, 2)


def turns(run: Run, stack: str, other: str = OTHER, together: bool = True) -> np.ndarray:
    """(L, N + 1), all tokens in one batch or one by one."""
    model, step, pair = paired(run, stack, other=other)
    seen = patching.both_runs(pair, model, TOKENIZER, run)
    places = range(len(pair.labels))
    groups = [list(places)] if together else [[place] for place in places]
    found = [patching.patch_rows(step, pair, seen, model, TOKENIZER, run, group) for group in groups]
    return np.stack([row.turn for rows in found for row in rows])


KINDS = [("decoder", "decoder"), ("encoder-decoder", "encoder"), ("encoder-decoder", "decoder"), ("encoder", "encoder")]


@pytest.mark.parametrize("changes", [{"norm_position": "pre"}, {"positions": "rotary"}, {"positions": "alibi"}])
@pytest.mark.parametrize(("architecture", "stack"), KINDS)
def test_every_cell_is_the_run_with_that_one_edit(architecture: str, stack: str, changes: dict[str, Any]) -> None:
    run = small(architecture, **changes)
    model, step, pair = paired(run, stack)
    first, second = (execute(model, run, each, ALL, edits=()) for each in (pair.first, pair.second))
    seen = patching.both_runs(pair, model, TOKENIZER, run)
    names = patching.patch_ends(step, pair, seen, model, TOKENIZER, run).names

    def gap(logits: Tensor) -> float:
        a, b = (TOKENIZER.labels(range(TOKENIZER.vocab_size)).index(name) for name in names)
        return float(logits[0, pair.at, b] - logits[0, pair.at, a])

    rows = patching.patch_rows(step, pair, seen, model, TOKENIZER, run, range(len(pair.labels)))
    for boundary in range(LAYERS + 1):
        key = f"{stack}.{boundary}.resid_pre" if boundary < LAYERS else f"{stack}.{LAYERS - 1}.resid_post"
        for place, found in enumerate(rows):
            edit = Edit(key, "replace", second[key][0, place], row=place)
            edited = execute(model, run, pair.first, ALL, edits=(edit,))
            if architecture == "encoder":
                a, b, x = (each["encoder.final"][0, 2] for each in (first, second, edited))
                turn = float((x - a) @ (b - a) / (b - a).square().sum())
            else:
                none, all_of_it, some = (gap(each["logits"]) for each in (first, second, edited))
                turn = (some - none) / (all_of_it - none)
                probability = edited["logits"][0, pair.at].softmax(-1).max()
                assert found.probability[boundary] <= float(probability) + 1e-5
            assert found.turn[boundary] == pytest.approx(turn, abs=2e-3), (boundary, place)
    assert turns(run, stack, together=False) == pytest.approx(np.stack([row.turn for row in rows]), abs=1e-4)


@pytest.mark.parametrize(("architecture", "stack"), KINDS)
def test_all_tokens_at_once_before_the_first_layer_make_the_other_run(architecture: str, stack: str) -> None:
    if stack == "decoder" and architecture == "encoder-decoder":
        return  # what it reads of the other encoder's text is not in its own stream
    run = small(architecture)
    model, _, pair = paired(run, stack)
    first, second = (execute(model, run, each, ALL, edits=()) for each in (pair.first, pair.second))
    with torch.inference_mode():
        whole = patching.rest_of_run(model, pair, second[f"{stack}.0.resid_pre"], 0, first)
    assert torch.allclose(whole, second[pair.last], atol=1e-5)
    assert not torch.allclose(whole, first[pair.last], atol=1e-2)


def test_the_same_text_turns_nothing_and_says_so() -> None:
    run = small("decoder")
    model, step, pair = paired(run, "decoder", other=TEXT)
    seen = patching.both_runs(pair, model, TOKENIZER, run)
    assert patching.patch_ends(step, pair, seen, model, TOKENIZER, run).nothing
    first = execute(model, run, pair.first, ALL, edits=())
    with torch.inference_mode():
        same = patching.rest_of_run(model, pair, first["decoder.1.resid_pre"], 1, first)
    assert torch.allclose(same, first["decoder.final"], atol=1e-6)


def test_in_a_causal_decoder_the_last_token_has_it_all_in_the_end_and_tokens_before_the_change_nothing() -> None:
    run = small("decoder")
    _, _, pair = paired(run, "decoder")
    changed = next(
        n
        for n, (a, b) in enumerate(zip(*(each.rows["decoder"].ids for each in (pair.first, pair.second)), strict=True))
        if a != b
    )
    assert changed > 0
    found = turns(run, "decoder")
    assert not found[:changed].any()
    assert found[-1, LAYERS] == pytest.approx(1, abs=1e-4) and np.abs(found[:-1, LAYERS]).max() < 1e-5


def test_a_cell_has_the_chances_of_the_three_runs() -> None:
    run = small("decoder")
    model, step, pair = paired(run, "decoder")
    seen = patching.both_runs(pair, model, TOKENIZER, run)
    cell = patching.patch_cell(step, pair, seen, model, TOKENIZER, run, 0, 1)
    whole = patching.patch_cell(step, pair, seen, model, TOKENIZER, run, LAYERS, len(pair.labels) - 1)
    first, second = (
        execute(model, run, each, ["logits"], edits=())["logits"][0, -1] for each in (pair.first, pair.second)
    )
    assert cell is not None and whole is not None
    labels = TOKENIZER.labels(range(TOKENIZER.vocab_size))
    for name, probabilities in zip(whole.names, whole.probabilities, strict=True):
        at = labels.index(name)
        assert probabilities[0] == pytest.approx(float(first.softmax(-1)[at]), rel=1e-4)
        assert (
            probabilities[1]
            == pytest.approx(probabilities[2], rel=1e-4)
            == pytest.approx(float(second.softmax(-1)[at]), rel=1e-4)
        )


def test_texts_of_unlike_length_are_matched_from_both_ends() -> None:
    assert matched((1, 2, 3, 4), (1, 9, 3, 4)) == (0, 1, 2, 3)
    assert matched((1, 2, 3, 4), (1, 8, 9, 3, 4)) == (0, 2, 3, 4)
    assert matched((1, 2, 3, 4, 5), (1, 9, 5)) == (0, None, None, 1, 2)
    assert matched((1, 2, 3), (1, 2)) == (0, 1, None)
    assert matched((1, 2), (1, 2, 3)) == (0, 1)
    run = small("decoder")
    turn = turns(run, "decoder", "a very old and very red dog sat on the mat")
    assert turn[-1, LAYERS] == pytest.approx(1, abs=1e-4)


def test_a_token_without_a_partner_has_no_number() -> None:
    run = replace(small("decoder"), text="the cat and the dog sat on the mat")
    turn = turns(run, "decoder", "the mat")
    _, _, pair = paired(run, "decoder", other="the mat")
    alone = [place for place in range(len(pair.labels)) if pair.partners[place] is None]
    assert alone and np.isnan(turn[alone]).all() and not np.isnan(np.delete(turn, alone, 0)).any()
    assert sorted([*patching.patch_order(pair), *alone]) == list(range(len(pair.labels)))


def test_tokens_that_differ_come_first_and_then_those_nearest_to_the_answer() -> None:
    _, _, pair = paired(small("decoder"), "decoder", other="the dog sat on a mat")
    first, second = (each.rows["decoder"].ids for each in (pair.first, pair.second))
    changed = [n for n, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    order = patching.patch_order(pair)
    assert 1 < len(changed) < len(first) and sorted(order[: len(changed)]) == changed
    assert order[len(changed) :] == [n for n in reversed(range(len(first))) if n not in changed]


def test_only_the_beginning_of_long_texts_is_read() -> None:
    run = replace(small("encoder-decoder"), text="cat and dog " * 60, target="dog and cat " * 60, pads=3)
    _, _, pair = paired(shortened(run, TOKENIZER), "encoder", other="dog and dog " * 90)
    assert [len(each.rows["encoder"]) for each in (pair.first, pair.second)] == [PATCHED_TOKENS] * 2
    assert len(pair.first.rows["decoder"]) == PATCHED_TOKENS


def test_a_classifier_turns_to_the_class_of_the_other_text() -> None:
    run = small("encoder")
    layer = torch.nn.Linear(12, 2)
    torch.nn.init.normal_(layer.weight, generator=torch.Generator().manual_seed(1))
    step = AnswerHead(ClassLayer(("bad", "good"), layer.requires_grad_(False)))
    model, step, pair = paired(run, "encoder", step)
    ends = patching.patch_ends(step, pair, patching.both_runs(pair, model, TOKENIZER, run), model, TOKENIZER, run)
    assert step.classes is not None
    for inputs, probabilities in zip((pair.first, pair.second), ends.probabilities, strict=True):
        final = execute(model, run, inputs, ["encoder.final"], edits=())["encoder.final"]
        expected = layer(final[0].mean(0)).softmax(-1)
        assert probabilities == pytest.approx(
            [float(expected[step.classes.labels.index(name)]) for name in ends.names], rel=1e-4
        )


OWN = {  # what the models themselves write
    "I saw a red house.": "J'ai vu une maison rouge.",
    "The animal didn't cross the street because it was too tired.": "L'animal ne traversa pas la rue parce qu'il était "
    "trop fatigué.",
}
LETTERS = {"toy-reverse": "awtmbzqk", "toy-sort": "abkmqtwz"}


@cache
def model_of(name: str) -> tuple[Transformer, AnswerHead]:
    found = shipped.read(name)
    return shipped.load(name, Run("", found.config).placement), AnswerHead(
        shipped.class_layer(name), found.mask is not None
    )


@pytest.mark.parametrize(("name", "number"), [(name, n) for name, pairs in TURNING.items() for n in range(len(pairs))])
def test_each_example_turns_the_answer_of_its_model(name: str, number: int) -> None:
    found, tokenizer, example = shipped.read(name), shipped.tokenizer(name), TURNING[name][number]
    model, step = model_of(name)
    mask = () if found.config.architecture == "encoder" else (CausalMask(),)
    run_target = example.target or LETTERS.get(name) or OWN.get(example.text, "")
    run = Run(
        example.text,
        found.config,
        run_target,
        masks=mask,
        source=found.source,
        format=found.format,
    )
    pair = pair_of(step, example.other, model, tokenizer, run, found.config.stacks[0], 0)
    assert len({len(each.rows[pair.stack]) for each in (pair.first, pair.second)}) == 1
    seen = patching.both_runs(pair, model, tokenizer, run)
    probabilities = patching.patch_ends(step, pair, seen, model, tokenizer, run).probabilities
    assert probabilities[0, 0] > probabilities[0, 1] and probabilities[1, 1] > probabilities[1, 0]
    assert probabilities[1, 1] - probabilities[0, 1] > 0.05
    assert counterparts(name, example.text) == (example.other,)


def test_what_tired_decides_stays_at_tired_through_the_translators_encoder() -> None:
    example = TURNING["translator"][0]
    found, tokenizer = shipped.read("translator"), shipped.tokenizer("translator")
    model, step = model_of("translator")
    run = Run(example.text, found.config, example.target, source=found.source, format=found.format)
    pair = pair_of(step, example.other, model, tokenizer, run, "encoder", 0)
    seen = patching.both_runs(pair, model, tokenizer, run)
    rows = patching.patch_rows(step, pair, seen, model, tokenizer, run, range(len(pair.labels)))
    turn = np.stack([each.turn for each in rows])[:, :4]
    pieces = pair.first.rows["encoder"].pieces
    assert [pieces[place] for place in turn.argmax(0)] == ["tired"] * 4  # the decoder reads it there
    assert patching.patch_ends(step, pair, seen, model, tokenizer, run).names == ("·il", "·elle")


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("a tired bird", ("a wide bird",)),
        ("a tired cat", ("a wide cat", "a tired dog")),
        ("The man saw a man", ("The woman saw a woman",)),
        ("one two three", ("two one three",)),
        ("aab", ("aba",)),
        ("word", ("owrd",)),
        ("a a a", ()),
        ("x", ()),
    ],
)
def test_any_text_has_partners_if_anything_in_it_differs(text: str, others: tuple[str, ...]) -> None:
    assert counterparts("", text) == others
