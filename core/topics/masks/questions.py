"""The right answers to a lesson's questions about masks, all under the causal mask.

The head is the one that the page Masks opens with.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from core.model.transformer import Transformer
from core.text.labels import head_label, token_name
from core.text.pieces import AnyTokenizer
from core.topics.masks.analysis.masks import RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE
from core.topics.masks.experiments import leak, masked, masked_place, ways
from core.topics.masks.presets import under
from core.topics.shared.masked_run import inputs_under_mask
from core.topics.shared.places import HeadAddress, layer_keys, to_numpy
from core.topics.shared.replaced_word import telling_token
from core.topics.shared.truth import Truth, named_key, place_facts, short_labels
from core.tracing.run import Run, execute

CAUSAL, NONE = "causal", "none"
SEEN_KEYS = {  # whether a query gives weight to earlier keys, to itself and to later keys
    (True, True, False): "back",
    (True, False, False): "before",
    (True, True, True): "all",
    (False, True, False): "itself",
}
QUERY_INDEX = 2  # the query whose weights are drawn
MIN_TELLING_WEIGHT = 0.005  # of a row: less is 0% on screen


def seen_keys(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return which keys may get weight: "back" if each query gives weight only to itself and earlier tokens.

    Raises ValueError for a text of one token.
    """
    place = _place(model, tokenizer, run, 2)
    free, hidden = (masked(model, tokenizer, under(run, mask), place) for mask in (NONE, CAUSAL))
    pattern, length = hidden.pattern, len(hidden.pattern)
    earlier, own, later = np.tril(pattern, -1), np.diag(pattern), np.triu(pattern, 1)
    facts = {
        "tokens": length,
        "pairs": length**2,
        "hidden": int((~hidden.mask).sum()),
        "lost": float(np.where(hidden.mask, 0, free.pattern).sum() / length),
        "first": hidden.tokens.pieces[0],
        "last": hidden.tokens.pieces[-1],
        "later": float(later.sum()),
    }
    facts |= _head_facts(place)
    return Truth(SEEN_KEYS.get((bool(earlier.any()), bool(own.all()), bool(later.any())), "other"), facts)


