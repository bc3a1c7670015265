"""Reads and writes the files of a run: the state to resume from, and the snapshots that are averaged at the end.

``state.safetensors`` holds the objective's weights, the optimizer's two moments, and in its header the step, the
minutes and the history. Random numbers and the position in the data follow from the seed and the step.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.optim import Optimizer

STATE = "state.safetensors"
MOMENTS = ("exp_avg", "exp_avg_sq")


@dataclass
class Progress:
    """The progress of a run.

    history: the measurements of each validation, with its step and minutes.
    """

    step: int = 0
    minutes: float = 0.0
    history: list[dict[str, float]] = field(default_factory=list)


def write_tensors(path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, str] | None = None) -> None:
    """Write a safetensors file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    save_file({name: value.detach().cpu().contiguous() for name, value in tensors.items()}, part, dict(header or {}))
    part.replace(path)


def save_state(folder: Path, objective: nn.Module, optimizer: Optimizer, progress: Progress, identity: str) -> None:
    """Write the state of a run.

    identity: the text that identifies the run, which `resume` compares.
    """
    tensors = {f"weights/{name}": value for name, value in objective.state_dict().items()}
    for name, parameter in objective.named_parameters():
        for moment in MOMENTS:
            if moment in optimizer.state[parameter]:
                tensors[f"{moment}/{name}"] = optimizer.state[parameter][moment]
    header = {
        "step": str(progress.step),
        "minutes": repr(progress.minutes),
        "history": json.dumps(progress.history),
        "identity": identity,
    }
    write_tensors(folder / STATE, tensors, header)


def resume(folder: Path, objective: nn.Module, optimizer: Optimizer, identity: str) -> Progress:
    """Load the state in `folder` into the objective and the optimizer, and return its progress.

    Returns a new Progress if there is no state. Raises ValueError if the state is damaged or belongs to a run with
    another identity.
    """
    path = folder / STATE
    if not path.exists():
        return Progress()
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            names = file.keys()
            tensors = {name: file.get_tensor(name) for name in names}
    except (SafetensorError, OSError) as error:
        raise ValueError(f"{path} is damaged ({error}); delete it to start anew.") from error
    if header.get("identity") != identity:
        raise ValueError(f"{path} is of another run ({header.get('identity')}, not {identity}); name a new --run-dir.")
    step = int(header["step"])
    weights = {name.removeprefix("weights/"): value for name, value in tensors.items() if name.startswith("weights/")}
    objective.load_state_dict(weights)
    for name, parameter in objective.named_parameters():
        if f"{MOMENTS[0]}/{name}" in tensors:
            moments = {moment: tensors[f"{moment}/{name}"].to(parameter.device) for moment in MOMENTS}
            optimizer.state[parameter] = {"step": torch.tensor(float(step), device=parameter.device), **moments}
    return Progress(step, float(header["minutes"]), json.loads(header["history"]))


def average_weights(paths: Iterable[Path]) -> dict[str, Tensor]:
    """Return the mean of the tensors of several files, by name."""
    total: dict[str, Tensor] = {}
    files = list(paths)
    for path in files:
        with safe_open(path, framework="pt") as file:
            names = file.keys()
            for name in names:
                value = file.get_tensor(name)
                total[name] = total[name] + value if name in total else value
    return {name: value / len(files) for name, value in total.items()}
