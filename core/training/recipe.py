"""Recipes: what `python -m core.training NAME` trains, and how the model is trained, scored and documented."""

import argparse
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from torch import nn

from core.checkpoints import weights
from core.checkpoints.card import Card, family_of, write_card
from core.optim.state import Progress
from core.training import processes
from core.training.calibration import CalibratedTask, calibrate
from core.training.loop import Budget, Outcome, Trainable, TrainConfig, Trainer

MODELS = Path("assets/models")


class TrainingTask(Trainable, Protocol):
    """A task whose trained model can also be scored and described on a card."""

    def about(self) -> Mapping[str, Any]:
        """Return the fields of the card that depend on the data: what, tokenizer, data, split."""

    def evaluate(self, model: Any) -> Mapping[str, Any]:
        """Return the scores of a finished model."""

    def write(self, folder: Path) -> None:
        """Write the files that the model needs beside its weights (its own tokenizer, its words) into `folder`."""


@dataclass(frozen=True)
class TrainingRecipe:
    """A model that can be trained: its name, its task and the settings of its training.

    title: the name of its model on screen.
    limits: the things that the model cannot do, in a sentence or two.
    task: makes the task from (data, folder, seed); folder holds the files of `TrainingTask.write`, or they are made
    there.
    """

    name: str
    title: str
    sentence: str
    limits: str
    task: Callable[[Path, Path, int], TrainingTask]
    training: TrainConfig
    needs_data: bool = True


def train(recipe: TrainingRecipe, arguments: Sequence[str]) -> None:
    """Train a recipe, resuming an interrupted run, and write the checkpoint when the budget is used up."""
    chosen = _parser(recipe).parse_args(arguments)
    folder = chosen.run_dir or Path("runs") / recipe.name
    folder.mkdir(parents=True, exist_ok=True)
    if chosen.minutes is not None:
        budget = Budget(chosen.steps, chosen.minutes)
    else:
        budget = Budget(chosen.steps or recipe.training.steps)
    try:
        task = recipe.task(chosen.data, folder, chosen.seed)
        with processes.join().leader_first():
            task.batch(0)
        trainer = Trainer(recipe.name, task, recipe.training, budget, folder, chosen.seed)

        def card(model: Any, progress: Progress) -> Card:
            return _card(recipe, task, model, progress, chosen)

        def save(checkpoint: Path, objective: nn.Module, progress: Progress) -> None:
            weights.save(checkpoint, _model(objective), card(_model(objective), progress))

        outcome = trainer.run(save if recipe.training.checkpoints else None)
        if outcome.finished and outcome.leads:
            _finish(task, outcome, folder, chosen.out, card(_model(outcome.objective), outcome.progress))
        elif outcome.leads:
            print(f"Stopped at step {outcome.progress.step:,}; the same command goes on from there.")
    finally:
        processes.leave()


def evaluate(recipe: TrainingRecipe, arguments: Sequence[str]) -> None:
    """Score a checkpoint and write the scores into its card."""
    parser = argparse.ArgumentParser(prog=f"python -m core.training evaluate {recipe.name}")
    parser.add_argument("--data", type=Path, required=recipe.needs_data, default=Path(), help="folder with the data")
    parser.add_argument("--model", type=Path, default=MODELS / recipe.name, help="folder of the checkpoint")
    chosen = parser.parse_args(arguments)
    model, card = weights.load(chosen.model)
    scores = recipe.task(chosen.data, chosen.model, card.seed).evaluate(model)
    write_card(chosen.model, replace(card, scores=dict(scores)))
    for name, value in scores.items():
        print(f"{name}: {value}")


def _finish(task: TrainingTask, outcome: Outcome, folder: Path, out: Path, card: Card) -> None:
    """Write the checkpoint, its files and the intermediate steps, and score the checkpoint as read back from disk."""
    out.mkdir(parents=True, exist_ok=True)
    task.write(out)
    model = _model(outcome.objective)
    if isinstance(task, CalibratedTask):
        clause = calibrate(task, model)
        card = replace(card, config=asdict(model.config), split=card.split + clause)
    weights.save(out, model, card)
    steps = folder / "steps"
    if steps.is_dir():
        shutil.rmtree(out / "steps", ignore_errors=True)
        shutil.copytree(steps, out / "steps")
    model, card = weights.load(out)
    write_card(out, replace(card, scores=dict(task.evaluate(model))))
    print(f"Written to {out}: {card.parameters:,} parameters, {card.steps:,} steps, {card.minutes} minutes.")


def _card(
    recipe: TrainingRecipe, task: TrainingTask, model: Any, progress: Progress, chosen: argparse.Namespace
) -> Card:
    data = " --data DIR" if recipe.needs_data else ""
    limits = "".join(f" --{name} {getattr(chosen, name):g}" for name in ("steps", "minutes") if getattr(chosen, name))
    seed = f" --seed {chosen.seed}" if chosen.seed else ""
    return Card(
        name=recipe.name,
        title=recipe.title,
        limits=recipe.limits,
        family=family_of(model.config),
        config=asdict(model.config),
        seed=chosen.seed,
        steps=progress.step,
        minutes=round(progress.minutes, 2),
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        commands={
            "train": f"python -m core.training {recipe.name}{data}{limits}{seed}",
            "evaluate": f"python -m core.training evaluate {recipe.name}{data}",
        },
        **task.about(),
    )


def _model(objective: nn.Module) -> Any:
    return objective.model


def _parser(recipe: TrainingRecipe) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m core.training {recipe.name}", description=recipe.sentence)
    if recipe.needs_data:
        parser.add_argument("--data", type=Path, required=True, help="folder with the data")
    else:
        parser.set_defaults(data=Path())
    parser.add_argument(
        "--steps", type=_positive(int), help=f"stop after so many steps (default {recipe.training.steps})"
    )
    parser.add_argument("--minutes", type=_positive(float), help="stop after so many minutes")
    parser.add_argument("--seed", type=int, default=0, help="fixes everything that is drawn")
    parser.add_argument("--run-dir", type=Path, help=f"state of the run (default runs/{recipe.name})")
    parser.add_argument("--out", type=Path, default=MODELS / recipe.name, help="where the checkpoint is written")
    return parser


def _positive(kind: Callable[[str], float]) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = kind(text)
        if value <= 0:
            raise argparse.ArgumentTypeError(f"must be more than 0, not {text}")
        return value

    return read
