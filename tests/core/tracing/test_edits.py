"""Edits change exactly what they name, everything after sees it, and mistakes say what would be right."""

import copy
from dataclasses import replace
from typing import Any

import pytest
import torch

from core.model import masks
from core.model.attention import attention
from core.model.config import TransformerConfig
from core.model.transformer import Masks, Transformer, build
from core.tracing.edits import Edit, ablate_head, force_row
from core.tracing.taps import RecordingTap
from core.tracing.trace import Trace, trace
from tests.core.oracles import close, fill

CONFIG = TransformerConfig(vocab_size=11, d_model=12, heads=3, layers=2, d_ff=16, max_length=8)
BOTH = replace(CONFIG, architecture="encoder-decoder")
IDS = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])


@pytest.fixture
def model() -> Transformer:
    return fill(build(CONFIG))


def run(model: Transformer, *edits: Edit, given: Masks | None = None) -> Trace:
    return trace(model, IDS, None, given, edits=edits)


def no_tensor(q: torch.Tensor) -> Any:
    return 1.0


@pytest.mark.parametrize(
    ("config", "cross", "key"),
    [
        (CONFIG, False, "encoder.1.z"),
        (replace(CONFIG, architecture="decoder"), False, "decoder.1.z"),
        (BOTH, True, "decoder.1.cross.z"),
    ],
)
def test_a_head_is_sought_in_the_stack_that_can_hold_it(config, cross, key):
    assert ablate_head(config, 1, 2, cross=cross) == Edit(key, "zero", head=2)


KEY = "encoder.1.q"  # (B, H, Q, E) = (2, 3, 4, 4)
ROW = (1.0, 2.0, 3.0, 4.0)


@pytest.mark.parametrize(
    ("edit", "change"),
    [
        (Edit(KEY, "scale", 2.0), lambda q: q.mul_(2)),
        (Edit(KEY, "zero"), lambda q: q.zero_()),
        (Edit(KEY, "add", 0.5), lambda q: q.add_(0.5)),
        (Edit(KEY, "replace", 0.5), lambda q: q.fill_(0.5)),
        (Edit(KEY, "zero", head=1), lambda q: q[:, 1].zero_()),
        (Edit(KEY, "scale", -1.0, row=2), lambda q: q[:, :, 2].mul_(-1)),
        (Edit(KEY, "add", ROW, head=2, row=0), lambda q: q[:, 2, 0].add_(torch.tensor(ROW))),
        (Edit(KEY, "replace", (ROW,) * 4, head=0), lambda q: q[:, 0].copy_(torch.tensor(ROW).expand(4, 4))),
        (Edit(KEY, "scale", (ROW,) * 3, row=3), lambda q: q[:, :, 3].mul_(torch.tensor(ROW))),
    ],
    ids=lambda value: f"{value.action}-{value.head}-{value.row}" if isinstance(value, Edit) else "",
)
def test_an_edit_changes_what_it_names_and_nothing_else(model, edit, change):
    plain, edited = run(model), run(model, edit)
    expected = plain[KEY].clone()
    with torch.inference_mode():
        change(expected)
    close(edited[KEY], expected, 0)
    for key in list(plain)[: list(plain).index(KEY)]:
        close(edited[key], plain[key], 0)
    assert (edited.output - plain.output).abs().max() > 1e-4


def test_what_comes_after_works_with_the_edited_tensor(model):
    seen = run(model, Edit("encoder.1.scores", "add", 3.0, head=1, row=2), Edit("encoder.1.v", "scale", 0.5))
    close(seen["encoder.1.pattern"], seen["encoder.1.scores"].softmax(-1))
    close(seen["encoder.1.z"], seen["encoder.1.pattern"] @ seen["encoder.1.v"])


def test_an_edit_leaves_what_was_recorded_before_it_alone(model):
    """One block's resid_post and the next one's resid_pre are the same tensor until an edit comes between."""
    seen = run(model, Edit("encoder.1.resid_pre", "zero"))
    close(seen["encoder.0.resid_post"], run(model)["encoder.0.resid_post"], 0)
    assert (seen["encoder.1.resid_pre"] == 0).all()


def test_edits_of_one_site_apply_in_their_order(model):
    key = "encoder.0.ffn_out"
    plain = run(model)[key]
    close(run(model, Edit(key, "scale", 2.0), Edit(key, "add", 1.0))[key], plain * 2 + 1)
    close(run(model, Edit(key, "add", 1.0), Edit(key, "scale", 2.0))[key], (plain + 1) * 2)


def test_an_edit_acts_without_being_recorded_and_leaves_the_model_alone(model):
    weights = copy.deepcopy(model.state_dict())
    before = run(model).output
    edit = Edit("encoder.0.pattern", "replace", 0.25)
    quiet = trace(model, IDS, record=(), edits=[edit])
    assert len(quiet) == 0
    close(quiet.output, run(model, edit).output)
    close(run(model).output, before, 0)
    assert all(torch.equal(value, weights[name]) for name, value in model.state_dict().items())