def first_token_weight(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the weight that the first token gives to itself, in per cent.

    Raises ValueError for a text of one token.
    """
    place = _place(model, tokenizer, run, 2)
    free, hidden = (masked(model, tokenizer, under(run, mask), place) for mask in (NONE, CAUSAL))
    pieces = hidden.tokens.pieces
    facts = {
        "first": pieces[0],
        "second": pieces[1],
        "others": len(pieces) - 1,
        "tokens": len(pieces),
        "before": float(free.pattern[0, 0]),
        "before_percent": 100 * float(free.pattern[0, 0]),
        "second_first": float(hidden.pattern[1, 0]),
        "second_itself": float(hidden.pattern[1, 1]),
    }
    return Truth(100 * float(hidden.pattern[0, 0]), facts | _head_facts(place))


def third_row(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the weights (K,) of the third token, beside those of all heads for the same query.

    Raises ValueError if the text has fewer than four tokens or too many to draw.
    """
    place = _place(model, tokenizer, run, QUERY_INDEX + 2)
    run = under(run, CAUSAL)
    inputs = inputs_under_mask(run, tokenizer)[0]
    labels = short_labels(inputs.rows[place.stack])
    keys = layer_keys(run, place, "pattern")
    trace = execute(model, run, inputs, keys, {key: lambda pattern: pattern[0, :, QUERY_INDEX] for key in keys})
    rows = np.stack([to_numpy(trace[key]) for key in keys])  # (N, H, K)
    row = rows[place.layer, place.head]
    best = int(row.argmax())
    pieces = inputs.rows[place.stack].pieces
    facts = {
        "query": pieces[QUERY_INDEX],
        "first": pieces[0],
        "second": pieces[1],
        "best": named_key(inputs.rows[place.stack], best, QUERY_INDEX),
        "weight": float(row[best]),
        "hidden": len(labels) - QUERY_INDEX - 1,
        "tokens": len(labels),
    }
    facts |= _head_facts(place)
    heads = {head_label(*numbers): rows[numbers] for numbers in np.ndindex(*rows.shape[:2])}
    return Truth(row, facts, labels, alternatives=heads)


def hidden_weight(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return whether a middle query's weights still sum to 1 under a causal mask: "shared" if so, else "lost".

    This tells whether the other keys get the weight of the hidden ones. "little" if hidden keys get weight themselves.
    The query is the one nearest to the middle for which the wrong ways to mask can be told apart from the right one.
    Raises ValueError for a text of fewer than three tokens, and if there is no such query.
    """
    place = _place(model, tokenizer, run, 3)
    record = ways(model, tokenizer, under(run, CAUSAL), place)
    after, zero = (record.weights[way] for way in (ZEROS_AFTER, ZEROS_BEFORE))
    lost, kept = after.sum(1), np.where(record.mask, 0, zero).sum(1)
    telling = np.flatnonzero((lost < 1 - MIN_TELLING_WEIGHT) & (kept > MIN_TELLING_WEIGHT))
    if not len(telling):
        raise ValueError("This question needs a text with a word that would look at later ones without the mask.")
    query = int(min(telling, key=lambda number: abs(number - len(record.tokens) // 2)))
    seen, right = record.mask[query], record.weights[RIGHT_WAY][query]
    total = float(right.sum())
    facts = {
        "query": token_name(record.tokens.labels, query),
        "query_number": query,
        "hidden": int((~seen).sum()),
        "sum": total,
        "lost": float(lost[query]),
        "kept": float(kept[query]),
        "tokens": len(record.tokens),
    }
    facts |= _head_facts(place)
    if right[~seen].any():
        return Truth("little", facts)
    return Truth("shared" if abs(total - 1) < 1e-4 else "lost", facts)


def changed_vectors(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return whose output vectors move if a word near the middle is replaced: "later" for the word and later tokens.

    Raises ValueError if no token comes before the word or after it, and if all tokens are the same.
    """
    place = _place(model, tokenizer, run, 3)
    run = under(run, CAUSAL)
    row = inputs_under_mask(run, tokenizer)[0].rows[place.stack]
    position = telling_token(row)
    if not 0 < position < len(row) - 1:
        raise ValueError("This question needs a text with words before and after a longer word in its middle.")
    if len({piece.casefold() for piece in row.pieces}) < 2:
        raise ValueError("This question needs a text with different words.")
    record = leak(model, tokenizer, run, "", position)
    earlier, later = record.final[:position], record.final[position + 1 :]
    facts = {
        "word": row.pieces[position],
        "named": token_name(row.labels, position),
        "token_number": position,
        "new": record.piece,
        "earlier": int((earlier > 0).sum()),
        "before": position,
        "later": int((later > 0).sum()),
        "after": len(later),
        "nearest": token_name(row.labels, position + 1 + int(later.argmax())),
    }
    moved = (bool(earlier.any()), bool(later.any()))
    return Truth({(False, True): "later", (True, True): "all", (False, False): "itself"}.get(moved, "earlier"), facts)


def _head_facts(place: HeadAddress) -> dict[str, Any]:
    return place_facts(place) | {"head": head_label(place.layer, place.head)}


def _place(model: Transformer, tokenizer: AnyTokenizer, run: Run, min_tokens: int) -> HeadAddress:
    """Return the head that the page opens with.

    Raises ValueError if the text has fewer than `min_tokens`.
    """
    stack = run.config.stacks[-1]
    length = len(inputs_under_mask(replace(run, pads=0), tokenizer)[0].rows[stack])
    if length < min_tokens:
        raise ValueError(f"This question needs a text of at least {min_tokens} tokens; yours has {length}.")
    return masked_place(model, tokenizer, run, HeadAddress(stack))
