"""The drawing of a model: its boxes hold what the real module learns, its lines follow the config."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
import torch
from torch import nn

from core.checkpoints.class_layer import ClassLayer
from core.model.config import ARCHITECTURES, NORM_POSITIONS, TransformerConfig
from core.model.masks import CausalMask
from core.model.transformer import Transformer, parameter_count
from core.topics.architecture.drawn import drawn_model, drawn_sizes
from core.topics.architecture.known import TITLES, counted_title
from core.topics.architecture.plan import DrawingPlan
from core.topics.architecture.whole import whole_model
from core.tracing.run import Run, TokenRow

ROW = TokenRow((5, 6, 7), ("a", "b", "c"), (0, 1, 2), ("a", "b", "c"))
LONG = TokenRow((5,) * 7, ("a",) * 7, tuple(range(7)), ("a",) * 7)


def planned(config: TransformerConfig, opened: int = 1, masked: bool = True) -> DrawingPlan:
    run = Run("a b c", config, masks=(CausalMask(),) if masked else ())
    rows = dict(zip(config.stacks, (ROW, LONG), strict=False))
    return drawn_model(whole_model(run, rows), opened)


def configs() -> Iterator[TransformerConfig]:
    for kind, norm, residual in product(ARCHITECTURES, NORM_POSITIONS, (True, False)):
        yield TransformerConfig(kind, norm_position=norm, residual=residual, layers=2, d_model=32)
    for change in ({"positions": "learned"}, {"tied": False}, {"score": "general"}, {"score": "additive"}):
        yield replace(TransformerConfig("encoder-decoder", d_model=32), **change)
    yield TransformerConfig("decoder", d_model=33, heads=2, d_k=4, d_v=5, activation="swiglu", norm="rmsnorm")


@pytest.mark.parametrize("config", configs())
def test_the_boxes_hold_every_parameter_of_the_real_module_where_it_stands(config: TransformerConfig) -> None:
    plan = planned(config)
    assert plan.parameters == parameter_count(config)
    with torch.device("meta"):
        block = getattr(Transformer(config), config.stacks[-1])[1]
    parts = {
        "attn.q": block.attn.w_q,
        "attn.v": block.attn.w_v,
        "attn.scores": block.attn.score,
        "attn.attn_out": block.attn.w_o,
        "attn": block.attn,
        "ffn": block.ffn,
        "ffn.ffn_out": block.ffn.w_2,
        "norm_ffn": block.norm_ffn,
    }
    named = plan.named
    for name, module in parts.items():
        box = named.get(f"{config.stacks[-1]}.1.{name}")
        held = sum(parameter.numel() for parameter in module.parameters())
        assert (box.parameters if box else 0) == held, name


@pytest.mark.parametrize("config", configs())
def test_the_lines_follow_the_config(config: TransformerConfig) -> None:
    plan = planned(config)
    named, kinds = plan.named, Counter(edge.kind for edge in plan.edges)
    assert all(edge.source in named and edge.target in named for edge in plan.edges)
    stacks, crosses = len(config.stacks), config.architecture == "encoder-decoder"
    sublayers = 2 * stacks + crosses
    assert kinds["skip"] == kinds["branch"] == kinds["return"] == (sublayers if config.residual else 0)
    assert kinds["memory"] == (config.layers if crosses else 0)
    assert kinds["tied"] == crosses + (config.tied and "decoder" in config.stacks)
    for edge in plan.edges:
        if edge.kind == "skip":
            assert edge.target.endswith(".add")
            assert named[edge.source].kind in ("embedding", "positions", "layer", "add", "norm")
        if edge.kind == "memory":
            assert edge.target.startswith("decoder.")
    norms = [rank for pile in plan.piles for rank in pile.ranks if rank.boxes[0].kind == "norm"]
    inside = [rank for rank in norms if rank.boxes[0].layer is not None]
    assert len(inside) == (0 if config.norm_position == "none" else sublayers)
    assert {rank.branch for rank in inside} <= {config.norm_position == "pre" and config.residual}


def test_the_stream_runs_through_every_pile_from_its_text_to_its_end() -> None:
    for config in configs():
        plan = planned(config)
        for pile in plan.piles:
            after = {edge.source: edge.target for edge in plan.edges if edge.kind in ("stream", "skip")}
            at, seen = f"{pile.stack}.tokens", []
            while at in after:
                at = after[at]
                seen.append(at)
            last = pile.ranks[-1]
            assert seen[-1] == (last.frame or last.boxes[0]).key
            assert f"{pile.stack}.embed" in seen and f"{pile.stack}.0" in seen


def test_cross_attention_has_the_lengths_of_both_texts() -> None:
    named = planned(TransformerConfig("encoder-decoder")).named
    assert named["decoder.1.cross.scores"].shape == "H × L × S = 4 × 7 × 3"
    assert named["decoder.1.cross.k"].shape == "H × S × E = 4 × 3 × 16"
    assert named["decoder.1.attn"].title == "masked self-attention"
    assert named["encoder.1.attn"].title == "self-attention"
    assert planned(TransformerConfig("decoder"), masked=False).named["decoder.1.attn"].title == "self-attention"


def test_positions_are_drawn_where_they_act() -> None:
    rotary = planned(TransformerConfig("encoder-decoder", positions="rotary")).named
    assert rotary["decoder.1.attn.q"].title == "Q, rotary" and rotary["decoder.1.attn.v"].title == "V"
    assert rotary["decoder.1.cross.q"].title == "Q" and "decoder.pos" not in rotary
    alibi = planned(TransformerConfig("decoder", positions="alibi")).named
    assert alibi["decoder.1.attn.scores"].title == "weights A, ALiBi"
    assert planned(TransformerConfig(positions="learned")).named["encoder.pos"].title == "learned positions"


@pytest.mark.parametrize("opened", [0, 5, 31])
def test_a_deep_model_is_folded_and_no_layer_is_lost(opened: int) -> None:
    config = TransformerConfig("decoder", layers=32)
    plan = planned(config, opened)
    slabs = [box for box in plan.boxes if box.kind == "layer"]
    assert len(slabs) <= 13 and plan.parameters == parameter_count(config)
    assert f"decoder.{opened}.attn" in plan.named and opened not in {box.layer for box in slabs}


def test_the_end_is_what_is_made_of_the_output() -> None:
    encoder, run = TransformerConfig("encoder"), Run("a", TransformerConfig("encoder"))
    whole = whole_model(run, {"encoder": ROW})
    width = encoder.d_model
    last, dense = nn.Linear(width, 3), nn.Linear(width, width)
    layers = ClassLayer(("a", "b", "c"), last), ClassLayer(("a", "b", "c"), last, dense, first=True)
    ends = [drawn_model(whole, 0, use).named["answer"] for use in (*layers, "guesses")]
    assert [end.parameters for end in ends] == [3 * width + 3, width**2 + 4 * width + 3, 0]
    assert ends[0].shape == "C = 3" and ends[0].about != ends[1].about
    assert ends[2].shape == "S × V = 3 × 8,000"
    assert planned(TransformerConfig("decoder")).named["answer"].title == "next-token chances"


@pytest.mark.parametrize("title", TITLES)
def test_a_known_model_is_drawn_from_its_sizes_alone_with_all_its_parameters(title: str) -> None:
    found = counted_title(title, 8)
    plan = drawn_sizes(found)
    assert plan.parameters == found.parameters and len(plan.piles) == len(found.known.sizes.stacks)
    assert not found.known.exact or plan.parameters == found.known.published
    assert all("A click opens it" not in box.about for box in plan.boxes)
    keys = [box.key for box in plan.piles[0].boxes]
    if title.startswith("BERT"):
        first, last = keys.index("encoder.norm_embed"), keys.index("encoder.0.attn.q")
        assert keys[1:4] == ["encoder.embed", "encoder.pos", "encoder.types"] and first < last and keys[-1] == "pooler"
        assert plan.named["encoder.types"].title == "token types" and plan.named["encoder.types"].parameters > 0
