"""The file of the texts on which neurons fire: read as it was written, and refused where it is not whole."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.checkpoints.firing import Firing, PoolText, StackFiring, load_firing, write_firing, write_pool
from core.model.config import TransformerConfig
from core.text.broken_file import BrokenFile

CONFIG = TransformerConfig(d_model=4, heads=1, layers=2, d_ff=3)
POOL = (PoolText("A cat.", "Un chat."), PoolText("Once upon a time."))
ABOUT = {"what": "a test", "read": 2}


def stacks() -> dict[str, StackFiring]:
    numbers = np.arange(12).reshape(2, 3, 2)
    return {"encoder": StackFiring(numbers % 2, numbers, numbers / 8)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_pool(POOL, {"what": "texts"}, tmp_path)
    write_firing("tiny", stacks(), POOL, ABOUT, tmp_path)
    return tmp_path


def read(folder: Path, config: TransformerConfig = CONFIG) -> Firing:
    return load_firing("tiny", config, folder)


def test_what_was_written_is_read(folder: Path) -> None:
    found = read(folder)
    assert (found.pool, found.read, found.about["what"]) == (POOL, 2, "a test")
    for field in ("text", "token", "activation"):
        np.testing.assert_array_equal(getattr(found.stacks["encoder"], field), getattr(stacks()["encoder"], field))


def test_other_texts_other_models_and_damage_are_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="is not that of a model of 3 layers with 3 neurons each"):
        read(folder, replace(CONFIG, layers=3))
    with pytest.raises(ValueError, match=r"The file neurons-other.safetensors is missing"):
        load_firing("other", CONFIG, folder)
    write_firing("tiny", {"encoder": replace(stacks()["encoder"], text=np.full((2, 3, 2), 2))}, POOL, ABOUT, folder)
    with pytest.raises(ValueError, match="names texts that there are not"):
        read(folder)
    for shape in ((2, 3, 0), (2, 3)):
        none = np.zeros(shape)
        write_firing("tiny", {"encoder": StackFiring(none, none, none)}, POOL, ABOUT, folder)
        with pytest.raises(BrokenFile, match=r"neurons-tiny.safetensors holds no texts"):
            read(folder)
    write_firing("tiny", stacks(), POOL[::-1], ABOUT, folder)
    with pytest.raises(ValueError, match=r"belongs to other texts than those of neuron-texts.json"):
        read(folder)
    file = folder / "neurons-tiny.safetensors"
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(ValueError, match=r"neurons-tiny.safetensors cannot be read"):
        read(folder)
    (folder / "neuron-texts.json").write_text('{"pairs": [["alone"]]}')
    with pytest.raises(ValueError, match=r"neuron-texts.json is not whole"):
        read(folder)
