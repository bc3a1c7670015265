"""``python -m core.explore "a sentence" --layer 4 --head 1`` prints what a head looks at, and writes it to a file."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from core.explore.explored import explore


def main(arguments: Sequence[str]) -> int:
    """Carry out the command, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m core.explore", description="Prints the attention weights of one head on a text."
    )
    parser.add_argument("text")
    parser.add_argument("--model", default="storyteller", help="the name of a trained model (storyteller)")
    parser.add_argument("--target", default="", help="the decoder's text; by default what the model writes")
    parser.add_argument("--layer", type=int, default=1, help="counted from 1")
    parser.add_argument("--head", type=int, default=1, help="counted from 1")
    parser.add_argument("--stack", choices=("encoder", "decoder"), help="of a model with both; the encoder by default")
    parser.add_argument("--cross", action="store_true", help="the decoder's attention to the encoder's text")
    parser.add_argument("--out", type=Path, help="a file to write as well: .html or .svg")
    chosen = parser.parse_args(arguments)
    if chosen.out and chosen.out.suffix not in (".html", ".svg"):
        parser.error("--out takes a file that ends with .html or .svg")
    try:
        explored = explore(chosen.text, chosen.model, chosen.target)
        found = explored.pattern(chosen.layer, chosen.head, chosen.stack, chosen.cross)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print(found)
    if chosen.out:
        chosen.out.write_text(found.to_svg() if chosen.out.suffix == ".svg" else found.to_html(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
