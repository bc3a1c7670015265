"""Record runs that take too long to train while somebody waits, and read them: 34 of their steps are kept.

``assets/lab/NAME/`` holds ``steps.safetensors`` (float16 weights, each named by its step), ``measured.json`` (the
measurements, at about twice as many steps) and ``card.json``.
"""

import json
import platform
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.checkpoints.card import Card, read_card, write_card
from core.checkpoints.safetensors_file import open_tensors
from core.lab.findings import Finding
from core.lab.measured import Measured, measure
from core.lab.recipe import Recipe, read_recipe, write_recipe
from core.lab.recordings import RECORDINGS, Recording
from core.lab.run import LabRun
from core.model.transformer import Transformer, build, parameter_count
from core.optim.state import Progress, resume, save_state, write_tensors
from core.text.broken_file import BrokenFile
from core.text.special import SPECIAL

RECORDED_FOLDER = Path(__file__).parents[2] / "assets" / "lab"
STEPS_FILE, MEASURED_FILE = "steps.safetensors", "measured.json"
KEPT_STEPS = 34
EXPONENT = 1.5  # above 1, so that kept steps lie closer together at the start, where most happens
SAVE_SECONDS = 60


def kept_steps(steps: int, count: int = KEPT_STEPS) -> tuple[int, ...]:
    """Return the steps of a run that are kept: 0, the last, and others between them that lie closer at the start."""
    return tuple(sorted({round(steps * (place / (count - 1)) ** EXPONENT) for place in range(count)}))


def record(recording: Recording, folder: Path, seconds: float = SAVE_SECONDS) -> Iterator[Progress]:
    """Train a recorded run into a folder, and yield its progress at each step; an interrupted one continues.

    seconds: how often the state is saved, so that an interruption loses no more work than that.

    Raises ValueError if the folder holds another run, and `core.lab.run.Diverged`.
    """
    recipe = read_recipe(recording.recipe)
    run = LabRun(recipe)
    progress = resume(folder, run.objective, run.optimizer, recording.recipe)
    run.steps = progress.step
    kept = set(kept_steps(recipe.steps))
    measured = kept | set(kept_steps(recipe.steps, 2 * KEPT_STEPS))
    start, before = time.monotonic(), progress.minutes
    saved = start
    while True:
        if run.steps in measured and all(entry["step"] != run.steps for entry in progress.history):
            progress.history.append(entry_of(measure(run)))
        if run.steps in kept:
            halves = {name: value.half() for name, value in run.weights().items()}
            write_tensors(folder / "steps" / f"{run.steps:06d}.safetensors", halves)
        if run.steps >= recipe.steps:
            break
        run.step()
        progress.step, progress.minutes = run.steps, before + (time.monotonic() - start) / 60
        if time.monotonic() - saved > seconds:
            save_state(folder, run.objective, run.optimizer, progress, recording.recipe)
            saved = time.monotonic()
        yield progress
    save_state(folder, run.objective, run.optimizer, progress, recording.recipe)
    yield progress


def entry_of(measured: Measured) -> dict[str, Any]:
    """Return measurements without patterns and answers as plain values for a file; numbers have five digits."""
    plain: dict[str, Any] = {
        name: _rounded(getattr(measured, name))
        for name in ("step", "loss", "exact", "held_out_loss", "held_out_exact", "by_place")
    }
    for name in ("longer_loss", "longer_exact", "longer_by_place"):
        plain[name] = _rounded(getattr(measured, name))
    plain["scores"] = {name: _rounded(values) for name, values in measured.scores.scores.items()}
    plain["back"], plain["mirror"] = measured.scores.back.tolist(), measured.scores.mirror.tolist()
    plain["gradient"] = {
        "layers": list(measured.gradient.layers),
        "kinds": list(measured.gradient.kinds),
        "norms": _rounded(measured.gradient.norms),
    }
    return plain


def _rounded(value: Any) -> Any:
    """Return a number or an array as plain numbers with five digits; NaN becomes None."""
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, np.ndarray):
        return [_rounded(part) for part in value.tolist()] if value.ndim else _rounded(value.item())
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    return float(f"{value:.5g}") if np.isfinite(value) else None


