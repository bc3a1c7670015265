"""The right answers to a lesson's questions about many heads.

Layers and heads are counted from 1, as on screen; if the model has fewer, the last one is taken.
"""

from collections.abc import Sequence
from itertools import takewhile

import numpy as np

from core.model.transformer import Transformer
from core.text.labels import head_label, token_name
from core.text.pieces import AnyTokenizer
from core.topics.heads.ablation import ablate
from core.topics.heads.all_heads import patterns
from core.topics.heads.switches import silencing
from core.topics.shared.places import HeadAddress, layer_keys, to_numpy
from core.topics.shared.truth import Truth, last_word, named_key, named_token, short_labels
from core.tracing.run import Run, TokenRow, execute, prepare

WEIGHT_TOLERANCE = 1e-4  # of weights, computed in float32
FEW_GUESSES_SHARE = 0.25  # of all guesses
MIN_WEIGHT = 1e-12  # of weights that are told apart from 0


def row_of_last(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int) -> Truth:
    """Return the weights of the last word in one head, and in all others as alternatives.

    Raises ValueError if no token comes before it, and for a text that is too long.
    """
    row, last, every = _last_rows(model, tokenizer, run)
    labels = short_labels(row)
    if last < 1:
        raise ValueError("This question needs a text of at least two words.")
    weights = every[min(layer, len(every)) - 1, min(head, every.shape[1]) - 1]
    ranked = np.argsort(-weights, kind="stable")
    facts = {
        "query": named_token(row, last),
        "query_number": last,
        "best": named_key(row, int(ranked[0]), last),
        "weight": float(weights[ranked[0]]),
        "second": named_key(row, int(ranked[1]), last),
        "second_weight": float(weights[ranked[1]]),
    }
    names = {head_label(*place): every[place] for place in np.ndindex(every.shape[:2])}
    return Truth(tuple(map(float, weights)), facts, labels, alternatives=names)


def row_after_repeat(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int) -> Truth:
    """Return the weights of the last word, as `row_of_last` does, for a text in which this word has occurred before.

    Of several earlier places, the facts are about the one that has most of the text before it in common.
    Raises ValueError if the last word is new, or if it only repeats the token before it.
    """
    row, last, _ = _last_rows(model, tokenizer, run)
    earlier = [index for index in range(max(0, last - 1)) if _ended(row, index) == _ended(row, last)]
    if not earlier or not _ended(row, last):
        raise ValueError("This question needs a text whose last word has occurred before, earlier in the text.")
    truth = row_of_last(model, tokenizer, run, layer, head)
    after = max(earlier, key=lambda index: (_in_common(row.pieces[: index + 1], row.pieces[: last + 1]), index)) + 1
    word = row.word_labels[row.words[last]]
    facts = {"word": word, "after": token_name(row.labels, after), "after_weight": truth.answer[after]}
    return Truth(
        truth.answer,
        {**truth.facts, **facts},
        truth.labels,
        alternatives=truth.alternatives,
    )


def division(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int) -> Truth:
    """Return how the heads of a layer divide a text among themselves, as seen from its last word.

    "same" if all heads have the same weights, "parts" if no token is given weight by two heads, otherwise "all".
    Raises ValueError if no token comes before that word, and for a model with one head.
    """
    stack = run.config.stacks[0]
    record = patterns(model, tokenizer, run, HeadAddress(stack, min(layer, run.config.depth(stack)) - 1))
    last = last_word(record.queries)
    allowed, weights = record.allowed[last], record.pattern[:, last]
    if allowed.sum() < 2 or len(weights) < 2:
        raise ValueError("This question needs a text of at least two words, and a model with several heads.")
    shared = ((weights > 0).sum(0) > 1).any()
    best, least = weights.argmax(1), float(weights[:, allowed].min())
    apart = int(np.ptp(weights, axis=0).argmax())  # the token about which the heads differ most
    facts = {
        "heads": len(weights),
        "keys": int(allowed.sum()),
        "query": named_token(record.queries, last),
        "query_number": last,
        "different": len(set(best.tolist())),
        "parts": 1 / max(least, MIN_WEIGHT),
        "token": named_key(record.keys, apart, last),
        "token_most": float(weights[:, apart].max()),
        "token_least": float(weights[:, apart].min()),
    }
    return Truth("same" if np.ptp(weights, axis=0).max() < WEIGHT_TOLERANCE else "all" if shared else "parts", facts)


