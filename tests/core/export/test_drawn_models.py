"""Scripts of small models of every kind compute what the core computes."""

import contextlib
import runpy
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.export.asked import HEAD_SCORES, HEAD_VECTORS, LENS, PATTERN, Asked
from core.export.bundle import files
from core.export.caption import caption
from core.export.dialect import DIALECTS, Dialect
from core.export.literals import paragraph
from core.export.script import cells, script
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
LONGEST = {"torch": 121, "numpy": 127}  # lines, with parts that a visitor can choose
LONGEST_OF_OTHERS = {"torch": 131, "numpy": 137}  # with the parts of models made elsewhere
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
    draws=st.sampled_from((PATTERN, HEAD_SCORES, HEAD_VECTORS, LENS)),
)
def test_any_model_with_any_mask(
    folder: Path, dialect: Dialect, config: TransformerConfig, masks: Any, pads: int, draws: str
):
    asked = asked_of(config, masks=masks, pads=pads)
    if draws != LENS or asked.guesses == "next piece":
        asked = replace(asked, draws=draws)
    check(folder, asked, model_of(config), dialect)


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


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
@settings(deadline=None)
@given(config=configs(), other=parts_of_others(vocab_size=11, max_length=8), masks=st.sampled_from(MASKS))
def test_scripts_of_any_model_are_short(
    dialect: Dialect, config: TransformerConfig, other: TransformerConfig, masks: Any
):
    for drawn, longest in ((config, LONGEST), (other, LONGEST_OF_OTHERS)):
        lines = script(asked_of(drawn, masks=masks, pads=2), dialect).splitlines()
        assert len(lines) <= longest[dialect.key] and max(map(len, lines)) <= 100


def test_a_text_of_many_lines_says_what_it_is():
    said = r'He said “no”, then "yes" and \N{BULLET} """ ' * 9 + "once."
    lines = paragraph("CAPTION", " ".join(said.split()))
    assert len(lines) > 3 and max(map(len, lines)) <= 100
    found: dict[str, Any] = {}
    exec("\n".join(lines), found)
    assert found["CAPTION"] == " ".join(said.split())


def test_a_script_of_a_long_text_keeps_to_the_width(tmp_path: Path):
    config = TransformerConfig("decoder", vocab_size=11, d_model=8, heads=2, layers=1, max_length=80)
    letters, why = painted_on("", np.tri(47, dtype=bool), [((0, 5, 6), False)])
    assert not why
    run = Run("gab de " * 9, config, masks=(PaintedMask((CausalMask(),), letters),))
    asked = Asked(run, HeadAddress("decoder"), TOKENIZER)
    text = script(asked, DIALECTS[1])
    assert max(map(len, text.splitlines())) <= 100 and "# fmt: skip" in text
    found: dict[str, Any] = {}
    exec(cells(asked, DIALECTS[1])["numbers"].partition("W = ")[0], found)
    assert found["CAPTION"] == caption(asked) and found["IDS"] == list(asked.inputs.rows["decoder"].ids)
    (tmp_path / "script.py").write_text(text)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "ruff",
            "format",
            "--check",
            "--isolated",
            "--line-length",
            "100",
            tmp_path / "script.py",
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_masks_are_the_shortest_that_hide_the_same():
    config = TransformerConfig("encoder-decoder", vocab_size=11, d_model=8, heads=2, layers=1, max_length=8)
    padded = cells(asked_of(config, masks=(CausalMask(), PaddingMask()), pads=2), DIALECTS[1])["forward pass"]
    assert "src_mask = np.arange(len(x)) < 5  # (K,), True: not padding" in padded
    assert 'block(x, src_mask, f"encoder.{n}")' in padded
    assert 'block(x, mask, f"decoder.{n}", memory, src_mask)' in padded
    windows = replace(config, architecture="decoder", windows=(2,))
    assert "block(x, j > i - WINDOWS[n]," in cells(asked_of(windows, masks=()), DIALECTS[1])["forward pass"]
