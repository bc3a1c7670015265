"""The permutation test: without positions the outputs only permute; with positions or an ordered mask they do not."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.checkpoints import shipped
from core.model.config import TransformerConfig
from core.model.masks import CausalMask, PaddingMask, SlidingWindowMask
from core.model.transformer import Transformer
from core.text.special import TextFormat
from core.topics.positions.encodings import KINDS
from core.topics.positions.readings.measures import read_shuffle
from core.topics.positions.shuffle import (
    fresh_encoders,
    outputs,
    shuffled,
    shuffled_fresh,
    token_order,
    trained_run,
    word_order,
)
from core.tracing.run import Run, prepare
from tests.core.topics.positions.test_positions import TEXT, TOKENIZER, made


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_only_without_positions_the_outputs_permute(kind: str, seed: int) -> None:
    model, tokenizer, run = made(positions=kind)
    found = shuffled(model, tokenizer, run, seed)
    assert found.moves_along == (kind == "none") and not found.masked
    assert sorted(found.before) == sorted(found.after) and found.before != found.after
    assert found.smallest == found.apart.min() and found.largest == found.apart.max()
    known = shuffled(model, tokenizer, run, seed, outputs(model, tokenizer, run))
    np.testing.assert_array_equal(known.apart, found.apart)


def test_undoing_the_shuffle_by_hand() -> None:
    model, tokenizer, run = made("the cat saw a dog", positions="rotary")
    found = shuffled(model, tokenizer, run, 3)
    row = prepare(run, tokenizer).rows["encoder"]
    order = token_order(row.words, range(len(row.ids)), 3)
    with torch.inference_mode():
        first = model.run_stack("encoder", torch.tensor([row.ids]), None)[0].numpy()
        second = model.run_stack("encoder", torch.tensor([[row.ids[old] for old in order]]), None)[0].numpy()
    for new, old in enumerate(order):
        change = np.linalg.norm(second[new] - first[old]) / np.linalg.norm(first[old])
        assert found.order[new] == old and found.changed[old] == pytest.approx(change, rel=1e-3)
        assert found.apart[old] == pytest.approx(np.abs(second[new] - first[old]).max(), abs=1e-6)
    assert found.size == pytest.approx(np.abs(first).max())


def test_a_causal_mask_tells_the_order_too() -> None:
    model, tokenizer, run = made(positions="none", architecture="decoder", masks=(CausalMask(),))
    found = shuffled(model, tokenizer, run, 0)
    assert found.masked and not found.moves_along
    said, _ = read_shuffle("none", found.largest, found.size, found.moves_along, found.masked)
    assert "knows the order by its mask" in said


def test_hidden_padding_stays_in_its_place() -> None:
    model, tokenizer, run = made(positions="none", masks=(PaddingMask(),), pads=3)
    found = shuffled(model, tokenizer, run, 0)
    assert len(found.apart) == len(found.labels) and found.moves_along


def test_words_move_whole_and_never_stay_all_in_place() -> None:
    order = token_order([0, 0, 1, 2, 2, 2, 3], range(1, 6), 4)
    assert order[0] == 0 and order[-1] == 6 and sorted(order) == list(range(7))
    assert [3, 4, 5] in [list(order[start : start + 3]) for start in range(1, 4)]
    for seed in range(30):
        assert sorted(word_order(2, seed)) == [0, 1] and word_order(2, seed).tolist() == [1, 0]
    assert word_order(1, 0).tolist() == [0] and token_order([0], range(1), 0).tolist() == [0]


def test_fresh_encoders_differ_in_their_positions_only() -> None:
    models = fresh_encoders(1000, 4)
    assert tuple(models) == KINDS
    first = models["none"].state_dict()
    for kind, model in models.items():
        assert isinstance(model, Transformer) and model.config.positions == kind
        own = model.state_dict()
        assert all(torch.equal(first[name], own[name]) for name in first)
    run = Run(TEXT, TransformerConfig(vocab_size=1000), tokenizer="unigram-1000", masks=(CausalMask(),))
    found = shuffled_fresh(models, TOKENIZER, run, 0)
    assert [kind for kind, each in found.items() if each.moves_along] == ["none"]
    assert not any(each.masked for each in found.values())


def test_numbers_that_overflow_are_named() -> None:
    model, tokenizer, run = made(positions="none")
    with torch.no_grad():
        model.embed.weight.fill_(1e38)
    with pytest.raises(ValueError, match="The numbers overflow"):
        shuffled(model, tokenizer, run, 0)


@pytest.mark.parametrize(("name", "moves"), [("sentiment", True), ("translator", False)])
def test_trained_encoders_keep_to_the_test(name: str, moves: bool) -> None:
    known, tokenizer = shipped.read(name), shipped.tokenizer(name)
    run = Run(TEXT.lower(), known.config, TEXT, source=known.source, format=known.format)
    found = shuffled(shipped.load(name, run.placement), tokenizer, run, 2)
    assert found.moves_along == moves == (known.config.positions == "none")
    assert found.largest < 1e-4 if moves else found.smallest > 0.01


def test_one_word_cannot_be_moved_and_a_mask_that_hides_nothing_tells_no_order() -> None:
    name = "toy-copy"
    found = shipped.read(name)
    run = Run("k", found.config, source=found.source, format=found.format)
    model, tokenizer = shipped.load(name, run.placement), shipped.tokenizer(name)
    assert shuffled(model, tokenizer, run, 1).movable == 1
    several = replace(run, text="kdv")
    for window, masked in ((511, False), (0, True)):
        assert shuffled(model, tokenizer, replace(several, masks=(SlidingWindowMask(window),)), 1).masked == masked


def test_a_trained_model_reads_the_text_as_it_was_trained_to() -> None:
    known = shipped.read("sentiment")
    run = trained_run("The CAT", known)
    assert known.format.lower and run.text == run.target == "the cat"
    assert (run.source, run.config, run.format) == (known.source, known.config, known.format)
    assert run.masks == () and trained_run("The CAT", replace(known, format=TextFormat())).text == "The CAT"