@pytest.mark.parametrize("head", [0, 1, 2])
def test_ablating_a_head_is_zeroing_its_slice_of_w_o(model, head):
    maimed = copy.deepcopy(model)
    with torch.no_grad():
        maimed.encoder[1].attn.w_o.weight[:, 4 * head : 4 * head + 4] = 0
    close(run(model, ablate_head(model.config, 1, head)).output, run(maimed).output)
    assert (run(model).output - run(maimed).output).abs().max() > 1e-3


def test_a_forced_row_mixes_the_values_as_told(model):
    weights = (0.1, 0.0, 0.7, 0.2)
    seen = run(model, force_row(model.config, 1, 2, 3, weights))
    close(seen["encoder.1.z"][:, 2, 3], torch.einsum("k,bke->be", torch.tensor(weights), seen["encoder.1.v"][:, 2]))
    close(seen["encoder.1.pattern"][:, 2, 3], torch.tensor(weights).expand(2, 4))
    close(seen["encoder.1.z"][:, :2], run(model)["encoder.1.z"][:, :2])


def test_cross_attention_of_a_decoder_can_be_edited():
    config = TransformerConfig(
        architecture="encoder-decoder", vocab_size=11, d_model=12, heads=3, layers=1, d_ff=16, max_length=8
    )
    model = fill(build(config))
    weights = (0.0, 1.0, 0.0, 0.0)
    edits = [force_row(config, 0, 1, 0, weights, cross=True), ablate_head(config, 0, 2, "decoder", cross=True)]
    seen = trace(model, IDS, IDS[:, :3], edits=edits)
    close(seen["decoder.0.cross.z"][:, 1, 0], seen["decoder.0.cross.v"][:, 1, 1])
    assert (seen["decoder.0.cross.z"][:, 2] == 0).all() and (seen["decoder.0.z"][:, 2] != 0).any()


def test_only_an_edit_behind_the_mask_can_lift_it(model):
    causal = masks.causal(4, 4)
    before = run(model, Edit("encoder.0.scores", "replace", 9.0), given=Masks(causal))
    assert (before["encoder.0.pattern"][..., ~causal] == 0).all()
    behind = run(model, Edit("encoder.0.masked_scores", "replace", 9.0), given=Masks(causal))
    assert (behind["encoder.0.pattern"] == 0.25).all()


def test_an_edit_keeps_gradients(rng):
    q, k, v = (torch.randn(1, 2, 3, 4, generator=rng, requires_grad=True) for _ in range(3))
    z, _ = attention(q, k, v, tap=RecordingTap(edits=[Edit("encoder.0.scores", "zero")]).scope("encoder").scope("0"))
    z.sum().backward()
    assert q.grad is not None and (q.grad == 0).all()
    assert v.grad is not None and v.grad.any()


def test_a_tensor_of_another_run_is_patched_in(model):
    """Activation patching: from the patched site on, the run is the other one."""
    other = trace(model, IDS.flip(1))
    key = "encoder.0.resid_post"
    seen = run(model, Edit(key, "replace", other[key]))
    close(seen.output, other.output)
    close(seen["encoder.0.z"], run(model)["encoder.0.z"], 0)


@pytest.mark.parametrize("rows", [slice(0, 1), slice(0, 2), 0])
def test_a_tensor_comes_with_the_batch_axis_or_without(model, rows):
    value = trace(model, IDS.flip(1))[KEY][:, 1]  # (B, Q, E) of one head
    seen = run(model, Edit(KEY, "replace", value[rows], head=1))
    expected = run(model)[KEY].clone()
    with torch.inference_mode():
        expected[:, 1] = value[rows]
    close(seen[KEY], expected, 0)


def test_a_masked_score_may_be_patched_with_infinity(model):
    masked = trace(model, IDS, None, Masks(masks.causal(4, 4)))["encoder.1.masked_scores"]
    seen = run(model, Edit("encoder.1.masked_scores", "replace", masked))
    assert (seen["encoder.1.pattern"][..., ~masks.causal(4, 4)] == 0).all()


def test_a_function_sees_what_stands_there_and_gives_what_replaces_scales_or_is_added(model):
    plain, given = run(model)[KEY], []

    def double(q):
        given.append(q.clone())
        return q.mul_(2)  # in place: what was recorded before it must not move

    close(run(model, Edit(KEY, "replace", double, head=2))[KEY][:, 2], plain[:, 2] * 2, 0)
    assert len(given) == 1
    close(given[0], plain[:, 2], 0)
    close(run(model, Edit(KEY, "add", torch.sign))[KEY], plain + plain.sign(), 0)
    close(run(model, Edit(KEY, "scale", torch.sign))[KEY], plain.abs(), 0)


