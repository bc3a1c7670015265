"""English-French pairs, split so that no English sentence stands on both sides, and BLEU."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.decoding.beam import beam_search
from core.decoding.translators import translator
from core.model.recurrent import Recurrent
from core.model.transformer import Transformer
from core.text.special import EOS
from core.text.tokenizer import Tokenizer
from core.training.corpus import captions, sentence_pairs

TEST, VALIDATION = 2000, 500
WORDS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30))
TOGETHER = 128  # sentences translated at once
NO_TEXT = "sacrebleu is missing; install requirements-dev.txt to measure BLEU."


@dataclass(frozen=True)
class Parallel:
    """English sentences and all the French ones that translate each."""

    english: tuple[str, ...]
    french: tuple[tuple[str, ...], ...]

    def lower(self) -> "Parallel":
        return Parallel(tuple(map(str.lower, self.english)), tuple(tuple(map(str.lower, refs)) for refs in self.french))


@dataclass(frozen=True)
class Split:
    """train pairs (English, French); validation pairs; test sets by name."""

    train: tuple[tuple[str, str], ...]
    validation: tuple[tuple[str, str], ...]
    tests: Mapping[str, Parallel]


def key(english: str) -> str:
    """A sentence without case, punctuation and spaces at its ends: what two sentences are compared by."""
    return " ".join("".join(c if c.isalnum() else " " for c in english.casefold()).split())


def split_pairs(data: Path, seed: int, tatoeba: bool = True, test: int = TEST, validation: int = VALIDATION) -> Split:
    """Multi30k, with Tatoeba or without; of Tatoeba `test` and `validation` English sentences are held out, each with
    all its translations.

    Raises ValueError for data that is missing or malformed.
    """
    train = captions(data, "train")
    held = {name: captions(data, name) for name in ("val", "test_2016_flickr")}
    tests = {"multi30k_2016": Parallel(*_columns((e, (f,)) for e, f in held["test_2016_flickr"]))}
    kept_out = {key(english) for pairs in held.values() for english, _ in pairs}
    checked = held["val"]
    if tatoeba:
        groups: dict[str, list[tuple[str, str]]] = {}
        for english, french in sentence_pairs(data):
            groups.setdefault(key(english), []).append((english, french))
        for other in kept_out:
            groups.pop(other, None)
        names = sorted(groups.keys() - {key(english) for english, _ in train} - {""})
        drawn = [names[i] for i in np.random.default_rng(seed).permutation(len(names))[: test + validation]]
        tested = ((groups[name][0][0], tuple(dict.fromkeys(f for _, f in groups[name]))) for name in drawn[:test])
        tests["tatoeba"] = Parallel(*_columns(tested))
        checked = checked[:validation] + [groups[name][0] for name in drawn[test:]]
        kept_out |= set(drawn)
        train = train + [pair for pairs in groups.values() for pair in pairs]
    pairs = tuple(pair for pair in dict.fromkeys(train) if key(pair[0]) not in kept_out)
    return Split(pairs, tuple(checked), tests)


def _columns(rows: Iterable[tuple[str, tuple[str, ...]]]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    english, french = zip(*rows, strict=True)
    return english, french


def ids_with_end(tokenizer: Tokenizer, text: str) -> list[int]:
    """The ids of a text with the end behind them."""
    return [*tokenizer.ids(text), EOS]


def translate(
    model: Transformer | Recurrent, tokenizer: Tokenizer, texts: Sequence[str], width: int = 4, alpha: float = 0.6
) -> list[str]:
    """Each text's best translation by beam search, texts of like length together."""
    sources = [ids_with_end(tokenizer, text) for text in texts]
    order = sorted(range(len(texts)), key=lambda i: len(sources[i]))
    found = [""] * len(texts)
    for start in range(0, len(order), TOGETHER):
        chosen = order[start : start + TOGETHER]
        batch = [sources[i] for i in chosen]
        limits = [min(len(source) * 3 // 2 + 10, model.config.max_length) for source in batch]
        results = beam_search(translator(model, batch, max(limits)), limits, width, alpha)
        for i, beam in zip(chosen, results, strict=True):
            found[i] = tokenizer.decode(beam.best.ids)
    return found


def bleu(found: Sequence[str], references: Sequence[Sequence[str]], lower: bool = False, tokens: str = "13a") -> float:
    """Corpus BLEU by sacrebleu (Post 2018) with one reference or more for each sentence; two decimals."""
    try:
        from sacrebleu.metrics import BLEU
    except ImportError:
        raise ValueError(NO_TEXT) from None
    most = max(map(len, references))
    streams: Any = [[refs[n] if n < len(refs) else None for refs in references] for n in range(most)]
    metric = BLEU(lowercase=lower, tokenize=tokens, effective_order=False)
    return round(metric.corpus_score(list(found), streams).score, 2)


def by_length(test: Parallel, found: Sequence[str]) -> dict[str, dict[str, float]]:
    """BLEU and the number of sentences for each of `WORDS`, by the words of the English sentence."""
    scores: dict[str, dict[str, float]] = {}
    for least, most in WORDS:
        rows = [i for i, english in enumerate(test.english) if least <= len(english.split()) <= most]
        if rows:
            score = bleu([found[i] for i in rows], [test.french[i] for i in rows])
            scores[f"{least}-{most}"] = {"bleu": score, "sentences": len(rows)}
    return scores


def bleu_scores(model: Transformer | Recurrent, tokenizer: Tokenizer, tests: Mapping[str, Parallel]) -> dict[str, Any]:
    """BLEU (cased, beam 4) of each test set, and of both together by the length of the source."""
    found = {name: translate(model, tokenizer, test.english) for name, test in tests.items()}
    result: dict[str, Any] = {f"bleu_{name}": bleu(found[name], test.french) for name, test in tests.items()}
    both = Parallel(
        tuple(english for test in tests.values() for english in test.english),
        tuple(french for test in tests.values() for french in test.french),
    )
    result["bleu_by_source_words"] = by_length(both, [text for texts in found.values() for text in texts])
    return result
