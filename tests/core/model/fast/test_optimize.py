"""The fast path: off in a model as it is built, on in the app's models, with the same results and names."""

from collections import Counter
from pathlib import Path

import pytest
import torch
from torch import nn

from core.checkpoints.real.elsewhere import Elsewhere
from core.device import Placement
from core.model.attention import MultiHeadAttention
from core.model.config import TransformerConfig
from core.model.fast import kernel, linear
from core.model.fast.optimize import optimize
from core.model.transformer import Transformer, build
from core.registry import parse_source
from core.topics.shared.loading import fresh_model, resized
from tests.core.checkpoints.real.drawn import write_folder

CPU = Placement("cpu", "float32")
CONFIG = TransformerConfig("decoder", vocab_size=600, d_model=256, heads=4, kv_heads=2, layers=2, max_length=40)


def is_fast(model: Transformer) -> bool:
    """Whether every part that has a fast form is fast; an assertion fails if only some are."""
    matrices = Counter(type(part) for part in model.modules() if isinstance(part, nn.Linear))
    kernels = Counter(part.kernel for part in model.modules() if isinstance(part, MultiHeadAttention))
    assert len(matrices) == len(kernels) == 1
    taken = {linear.FastLinear in matrices, kernel.scaled_dot_product_attention in kernels}
    assert taken == {model.linear is linear.linear}
    return taken.pop()


def test_a_model_as_it_is_built_is_plain() -> None:
    assert not is_fast(build(CONFIG)) and not is_fast(Transformer(CONFIG))


@pytest.mark.parametrize("name", ["storyteller", "sentiment", "translator"])
def test_the_apps_models_are_fast(name: str) -> None:
    assert is_fast(parse_source(name).load(CPU))


def test_fresh_models_changed_models_and_those_made_elsewhere_are_fast(tmp_path: Path) -> None:
    write_folder("gpt2", 0, tmp_path / "it")
    assert is_fast(Elsewhere("it", tmp_path).load(CPU))
    assert is_fast(fresh_model(CONFIG, CPU)) and is_fast(resized(build(CONFIG), layers=1))


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("positions", ["rotary", "alibi"])
@torch.inference_mode()
def test_results_and_names_stay(positions: str, tied: bool) -> None:
    config = TransformerConfig(**{**vars(CONFIG), "positions": positions, "tied": tied})
    plain, fast = build(config), optimize(build(config))
    assert list(plain.state_dict()) == list(fast.state_dict())
    ids = torch.randint(4, 600, (1, 12), generator=torch.Generator().manual_seed(0))
    caches = plain.cache(), fast.cache()
    for read in (ids[:, :5], *ids[:, 5:].split(1, 1)):
        wanted, found = (each(None, read, cache=cache) for each, cache in zip((plain, fast), caches, strict=True))
        torch.testing.assert_close(found, wanted, atol=1e-4, rtol=1e-4)
