"""Every number of a head is the arithmetic that the page writes out."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.analysis import arithmetic
from core.model.config import POSITIONS, SCORES, TransformerConfig
from core.model.masks import CausalMask
from core.text.tokenizer import Tokenizer
from core.topics.self_attention import one_head
from core.topics.self_attention.cells import EXPLAIN, cell
from core.topics.self_attention.grids import MAKERS, grid
from core.topics.self_attention.records import HeadRecord
from core.topics.shared import loading
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run

TEXT = "The cat saw the other cat"


def record(cross: bool = False, **choices: Any) -> HeadRecord:
    place = HeadAddress("decoder", 1, 2, cross)
    tokenizer = Tokenizer.load("unigram-1000")
    sizes: dict[str, Any] = {"architecture": "decoder", "d_model": 24, "heads": 3, "layers": 2, "d_k": 6, "d_v": 5}
    config = TransformerConfig(**({"vocab_size": tokenizer.vocab_size} | sizes | choices))
    run = Run(TEXT, config, "le chat", "unigram-1000", (CausalMask(),))
    return one_head.head(loading.fresh_model(config, run.placement), tokenizer, run, place)


def matrices(head: HeadRecord) -> dict[str, np.ndarray]:
    found = {}
    for name in MAKERS:
        try:
            values = grid(head, name).values
        except ValueError:
            continue
        found[name] = values
    return found


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("positions", POSITIONS)
def test_every_cell_of_every_matrix_agrees_with_its_arithmetic(
    score: str, positions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = record(score=score, positions=positions)
    written: list[arithmetic.Arithmetic] = []

    def note(result: arithmetic.Arithmetic, name: str) -> str:
        written.append(result)
        return name

    monkeypatch.setattr("core.topics.self_attention.cells.as_text", note)
    for name, values in matrices(head).items():
        for row in range(min(3, len(values))):
            for col in range(min(4, values.shape[1])):
                before = len(written)
                EXPLAIN[name](head, row, col)
                for result in written[before:]:
                    assert result.value == values[row, col]
                    assert result.agrees, (name, row, col, result)
    assert len(written) > 50


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("positions", ["sinusoidal", "rotary", "alibi"])
def test_every_source_is_a_row_or_a_column_of_a_matrix_that_is_there(score: str, positions: str) -> None:
    head = record(score=score, positions=positions)
    there = matrices(head)
    for name in there:
        for source, row, col in cell(head, name, 1 % len(there[name]), 0).sources:
            rows, cols = there[source].shape
            assert (row is None or 0 <= row < rows) and (col is None or 0 <= col < cols)


def test_the_product_of_the_named_row_and_column_is_the_number() -> None:
    head = record()
    (left, row, _), (right, _, col) = cell(head, "raw S", 3, 1).sources
    assert (left, right) == ("Q", "Kᵀ")
    np.testing.assert_allclose(
        grid(head, left).values[row] @ grid(head, right).values[:, col], head.raw[3, 1], atol=1e-5
    )


def test_the_text_names_the_query_and_the_key() -> None:
    text = cell(record(), "raw S", 3, 1).text
    assert text.startswith("q3·k1 = ")
    assert text.count("×") == 6
    total = re.findall(r"= (−?[\d.,]+)$", text, re.MULTILINE)[0]
    assert float(total.replace("−", "-")) == pytest.approx(record().raw[3, 1], rel=5e-3)


def test_a_wrong_rotation_would_be_seen() -> None:
    head = record(positions="rotary")
    assert head.q_rotated is not None
    spun = replace(head, q_rotated=-head.q_rotated)
    assert f"{head.q_rotated[2, 1]:.2f}".replace("-", "−") in cell(head, "Q rotated", 2, 1).text
    assert "difference 0" in cell(head, "Q rotated", 0, 0).text
    assert "difference 0" not in cell(spun, "Q rotated", 2, 1).text


def test_cross_attention_reads_the_encoder() -> None:
    head = record(cross=True, architecture="encoder-decoder")
    assert cell(head, "K", 0, 0).sources == (("M", 0, None), ("W_K", None, 0))
    assert head.raw.shape == (len(head.queries), len(head.keys)) and len(head.queries) != len(head.keys)


def test_a_cell_outside_its_matrix_and_an_unknown_matrix_are_refused() -> None:
    head = record()
    with pytest.raises(ValueError, match=r"rows and .* columns, so there is no cell \(99, 0\)"):
        cell(head, "A", 99, 0)
    with pytest.raises(ValueError, match="no matrix 'B'; there are X, M"):
        grid(head, "B")
    for absent in ("Q rotated", "M", "W", "bias"):
        with pytest.raises(ValueError, match="depends on"):
            cell(head, absent, 0, 0)
