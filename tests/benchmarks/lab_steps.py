"""What the lab's step costs beside a bare PyTorch loop of the same model, rows and optimizer, in one run.

    python -m tests.benchmarks.lab_steps [--json] [--rounds 9] [--steps 20]

The bare loop computes the cross-entropy with torch's own function, goes back, clips and takes AdamW's step; it does not
check that numbers are finite. Each round times both on one thread, in alternating order; the ratio
is that of the rounds' steps a second, the lab's over the bare loop's, with its quartiles.
"""

import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch.optim import AdamW

from core.lab.recipe import Recipe, starting_recipe
from core.lab.run import LabRun, one_thread
from core.model.transformer import build
from core.text.special import PAD
from tests.benchmarks.report import as_json, quartiles, table
from tests.benchmarks.rounds import ratios, timed

AIM = 0.85
TASKS = ("sort", "induction", "modular", "add")


def compare(recipe: Recipe, rounds: int, steps: int) -> dict[str, object]:
    """Milliseconds of a step of both, and the ratio of their steps a second."""
    run, model = LabRun(recipe), build(recipe.config).train()
    optimizer = AdamW(model.parameters(), recipe.lr, betas=(0.9, 0.98), weight_decay=recipe.weight_decay, fused=True)
    numbers = iter(range(1_000_000))

    def lab() -> None:
        for _ in range(steps):
            run.step()

    def bare() -> None:
        for _ in range(steps):
            rows = recipe.of.draw(np.random.default_rng((recipe.seed, next(numbers))), recipe.batch)
            given, gold = torch.from_numpy(rows.given), torch.from_numpy(rows.gold)
            optimizer.zero_grad(set_to_none=True)
            loss = F.cross_entropy(model(None, given).flatten(0, 1), gold.flatten(), ignore_index=PAD)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
            optimizer.step()

    times = timed({"lab": lab, "bare": bare}, "cpu", rounds)
    lower, ratio, upper = ratios(times["bare"], times["lab"])
    return {
        "task": recipe.task,
        "lab_ms": round(quartiles(times["lab"])[1] / steps * 1e3, 2),
        "bare_ms": round(quartiles(times["bare"])[1] / steps * 1e3, 2),
        "ratio": round(ratio, 3),
        "quartiles": (round(lower, 3), round(upper, 3)),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args()
    with one_thread():
        rows = [compare(starting_recipe(task), options.rounds, options.steps) for task in TASKS]
    if options.json:
        print(as_json({"benchmark": "lab_steps", "aim": AIM, "rounds": options.rounds, "rows": rows}))
        return
    headings = ("task", "lab_ms", "bare_ms", "ratio", "quartiles")
    print(table([name.replace("_", " ") for name in headings], [[row[name] for name in headings] for row in rows]))
    print(f"{options.rounds} rounds of {options.steps} steps on one thread; the aim is a ratio of {AIM} or more")


if __name__ == "__main__":
    main()
