"""Open a step of a run as a model: its tokenizer, its card, texts that it can read, and the files of a download."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from torch import Tensor

from core.checkpoints import weights
from core.checkpoints.card import Card
from core.lab.recipe import Recipe, write_recipe
from core.lab.task import Task
from core.model.transformer import Transformer, build, parameter_count
from core.text.broken_file import BrokenFile
from core.text.spaced import SpacedTokenizer
from core.text.special import SPECIAL

EXAMPLE_ROWS = 3
PROBE, QUESTION = "the probe", "its question"


def lab_tokenizer(task: Task) -> SpacedTokenizer:
    """Return the tokenizer of a task: its words, with spaces between them."""
    return SpacedTokenizer((*SPECIAL, *task.tokens))


def examples(task: Task, two_stacks: bool = False) -> Mapping[str, str]:
    """Return texts that a task's models can read, by their names: its probe, and held-out rows.

    With a task that has questions, one more is the question of the probe, which the model may answer. If the file of
    the rows is missing or damaged, there is the probe alone.

    two_stacks: for an encoder-decoder, whose encoder reads the questions alone, without their marks.
    """
    try:
        rows = task.held_out_rows().first(EXAMPLE_ROWS)
    except BrokenFile:
        return {PROBE: task.probe}
    named = {f"row {number + 1}": task.written(ids) for number, ids in enumerate(rows.ids)}
    texts = {PROBE: task.probe} | named
    if two_stacks:
        return {name: re.split(r" [→=]", text)[0] for name, text in texts.items()}
    questions = {QUESTION: re.split(r"(?<=[→=]) ", task.probe)[0]} if task.has_question else {}
    return texts | questions


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

    minutes: the minutes of its training, if they are known.
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
