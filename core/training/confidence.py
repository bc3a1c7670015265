"""Measures how unsure a translator is of good and of poor translations, to tell visitors when one is likely wrong."""

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.checkpoints import shipped
from core.checkpoints.measured import MEASURED_FOLDER, write_measured
from core.decoding.beam import beam_search
from core.decoding.translators import translator
from core.device import choose
from core.model.transformer import Transformer
from core.text.tokenizer import Tokenizer
from core.training import evaluation
from core.training.corpus import MULTI30K, TATOEBA
from core.training.translation import NO_TEXT, TOGETHER, ids_with_end, split_pairs

POOR = 40.0  # chrF: a translation below it shares little with a person's
MOSTLY = 0.5  # the share of the translations above the threshold that must be poor
Rows = np.ndarray  # (N, 2): bits a token, and chrF


def measure_confidence(model: Transformer, tokenizer: Tokenizer, pairs: Sequence[tuple[str, Sequence[str]]]) -> Rows:
    """Return for each sentence how unsure the model is of its greedy translation, and how good that is: (N, 2).

    The first column is the mean surprisal of a token of the translation, including its end, in bits; the second is its
    best chrF (Popović 2015) with a reference.

    pairs: English sentences, each with its references.

    Raises ValueError if sacrebleu is missing.
    """
    try:
        from sacrebleu.metrics import CHRF
    except ImportError:
        raise ValueError(NO_TEXT) from None
    metric, rows = CHRF(), []
    for start in range(0, len(pairs), TOGETHER):
        batch = pairs[start : start + TOGETHER]
        sources = [ids_with_end(tokenizer, english) for english, _ in batch]
        limits = [min(len(source) * 3 // 2 + 10, model.config.max_length) for source in sources]
        beams = beam_search(translator(model, sources, max(limits)), limits, 1, 0.0)
        for (_, references), beam in zip(batch, beams, strict=True):
            best = beam.best
            bits = -best.log_probability / math.log(2) / max(1, len(best.ids) + (not best.cut))
            rows.append((bits, metric.sentence_score(tokenizer.decode(best.ids), list(references)).score))
    return np.array(rows)


def find_threshold(rows: Rows) -> float:
    """Return the threshold of surprisal, in bits per token, at or above which most translations are poor.

    It is the least one such that the share `MOSTLY` of all translations at or above it is poor; infinity if there is
    none.
    """
    order = rows[np.argsort(-rows[:, 0], kind="stable")]
    poor = np.cumsum(order[:, 1] < POOR) / np.arange(1, len(order) + 1)
    where = np.flatnonzero(poor >= MOSTLY)
    return float(order[where[-1], 0]) if len(where) else math.inf


def summarise(limit: float, rows: Rows, tenths: int = 10) -> dict[str, Any]:
    """Return the share of poor translations above and below the threshold, and in ten groups by surprisal per token.

    limit: the threshold in bits per token; a translation at or above it counts as unsure.
    rows: the measurements of sentences on which the threshold was not chosen.
    """
    unsure, poor = rows[:, 0] >= limit, rows[:, 1] < POOR
    parts = np.array_split(np.argsort(rows[:, 0], kind="stable"), tenths)
    return {
        "poor_below_chrf": POOR,
        "sentences": len(rows),
        "threshold_bits": round(limit, 4),
        "unsure": int(unsure.sum()),
        "poor_where_unsure": round(float(poor[unsure].mean()), 4),
        "poor_elsewhere": round(float(poor[~unsure].mean()), 4),
        "tenths": [
            {"bits": round(float(rows[part, 0].mean()), 4), "poor": round(float(poor[part].mean()), 4)}
            for part in parts
        ],
    }


def main(arguments: Sequence[str]) -> None:
    """Measure how unsure a translator is of good and of poor translations.

    ``python -m core.training confidence --data DIR [--model NAME] [--out DIR]``.
    """
    parser = argparse.ArgumentParser(prog="python -m core.training confidence", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with multi30k/ and tatoeba/")
    parser.add_argument("--model", default="translator", help="the shipped model that translates")
    parser.add_argument("--out", type=Path, default=MEASURED_FOLDER, help="where the numbers are written")
    chosen = parser.parse_args(arguments)
    card, tokenizer = shipped.read(chosen.model).card, shipped.tokenizer(chosen.model)
    assert isinstance(tokenizer, Tokenizer)
    split, model = split_pairs(chosen.data, card.seed), shipped.load(chosen.model, choose())
    seen, unseen = (
        [(row.english, row.references) for kind in evaluation.KINDS for row in evaluation.sentences(kind, half)]
        for half in (False, True)
    )
    chosen_on = [*((english, (french,)) for english, french in split.validation), *seen]
    tested_on = [pair for test in split.tests.values() for pair in zip(test.english, test.french, strict=True)] + unseen
    limit = find_threshold(measure_confidence(model, tokenizer, chosen_on))
    rows = measure_confidence(model, tokenizer, tested_on)
    about = {
        "what": "how often the greedy translation of a held-out sentence is poor, by how unsure the model is of it: "
        "the mean surprisal of its tokens, in bits",
        "model": chosen.model,
        "steps": card.steps,
        "data": [TATOEBA, MULTI30K],
        "split": f"the threshold: {len(split.validation):,} validation sentences and {len(seen)} of our own as "
        f"visitors type them; the shares: {len(tested_on) - len(unseen):,} test sentences and {len(unseen)} others of "
        "our own",
        "command": f"python -m core.training confidence --data DIR --model {chosen.model}",
    }
    write_measured(chosen.out / f"confidence-{chosen.model}.json", {**about, **summarise(limit, rows)})
