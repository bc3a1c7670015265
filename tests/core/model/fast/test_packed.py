"""A packed model reads a text as the model itself does, with a cache of either format, and changes nothing of it."""

from collections.abc import Mapping
from typing import Any

import pytest
import torch

from core.decoding.greedy import continuation
from core.model.config import TransformerConfig
from core.model.fast.packed import PackedLinear, can_pack, packed, rotate_complex
from core.model.positions import apply_rotary, rotary_cos_sin
from core.model.transformer import Transformer, build
from core.tracing.taps import RecordingTap

SIZES: Mapping[str, Any] = {"vocab_size": 600, "d_model": 256, "heads": 4, "layers": 2, "max_length": 40}
KINDS: dict[str, Mapping[str, Any]] = {
    "tied": {"norm_position": "pre", "positions": "rotary", "output_bias": True},
    "groups, no bias": {"tied": False, "kv_heads": 2, "qkv_bias": False, "activation": "swiglu", "qk_norm": True},
    "small": {"d_model": 32, "d_v": 5},
    "values of another width": {"d_v": 80, "activation": "gelu"},
    "gelu by tanh": {"activation": "gelu_tanh"},
    "translator": {"architecture": "encoder-decoder", "positions": "alibi"},
}


def model_of(kind: str, dtype: torch.dtype = torch.bfloat16) -> Transformer:
    model = build(TransformerConfig(**{"architecture": "decoder"} | dict(SIZES) | dict(KINDS[kind])), dtype=dtype)
    with torch.no_grad():
        for name, value in model.named_parameters():
            if value.dim() == 1:
                value.add_(torch.linspace(-0.3, 0.3, len(value)).to(value) * ("bias" in name))
    return model


def ids(length: int, seed: int = 0) -> torch.Tensor:
    return torch.randint(4, 600, (1, length), generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("dtype", [None, torch.float32])
@pytest.mark.parametrize("kind", KINDS)
@torch.inference_mode()
def test_a_packed_model_reads_a_text_as_the_model_does(kind: str, dtype: torch.dtype | None) -> None:
    model = model_of(kind)
    twin, source = packed(model), ids(6, 1) if kind == "translator" else None
    ours, theirs = model.cache(capacity=30), model.cache(capacity=30, dtype=dtype)
    read = [ids(8), *ids(6, 2).T[:, None]]
    for tokens in read:
        one, other = RecordingTap(("ffn_out",)), RecordingTap(("ffn_out",))
        wanted, found = model(source, tokens, tap=one, cache=ours), twin(source, tokens, tap=other, cache=theirs)
        torch.testing.assert_close(found, wanted, atol=0.06, rtol=0.02)
        assert one.seen.keys() == other.seen.keys()
        for site, tensor in one.seen.items():
            torch.testing.assert_close(other.seen[site], tensor, atol=0.06, rtol=0.02)
    for kept, same in zip(theirs.layers, ours.layers, strict=True):
        assert kept.k.dtype == kept.v.dtype == (dtype or torch.bfloat16)
        torch.testing.assert_close(kept.k[:, :, :14].bfloat16(), same.k[:, :, :14], atol=0.06, rtol=0.02)
        torch.testing.assert_close(kept.v[:, :, :14].bfloat16(), same.v[:, :, :14], atol=0.06, rtol=0.02)


@pytest.mark.skipif(not can_pack(torch.empty(1, dtype=torch.bfloat16)), reason="nothing can be packed here")
def test_all_large_matrices_are_packed_once_and_the_model_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of("tied")
    made: list[PackedLinear] = []

    class Counted(PackedLinear):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr("core.model.fast.packed.PackedLinear", Counted)
    before = {name: id(part) for name, part in [*model.named_modules(), *model.named_parameters()]}
    twin = packed(model)
    held = [name for name, part in twin.named_modules() if isinstance(part, PackedLinear)]
    assert len(made) == len(held)  # each matrix once
    layer = ("attn.w_o", "ffn.w_1", "ffn.w_2", "attn.w_qkv")
    assert sorted(held) == sorted(["unembed", *(f"decoder.{n}.{name}" for n in range(2) for name in layer)])
    assert {name: id(part) for name, part in [*model.named_modules(), *model.named_parameters()]} == before
    assert twin.embed.weight is model.embed.weight and model.output_bias is not None


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_other_number_formats_are_written_with_the_model_itself(dtype: torch.dtype) -> None:
    model = model_of("tied", dtype)
    assert packed(model) is model


@pytest.mark.skipif(not can_pack(torch.empty(1, dtype=torch.bfloat16)), reason="nothing can be packed here")
def test_one_packed_model_writes_many_texts_one_at_a_time() -> None:
    model = model_of("tied")
    writer = packed(model)
    for seed in range(3):
        assert continuation(model, ids(5, seed), 20, writer=writer).equal(continuation(model, ids(5, seed), 20))
    for given, cached in ((ids(5).expand(2, -1), True), (ids(5), False)):
        with pytest.raises(ValueError, match="one text at a time, with a cache"):
            continuation(model, given, 3, cached=cached, writer=writer)


def test_a_turn_by_complex_numbers_is_the_turn_by_pairs() -> None:
    x = torch.randn(2, 3, 7, 8, generator=torch.Generator().manual_seed(0))
    cos, sin = (part.float() for part in rotary_cos_sin(7, 8))
    torch.testing.assert_close(rotate_complex(x, cos, sin), apply_rotary(x, cos, sin))
