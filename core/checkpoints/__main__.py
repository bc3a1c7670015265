"""``python -m core.checkpoints import PATH_OR_HUB_NAME [--to FOLDER]`` brings a model to where the app finds it."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from core.checkpoints.real.bring import bring, look
from core.checkpoints.real.places import PLACE_VARIABLE, RealModel
from core.device import largest_memory
from core.memory import MIB


def main(arguments: Sequence[str], endpoint: str | None = None) -> int:
    """Carry out the command and return the exit status.

    endpoint: the address of the hub; None for the usual one.
    """
    parser = argparse.ArgumentParser(prog="python -m core.checkpoints", description=__doc__.replace("``", ""))
    commands = parser.add_subparsers(dest="command", required=True)
    wanted = commands.add_parser("import", help="brings a model there, from a folder or from the hub")
    wanted.add_argument("model", metavar="PATH_OR_HUB_NAME", help="a folder, or a name such as openai-community/gpt2")
    wanted.add_argument("--to", metavar="FOLDER", help=f"where models lie; by default what {PLACE_VARIABLE} names")
    wanted.add_argument("--check", action="store_true", help="only says whether the model can be read; no weights come")
    given = parser.parse_args(arguments)
    models_folder: str = given.to or os.environ.get(PLACE_VARIABLE) or ""
    if not models_folder and not given.check:
        print(f"Say where models lie: --to FOLDER, or the environment variable {PLACE_VARIABLE}.", file=sys.stderr)
        return 2
    try:
        if given.check:
            model, size = look(given.model, largest_memory(), endpoint)
            _print_model(model)
            to = f"to {Path(models_folder, model.name)}" if models_folder else "to a folder that --to names"
            print(f"It can be read. Its import would copy {size / MIB:,.0f} MiB {to}; nothing was kept.")
            return 0
        model = bring(given.model, Path(models_folder), memory=largest_memory(), endpoint=endpoint)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"A file cannot be read or written here ({error.strerror}).", file=sys.stderr)
        return 1
    _print_model(model)
    print(f"The app lists it where {PLACE_VARIABLE} is {models_folder}")
    return 0


def _print_model(model: RealModel) -> None:
    print(f"{model.name}: {model.family}, {model.parameters:,} parameters, {_memory(model)}.")
    print(f"Licence: {model.origin.licence}.")


def _memory(model: RealModel) -> str:
    return f"{model.memory / MIB:,.0f} MiB in {model.dtype}"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
