"""Splits English-French pairs so that no English sentence is on both sides, and measures BLEU."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from core.decoding.beam import beam_search
from core.decoding.translators import translator
from core.decoding.withheld import withheld_after
from core.model.recurrent import Recurrent
from core.model.transformer import Transformer
from core.text.special import EOS
from core.text.tokenizer import Tokenizer
from core.training.corpus import captions, sentence_pairs

TEST, VALIDATION = 2000, 500
WORDS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30))
LONG_WORDS = ((11, 20), (21, 25), (26, 30), (31, 40))  # for sentences that were joined
RESAMPLES = 1000  # to find the interval of a score
CAPTIONS = "multi30k_2016"
TOGETHER = 128  # sentences translated at once
NO_TEXT = "sacrebleu is missing; install requirements-dev.txt to measure BLEU."


@dataclass(frozen=True)
class Parallel:
    """English sentences, with all the French translations of each."""

    english: tuple[str, ...]
    french: tuple[tuple[str, ...], ...]

    def lower(self) -> "Parallel":
        return Parallel(tuple(map(str.lower, self.english)), tuple(tuple(map(str.lower, refs)) for refs in self.french))


@dataclass(frozen=True)
class Split:
    """The pairs (English, French) to train on and to validate on, and the test sets by name."""

    train: tuple[tuple[str, str], ...]
    validation: tuple[tuple[str, str], ...]
    tests: Mapping[str, Parallel]


def key(english: str) -> str:
    """Return a normal form of an English sentence, by which two sentences count as the same.

    It is the case-folded text with every character that is no letter or digit taken as a space, and single spaces.
    """
    return " ".join("".join(c if c.isalnum() else " " for c in english.casefold()).split())


def split_pairs(data: Path, seed: int, tatoeba: bool = True, test: int = TEST, validation: int = VALIDATION) -> Split:
    """Split the pairs of Multi30k, and of Tatoeba if it is used, into those for training, validation and test.

    Of Tatoeba, `test` and `validation` English sentences are held out, each with all its translations.

    data: the folder of both collections.
    tatoeba: whether Tatoeba is used.

    Raises ValueError for data that is missing or malformed.
    """
    train = captions(data, "train")
    held = {name: captions(data, name) for name in ("val", "test_2016_flickr")}
    tests = {CAPTIONS: Parallel(*_columns((e, (f,)) for e, f in held["test_2016_flickr"]))}
    kept_out = {key(english) for pairs in held.values() for english, _ in pairs}
    checked = held["val"]
    if tatoeba:
        groups: dict[str, list[tuple[str, str]]] = {}
        for english, french in sentence_pairs(data):
            groups.setdefault(key(english), []).append((english, french))
        for text_key in kept_out:
            groups.pop(text_key, None)
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
    """Return the ids of a text, followed by the end token."""
    return [*tokenizer.ids(text), EOS]


def translate(
    model: Transformer | Recurrent, tokenizer: Tokenizer, texts: Sequence[str], width: int = 4, alpha: float = 0.6
) -> list[str]:
    """Return each text's best translation by beam search.

    Texts of similar length are translated together.

    width: number of texts that the search keeps at each step.
    alpha: the strength of the length penalty.
    """
    sources = [ids_with_end(tokenizer, text) for text in texts]
    order = sorted(range(len(texts)), key=lambda i: len(sources[i]))
    translations = [""] * len(texts)
    for start in range(0, len(order), TOGETHER):
        chosen = order[start : start + TOGETHER]
        batch = [sources[i] for i in chosen]
        limits = [min(len(source) * 3 // 2 + 10, model.config.max_length) for source in batch]
        searched = translator(model, batch, max(limits))
        results = beam_search(searched, limits, width, alpha, withheld=partial(withheld_after, tokenizer))
        for i, beam in zip(chosen, results, strict=True):
            translations[i] = tokenizer.decode(beam.best.ids)
    return translations


def bleu(
    translations: Sequence[str], references: Sequence[Sequence[str]], lower: bool = False, tokens: str = "13a"
) -> float:
    """Return corpus BLEU by sacrebleu (Post 2018), to two decimals.

    references: one or more for each sentence.
    lower: whether case is ignored.
    tokens: sacrebleu's name of a tokenizer.

    Raises ValueError if sacrebleu is missing.
    """
    try:
        from sacrebleu.metrics import BLEU
    except ImportError:
        raise ValueError(NO_TEXT) from None
    most = max(map(len, references))
    streams: Any = [[refs[n] if n < len(refs) else None for refs in references] for n in range(most)]
    metric = BLEU(lowercase=lower, tokenize=tokens, effective_order=False)
    return round(metric.corpus_score(list(translations), streams).score, 2)


def bleu_interval(
    translations: Sequence[str], references: Sequence[Sequence[str]], seed: int = 0, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """Return the interval that holds 95 % of the scores if the sentences are resampled with replacement (Koehn 2004).

    The counts of each sentence are computed once, because corpus BLEU depends on their sums alone. Raises ValueError if
    sacrebleu is missing.
    """
    try:
        from sacrebleu.metrics import BLEU
    except ImportError:
        raise ValueError(NO_TEXT) from None
    metric = BLEU(effective_order=False)
    sentence_scores = (
        metric.corpus_score([text], [[reference] for reference in refs])
        for text, refs in zip(translations, references, strict=True)
    )
    counts = np.array(
        [[*score.counts, *score.totals, score.sys_len, score.ref_len] for score in sentence_scores]
    )  # (N, 10)
    rng, scores = np.random.default_rng(seed), []
    for _ in range(resamples):
        *grams, length, wanted = counts[rng.integers(len(counts), size=len(counts))].sum(0).tolist()
        scores.append(BLEU.compute_bleu(grams[:4], grams[4:], length, wanted, smooth_method="exp").score)
    low, high = np.percentile(scores, [2.5, 97.5])
    return round(float(low), 2), round(float(high), 2)


def by_length(
    test: Parallel, translations: Sequence[str], words: Sequence[tuple[int, int]] = WORDS
) -> dict[str, dict[str, float]]:
    """Return BLEU, its interval and the number of sentences for each range of English sentence lengths in `words`."""
    scores: dict[str, dict[str, float]] = {}
    for least, most in words:
        rows = [i for i, english in enumerate(test.english) if least <= len(english.split()) <= most]
        if rows:
            mine, references = [translations[i] for i in rows], [test.french[i] for i in rows]
            low, high = bleu_interval(mine, references)
            score = {"bleu": bleu(mine, references), "low": low, "high": high, "sentences": len(rows)}
            scores[f"{least}-{most}"] = score
    return scores


def joined_by_and(test: Parallel) -> Parallel:
    """Join sentences in pairs with *and* in English and *et* in French: long sentences that no training has seen.

    The sentences are drawn without replacement. If one has several translations, the first is used.
    """
    order = np.random.default_rng(0).permutation(len(test.english)).tolist()
    pairs = list(zip(order[::2], order[1::2], strict=False))
    return Parallel(
        tuple(_joined(test.english[a], "and", test.english[b]) for a, b in pairs),
        tuple((_joined(test.french[a][0], "et", test.french[b][0]),) for a, b in pairs),
    )


def _joined(first: str, word: str, second: str) -> str:
    return f"{first.rstrip(' .!?')} {word} {second[:1].lower()}{second[1:]}"


def bleu_scores(model: Transformer | Recurrent, tokenizer: Tokenizer, tests: Mapping[str, Parallel]) -> dict[str, Any]:
    """Return BLEU (cased, beam 4) of each test set, and BLEU by the length of the source.

    The lengths are scored over all test sets together, and over captions joined two by two with *and*.
    """
    translations = {name: translate(model, tokenizer, test.english) for name, test in tests.items()}
    result: dict[str, Any] = {f"bleu_{name}": bleu(translations[name], test.french) for name, test in tests.items()}
    both = Parallel(
        tuple(english for test in tests.values() for english in test.english),
        tuple(french for test in tests.values() for french in test.french),
    )
    result["bleu_by_source_words"] = by_length(both, [text for texts in translations.values() for text in texts])
    if CAPTIONS in tests:
        long = joined_by_and(tests[CAPTIONS])
        result["bleu_joined_by_source_words"] = by_length(long, translate(model, tokenizer, long.english), LONG_WORDS)
    return result
