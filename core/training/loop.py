"""The training loop that all recipes share.

Everything that a step does follows from the seed and the number of the step: its rows, its dropout, its learning rate.
So on the same machine, an interrupted run whose budget is a number of steps resumes to the same weights, bit for bit.
With a budget of minutes the learning rate follows the clock, and no two runs are exactly alike.
"""

import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any, Protocol
from zlib import crc32

import torch
from torch import Tensor, nn

from core.optim import state
from core.optim.step import BETAS, EPS, make_optimizer, train_step
from core.training import processes
from core.training.batches import Batch
from core.training.display import ProgressLine
from core.training.schedules import Schedule


class Trainable(Protocol):
    """A task for the training loop: an objective, and the batches that it learns from.

    `batch(step)` returns the same batch for a step whenever it is called.
    """

    def objective(self) -> nn.Module:
        """Return a new objective.

        Its `model` is the model to ship; calling it on a batch's tensors gives the summed loss.
        """

    def batch(self, step: int) -> Batch: ...

    def validate(self, objective: Any) -> Mapping[str, float]:
        """Return numbers measured on rows kept out of training, "loss" among them."""


@dataclass(frozen=True)
class TrainConfig:
    """The settings of a task's training with AdamW, which is Adam if weight_decay is 0.

    clip: the largest norm of the gradient.
    average: the number of snapshots, taken from `average_from` of the budget on, whose mean replaces the last weights
    if it validates better.
    checkpoints: the shares of the budget at which a checkpoint is written, to show how heads form.
    branch: the share of the budget at which the state is also saved into the folder ``branch``, from which a longer run
    can continue; None for no such copy.
    """

    schedule: Schedule
    steps: int
    betas: tuple[float, float] = BETAS
    eps: float = EPS
    weight_decay: float = 0.0
    clip: float = 1.0
    bf16: bool = True  # if that is faster: `is_bf16_faster`
    validations: int = 10
    average: int = 5
    average_from: float = 0.8
    checkpoints: tuple[float, ...] = ()
    branch: float | None = None
    save_minutes: float = 3.0