def favourites(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the number of different tokens that the last word looks at most, over all heads of the first stack.

    Raises ValueError if fewer than three tokens come before it.
    """
    row, last, every = _last_rows(model, tokenizer, run)
    if last < 3:
        raise ValueError("This question needs a text of at least four words.")
    best = every.argmax(-1).ravel()
    counts = np.bincount(best, minlength=len(row))
    first = int(counts.argmax())
    facts = {
        "heads": len(best),
        "layers": len(every),
        "tokens": last + 1,
        "query": named_token(row, last),
        "query_number": last,
        "different": int((counts > 0).sum()),
        "favourite": named_key(row, first, last),
        "most": int(counts[first]),
        "own": int(counts[last]),
    }
    return Truth(float((counts > 0).sum()), facts)


def numbers_of_a_head(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return how many numbers the query of one head has."""
    config = run.config
    facts = {
        "heads": config.heads,
        "width": config.d_model,
        "each": config.key_width,
        "all": config.heads * config.key_width,
        "by_layers": config.d_model / config.depth(config.stacks[0]),
    }
    return Truth(float(config.key_width), facts)


def guesses_changed(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int) -> Truth:
    """Return how many of the best guesses of a next token change if a head is switched off: "none", "few" or "many".

    "few" are at most a quarter. Raises ValueError for a text of fewer than four tokens and for a model that does not
    guess next tokens.
    """
    stack = run.config.stacks[-1]
    place = HeadAddress(stack, min(layer, run.config.depth(stack)) - 1, min(head, run.config.heads) - 1)
    record = ablate(model, tokenizer, run, place, silencing(run.config, place, [(place.layer, place.head)]))
    turned = record.turned
    if record.surprise is None:
        raise ValueError("This question needs a model that guesses next tokens: choose a decoder.")
    if len(turned) < 4:
        raise ValueError(f"This question needs a text of at least 4 tokens; yours has {len(turned)}.")
    other = [index for index, guess in enumerate(turned) if guess.was != guess.now]
    tried, labels = other or range(len(turned)), record.stacks[-1].labels
    most = max(tried, key=record.surprise.__getitem__)
    weights = patterns(model, tokenizer, run, place).pattern[place.head]
    facts = {
        "head": head_label(place.layer, place.head),
        "heads": run.config.depth(stack) * run.config.heads,
        "guesses": len(turned),
        "changed": len(other),
        "clear": float(weights.max(-1).mean()),
        "after": token_name(labels, most),
        "was": turned[most].was,
        "was_chance": turned[most].probability,
        "now": turned[most].now,
        "now_chance": turned[most].probability_now,
    }
    return Truth("none" if not other else "few" if len(other) <= FEW_GUESSES_SHARE * len(turned) else "many", facts)


def _ended(row: TokenRow, index: int) -> str:
    """Return the word that ends with a token; "" if the word goes on."""
    word = row.words[index]
    return row.word_labels[word] if row.words[index + 1 : index + 2] != (word,) else ""


def _in_common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many of the last items of two sequences are the same, counted from the end."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _last_rows(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> tuple[TokenRow, int, np.ndarray]:
    """Return the tokens of the first stack, the number of its last word, and that word's weights.

    The weights are those of each layer and head, (N, H, K).
    """
    inputs, place = prepare(run, tokenizer), HeadAddress(run.config.stacks[0])
    keys, row = layer_keys(run, place, "pattern"), inputs.rows[place.stack]
    last = last_word(row)
    seen = execute(model, run, inputs, keys, {"pattern": lambda pattern: pattern[0, :, last]})
    return row, last, np.stack([to_numpy(seen[key]) for key in keys])
