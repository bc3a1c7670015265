"""``python -m core.checkpoints import PATH_OR_HUB_NAME [--to FOLDER]`` brings a model to where the app finds it."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from core.checkpoints.real.bring import bring
from core.checkpoints.real.places import PLACE_VARIABLE
from core.memory import MIB


def main(arguments: Sequence[str]) -> int:
    """Carry out the command and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m core.checkpoints", description=__doc__.replace("``", ""))
    commands = parser.add_subparsers(dest="command", required=True)
    wanted = commands.add_parser("import", help="brings a model there, from a folder or from the hub")
    wanted.add_argument("model", metavar="PATH_OR_HUB_NAME", help="a folder, or a name such as openai-community/gpt2")
    wanted.add_argument("--to", metavar="FOLDER", help=f"where models lie; by default what {PLACE_VARIABLE} names")
    given = parser.parse_args(arguments)
    models_folder = given.to or os.environ.get(PLACE_VARIABLE)
    if not models_folder:
        print(f"Say where models lie: --to FOLDER, or the environment variable {PLACE_VARIABLE}.", file=sys.stderr)
        return 2
    try:
        model = bring(given.model, Path(models_folder))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    memory = f"{model.memory / MIB:,.0f} MiB in {model.dtype}"
    print(f"{model.name}: {model.family}, {model.parameters:,} parameters, {memory}.")
    print(f"Licence: {model.origin.licence}. The app lists it where {PLACE_VARIABLE} is {models_folder}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
