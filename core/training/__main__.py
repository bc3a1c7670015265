"""``python -m core.training`` lists what can be trained; ``python -m core.training NAME ...`` trains it."""

import sys
from collections.abc import Callable, Sequence

from core.training import tokenizers

TRAININGS: dict[str, tuple[str, Callable[[Sequence[str]], None]]] = {
    "tokenizers": ("Six sentencepiece tokenizers, unigram and BPE, into assets/tokenizers.", tokenizers.main),
}


def main(arguments: Sequence[str]) -> int:
    """Runs the training that the first argument names; returns the exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print("python -m core.training NAME ...\n")
        for name, (sentence, _) in TRAININGS.items():
            print(f"  {name:<12} {sentence}")
        return 0
    if arguments[0] not in TRAININGS:
        print(f"Unknown training {arguments[0]!r}; choose one of {', '.join(TRAININGS)}.", file=sys.stderr)
        return 2
    try:
        TRAININGS[arguments[0]][1](arguments[1:])
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
