"""What a tap records is what the table of sites promises, and belongs to one call."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings

from core.model import attention as attention_module
from core.model.config import ARCHITECTURES, POSITIONS, TransformerConfig
from core.model.tap import IDENTITY
from core.model.transformer import build
from core.tracing.edits import Edit
from core.tracing.sites import SITES, axis_sizes, keys_of, parse
from core.tracing.taps import ALL, RecordingTap
from core.tracing.trace import Trace, trace
from tests.core.oracles import close
from tests.core.strategies import configs

CONFIG = TransformerConfig(
    architecture="encoder-decoder", vocab_size=11, d_model=12, heads=3, layers=2, d_ff=16, max_length=8
)
SOURCE, TARGET = torch.tensor([[1, 2, 3, 4]]), torch.tensor([[5, 6, 7]])


def check_the_table(config: TransformerConfig) -> None:
    """A full trace has every key of the table, no other, each with the shape that its axes say."""
    source, target = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]]), torch.tensor([[5, 6, 7], [1, 2, 3]])
    seen = trace(build(config), source, target)
    assert set(seen) == {key for key, _ in keys_of(config)}
    assert len(list(keys_of(config))) == len(seen)
    for key, site in keys_of(config):
        stack, _, cross, _ = parse(key)
        queries = 4 if stack == "encoder" else 3
        table = axis_sizes(config, queries, 4 if cross else queries, batch=2)
        assert seen[key].shape == tuple(table[axis] for axis in site.axes), key


@given(configs())
@settings(max_examples=80)
def test_a_full_trace_is_the_table_of_sites(config):
    check_the_table(config)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("positions", POSITIONS)
def test_the_table_holds_for_every_architecture_and_positions(architecture, positions):
    check_the_table(replace(CONFIG, architecture=architecture, positions=positions))


def test_a_tap_of_ones_own_is_called_at_every_site():
    class Counting(RecordingTap):
        def __call__(self, name, x):
            calls.append(self.prefix + name)
            return super().__call__(name, x)

    calls: list[str] = []
    build(CONFIG)(SOURCE, TARGET, tap=Counting(ALL))
    assert set(calls) == {key for key, _ in keys_of(CONFIG)}


@pytest.mark.parametrize("positions", ["rotary", "alibi"])
def test_positions_of_the_target_mean_nothing_in_the_source(positions):
    """Cross-attention scores are those of q and k as they are."""
    seen = trace(build(replace(CONFIG, positions=positions)), SOURCE, TARGET)
    q, k = seen["decoder.0.cross.q"], seen["decoder.0.cross.k"]
    close(seen["decoder.0.cross.scores"], q @ k.transpose(-2, -1) / 2)


def test_recorded_tensors_fit_together():
    """Each step of decoder.1's attention, worked out again from the step before."""
    model = build(CONFIG)
    seen = trace(model, SOURCE, TARGET)
    for place in ("decoder.1", "decoder.1.cross", "encoder.0"):
        at = {name: seen[f"{place}.{name}"] for name in SITES if f"{place}.{name}" in seen}
        close(at["raw_scores"], at["q"] @ at["k"].transpose(-2, -1))
        close(at["scores"], at["raw_scores"] / 2)  # d_k = 4
        close(at["pattern"], at["masked_scores"].softmax(-1))
        close(at["z"], at["pattern"] @ at["v"])
    later = torch.ones(3, 3, dtype=torch.bool).triu(1)
    assert (seen["decoder.1.masked_scores"][..., later] == float("-inf")).all()
    assert (seen["decoder.1.pattern"][..., later] == 0).all()
    close(seen["decoder.1.resid_pre"], seen["decoder.0.resid_post"], 0)
    close(seen["logits"], seen.output, 0)


def test_a_trace_keeps_the_order_in_which_tensors_were_made():
    names = list(trace(build(CONFIG), SOURCE, TARGET, record=["q", "pattern", "attn_out"]))
    assert names[:3] == ["encoder.0.q", "encoder.0.pattern", "encoder.0.attn_out"]
    assert names[-3:] == ["decoder.1.cross.q", "decoder.1.cross.pattern", "decoder.1.cross.attn_out"]


@pytest.mark.parametrize(
    ("record", "keys"),
    [
        (["embed"], {"encoder.embed", "decoder.embed"}),
        (["decoder.1.pattern"], {"decoder.1.pattern"}),
        (["decoder.1.cross.z", "logits"], {"decoder.1.cross.z", "logits"}),
        ((name for name in ["logits"]), {"logits"}),
        ([], set()),
    ],
)
def test_only_what_was_asked_for_is_recorded(record, keys):
    assert set(trace(build(CONFIG), SOURCE, TARGET, record=record)) == keys


