"""Modules for whose weights nothing is drawn."""

import subprocess
import sys
from pathlib import Path

import torch
from torch import nn

from core.checkpoints.shipped import MODELS_FOLDER
from core.model.fast.skip_init import skip_init
from tests.core.checkpoints.real.drawn import write_folder

HEAVY = {"sympy", "torch._dynamo"}
WORK = f"""
import sys
from pathlib import Path
from core.checkpoints.real import places
from core.checkpoints.weights import load
from core.device import Placement
from core.topics.shared.loading import resized
from core.model.config import TransformerConfig
from core.model.transformer import build, parameter_count
config = TransformerConfig(vocab_size=10)
assert parameter_count(config) == sum(each.numel() for each in build(config).parameters())
resized(build(config), layers=1)
for name in ("toy-copy", "sentiment", "rnn-attention", "word-vectors"):
    load(Path({str(MODELS_FOLDER)!r}) / name)
place = Path(sys.argv[1])
assert places.read("it", place).parameters
places.load("it", Placement("cpu", "float32"), place)
print(sorted({HEAVY} & sys.modules.keys()))
"""


def test_nothing_is_drawn_and_the_shapes_stand() -> None:
    state = torch.get_rng_state()
    with skip_init():
        layer = nn.Linear(3, 2)
    assert layer.weight.shape == (2, 3) and layer.weight.is_meta and layer.bias.is_meta
    with skip_init("cpu"):
        layer = nn.Linear(3, 2)
    assert layer.weight.device.type == "cpu"
    assert torch.equal(torch.get_rng_state(), state)
    nn.Linear(3, 2)
    assert not torch.equal(torch.get_rng_state(), state)


def test_models_are_made_and_read_without_the_compiler(tmp_path: Path) -> None:
    write_folder("gpt2", 0, tmp_path / "it")
    done = subprocess.run([sys.executable, "-c", WORK, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
