"""Measures the benefit of pre-training: accuracy with few labels, from the reader's weights and from fresh ones."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.checkpoints.measured import MEASURED_FOLDER, write_measured
from core.model.classifier import Classifier
from core.training.loop import Budget, TrainConfig, Trainer
from core.training.recipes.sentiment import BASE, SentimentTask, reader_task
from core.training.schedules import cosine

SIZES = (100, 400, 1600)
RATES = {"pretrained": 4e-4, "fresh": 5e-4}  # fresh weights need larger steps
STEPS, SEEDS = 400, 1
BATCH_TOKENS = 512


def measure_labels(
    data: Path, folder: Path, sizes: Sequence[int], seeds: int = SEEDS, steps: int = STEPS
) -> dict[str, Any]:
    """Return the accuracy in percent on the dev sentences, for each start, number of labels and seed.

    folder: holds the state of each training, so that an interrupted run resumes.
    sizes: the numbers of labelled sentences to train on; the number of all sentences is added.
    """
    sentence_count = len(_task(data, folder, 0, False, None).parts["train"])
    every = [*(size for size in sizes if size < sentence_count), sentence_count]
    accuracy = {
        arm: [[_train(data, folder, arm, size, seed, steps) for seed in range(seeds)] for size in every]
        for arm in RATES
    }
    return {"sizes": every, "accuracy": accuracy}


def _train(data: Path, folder: Path, arm: str, size: int, seed: int, steps: int) -> float:
    """Train once, and return the percentage of the dev sentences judged right."""
    task = _task(data, folder, seed, arm == "fresh", size)
    config = TrainConfig(cosine(RATES[arm], min(60, steps)), steps=steps, weight_decay=0.01, validations=1, average=1)
    name = f"labels-{arm}-{size}-{seed}"
    run_folder = folder / name
    run_folder.mkdir(parents=True, exist_ok=True)
    outcome = Trainer(name, task, config, Budget(steps), run_folder, seed).run()
    if not outcome.finished:
        raise ValueError("Stopped; the same command goes on from there.")
    model = outcome.objective.eval().model
    assert isinstance(model, Classifier)
    accuracy = float(task.evaluate(model)["accuracy_dev"])
    print(f"{name}: {accuracy}", flush=True)
    return accuracy


def _task(data: Path, folder: Path, seed: int, fresh: bool, size: int | None) -> SentimentTask:
    """Return the reader's recipe on `size` whole sentences alone, or on all of them if the size is None."""
    task = reader_task(data, folder, seed)
    return replace(task, fresh=fresh, sentences=10**9 if size is None else size, batch_tokens=BATCH_TOKENS, slips=0.0)


def main(arguments: Sequence[str]) -> None:
    """Measure the benefit of pre-training: accuracy with few labels, with it and without.

    ``python -m core.training labels --data DIR [--seeds N] [--steps N] [--run-dir DIR] [--out DIR]``.
    """
    parser = argparse.ArgumentParser(prog="python -m core.training labels", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with sst2/")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="trainings for each size and start")
    parser.add_argument("--steps", type=int, default=STEPS, help="steps of each training")
    parser.add_argument("--run-dir", type=Path, default=Path("runs/labels"), help="states of the trainings")
    parser.add_argument("--out", type=Path, default=MEASURED_FOLDER, help="where the numbers are written")
    chosen = parser.parse_args(arguments)
    numbers = measure_labels(chosen.data, chosen.run_dir, SIZES, chosen.seeds, chosen.steps)
    about = {
        "what": "percent of the 872 dev sentences of SST-2 judged right by one network, trained on so many labelled "
        "sentences, without phrases, from the reader's weights and from fresh ones",
        "base": BASE,
        "rates": RATES,
        "batch_tokens": BATCH_TOKENS,
        "data": [
            {
                "text": "Stanford Sentiment Treebank, sentences with two labels (Socher et al. 2013)",
                "licence": "none stated by its authors; used in research",
            }
        ],
        "split": "scored on dev; the weights of a training are its last ones",
        "seeds": chosen.seeds,
        "steps": chosen.steps,
        "command": f"python -m core.training labels --data DIR --seeds {chosen.seeds} --steps {chosen.steps}",
    }
    write_measured(chosen.out / "labels.json", {**about, **numbers})
