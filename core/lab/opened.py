"""A step of a run as a model that every page can open, and that can be downloaded and read by the registry of models.

A step is named by its address: ``lab:induction,seed=3@400``, or ``recorded:modular@4800`` for a kept step of a recorded
run. The address is the recipe: opening it trains to that step again if its weights were let go.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from torch import Tensor

from core.checkpoints import weights
from core.checkpoints.card import Card
from core.checkpoints.shipped import Shipped
from core.device import Placement
from core.lab.recipe import Recipe, read_recipe, write_recipe
from core.lab.recorded import RecordedRun, kept_steps, recorded_run
from core.lab.run import LabRun
from core.lab.task import Task
from core.model.tap import Check
from core.model.transformer import Transformer, build, parameter_count
from core.text.broken_file import BrokenFile
from core.text.spaced import SpacedTokenizer
from core.text.special import SPECIAL, TextFormat
from core.tracing.run import Run

LAB, RECORDED = "lab:", "recorded:"
EXAMPLES = 3
PROBE, QUESTION = "the probe", "its question"
_ADDRESS = re.compile(r"(lab:|recorded:)([^/@]+)@(\d{1,6})", re.ASCII)


def is_lab(name: str) -> bool:
    """Return whether a checkpoint's name is a step of the lab, trained by a visitor or recorded."""
    return name.startswith((LAB, RECORDED))


def address(recipe: Recipe, step: int) -> str:
    """Return the name of a step of a run."""
    return f"{LAB}{write_recipe(recipe)}@{step}"


def recorded_address(name: str, step: int) -> str:
    """Return the name of a kept step of a recorded run."""
    return f"{RECORDED}{name}@{step}"


def read_address(name: str) -> tuple[Recipe, int]:
    """Return the recipe and the step that a name stands for.

    Raises ValueError, with a sentence, for a name that is no step of the lab, for a recipe that cannot be used, and for
    a step that its run does not have, or a recorded run has not kept.
    """
    match = _ADDRESS.fullmatch(name)
    if match is None:
        raise ValueError(f"“{name[:60]}” is no step of a run in the lab.")
    step = int(match[3])
    if match[1] == RECORDED:
        run = recorded_run(match[2])
        run.check_kept(step)
        return run.recipe, step
    recipe = read_recipe(match[2])
    recipe.check_step(step)
    return recipe, step


def lab_tokenizer(task: Task) -> SpacedTokenizer:
    """Return the tokenizer of a task: its words, with spaces between them."""
    return SpacedTokenizer((*SPECIAL, *task.tokens))


def tokenizer_of(name: str) -> SpacedTokenizer:
    """Return the tokenizer of the task of a step of the lab.

    Raises ValueError for a name that `read_address` refuses.
    """
    return lab_tokenizer(read_address(name)[0].of)


@lru_cache(maxsize=64)
def describe(name: str) -> Shipped:
    """Return the model at a step of the lab, without its weights, as a run of any page uses it.

    Raises ValueError for a name that `read_address` refuses.
    """
    recipe, step = read_address(name)
    card = card_of(recipe, step)
    if name.startswith(RECORDED):
        recorded = _recorded(name)
        title, scores = f"{recorded.card.title}, step {step:,}", {"recipe": write_recipe(recipe)}
        minutes = recorded.card.minutes if step == recipe.steps else 0.0  # earlier steps were not timed
        card = replace(recorded.card, title=title, what=card.what, steps=step, minutes=minutes, scores=scores)
    return Shipped(name, card, recipe.config, (), TextFormat(end=recipe.config.has_two_stacks))


def load_step(name: str, placement: Placement, check: Check | None = None) -> Transformer:
    """Return the model at a step of the lab: read if the run is recorded, otherwise trained to that step.

    check: called before each step; it may cancel by raising an exception.

    Raises ValueError for a name that `read_address` refuses, and `core.lab.run.Diverged`.
    """
    recipe, step = read_address(name)
    if name.startswith(RECORDED):
        model = _recorded(name).model(step)
    else:
        run = LabRun(recipe)
        run.train_to(step, check)
        model = open_step(recipe, run.weights())
    return model.to(placement.device, placement.torch_dtype)


def run_name(name: str) -> str:
    """Return the name of a model without the step, if it is a step of the lab: the same for all steps of a run."""
    return name.partition("@")[0] if is_lab(name) else name