def test_edits_are_keys_of_caches_and_equal_by_their_values():
    value = torch.zeros(4)
    assert Edit(KEY, "add", (1.0, 2.0), head=0) == Edit(KEY, "add", (1.0, 2.0), head=0)
    assert len({Edit(KEY, "zero"), Edit(KEY, "zero"), Edit(KEY, "zero", row=1), Edit(KEY, "add", 0.0)}) == 3
    assert Edit(KEY, "add", value) == Edit(KEY, "add", value) and Edit(KEY, "add", torch.sign) != Edit(KEY, "zero")
    assert Edit(KEY, "add", value) != Edit(KEY, "add", value.clone())
    assert len({Edit(KEY, "add", value), Edit(KEY, "add", value), Edit(KEY, "add", value.clone())}) == 2
    assert Edit(KEY, "zero") != KEY


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Edit(KEY, "double", 2.0), "edit 'double' is not one of replace, scale, zero, add"),
        (lambda: Edit(KEY, "scale"), "edit 'scale' at encoder.1.q needs value"),
        (lambda: Edit(KEY, "zero", 0.0), "edit 'zero' at encoder.1.q takes no value"),
        (lambda: Edit("encoder.1.query", "zero"), "no site 'encoder.1.query'"),
        (lambda: Edit("encoder.1.ffn_out", "zero", head=0), "encoder.1.ffn_out has no heads: its axes are B L D"),
        (lambda: force_row(CONFIG, 0, 0, 0, (0.5, 0.6)), "sum to 1; these sum to 1.1"),
        (lambda: force_row(CONFIG, 0, 0, 0, (1.5, -0.5)), "never negative; one of these is -0.5"),
        (lambda: force_row(CONFIG, 0, 0, 0, (float("nan"), 1.0)), "sum to 1; these sum to nan"),
        (lambda: force_row(CONFIG, 0, 0, 0, ()), "sum to 1; these sum to 0"),
        (lambda: ablate_head(CONFIG, 2, 0), "the layer is 2, but there are only 2 (0 to 1)"),
        (lambda: ablate_head(CONFIG, 0, 3), "the head is 3, but there are only 3 (0 to 2)"),
        (lambda: ablate_head(CONFIG, 0, 0, "decoder"), "this model has no decoder: it has encoder"),
        (lambda: ablate_head(CONFIG, 0, 0, cross=True), "cross-attention is in the decoder of an encoder-decoder only"),
        (lambda: ablate_head(BOTH, 0, 0), "this model has two stacks: name the encoder or the decoder"),
        (lambda: ablate_head(BOTH, 0, 0, "encoder", cross=True), "cross-attention is in the decoder"),
    ],
)
def test_an_edit_that_cannot_be_says_why(make, sentence):
    with pytest.raises(ValueError) as caught:
        make()
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (Edit(KEY, "replace", (1.0, 2.0)), "the value for encoder.1.q has shape (2,), but (3, 4, 4) is edited"),
        (Edit(KEY, "add", ROW, head=0), "has shape (4,), but (4, 4) is edited"),
        (Edit(KEY, "add", (1.0, (2.0,))), "the value for encoder.1.q has rows of different lengths"),
        (Edit(KEY, "add", ((1.0,), (2.0, 3.0))), "the value for encoder.1.q has rows of different lengths"),
        (Edit(KEY, "add", float("nan")), "the value for encoder.1.q holds a number that is infinite or none at all"),
        (Edit(KEY, "add", 1e300), "infinite"),
        (Edit(KEY, "replace", torch.zeros(4, 4)), "has shape (4, 4), but (3, 4, 4) is edited"),
        (Edit(KEY, "replace", torch.zeros(3, 3, 4, 4)), "has shape (3, 3, 4, 4), but (3, 4, 4) is edited"),
        (Edit(KEY, "add", lambda q: q[..., :2]), "has shape (2, 3, 4, 2), but (3, 4, 4) is edited"),
        (Edit(KEY, "add", no_tensor), "the function for encoder.1.q gives no tensor, but float"),
        (Edit(KEY, "zero", head=3), "head at encoder.1.q is 3, but there are only 3 (0 to 2)"),
        (Edit(KEY, "zero", head=-1), "head at encoder.1.q is -1"),
        (Edit(KEY, "zero", row=4), "row at encoder.1.q is 4, but there are only 4 (0 to 3)"),
        (force_row(CONFIG, 1, 0, 0, (0.5, 0.5)), "the value for encoder.1.pattern has shape (2,), but (4,) is edited"),
        (Edit("encoder.2.z", "zero"), "this model has no encoder.2.z"),
        (Edit("decoder.0.z", "zero"), "this model has no decoder.0.z"),
        (Edit("encoder.0.cross.z", "zero"), "this model has no encoder.0.cross.z"),
        (Edit("logits", "zero"), "this model has no logits"),
    ],
    ids=lambda value: value.key if isinstance(value, Edit) else "",
)
def test_an_edit_that_does_not_fit_the_run_says_what_would(model, edit, sentence):
    with pytest.raises(ValueError) as caught:
        run(model, edit)
    assert sentence in str(caught.value)
