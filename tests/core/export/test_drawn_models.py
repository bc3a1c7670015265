"""Scripts of small models of every kind compute what the core computes."""

import contextlib
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.export.asked import Asked
from core.export.bundle import files
from core.export.dialect import DIALECTS, Dialect
from core.export.script import cells
from core.model.config import TransformerConfig
from core.model.masks import BlockMask, CausalMask, PaddingMask, PrefixMask, SlidingWindowMask
from core.model.transformer import Transformer, build
from core.text.special import SPECIAL
from core.text.symbols import SymbolTokenizer
from core.topics.masks.painting import PaintedMask, painted_on
from core.topics.shared.places import HeadAddress
from core.tracing.edits import ablate_head, force_row
from core.tracing.run import Run
from tests.core.export.written import assert_same
from tests.core.strategies import configs, parts_of_others

TOKENIZER = SymbolTokenizer((*SPECIAL, *"abcdefg"))
MASKS = (
    *((), (CausalMask(),), (SlidingWindowMask(1), CausalMask()), (PrefixMask(2),), (BlockMask(2),)),
    (CausalMask(), PaddingMask()),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


def model_of(config: TransformerConfig) -> Transformer:
    """A model in which biases and gains are not what they are before training."""
    model = build(config).requires_grad_(False)
    generator = torch.Generator().manual_seed(1)
    for value in model.parameters():
        if value.dim() == 1:
            value.add_(0.3 * torch.randn(value.shape, generator=generator))
    return model


def asked_of(config: TransformerConfig, place: HeadAddress | None = None, **settings: Any) -> Asked:
    target = "cab" if config.has_two_stacks else ""
    run = Run("badge", config, target, **settings)
    return Asked(run, place or HeadAddress(config.stacks[-1]), TOKENIZER)


def check(folder: Path, asked: Asked, model: Transformer, dialect: Dialect) -> None:
    for name, data in files(asked, model):
        (folder / name).write_bytes(data)
    script = folder / "numbers.py"
    script.write_text("\n\n\n".join(text for name, text in cells(asked, dialect).items() if name != "figure"))
    with contextlib.chdir(folder), contextlib.redirect_stdout(None):
        runpy.run_path(script.name)
    assert_same(folder, asked, model)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    config=configs() | parts_of_others(vocab_size=11, max_length=8),
    masks=st.sampled_from(MASKS),
    pads=st.sampled_from((0, 2)),
)
def test_any_model_with_any_mask(folder: Path, dialect: Dialect, config: TransformerConfig, masks: Any, pads: int):
    check(folder, asked_of(config, masks=masks, pads=pads), model_of(config), dialect)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_a_painted_mask_with_an_empty_row(folder: Path, dialect: Dialect):
    config = TransformerConfig("decoder", vocab_size=11, d_model=8, heads=2, layers=2, max_length=8)
    letters, why = painted_on("", np.tri(5, dtype=bool), [((0, 5, 6), False), ((3,), True)])
    assert not why
    asked = asked_of(config, masks=(PaintedMask((CausalMask(),), letters),))
    assert asked.has_empty_rows
    check(folder, asked, model_of(config), dialect)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_heads_switched_off_and_rows_forced(folder: Path, dialect: Dialect):
    config = TransformerConfig("encoder-decoder", vocab_size=11, d_model=8, heads=2, layers=2, max_length=8)
    edits = (
        ablate_head(config, 0, 1, "encoder"),
        ablate_head(config, 1, 0, cross=True),
        force_row(config, 0, 1, 2, (0.25, 0.5, 0.125, 0.125, 0.0), "encoder"),
        force_row(config, 1, 1, 1, (0.0, 0.5, 0.25, 0.25, 0.0), cross=True),
    )
    check(folder, asked_of(config, edits=edits), model_of(config), dialect)