def test_recording_one_layer_leaves_the_others_on_the_fused_path(monkeypatch):
    opened: list[str] = []

    def spy(*args: Any, tap: RecordingTap, **options: Any) -> tuple[torch.Tensor, torch.Tensor]:
        opened.append(tap.prefix)
        return real(*args, tap=tap, **options)

    real = attention_module.attention
    monkeypatch.setattr(attention_module, "attention", spy)
    model = build(CONFIG)
    trace(model, SOURCE, TARGET, record=["decoder.1.pattern", "q", "z", "attn_out"])
    assert opened == ["decoder.1."]
    trace(model, SOURCE, TARGET, record=["z"], edits=[Edit("encoder.0.scores", "scale", 2.0)])
    assert opened[1:] == ["encoder.0."]
    trace(model, SOURCE, TARGET, record=["pattern"])
    assert len(opened[2:]) == 6


def test_touches_speaks_for_one_place():
    tap = RecordingTap(["decoder.1.pattern", "v"], [Edit("encoder.0.z", "zero")])
    assert tap.scope("decoder").scope("1").touches("pattern")
    assert not tap.scope("decoder").scope("0").touches("pattern")
    assert not tap.scope("decoder").scope("1").scope("cross").touches("pattern")
    assert tap.scope("encoder").scope("7").touches("v")
    assert tap.scope("encoder").scope("0").touches("z") and not tap.touches("z")
    assert not IDENTITY.scope("decoder").touches("pattern")


@pytest.mark.parametrize("name", ["pattern", "encoder.0.pattern"])
def test_reduce_keeps_less_and_changes_nothing_else(name):
    model = build(CONFIG)
    full = trace(model, SOURCE, TARGET)
    seen = trace(model, SOURCE, TARGET, record=["pattern"], reduce={name: lambda x: x.amax(-1)})
    close(seen["encoder.0.pattern"], full["encoder.0.pattern"].amax(-1), 0)
    assert seen["encoder.1.pattern"].dim() == (3 if name == "pattern" else 4)
    close(seen.output, full.output)


def test_stack_lays_layers_in_order_of_their_numbers():
    model = build(replace(CONFIG, layers=11))
    seen = trace(model, SOURCE, TARGET, record=["pattern"])
    stacked = seen.stack("pattern", "decoder")
    assert stacked.shape == (11, 1, 3, 3, 3)
    for layer in range(11):
        close(stacked[layer], seen[f"decoder.{layer}.pattern"], 0)
    close(seen.stack("pattern", "decoder", cross=True)[10], seen["decoder.10.cross.pattern"], 0)
    with pytest.raises(KeyError, match="z was not recorded in the decoder"):
        seen.stack("z", "decoder")


def test_a_trace_is_a_mapping_that_says_what_it_holds():
    seen = Trace({"encoder.0.z": torch.zeros(1)}, torch.zeros(2))
    assert len(seen) == 1 and "encoder.0.z" in seen and "encoder.1.z" not in seen
    with pytest.raises(KeyError, match=r"encoder\.1\.z was not recorded; recorded are encoder\.0\.z"):
        seen["encoder.1.z"]
    with pytest.raises(ValueError, match=r"no site 'encoder\.0\.zz'"):
        seen["encoder.0.zz"]


@pytest.mark.parametrize("word", ["attention", "decoder.pattern.2", "decoder.x.z", "cross.pattern", "", "logits "])
def test_an_unknown_site_is_an_error_that_lists_the_right_ones(word):
    for wrong in ({"record": [word]}, {"record": [], "reduce": {word: torch.sum}}):
        with pytest.raises(ValueError, match=r"no site .* the sites are embed, pos, .*, logits"):
            trace(build(CONFIG), SOURCE, TARGET, **wrong)


@pytest.mark.parametrize(
    "key",
    ["encoder.2.pattern", "encoder.0.cross.z", "decoder.0.q_rotated", "decoder.logits", "q_rotated", "k_rotated"],
)
def test_a_key_that_this_model_never_passes_is_an_error(key):
    with pytest.raises(ValueError, match=f"this model has no {key}"):
        trace(build(CONFIG), SOURCE, TARGET, record=[key])


def test_a_site_that_an_encoder_has_not_is_an_error_by_its_name_too():
    model = build(replace(CONFIG, architecture="encoder", positions="rotary"))
    for name in ("logits", "pos"):
        with pytest.raises(ValueError, match=f"this model has no {name}"):
            trace(model, SOURCE, record=["pattern", name])
    assert len(trace(model, SOURCE, record=["q_rotated"])) == 2


def test_a_trace_needs_no_gradient_and_leaves_nothing_on_the_model():
    model = build(CONFIG)
    before = {name: dict(vars(part)) for name, part in model.named_modules()}
    seen = trace(model, SOURCE, TARGET)
    assert not any(tensor.requires_grad for tensor in seen.values())
    assert {name: dict(vars(part)) for name, part in model.named_modules()} == before


def test_eight_threads_on_one_shared_model_each_get_their_own_tensors():
    model = build(CONFIG)
    texts = [torch.tensor([[(thread + step) % 11 for step in range(4)]]) for thread in range(8)]
    alone = [trace(model, text, text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: trace(model, text, text), texts * 4))
    for number, seen in enumerate(together):
        expected = alone[number % 8]
        assert seen.keys() == expected.keys()
        for key, tensor in seen.items():
            close(tensor, expected[key])
