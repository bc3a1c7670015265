"""``python -m core.lab`` lists the recorded runs; ``python -m core.lab record NAME`` trains one.

``python -m core.lab cards`` prints the recorded runs in Markdown.
``python -m core.lab train RECIPE --step N --out FOLDER`` trains any recipe to a step and writes it as a checkpoint.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from core.lab.cards import cards_text
from core.lab.live import trained_to
from core.lab.opened import save_step
from core.lab.recipe import Recipe, read_recipe, write_recipe
from core.lab.recorded import RECORDED_FOLDER, publish, record
from core.lab.recordings import RECORDINGS
from core.lab.run import one_thread


def main(arguments: Sequence[str]) -> int:
    """Carry out a command, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m core.lab", description="Trains the recorded runs of the lab.")
    commands = parser.add_subparsers(dest="command")
    recording = commands.add_parser("record", help="trains a run, going on where it stopped, and writes its files")
    recording.add_argument("name", choices=RECORDINGS)
    recording.add_argument("--run-dir", type=Path, help="where the run is kept meanwhile (runs/lab/NAME)")
    recording.add_argument("--out", type=Path, default=RECORDED_FOLDER, help="where its files go (assets/lab)")
    commands.add_parser("cards", help="prints the recorded runs in Markdown, for docs/lab.md")
    training = commands.add_parser("train", help="trains a recipe to a step, and writes the step as a checkpoint")
    training.add_argument("recipe", help="such as induction,seed=3")
    training.add_argument("--step", type=int, help="the last step by default")
    training.add_argument("--out", type=Path, required=True, help="the folder of the checkpoint")
    chosen = parser.parse_args(arguments)
    if chosen.command is None:
        for each in RECORDINGS.values():
            print(f"  {each.name:<20} {each.title}: {each.recipe}")
        return 0
    if chosen.command == "cards":
        print(cards_text())
        return 0
    try:
        if chosen.command == "train":
            _train(read_recipe(chosen.recipe), chosen.step, chosen.out)
        else:
            _record(chosen.name, chosen.run_dir or Path("runs/lab") / chosen.name, chosen.out)
    except (ValueError, ArithmeticError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _train(recipe: Recipe, step: int | None, out: Path) -> None:
    start = time.monotonic()
    last = recipe.steps if step is None else step
    recipe.check_step(last)
    with one_thread():
        run = trained_to(recipe, last)
    save_step(out, recipe, run.steps, run.weights(), (time.monotonic() - start) / 60)
    print(f"{out}: step {run.steps:,} of {write_recipe(recipe)}")


def _record(name: str, folder: Path, out: Path) -> None:
    recording = RECORDINGS[name]
    with one_thread():
        for progress in record(recording, folder):
            if progress.step % 500 == 0 and progress.history:
                last = progress.history[-1]
                print(
                    f"{name} step {progress.step:,}, {progress.minutes:.1f} min, held out: loss "
                    f"{last['held_out_loss']:.3f}, right {last['held_out_exact']:.0%}",
                    flush=True,
                )
        publish(recording, folder, out)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
