"""Writing the files of a run to a folder, running its scripts there, and the numbers of the core to compare with."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file

from core.export.asked import HEAD_SCORES, HEAD_VECTORS, LENS, Asked
from core.export.bundle import files
from core.model.transformer import Transformer
from core.tracing.run import execute

KEPT = {
    HEAD_SCORES: {"scores": "scores"},
    HEAD_VECTORS: {"q": "Q", "k": "K", "v": "V"},
}  # by site
CLOSE = 1e-5  # of the largest number of a tensor, at least of 1


def write(folder: Path, asked: Asked, model: Transformer) -> None:
    """Write the files of a run."""
    folder.mkdir(exist_ok=True)
    for name, data in files(asked, model):
        (folder / name).write_bytes(data)


def run_alone(folder: Path, name: str) -> str:
    """Run a script of the folder in a fresh process that does not find this project; return what it printed."""
    env = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "TMPDIR")}
    command = [sys.executable, "-I", "-W", "error", name]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def numbers(folder: Path) -> dict[str, np.ndarray]:
    """Return the numbers that the last script of the folder saved."""
    return load_file(folder / "numbers.safetensors")


def truth(asked: Asked, model: Transformer) -> dict[str, np.ndarray]:
    """Return what the core computes for the same run, by the scripts' names."""
    config = asked.config
    last = f"{config.stacks[-1]}.final"
    logits = ["logits"] if "decoder" in config.stacks else []
    kept = KEPT.get(asked.draws, {})
    seen = execute(model, asked.run, asked.inputs, record=["pattern", last, *logits, *kept, "resid_pre", "resid_post"])
    found = {key.removesuffix(".pattern"): seen[key][0].numpy() for key in seen if key.endswith(".pattern")}
    for site, name in kept.items():
        keys = [key for key in seen if key.endswith(f".{site}")]
        found |= {f"{key.removesuffix(site)}{name}": seen[key][0].numpy() for key in keys}
    found["output"] = seen[last][0].numpy()
    if asked.draws == LENS:
        streams = [
            seen["decoder.0.resid_pre"],
            *(seen[f"decoder.{n}.resid_post"] for n in range(config.depth("decoder"))),
        ]
        found["p"] = model.logits(model.get_submodule("decoder_norm")(torch.cat(streams))).softmax(-1).numpy()
    elif asked.draws == HEAD_VECTORS:
        pass  # such a script does not come to what the model says
    elif logits:
        pads = 0 if config.has_two_stacks else asked.run.pads
        found["p"] = seen["logits"][:, -1 - pads].softmax(-1).numpy()
    elif asked.classes is not None:
        found["p"] = asked.classes.logits(seen[last][:, : len(found["output"]) - asked.run.pads])[0].softmax(-1).numpy()
    elif asked.hidden:
        found["p"] = model.logits(seen[last])[0, list(asked.hidden)].softmax(-1).numpy()
    return found


def assert_same(folder: Path, asked: Asked, model: Transformer) -> None:
    """Compare every number that a script saved with the core's."""
    saved, expected = numbers(folder), truth(asked, model)
    assert saved.keys() == expected.keys()
    for name, values in expected.items():
        slack = CLOSE * max(1.0, float(np.abs(values).max()))
        np.testing.assert_allclose(saved[name], values, rtol=CLOSE, atol=slack, err_msg=name)
