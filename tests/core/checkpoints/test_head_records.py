"""The file of heads over many texts: read as it was written, and refused where it is not whole."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.checkpoints import shipped
from core.checkpoints.firing import load_pool
from core.checkpoints.head_records import (
    BINS,
    DECILES,
    SELF_SCORES,
    STRONGEST,
    WITH_HEADS,
    AttentionRecord,
    load_heads,
    write_heads,
)
from core.checkpoints.measured import MEASURED_FOLDER
from core.model.config import TransformerConfig
from core.text.broken_file import BrokenFile

CONFIG = TransformerConfig(architecture="decoder", d_model=4, heads=2, layers=3)


def record(**other: Any) -> AttentionRecord:
    links = np.arange(3 * 2 * (STRONGEST + DECILES)).reshape(3, 2, -1)
    scores = np.arange(len(SELF_SCORES) * 6).reshape(-1, 3, 2) / 100
    counts = np.zeros((*scores.shape, BINS))
    counts[..., 3] = 2
    whole = AttentionRecord(links, links % 7, links % 5, links / 108, scores, counts, scores[:, 0, 0])
    return replace(whole, **other)


def write(folder: Path, **other: Any) -> None:
    write_heads("tiny", {"decoder": record(**other)}, load_pool(), {"read": 2}, folder)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    write(tmp_path / "measured")
    found = load_heads("tiny", CONFIG, tmp_path / "measured")
    assert found.read == 2 and set(found.attentions) == {"decoder"}
    for field in ("text", "query", "key", "mean", "counts", "reached"):
        np.testing.assert_allclose(getattr(found.attentions["decoder"], field), getattr(record(), field), rtol=1e-6)
    np.testing.assert_allclose(found.attentions["decoder"].weight, record().weight, rtol=1e-3)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"text": record().text + 3000}, "names texts that there are not"),
        ({"weight": record().weight + 1}, "holds weights or scores that cannot be"),
        ({"mean": record().mean * np.nan}, "holds weights or scores that cannot be"),
        ({"counts": record().counts * 4}, "counts more texts than there are"),
        ({"query": record().query[:1]}, "is not that of a model of 3 layers with 2 heads each"),
        ({"mean": record().mean[:2]}, "is not that of a model of 3 layers with 2 heads each"),
    ],
)
def test_a_hostile_file_is_refused_with_a_sentence(tmp_path: Path, other: dict[str, Any], words: str) -> None:
    write(tmp_path, **other)
    with pytest.raises(BrokenFile, match=words):
        load_heads("tiny", CONFIG, tmp_path)


def test_damage_and_other_texts_are_refused_with_the_command(tmp_path: Path) -> None:
    with pytest.raises(BrokenFile, match=r"heads-tiny.safetensors is missing") as missing:
        load_heads("tiny", CONFIG, tmp_path, "real:tiny")
    assert "python -m core.training heads --model real:tiny" in str(missing.value)
    write_heads("tiny", {"decoder": record()}, load_pool()[::-1], {"read": 2}, tmp_path)
    with pytest.raises(BrokenFile, match="belongs to other texts"):
        load_heads("tiny", CONFIG, tmp_path)
    write(tmp_path)
    file = tmp_path / "heads-tiny.safetensors"
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(BrokenFile, match=r"heads-tiny.safetensors cannot be read") as damaged:
        load_heads("tiny", CONFIG, tmp_path)
    assert str(tmp_path) not in str(damaged.value)


def test_the_shipped_files_fit_their_models_and_are_small() -> None:
    files = [MEASURED_FOLDER / f"heads-{name}.safetensors" for name in WITH_HEADS]
    assert sum(file.stat().st_size for file in files) < 2_000_000
    for name in WITH_HEADS:
        found = load_heads(name, shipped.read(name).config)
        assert found.about["model"] == name and found.read in (1500, 3000)
