"""Measures how often the nearest neighbour of a word in the corpus has the same meaning, layer by layer."""

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.analysis.word_contexts import nearest_alike
from core.analysis.word_states import EMBEDDING, ReadSentence, trace_words
from core.checkpoints import shipped
from core.checkpoints.measured import MEASURED_FOLDER, write_measured
from core.device import choose
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.text.senses import SENSES, sense_of
from core.tracing.run import Run, prepare
from core.training.corpus import TATOEBA, sentence_pairs
from core.training.translation import key

MAX_SENTENCES = 200  # sentences for each meaning
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


Labelled = dict[str, list[tuple[str, str]]]  # for each word, its sentences with their meanings


def labelled_sentences(pairs: Iterable[tuple[str, str]], seed: int, most: int = MAX_SENTENCES) -> Labelled:
    """Return sentences with each word of `SENSES` and their meanings, at most `most` per meaning, drawn by the seed.

    A sentence counts if the word occurs in it once and all its translations agree on the meaning. Of sentences that
    differ only in case and punctuation, one is kept.
    """
    meanings: dict[str, dict[str, tuple[str, set[str | None]]]] = {word: {} for word in SENSES}
    for english, french in pairs:
        counts = Counter(word.lower() for word in _WORD.findall(english))
        for word in SENSES.keys() & counts.keys():
            if counts[word] == 1:
                _, judgements = meanings[word].setdefault(key(english), (english, set()))
                judgements.add(sense_of(word, french))
    draw = np.random.default_rng(seed)
    chosen: Labelled = {}
    for word, senses in SENSES.items():
        chosen[word] = []
        for sense in senses:
            texts = [english for english, judgements in meanings[word].values() if judgements == {sense}]
            chosen[word] += [(texts[i], sense) for i in sorted(draw.permutation(len(texts))[:most])]
    return chosen


def measure_senses(
    model: Transformer,
    tokenizer: AnyTokenizer,
    shipped_model: shipped.Shipped,
    sentences: Labelled,
) -> dict[str, Any]:
    """Count for each word, at each stage, the sentences whose nearest neighbour has the same meaning.

    The result has the names of the stages after the embedding table, the number of each word's sentences with each
    meaning, and these counts.
    """
    words: dict[str, Any] = {}
    stages: tuple[str, ...] = ()
    for word, rows in sentences.items():
        vectors, senses = [], []
        for text, sense in rows:
            sentence = _read(model, tokenizer, shipped_model, text)
            positions = [position for position, form in enumerate(sentence.words) if form.casefold() == word]
            if len(positions) == 1:
                vectors.append(sentence.states[:, positions[0]])
                senses.append(sense)
                stages = sentence.stages
        right = nearest_alike(np.stack(vectors, axis=1), senses)[1:]
        words[word] = {"sentences": dict(Counter(senses)), "right": right.round(2).tolist()}
        print(f"{word}: {len(senses)} sentences", flush=True)
    return {"stages": [stage for stage in stages if stage != EMBEDDING], "words": words}


def _read(model: Transformer, tokenizer: AnyTokenizer, shipped_model: shipped.Shipped, text: str) -> ReadSentence:
    config = shipped_model.config
    target = text if config.has_two_stacks else ""
    run = Run(text, config, target, source=shipped_model.source, format=shipped_model.format)
    return trace_words(model, run, prepare(run, tokenizer))


def main(arguments: Sequence[str]) -> None:
    """Measure how often a word's nearest neighbour in the corpus has the same meaning, layer by layer.

    ``python -m core.training senses --data DIR [--model NAME] [--seed N] [--out DIR]``.
    """
    parser = argparse.ArgumentParser(prog="python -m core.training senses", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with tatoeba/")
    parser.add_argument("--model", default="translator", help="the shipped model that reads the sentences")
    parser.add_argument("--seed", type=int, default=0, help="which sentences of a meaning, where there are many")
    parser.add_argument("--out", type=Path, default=MEASURED_FOLDER, help="where the numbers are written")
    chosen = parser.parse_args(arguments)
    shipped_model = shipped.read(chosen.model)
    sentences = labelled_sentences(sentence_pairs(chosen.data), chosen.seed)
    numbers = measure_senses(
        shipped.load(chosen.model, choose()), shipped.tokenizer(chosen.model), shipped_model, sentences
    )
    about = {
        "what": "of words with two meanings in sentences of Tatoeba, how many have a nearest neighbour of their own "
        "meaning, by the cosine of a model's vectors; the meaning is that of the French word in people's translations",
        "model": chosen.model,
        "steps": shipped_model.card.steps,
        "data": [TATOEBA],
        "split": "all pairs, for the test part holds too few; a model trained on Tatoeba has seen most of them",
        "seed": chosen.seed,
        "command": f"python -m core.training senses --data DIR --model {chosen.model} --seed {chosen.seed}",
    }
    write_measured(chosen.out / f"senses-{chosen.model}.json", {**about, **numbers})
