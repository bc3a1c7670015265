"""Scores a translator, with greedy decoding as in the app, on sentences as visitors type them."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.checkpoints import weights
from core.checkpoints.shipped import MODELS_FOLDER
from core.text.pronoun_pairs import PronounPair, french_pronoun, pronoun_pairs
from core.text.tokenizer import Tokenizer
from core.training import evaluation
from core.training.translation import NO_TEXT, translate


def measure_visitors(model: Any, tokenizer: Tokenizer, unseen: bool) -> dict[str, Any]:
    """Return the scores of a translator on one half of the sentences.

    These are chrF for each kind of sentence, the number of names and numbers that were copied, and the number of pairs
    with both pronouns right. The first list of pairs counts as seen, the second as unseen. Raises ValueError if
    sacrebleu is missing.
    """
    try:
        from sacrebleu.metrics import CHRF
    except ImportError:
        raise ValueError(NO_TEXT) from None
    scores: dict[str, Any] = {}
    for kind in evaluation.KINDS:
        rows = evaluation.sentences(kind, unseen)
        french = translate(model, tokenizer, [row.english for row in rows], width=1)
        most = max(len(row.references) for row in rows)
        streams: Any = [[row.references[min(n, len(row.references) - 1)] for row in rows] for n in range(most)]
        scores[kind] = {"chrf": round(CHRF().corpus_score(french, streams).score, 1)}
        kept = [
            evaluation.was_copied(word, text) for row, text in zip(rows, french, strict=True) for word in row.copied
        ]
        if kept:
            scores[kind] |= {"kept": sum(kept), "of": len(kept)}
    pairs = evaluation.second_pairs() if unseen else pronoun_pairs()
    return scores | {"pronouns": {"both_right": count_right(model, tokenizer, pairs), "of": len(pairs)}}


def count_right(model: Any, tokenizer: Tokenizer, pairs: Sequence[PronounPair]) -> int:
    """Return the number of pairs in which both pronouns are right."""
    french = translate(model, tokenizer, [text for pair in pairs for text in pair.texts], width=1)
    pronouns = [french_pronoun(text) for text in french]
    return sum(tuple(pronouns[2 * n : 2 * n + 2]) == pair.pronouns for n, pair in enumerate(pairs))


def main(arguments: Sequence[str]) -> None:
    """Score a translator on sentences as visitors type them.

    ``python -m core.training visitors [--model DIR] [--unseen]``.
    """
    parser = argparse.ArgumentParser(prog="python -m core.training visitors", description=main.__doc__)
    parser.add_argument("--model", type=Path, default=MODELS_FOLDER / "translator", help="folder of the translator")
    parser.add_argument("--unseen", action="store_true", help="the half that is looked at once, at the end")
    chosen = parser.parse_args(arguments)
    model, card = weights.load(chosen.model)
    measured = measure_visitors(model.eval(), Tokenizer.load(card.tokenizer["name"], chosen.model), chosen.unseen)
    for kind, scores in measured.items():
        print(f"{kind:<10} {_line(scores)}")


def _line(scores: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value}" for name, value in scores.items())
