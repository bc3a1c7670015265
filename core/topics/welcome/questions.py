"""The right answers to a lesson's questions about where a translator looks while it writes."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from core.analysis.aggregate import merge_words
from core.model.transformer import Transformer
from core.text.content_words import FUNCTION_WORDS
from core.text.labels import are_words, head_label, token_name
from core.text.pieces import AnyTokenizer
from core.topics.generate.records import Attentions
from core.topics.generate.setup import start_ids, translation_limit
from core.topics.generate.texts import generate_tokens
from core.topics.generate.views import attentions
from core.topics.shared.labels import numbered_pieces
from core.topics.shared.truth import Truth, short_labels
from core.topics.welcome.scene import WelcomeScene, scene
from core.tracing.run import Run, prepare

ORDERED_WORDS, MIN_WORDS = 5, 3  # words that are put in order
HALF_WEIGHT = 0.5  # of the weight of a written word


def first_word_row(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the weights (K,) over the words read while the first word is written, beside those of all heads.

    They are the mean over the heads of one layer, as on the first page. Raises ValueError if the text is too long.
    """
    seen, first, here = _translated(model, tokenizer, run)
    assert seen.cross is not None
    opening = int(are_words(here.written).argmax())  # not a quotation mark before the first word
    labels, row = numbered_pieces(here.read), here.weights[opening]
    best = int(row.argmax())
    words = [word - seen.words[first] for word in seen.words[first:]]
    heads = merge_words(seen.cross[:, :, first - 1 : -1], words, list(seen.source_words))[:, :, opening]
    facts = {
        "written": here.written[opening],
        "best": token_name(labels, best),
        "weight": float(row[best]),
        "second": token_name(labels, int(np.argsort(-row, kind="stable")[1])),
        "second_weight": float(np.sort(row)[-2]),
        "layer": here.layer + 1,
        "heads": heads.shape[1],
    }
    alternatives = {head_label(*numbers): heads[numbers] for numbers in np.ndindex(*heads.shape[:2])}
    return Truth(row, facts, labels, alternatives=alternatives)


def order_of_use(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the order in which the translator first uses some words of the sentence.

    A word is used when a word of the translation is written with more than half of its attention on it. Function words
    and words that occur twice are left out.

    Raises ValueError if fewer than three words are left, and if the text is too long.
    """
    _, _, here = _translated(model, tokenizer, run)
    sources = here.weights.argmax(1).tolist()
    written = are_words(here.written)
    telling = [
        bool(known) and word.casefold() not in FUNCTION_WORDS and here.read.count(word) == 1
        for known, word in zip(are_words(here.read), here.read, strict=True)
    ]
    used: dict[int, int] = {}
    for position, source in enumerate(sources):
        if written[position] and telling[source] and here.weights[position, source] > HALF_WEIGHT:
            used.setdefault(source, position)
    if len(used) < MIN_WORDS:
        raise ValueError(
            f"This question needs a sentence with at least {MIN_WORDS} nouns, verbs or adjectives that stand there "
            "once and that the translator clearly looks at."
        )
    shown = _around_a_swap(list(used))
    listed = sorted(shown)
    pair = next(((a, b) for a, b in pairwise(shown) if a > b), None)
    swapped = (
        f"“{here.read[pair[1]]}” comes before “{here.read[pair[0]]}” in the sentence, and was looked at after it."
        if pair
        else "In this sentence both orders are the same; with an adjective before a noun they often differ."
    )
    facts = {
        "swapped": swapped,
        "source": " ".join(here.read[source] for source in listed),
        "use": ", ".join(f"“{here.read[source]}” (writing “{here.written[used[source]]}”)" for source in shown),
        "weight": float(np.mean([here.weights[used[source], source] for source in shown])),
    }
    labels = tuple(here.read[source] for source in listed)
    return Truth(tuple(listed.index(source) for source in shown), facts, labels)


def _around_a_swap(used: list[int]) -> list[int]:
    """Return at most `ORDERED_WORDS` neighbours of a list of positions, two of them in falling order if any are."""
    falls = next((index for index in range(len(used) - 1) if used[index] > used[index + 1]), 0)
    first = max(0, min(falls - ORDERED_WORDS // 2 + 1, len(used) - ORDERED_WORDS))
    return used[first : first + ORDERED_WORDS]


def _translated(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> tuple[Attentions, int, WelcomeScene]:
    """Return the attention over a text and its translation, the number of the first written token, and the scene.

    Raises ValueError for a text that is too long, and for a model that does not translate.
    """
    if not run.config.has_two_stacks:
        raise ValueError("This question needs a translator: choose an encoder-decoder as the model.")
    run = replace(run, pads=0, target=run.text)
    source = prepare(run, tokenizer).rows["encoder"]
    short_labels(source)
    start = start_ids(tokenizer, run)
    max_tokens = translation_limit(run.config, len(start), len(source))
    ids = (token.chosen for token in generate_tokens(model, tokenizer, run, max_tokens=max_tokens))
    seen = attentions(model, tokenizer, run, (*start, *ids))
    return seen, len(start), scene(seen, len(start))