def publish(recording: Recording, folder: Path, out: Path = RECORDED_FOLDER) -> None:
    """Write the files of a run that `record` finished into ``out/NAME``.

    Raises ValueError if the run is not finished.
    """
    recipe = read_recipe(recording.recipe)
    run = LabRun(recipe)
    progress = resume(folder, run.objective, run.optimizer, recording.recipe)
    if progress.step < recipe.steps:
        raise ValueError(f"The run {recording.name} is at step {progress.step:,} of {recipe.steps:,}.")
    tensors: dict[str, Tensor] = {}
    for step in kept_steps(recipe.steps):
        with open_tensors(folder / "steps" / f"{step:06d}.safetensors", "pt") as file:
            names = file.keys()
            tensors |= {f"{step:06d}/{name}": file.get_tensor(name) for name in names}
    target = out / recording.name
    write_tensors(target / STEPS_FILE, tensors)
    (target / STEPS_FILE).chmod(0o644)
    text = json.dumps(progress.history, separators=(",", ":"), ensure_ascii=False)
    (target / MEASURED_FILE).write_text(text + "\n", encoding="utf-8")
    models = {step: _model(recipe, tensors, step) for step in kept_steps(recipe.steps)}
    findings = recording.find(recipe.of, progress.history, models)
    write_card(target, _card(recording, recipe, progress, findings))


def _card(recording: Recording, recipe: Recipe, progress: Progress, findings: tuple[Finding, ...]) -> Card:
    return Card(
        name=recording.name,
        title=recording.title,
        what=f"{recipe.of.about} Recipe: {write_recipe(recipe)}.",
        limits="It knows the tokens of its task alone, and texts about as long as those of its training.",
        family="transformer",
        config=asdict(recipe.config),
        tokenizer={"spaced": [*SPECIAL, *recipe.of.tokens]},
        data=({"text": f"rows of the task “{recipe.task}”, made by the program", "licence": "none needed"},),
        split=recipe.of.split,
        seed=recipe.seed,
        steps=recipe.steps,
        minutes=round(progress.minutes, 1),
        parameters=parameter_count(recipe.config),
        commands={"train": f"python -m core.lab record {recording.name}"},
        scores={
            "recipe": asdict(recipe),
            "processor": platform.machine(),
            "torch": torch.__version__,
            "kept": list(kept_steps(recipe.steps)),
            "seen": [asdict(finding) for finding in findings],
        },
    )


class RecordedRun:
    """A recorded run that is read from its folder.

    card: its card, whose scores hold the recipe and the findings.
    history: the measurements, as `entry_of` writes them, by ascending step.
    steps: the steps whose weights are kept.
    """

    def __init__(self, name: str, folder: Path = RECORDED_FOLDER) -> None:
        if name not in RECORDINGS:
            raise ValueError(f"There is no recorded run “{name[:40]}”: there are {', '.join(RECORDINGS)}.")
        self.folder = folder / name
        self.card = read_card(self.folder)
        try:
            self.recipe = Recipe(**self.card.scores["recipe"])
            self.history: list[Mapping[str, Any]] = json.loads((self.folder / MEASURED_FILE).read_text("utf-8"))
            self.steps = tuple(int(step) for step in self.card.scores["kept"])
            self.seen = tuple(Finding(**finding) for finding in self.card.scores["seen"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BrokenFile(f"The recorded run {name} cannot be read ({str(error)[:100]}).") from error

    def nearest(self, step: int) -> int:
        """Return the kept step that is nearest to a step."""
        return min(self.steps, key=lambda kept: abs(kept - step))

    def check_kept(self, step: int) -> None:
        """Raise ValueError if a step is not kept."""
        if step not in self.steps:
            raise ValueError(f"Step {step:,} of {self.card.name} is not kept; step {self.nearest(step):,} is.")

    def model(self, step: int) -> Transformer:
        """Return the model at a kept step, in evaluation mode and without gradients.

        Raises ValueError if the step is not kept, BrokenFile if the file does not fit the card.
        """
        self.check_kept(step)
        prefix = f"{step:06d}/"
        path = self.folder / STEPS_FILE
        with open_tensors(path, "pt") as file:
            names = file.keys()
            tensors = {name: file.get_tensor(name) for name in names if name.startswith(prefix)}
        try:
            return _model(self.recipe, tensors, step)
        except (KeyError, RuntimeError) as error:
            raise BrokenFile(f"{path.name} does not fit the card of {self.card.name}.") from error


@lru_cache(maxsize=8)
def recorded_run(name: str) -> RecordedRun:
    """Return a recorded run that is shipped, read once."""
    return RecordedRun(name)


def recorded_names(folder: Path = RECORDED_FOLDER) -> tuple[str, ...]:
    """Return the names of the recorded runs that are there, in the order of `RECORDINGS`."""
    return tuple(name for name in RECORDINGS if (folder / name / "card.json").exists())


def _model(recipe: Recipe, tensors: Mapping[str, Tensor], step: int) -> Transformer:
    """Return the model at a step, from tensors named “000100/decoder.0…”."""
    model = build(recipe.config)
    names = MappingProxyType({name: tensors[f"{step:06d}/{name}"].float() for name in model.state_dict()})
    model.load_state_dict(dict(names), strict=True)
    return model.requires_grad_(False)
