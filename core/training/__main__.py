"""``python -m core.training`` lists what can be trained; ``python -m core.training NAME ...`` trains it.

``python -m core.training evaluate NAME ...`` scores a checkpoint and writes the scores into its card.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial

from core.training import (
    confidence,
    heads,
    labels,
    neurons,
    pronouns,
    recipe,
    samples,
    senses,
    sentences,
    tokenizers,
    visitors,
)
from core.training.recipes import ALL

TRAININGS: dict[str, tuple[str, Callable[[Sequence[str]], None]]] = {
    "confidence": (
        "Measures how often a translator is wrong where it is unsure, into assets/measured.",
        confidence.main,
    ),
    "heads": ("Measures what each head does over many texts, into assets/measured.", heads.main),
    "labels": ("Measures accuracy against the number of labels, into assets/measured.", labels.main),
    "neurons": ("Finds the texts on which each neuron fires most, into assets/measured.", neurons.main),
    "pronouns": ("Counts what the translator makes of “it”, into assets/measured.", pronouns.main),
    "samples": ("Counts broken words and loops in what the storyteller writes.", samples.main),
    "senses": ("Counts nearest neighbours of one meaning, into assets/measured.", senses.main),
    "sentences": ("Finds held-out sentences translated as a person did, into assets/measured.", sentences.main),
    "tokenizers": ("Six sentencepiece tokenizers, unigram and BPE, into assets/tokenizers.", tokenizers.main),
    "visitors": ("Scores a translator on sentences as visitors type them.", visitors.main),
    **{each.name: (each.sentence, partial(recipe.train, each)) for each in ALL},
}
EVALUATIONS: dict[str, Callable[[Sequence[str]], None]] = {each.name: partial(recipe.evaluate, each) for each in ALL}


def main(arguments: Sequence[str]) -> int:
    """Run the training or the evaluation that the first arguments name, and return the exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print("python -m core.training NAME ...            trains (NAME --help: how)")
        print("python -m core.training evaluate NAME ...   scores what was trained\n")
        for name, (sentence, _) in TRAININGS.items():
            print(f"  {name:<20} {sentence}")
        return 0
    scoring = arguments[0] == "evaluate"
    known = EVALUATIONS if scoring else {name: run for name, (_, run) in TRAININGS.items()}
    name, *rest = [*arguments[scoring:], ""]
    if name not in known:
        print(
            f"Unknown {'model' if scoring else 'training'} {name!r}; choose one of {', '.join(known)}.", file=sys.stderr
        )
        return 2
    try:
        known[name](rest[:-1])
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
