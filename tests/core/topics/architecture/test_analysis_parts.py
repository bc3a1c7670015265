"""Every part of a model: its parameters, multiply-adds and shape against those of the real module."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from core.analysis.kv_costs import total, without_cache
from core.model.config import TransformerConfig
from core.model.transformer import Transformer, build, parameter_count
from core.topics.architecture.analysis.parts import KINDS, model_parts
from core.tracing.sites import parse
from core.tracing.taps import ALL, RecordingTap
from core.tracing.trace import trace
from tests.core.strategies import configs, parts_of_others

LENGTHS = st.integers(1, 7)


def ids(length):
    return torch.full((1, length), 4)


def texts(config, source, target):
    """What the encoder and the decoder read; None for one that the model does not have."""
    lengths = {"encoder": source, "decoder": target}
    return [ids(length) if stack in config.stacks else None for stack, length in lengths.items()]


def weights_of(model: Transformer, key: str) -> nn.Module | None:
    """The module that computes a part."""
    stack, _, rest = key.rpartition(".")
    if rest == "final":
        return model.get_submodule(f"{stack}_norm")
    names = {"pos": "positions", "norm_embed": "embed_norm"}
    if rest in ("embed", "types", *names):
        return getattr(model, names.get(rest, rest), None)
    return getattr(model, "unembed", None) if key == "logits" else model.get_submodule(key)


def learned_beside(model: Transformer, key: str) -> int:
    """Parameters that are counted with a part but do not belong to its module."""
    stack, _, rest = key.partition(".")
    if rest == "0.attn":
        return sum(each.numel() for each in getattr(model, f"{stack}_inner").parameters())
    table = model.unembed.weight.numel() if key == "masked_head" and hasattr(model, "unembed") else 0
    bias = model.output_bias if key in ("logits", "masked_head") else None
    return table + (0 if bias is None else bias.numel())


@settings(max_examples=60)
@given(st.one_of(configs(), parts_of_others()), LENGTHS, LENGTHS)
def test_each_part_has_the_parameters_of_its_module(config, source, target):
    parts, model = model_parts(config, source, target), Transformer(config)
    seen = set()
    for part in parts:
        module = weights_of(model, part.key)
        own = [] if module is None or module in seen else list(module.parameters())
        seen.add(module)
        beside = learned_beside(model, part.key)
        assert part.parameters == sum(each.numel() for each in own) + beside, part.key
        assert part.kind in KINDS and (not part.shared or part.parameters == beside)
    assert sum(part.parameters for part in parts) == parameter_count(config)
    assert len({part.key for part in parts}) == len(parts)


@settings(max_examples=60)
@given(st.one_of(configs(), parts_of_others()), LENGTHS, LENGTHS)
def test_multiply_adds_are_those_that_torch_counts_module_by_module(config, source, target):
    """On the open path: torch does not count the fused kernel on a CPU."""
    model, parts = build(config), model_parts(config, source, target)
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        model(*texts(config, source, target), tap=RecordingTap(("pattern",)))
    counted = {name: sum(each.values()) // 2 for name, each in counter.get_flop_counts().items()}
    assert sum(part.multiply_adds for part in parts) == counted["Global"]
    for part in parts:
        if part.kind in ("self-attention", "cross-attention", "feed-forward"):
            assert part.multiply_adds == counted[f"Transformer.{part.key}"], part.key


@settings(max_examples=60)
@given(st.one_of(configs(), parts_of_others()), LENGTHS, LENGTHS)
def test_shapes_are_those_of_the_tensors_and_parts_stand_in_the_order_in_which_they_run(config, source, target):
    seen = trace(build(config), *texts(config, source, target), record=ALL)
    order = list(seen)
    places = []
    for part in model_parts(config, source, target):
        assert [len(part.axes)] == [len(part.shape)]
        if part.kind == "masked head" or (part.kind == "norm" and not part.key.endswith("final")):
            continue
        stem = part.key.removesuffix("attn").removesuffix("ffn").removesuffix("cross")
        crossing = "cross." if part.kind == "cross-attention" else ""
        for step in part.steps:
            key = part.key if len(part.steps) == 1 else f"{stem}{crossing}{step.name}"
            assert tuple(seen[key].shape[1:]) == step.shape, key
            told = dict.fromkeys("QKLS", "tokens") | ({"G": "H"} if config.n_kv_heads == config.heads else {})
            assert [told.get(axis, axis) for axis in step.axes] == [told.get(x, x) for x in parse(key)[3].axes[1:]]
            places.append(order.index(key))
    assert places == sorted(places)


@given(configs(architecture="decoder"), LENGTHS)
def test_a_decoders_pass_is_that_of_the_kv_cache_without_one_but_for_the_logits(config, length):
    """There the logits are those of the newest token alone, here of all."""
    parts = model_parts(config, 0, length)
    more = (length - 1) * config.d_model * config.vocab_size
    assert sum(part.multiply_adds for part in parts) == total(config, without_cache(length)) + more


def test_a_decoder_by_hand():
    """D 4, 2 heads of 2, F 8, V 10, three tokens, norms before: biases count, and every norm has two rows."""
    config = TransformerConfig("decoder", 10, 4, 2, 1, d_ff=8, norm_position="pre")
    found = {
        part.key: (part.parameters, part.multiply_adds, part.axes, part.shape) for part in model_parts(config, 0, 3)
    }
    assert found == {
        "decoder.embed": (40, 0, ("L", "D"), (3, 4)),
        "decoder.pos": (0, 0, ("L", "D"), (3, 4)),
        "decoder.0.norm_attn": (8, 0, ("L", "D"), (3, 4)),
        "decoder.0.attn": (4 * 20, 4 * 3 * 16 + 2 * 3 * 3 * 4, ("L", "D"), (3, 4)),
        "decoder.0.norm_ffn": (8, 0, ("L", "D"), (3, 4)),
        "decoder.0.ffn": (40 + 36, 2 * 3 * 32, ("L", "D"), (3, 4)),
        "decoder.final": (8, 0, ("L", "D"), (3, 4)),
        "logits": (0, 3 * 40, ("L", "V"), (3, 10)),
    }