@dataclass(frozen=True)
class Budget:
    """The length of a run: a number of steps or of minutes, whichever is reached first."""

    steps: int | None = None
    minutes: float | None = None

    def progress(self, step: int, minutes: float) -> float:
        """Return the share of the budget that is used, from 0 to 1."""
        shares = [step / self.steps if self.steps else 0.0, minutes / self.minutes if self.minutes else 0.0]
        return min(1.0, max(shares))


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a run.

    finished: whether its budget is used up; a run that was stopped can be resumed later.
    leads: whether this process is the one that writes the files.
    """

    objective: nn.Module
    progress: state.Progress
    finished: bool
    leads: bool


SaveCheckpoint = Callable[[Path, nn.Module, state.Progress], None]


class Trainer:
    """A training run: its objective, optimizer and files; `run` carries it out."""

    def __init__(
        self, name: str, task: Trainable, config: TrainConfig, budget: Budget, folder: Path, seed: int = 0
    ) -> None:
        self.name, self.task, self.config, self.budget = name, task, config, budget
        self.folder, self.seed = folder, seed
        self.worker = processes.join()
        self.objective = task.objective().to(self.worker.device).train()
        self.optimizer = make_optimizer(self.objective, config.weight_decay, config.betas, config.eps)
        self.identity = f"{name}, seed {seed}, {sum(p.numel() for p in self.objective.parameters()):,} numbers"
        self.progress = state.resume(folder, self.objective, self.optimizer, self.identity)
        self.wrapped = self.worker.wrap(self.objective)
        self.line = ProgressLine(name, active=self.worker.leads)

    def run(self, save: SaveCheckpoint | None = None) -> Outcome:
        """Train until the budget is used up or SIGTERM or Ctrl-C arrives.

        save: writes a checkpoint into a folder.
        """
        start, before = time.monotonic(), self.progress.minutes
        saved = start
        share = self.budget.progress(self.progress.step, before)
        if save and self.worker.leads and self.progress.step == 0 and 0.0 in self.config.checkpoints:
            save(self._checkpoint(), self.objective, self.progress)
        with asked_to_stop() as stop_asked:
            while share < 1.0:
                loss, predictions = self._step(share)
                self.progress.step += 1
                minutes = before + (time.monotonic() - start) / 60
                self.progress.minutes, stop = self.worker.agree([minutes, float(stop_asked())])
                last, share = share, self.budget.progress(self.progress.step, self.progress.minutes)
                self.line.update(self.progress.step, share, self.progress.minutes, loss, predictions)
                self._milestones(last, share, save)
                if time.monotonic() - saved > 60 * self.config.save_minutes:
                    self._save()
                    saved = time.monotonic()
                if stop:
                    break
        self._save()
        if share >= 1.0 and self.worker.leads:
            self._take_average()
        return Outcome(self.objective, self.progress, share >= 1.0, self.worker.leads)

    def _step(self, share: float) -> tuple[float, int]:
        """Train on one batch, and return the summed loss and the number of predictions.

        The loss is that of this process's rows, scaled to all rows of the batch.
        """
        step, worker = self.progress.step, self.worker
        torch.manual_seed(crc32(f"{self.seed} {step} {worker.rank}".encode()))
        batch = self.task.batch(step)
        rows, weight = batch.share(worker.rank, worker.world)
        loss = train_step(
            self.wrapped,
            self.optimizer,
            _moved(rows, worker.device),
            self.config.schedule(step + 1, share),
            weight=weight / batch.predictions,
            clip=self.config.clip,
            autocast=autocast(worker.device, self.config.bf16),
        )
        return float(loss) * batch.predictions, batch.predictions

    def _milestones(self, last: float, share: float, save: SaveCheckpoint | None) -> None:
        config = self.config
        if not self.worker.leads:
            return
        if any(last < k / config.validations <= share for k in range(1, config.validations + 1)):
            self._validate()
        if any(last < point <= share for point in snapshot_points(config)):
            state.write_tensors(self._snapshot(), self.objective.state_dict())
        if save and any(last < point <= share for point in config.checkpoints):
            save(self._checkpoint(), self.objective, self.progress)
        if config.branch is not None and last < config.branch <= share:
            self._save("branch")

    def _validate(self) -> Mapping[str, float]:
        scores = validated(self.task, self.objective, self.worker.device, self.config.bf16)
        self.progress.history.append({"step": self.progress.step, "minutes": self.progress.minutes, **scores})
        words = "  ".join(f"{name} {value:.4f}" for name, value in scores.items())
        self.line.print(f"{self.name} step {self.progress.step:,}, {self.progress.minutes:.1f} min, held out: {words}")
        return scores

    def _take_average(self) -> None:
        """Replace the last weights by the mean of the snapshots if the mean validates better."""
        paths = sorted((self.folder / "snapshots").glob("*.safetensors"))[-self.config.average :]
        if len(paths) < 2:
            return
        weights = {name: value.clone() for name, value in self.objective.state_dict().items()}
        last = validated(self.task, self.objective, self.worker.device, self.config.bf16)["loss"]
        self.objective.load_state_dict(state.average_weights(paths))
        mean = validated(self.task, self.objective, self.worker.device, self.config.bf16)["loss"]
        self.line.print(f"{self.name}: loss {last:.4f} at the end, {mean:.4f} with the mean of {len(paths)} snapshots")
        if mean >= last:
            self.objective.load_state_dict(weights)

    def _save(self, subfolder: str = "") -> None:
        if self.worker.leads:
            state.save_state(self.folder / subfolder, self.objective, self.optimizer, self.progress, self.identity)

    def _snapshot(self) -> Path:
        return self.folder / "snapshots" / f"{self.progress.step:08d}.safetensors"

    def _checkpoint(self) -> Path:
        return self.folder / "steps" / f"{self.progress.step:06d}"


def snapshot_points(config: TrainConfig) -> list[float]:
    """Return the shares of the budget at which snapshots are taken, the last at its end."""
    if config.average < 2:
        return []
    gap = (1.0 - config.average_from) / (config.average - 1)
    return [1.0 - gap * back for back in range(config.average)]


@torch.no_grad()
def validated(task: Trainable, objective: nn.Module, device: torch.device, bf16: bool) -> Mapping[str, float]:
    """Return the task's measurements on its held-out rows, in evaluation mode."""
    objective.eval()
    try:
        with autocast(device, bf16):
            return task.validate(objective)
    finally:
        objective.train()


def autocast(device: torch.device, bf16: bool) -> Any:
    """Return a context that computes matrix products in bfloat16 if that is wanted and faster on this device."""
    return torch.autocast(device.type, dtype=torch.bfloat16) if bf16 and is_bf16_faster(device) else nullcontext()


@lru_cache(maxsize=8)
def is_bf16_faster(device: torch.device) -> bool:
    """Return whether matrix products take less time in bfloat16 than in float32.

    On a CPU both are timed once; on other devices bfloat16 counts as faster. Without instructions for bfloat16 a CPU
    can be a hundred times slower in it.
    """
    return device.type != "cpu" or _product_seconds(torch.bfloat16) < _product_seconds(torch.float32)


def _product_seconds(dtype: torch.dtype) -> float:
    """Return the shortest of three times of a matrix product, after one to warm up."""
    left, right = torch.ones(512, 256, dtype=dtype), torch.ones(256, 1024, dtype=dtype)
    left @ right
    times = []
    for _ in range(3):
        start = time.perf_counter()
        left @ right
        times.append(time.perf_counter() - start)
    return min(times)


@contextmanager
def asked_to_stop() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether SIGTERM or Ctrl-C came.

    The first signal asks for a clean stop; the next one ends the process.
    """
    stop_asked = False
    old = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal stop_asked
        stop_asked = True
        signal.signal(number, signal.SIG_DFL)

    for number in old:
        signal.signal(number, note)
    try:
        yield lambda: stop_asked
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


def _moved(rows: Mapping[str, Tensor], device: torch.device) -> dict[str, Tensor]:
    return {name: value.to(device) for name, value in rows.items()}
