"""Silencing a head is zeroing its slice of W_O, and what it moves is looked for wherever it can reach."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.model.masks import CausalMask, PaddingMask
from core.topics.heads import ablation, all_heads
from core.topics.shared import loading
from core.topics.shared.places import HeadAddress, attention_module, reaches
from core.tracing.edits import Edit, ablate_head
from core.tracing.run import execute, prepare
from core.tracing.taps import ALL
from tests.core.topics.heads.test_head_and_heads import TOKENIZER, places, run_of, small, view


@pytest.mark.parametrize("architecture", ["encoder", "decoder", "encoder-decoder"])
def test_silencing_a_head_is_zeroing_its_slice_of_w_o(architecture: str) -> None:
    run = small(architecture)
    inputs = prepare(run, TOKENIZER)
    for place in places(run.config):
        place = replace(place, layer=0, head=1)
        edits = (ablate_head(run.config, 0, 1, place.stack, place.cross),)
        model = loading.fresh_model(run.config, run.placement)
        cut = deepcopy(model)
        with torch.no_grad():
            attention_module(cut, place).w_o.weight[:, 4:8] = 0
        before, after = execute(model, run, inputs, ALL), execute(cut, run, inputs, ALL)
        record = ablation.ablate(model, TOKENIZER, run, place, edits)
        assert record.stacks[0].stack == place.stack and record.stacks[0].per_token.max() > 0.01
        for change in record.stacks:
            final = f"{change.stack}.final"
            moved = (after[final] - before[final])[0].norm(dim=-1) / before[final][0].norm(dim=-1)
            np.testing.assert_allclose(change.per_token, moved, atol=1e-6)
            for layer in range(2):
                stream = f"{change.stack}.{layer}.resid_post"
                share = (after[stream] - before[stream]).norm() / before[stream].norm()
                assert change.per_layer[layer] == pytest.approx(float(share), abs=1e-6)
        for name, values in record.per_head.items():
            target = HeadAddress("decoder", cross=True) if name == "cross" else HeadAddress(name)
            for layer in range(2):
                key = replace(target, layer=layer).prefix + "pattern"
                variation = (after[key] - before[key])[0].abs().sum(-1).mean(-1) / 2
                np.testing.assert_allclose(values.data[layer], variation, atol=1e-6)
                assert bool(np.ma.getmaskarray(values)[layer].any()) == (not variation.any())
        again = view(all_heads.patterns, replace(run, edits=edits), replace(place, layer=1))
        np.testing.assert_allclose(again.pattern, after[replace(place, layer=1).prefix + "pattern"][0], atol=1e-6)


@pytest.mark.parametrize(
    ("place", "reached"),
    [
        (HeadAddress("encoder", 1), {"encoder": [], "decoder": [1], "cross": [0, 1]}),
        (HeadAddress("decoder", 1), {"decoder": [], "cross": [1]}),
        (HeadAddress("decoder", 0, cross=True), {"decoder": [1], "cross": [1]}),
        (HeadAddress("decoder", 1, cross=True), {"decoder": [], "cross": []}),
    ],
)
def test_every_attention_downstream_is_compared(place: HeadAddress, reached: dict[str, list[int]]) -> None:
    run = small("encoder-decoder")
    edits = (ablate_head(run.config, place.layer, 0, place.stack, place.cross),)
    record = view(ablation.ablate, run, place, edits)
    found = {
        name: [n for n in range(2) if not np.ma.getmaskarray(values)[n].any()]
        for name, values in record.per_head.items()
    }
    assert found == reached
    assert all(record.per_head[name][layers].min() > 0 for name, layers in found.items() if layers)


def test_the_earliest_of_several_heads_says_what_is_reached() -> None:
    sizes = small().config
    record = view(ablation.ablate, small(), HeadAddress(), (ablate_head(sizes, 0, 0), ablate_head(sizes, 1, 0)))
    assert np.ma.getmaskarray(record.per_head["encoder"]).all(1).tolist() == [True, False]
    assert not reaches(HeadAddress("encoder", 1), HeadAddress("encoder", 1))
    assert not reaches(HeadAddress("encoder", 0), HeadAddress("decoder", 0))


def test_an_edit_outside_every_layer_is_refused() -> None:
    with pytest.raises(ValueError, match=r"encoder\.embed belongs to no layer"):
        view(ablation.ablate, small(), HeadAddress(), (Edit("encoder.embed", "zero"),))


def test_next_pieces_are_those_of_the_two_runs() -> None:
    run = small("decoder")
    edits = (ablate_head(run.config, 1, 0),)
    record = view(ablation.ablate, run, HeadAddress("decoder"), edits)
    model, inputs = loading.fresh_model(run.config, run.placement), prepare(run, TOKENIZER)
    first = execute(model, run, inputs, (), edits=()).output[0].softmax(-1)
    second = execute(model, run, inputs, (), edits=edits).output[0].softmax(-1)
    bits = (first * (first.log2() - second.log2())).sum(-1)
    np.testing.assert_allclose(record.surprise, bits, atol=1e-5)
    assert record.at == int(bits.argmax())
    first, second = first[record.at], second[record.at]
    label, before, after = record.next_pieces[0]
    assert label == TOKENIZER.labels([int(first.argmax())])[0]
    assert before == pytest.approx(float(first.max())) and after == pytest.approx(float(second[first.argmax()]))
    assert max(now for _, _, now in record.next_pieces) == pytest.approx(float(second.max()))


@pytest.mark.parametrize("place", [HeadAddress("encoder"), HeadAddress("decoder"), HeadAddress("decoder", cross=True)])
def test_the_strongest_head_is_the_one_whose_loss_moves_one_guess_most(place: HeadAddress) -> None:
    run = small("encoder-decoder")
    found = view(ablation.head_effects, run, place)
    layers, heads = run.config.depth(place.stack), run.config.heads
    silent = [
        ablate_head(run.config, layer, head, place.stack, place.cross) for layer, head in np.ndindex(layers, heads)
    ]
    surprises = [view(ablation.ablate, run, place, (edit,)).surprise for edit in silent]
    bits = np.array(surprises).reshape(layers, heads, -1)
    layer, head, at = np.unravel_index(bits.argmax(), bits.shape)
    assert (*found.strongest, found.at) == (layer, head, at) and not found.tries_one_layer
    np.testing.assert_allclose(found.bits, bits[:, :, at], atol=1e-6)


def test_of_too_many_heads_those_of_one_layer_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    run, place = small("decoder"), HeadAddress("decoder", 1, 2)
    assert ablation.tried_place(run, place) == HeadAddress("decoder")
    monkeypatch.setattr(ablation, "MAX_TRIED_HEADS", 5)  # of 6
    assert ablation.tried_place(run, place) == HeadAddress("decoder", 1)
    found = view(ablation.head_effects, run, ablation.tried_place(run, place))
    assert found.tries_one_layer and found.strongest[0] == 1
    assert np.ma.getmaskarray(found.bits).all(1).tolist() == [True, False]


def test_padding_behind_the_text_changes_nothing() -> None:
    run = run_of(small("decoder").config, masks=(CausalMask(),))
    padded = run_of(run.config, masks=(CausalMask(), PaddingMask()), pads=3)
    edits = (ablate_head(run.config, 0, 1),)
    plain, other = (
        view(ablation.ablate, run, HeadAddress("decoder"), edits),
        view(ablation.ablate, padded, HeadAddress("decoder"), edits),
    )
    assert other.next_pieces[0][0] == plain.next_pieces[0][0]
    np.testing.assert_allclose([p[1:] for p in other.next_pieces], [p[1:] for p in plain.next_pieces], rtol=1e-4)
    np.testing.assert_allclose(other.surprise, plain.surprise, atol=1e-5)
    np.testing.assert_allclose(other.per_head["decoder"], plain.per_head["decoder"], atol=1e-6)
    (one,), (two,) = plain.stacks, other.stacks
    assert one.labels == two.labels
    np.testing.assert_allclose(two.per_token, one.per_token, atol=1e-5)
    np.testing.assert_allclose(two.per_layer, one.per_layer, atol=1e-5)


def test_an_encoder_predicts_nothing_and_silence_may_change_nothing() -> None:
    run = small(residual=False, norm_position="none", d_v=1)
    everyone = tuple(ablate_head(run.config, layer, head) for layer in range(2) for head in range(3))
    record = view(ablation.ablate, run, HeadAddress(), everyone)
    assert record.surprise is None and record.next_pieces == ()
    (change,) = record.stacks
    for numbers in (change.per_layer, change.per_token, record.per_head["encoder"].data):
        assert np.isfinite(numbers).all()
    unchanged = view(ablation.ablate, run, HeadAddress(), ())
    assert not unchanged.stacks[0].per_layer.any() and not unchanged.stacks[0].per_token.any()
    assert not unchanged.per_head["encoder"].count()