def at_step(name: str, step: int) -> str:
    """Return the name of another step of the same run."""
    return f"{name.partition('@')[0]}@{step}"


def steps_of(name: str) -> tuple[int, ...]:
    """Return steps of the same run, ascending: those that are kept of a recorded one, about as many of another."""
    recipe, step = read_address(name)
    if name.startswith(RECORDED):
        return _recorded(name).steps
    return tuple(sorted({*kept_steps(recipe.steps), step}))


def _recorded(name: str) -> RecordedRun:
    return recorded_run(name.removeprefix(RECORDED).partition("@")[0])


def examples(task: Task, two_stacks: bool = False) -> Mapping[str, str]:
    """Return texts that a task's models can read, by their names: its probe, and held-out rows.

    With a task that has questions, one more is the question of the probe, which the model may answer. If the file of
    the rows is missing or damaged, there is the probe alone.

    two_stacks: for an encoder-decoder, whose encoder reads the questions alone, without their marks.
    """
    try:
        rows = task.held_out_rows().first(EXAMPLES)
    except BrokenFile:
        return {PROBE: task.probe}
    named = {f"row {number + 1}": task.written(ids) for number, ids in enumerate(rows.ids)}
    texts = {PROBE: task.probe} | named
    if two_stacks:
        return {name: re.split(r" [→=]", text)[0] for name, text in texts.items()}
    questions = {QUESTION: re.split(r"(?<=[→=]) ", task.probe)[0]} if task.has_question else {}
    return texts | questions


def run_of(name: str, text: str | None = None) -> Run:
    """Return the run of a page on a step of the lab.

    text: words of the task with spaces between them; None for its probe.
    """
    recipe, _ = read_address(name)
    two_stacks = recipe.config.has_two_stacks
    question, _, answer = re.split(r" ([→=]) ", recipe.of.probe) if two_stacks else (recipe.of.probe, "", "")
    return Run(
        question if text is None else text,
        recipe.config,
        answer,
        checkpoint=name,
        placement=Placement("cpu", "float32"),
        format=describe(name).format,
    )


def open_step(recipe: Recipe, tensors: Mapping[str, Tensor]) -> Transformer:
    """Return the model of a run with the weights of one of its steps, in evaluation mode and without gradients.

    Raises ValueError if the weights do not fit the recipe.
    """
    model = build(recipe.config)
    try:
        model.load_state_dict(dict(tensors), strict=True)
    except RuntimeError as error:
        raise ValueError("These weights belong to a run with other settings.") from error
    return model.requires_grad_(False)


def card_of(recipe: Recipe, step: int, minutes: float = 0.0) -> Card:
    """Return the card of a step of a run.

    minutes: of its training, if they are known.
    """
    return Card(
        name=f"lab-{recipe.task}",
        title=f"{recipe.of.title}, step {step:,}",
        what=recipe.of.about.rstrip("."),
        limits="It knows the tokens of its task alone, and was trained for minutes at most.",
        family="transformer",
        config=asdict(recipe.config),
        tokenizer={"spaced": list(lab_tokenizer(recipe.of).words)},
        data=({"text": f"{recipe.of.made_of}, for the task “{recipe.task}”", "licence": recipe.of.licence},),
        split=recipe.of.split,
        seed=recipe.seed,
        steps=step,
        minutes=round(minutes, 2),
        parameters=parameter_count(recipe.config),
        commands={"train": f"python -m core.lab train {write_recipe(recipe)} --step {step}"},
        scores={"recipe": write_recipe(recipe)},
    )


def save_step(folder: Path, recipe: Recipe, step: int, tensors: Mapping[str, Tensor], minutes: float = 0.0) -> None:
    """Write a step as a checkpoint, float16 safetensors with a card, that the registry of models reads.

    Raises ValueError for weights that float16 cannot hold.
    """
    weights.save(folder, open_step(recipe, tensors), card_of(recipe, step, minutes))


def zipped_step(recipe: Recipe, step: int, tensors: Mapping[str, Tensor]) -> bytes:
    """Return a step as a zip file with a folder of the files that `save_step` writes.

    Raises ValueError for weights that float16 cannot hold.
    """
    folder_name, file = f"lab-{recipe.task}-{step}", BytesIO()
    with TemporaryDirectory() as place, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        folder = Path(place) / folder_name
        save_step(folder, recipe, step, tensors)
        for path in sorted(folder.iterdir()):
            archive.write(path, f"{folder_name}/{path.name}")
    return file.getvalue()
