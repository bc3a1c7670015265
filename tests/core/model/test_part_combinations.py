"""What holds of every model, for any combination of the parts of models made elsewhere."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core.model.config import TransformerConfig
from core.model.transformer import Transformer, build, parameter_count
from core.tracing.edits import ablate_head
from core.tracing.sites import axis_sizes, head_at, keys_of, parse, scored_site
from core.tracing.taps import ALL
from core.tracing.trace import trace
from tests.core.oracles import close, fill
from tests.core.strategies import parts_of_others


def made(config: TransformerConfig) -> Transformer:
    return fill(build(config))


def texts(config: TransformerConfig, source: int = 7, target: int = 6) -> list[Tensor | None]:
    """Two texts for each stack; None for one that the model does not have."""
    rng = torch.Generator().manual_seed(5)
    lengths = {"encoder": source, "decoder": target}
    return [
        torch.randint(0, 11, (2, length), generator=rng) if stack in config.stacks else None
        for stack, length in lengths.items()
    ]


@settings(max_examples=60, deadline=None)
@given(parts_of_others())
def test_the_open_path_is_the_fast_path_and_every_site_has_its_shape(config):
    model, ids = made(config), texts(config)
    seen = trace(model, *ids, record=ALL)
    with torch.inference_mode():
        close(model(*ids), seen.output)
    assert set(seen) == {key for key, _ in keys_of(config)}
    for key, tensor in seen.items():
        stack, _, cross, site = parse(key)
        length = 6 if stack != "encoder" and "decoder" in config.stacks else 7
        sizes = axis_sizes(config, length, 7 if cross else length, 2)
        assert tuple(tensor.shape) == tuple(sizes[axis] for axis in site.axes), key


@settings(max_examples=60, deadline=None)
@given(parts_of_others(), st.sets(st.integers(1, 5)))
def test_cached_logits_are_uncached_ones(config, cuts):
    if "decoder" not in config.stacks:
        return
    model, (source, target) = made(config), texts(config)
    cache, start, parts = model.cache(2), 0, []
    assert target is not None
    with torch.inference_mode():
        for end in (*sorted(cuts), 6):
            parts.append(model(source, target[:, start:end], cache=cache))
            start = end
        close(torch.cat(parts, 1), model(source, target))
    rows = config.depth("decoder") * config.n_kv_heads * (config.key_width + config.value_width)
    assert cache.bytes == 4 * 2 * rows * (6 + (0 if source is None else 7))


@settings(max_examples=20, deadline=None)
@given(parts_of_others())
def test_every_combination_runs_in_bfloat16(config):
    ids = texts(config)
    with torch.inference_mode():
        wide, narrow = (made(config).to(dtype)(*ids).float() for dtype in (torch.float32, torch.bfloat16))
    assert narrow.isfinite().all() and float((narrow - wide).norm() / wide.norm()) < 0.1


@settings(max_examples=40, deadline=None)
@given(parts_of_others(), st.data())
def test_a_head_that_is_silenced_takes_its_own_part_away(config, data):
    model, ids, stack = made(config), texts(config), config.stacks[-1]
    head = data.draw(st.integers(0, config.heads - 1))
    keys = [f"{stack}.0.{site}" for site in ("attn_out", "head_out")]
    before = trace(model, *ids, record=keys)
    after = trace(model, *ids, record=keys[:1], edits=[ablate_head(config, 0, head, stack)])
    close(before[keys[0]] - before[keys[1]][:, head], after[keys[0]])


@settings(max_examples=40, deadline=None)
@given(parts_of_others(score="scaled_dot"), st.data())
def test_scores_are_made_of_the_keys_that_a_head_reads(config, data):
    """Which keys those are, by the project's own words for it."""
    model, ids, stack = made(config), texts(config), config.stacks[-1]
    cross = stack == "decoder" and config.has_two_stacks and data.draw(st.booleans())
    head, prefix = data.draw(st.integers(0, config.heads - 1)), f"{stack}.0.{'cross.' if cross else ''}"
    q, k = (prefix + scored_site(config, letter, cross) for letter in "qk")
    seen = trace(model, *ids, record=[q, k, prefix + "v", prefix + "raw_scores", prefix + "pattern", prefix + "z"])
    read = [seen[key][:, head_at(config, key, head)] for key in (k, prefix + "v")]
    close(seen[q][:, head] @ read[0].mT, seen[prefix + "raw_scores"][:, head])
    close(seen[prefix + "pattern"][:, head] @ read[1], seen[prefix + "z"][:, head])


@settings(max_examples=30, deadline=None)
@given(parts_of_others())
def test_every_parameter_is_counted_and_learns(config):
    model = made(config).train()
    assert sum(each.numel() for each in model.parameters()) == parameter_count(config)
    out = model(*texts(config))
    given_to = out if "decoder" in config.stacks or not hasattr(model, "unembed") else model.logits(out)
    (given_to * torch.randn(given_to.shape)).sum().backward()
    used = [name for name, each in model.named_parameters() if each.grad is not None and each.grad.isfinite().all()]
    outside = ("masked_head.", "output_bias") if config.architecture == "encoder" else ()
    missing = [name for name, _ in model.named_parameters() if name not in used and not name.startswith(outside)]
    assert not missing


@settings(max_examples=30, deadline=None)
@given(parts_of_others(architecture="decoder", parallel_residual=False), st.integers(1, 3))
def test_a_token_outside_every_window_is_not_seen(config, width):
    """A token that stands farther back than all windows together reach leaves the last output as it was."""
    windows = {"windows": (width,) * config.layers, "positions": "none", "max_length": 12}
    config = TransformerConfig(**(vars(config) | windows))
    model, reach = made(config), config.layers * (width - 1)
    ids = torch.arange(12)[None] % 11
    changed = ids.clone()
    changed[0, 11 - reach - 1] = (ids[0, 11 - reach - 1] + 1) % 11
    with torch.inference_mode():
        before, after = (model(target=each)[0, -1] for each in (ids, changed))
    close(before, after, 1e-6)
