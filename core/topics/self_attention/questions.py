"""The right answers to a lesson's questions about one attention head.

Each function takes the layer and the head, counted from 1 as on screen; if the model has fewer, the last one is taken.
"""

from itertools import product

import numpy as np
import torch

from core.model.attention import apply_mask, masked_softmax
from core.model.transformer import Transformer
from core.text.labels import head_label, token_name
from core.text.pieces import AnyTokenizer
from core.topics.self_attention.one_head import head as one_head
from core.topics.self_attention.records import HeadRecord
from core.topics.shared.places import HeadAddress, require_no_sink
from core.topics.shared.truth import Truth, last_word, named_key, named_token, short_labels
from core.tracing.run import Run

NUMBER_TOLERANCE = 1e-4  # of numbers of size 1, computed in float32 in another order
NAMES = ("query", "key", "value")
MAX_WEIGHT = 0.99  # of a largest weight that can still be seen to grow


def origin(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int) -> Truth:
    """Return where a token's query, key and value come from: "tables" if each is its vector times a table of its own.

    "copy" if all three tables are the same.
    """
    record = _record(model, tokenizer, run, layer, head)
    tables = [getattr(record, f"w_{letter}") for letter in "qkv"]
    inputs = (record.x, record.memory, record.memory)
    biases = (record.b_q, record.b_k, record.b_v)
    made = [x @ table + bias for x, table, bias in zip(inputs, tables, biases, strict=True)]
    error = max(_difference(one, other) for one, other in zip(made, (record.q, record.k, record.v), strict=True))
    alike = all(table.shape == tables[0].shape and np.allclose(table, tables[0]) for table in tables)
    last = last_word(record.queries)
    facts = {
        "head": _name(record),
        "token": named_token(record.queries, last),
        "query_number": last,
        "numbers": record.x.shape[1],
        "width": record.q.shape[1],
        "same": _cosine(record.q[last], record.k[last]),
    }
    return Truth("copy" if alike else "tables" if error < NUMBER_TOLERANCE else "other", facts)


def formula(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int) -> Truth:
    """Return which of query, key and value the score of two tokens multiplies, and which of them is mixed.

    The answer names what is taken of the token that looks, of the token looked at, and what the weights mix.
    Raises ValueError for a score that is no product of two vectors.
    """
    record = _record(model, tokenizer, run, layer, head)
    if record.parts.kind not in ("dot", "scaled_dot") or record.place.cross:
        raise ValueError("This question needs a model whose scores are products of two vectors of one text.")
    vectors = dict(zip(NAMES, (record.parts.left, record.parts.right, record.v), strict=True))
    fitting = [pair for pair in product(NAMES, repeat=2) if vectors[pair[0]].shape[1] == vectors[pair[1]].shape[1]]
    scored = min(fitting, key=lambda pair: _difference(vectors[pair[0]] @ vectors[pair[1]].T, record.raw))
    wide = [name for name in NAMES if vectors[name].shape[1] == record.z.shape[1]]
    mixed = min(wide, key=lambda name: _difference(record.pattern @ vectors[name], record.z))
    last = last_word(record.queries)
    best = int(record.pattern[last].argmax())
    facts = {
        "head": _name(record),
        "query": token_name(record.queries.labels, last),
        "query_number": last,
        "key": token_name(record.keys.labels, best),
        "score": float(record.raw[last, best]),
        "scaled": float(record.scores[last, best]),
        "weight": float(record.pattern[last, best]),
        "width": record.q.shape[1],
    }
    return Truth((*scored, mixed), facts)


def looks_most(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int) -> Truth:
    """Return the token that the last word of the text looks at most.

    Raises ValueError if no token comes before it, and for a text that is too long.
    """
    record = _record(model, tokenizer, run, layer, head)
    labels, last = short_labels(record.keys), last_word(record.queries)
    if last < 1:
        raise ValueError("This question needs a text of at least two words.")
    weights = record.pattern[last]
    ranked = np.argsort(-weights, kind="stable")
    facts = {
        "head": _name(record),
        "query": named_token(record.queries, last),
        "query_number": last,
        "best": named_key(record.keys, int(ranked[0]), last),
        "weight": float(weights[ranked[0]]),
        "second": named_key(record.keys, int(ranked[1]), last),
        "second_weight": float(weights[ranked[1]]),
        "own": float(weights[last]),
    }
    return Truth(int(ranked[0]), facts, labels, sizes=tuple(map(float, weights)))


def cell_of_last(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int, key: int = 1) -> Truth:
    """Return the cell of the weights that says how much the last word looks at token number `key`.

    Raises ValueError if the token does not come before that word, and for a text that is too long.
    """
    record = _record(model, tokenizer, run, layer, head)
    labels, last = short_labels(record.queries), last_word(record.queries)
    if last <= key:
        raise ValueError(f"This question needs a text of at least {key + 2} words.")
    facts = {
        "head": _name(record),
        "query": token_name(labels, last),
        "query_number": last,
        "key": token_name(labels, key),
        "key_number": key,
        "weight": float(record.pattern[last, key]),
        "turned": float(record.pattern[key, last]),
    }
    return Truth((last, key), facts, record.keys.labels, labels)


def mutual(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int) -> Truth:
    """Return whether two tokens fit each other equally in both directions: "mutual" or "one-way".

    The facts are about the two tokens whose scores, before any division, differ most. Raises ValueError for a text of
    one token, or of two.
    """
    record = _record(model, tokenizer, run, layer, head)
    if len(record.queries) < 2 or record.place.cross:
        raise ValueError("This question needs a text of at least two tokens.")
    scores, labels = record.raw, record.queries.labels
    gap = scores - scores.T
    row, column = np.unravel_index(int(gap.argmax()), gap.shape)
    facts = {
        "head": _name(record),
        "first": token_name(labels, int(row)),
        "second": token_name(labels, int(column)),
        "score": float(scores[row, column]),
        "turned": float(scores[column, row]),
    }
    size = max(1.0, float(np.abs(scores).max()))
    return Truth("mutual" if float(gap.max()) <= NUMBER_TOLERANCE * size else "one-way", facts)


def sums(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int) -> Truth:
    """Return what sums to 1 in a table of weights: "rows", "columns", "both" or "neither".

    Raises ValueError for a text of one token, whose table is a single 1.
    """
    pattern = _record(model, tokenizer, run, layer, head).pattern
    if len(pattern) < 2:
        raise ValueError("This question needs a text of at least two tokens.")
    rows, columns = pattern.sum(1), pattern.sum(0)
    found = {
        (True, False): "rows",
        (False, True): "columns",
        (True, True): "both",
        (False, False): "neither",
    }[_all_ones(rows), _all_ones(columns)]
    facts = {
        "tokens": len(rows),
        "total": float(pattern.sum()),
        "least": float(columns.min()),
        "most": float(columns.max()),
    }
    return Truth(found, facts)


def certain_cell(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int) -> Truth:
    """Return the only cell of the weights that is 1 whatever the scores are: its query may look at one key only.

    Raises ValueError if there is no such cell or more than one, and for a text that is too long.
    """
    record = _record(model, tokenizer, run, layer, head)
    labels = short_labels(record.queries)
    single = np.flatnonzero(record.mask.sum(1) == 1)
    if len(single) != 1 or len(labels) < 2:
        raise ValueError("This question needs a model in which only the first token can look at nothing but itself.")
    row = int(single[0])
    column = int(record.mask[row].argmax())
    facts = {
        "query": record.queries.pieces[row],
        "query_number": row,
        "key_number": column,
        "weight": float(record.pattern[row, column]),
        "keys": int(record.mask[-1].sum()),
        "last": record.queries.pieces[-1],
    }
    return Truth((row, column), facts, record.keys.labels, labels)


def even_share(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int) -> Truth:
    """Return the weight of each token, in percent, if the last word looked at all that it may look at alike.

    Raises ValueError if it may look at nothing but itself.
    """
    record = _record(model, tokenizer, run, layer, head)
    last = last_word(record.queries)
    allowed, weights = record.mask[last], record.pattern[last]
    if allowed.sum() < 2:
        raise ValueError("This question needs a text of at least two words.")
    best = int(weights.argmax())
    facts = {
        "head": _name(record),
        "query": named_token(record.queries, last),
        "query_number": last,
        "keys": int(allowed.sum()),
        "share": 1 / int(allowed.sum()),
        "without_itself": 100 / (int(allowed.sum()) - 1),
        "all_tokens": 100 / len(record.keys),
        "best": named_key(record.keys, best, last),
        "most": float(weights[best]),
        "least": float(weights[allowed].min()),
    }
    return Truth(round(100 / int(allowed.sum()), 1), facts)


def colder(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int, temperature: float = 0.5
) -> Truth:
    """Return what a low temperature does to the last word's weights: "sharper", "flatter" or "same".

    The scores are divided by the temperature before the softmax. Raises ValueError if all weights are alike anyway, if
    one has all the weight already, and for a model with sink logits.
    """
    require_no_sink(run)
    record = _record(model, tokenizer, run, layer, head)
    last = last_word(record.queries)
    mask = torch.from_numpy(record.mask[last])
    scores = apply_mask(torch.from_numpy(record.scores[last]), mask)
    before, after = (
        masked_softmax(scores / temperature_tried, mask).numpy() for temperature_tried in (1.0, temperature)
    )
    best = int(before.argmax())
    if np.ptp(before[record.mask[last]]) < NUMBER_TOLERANCE:
        raise ValueError("This question needs a text whose last word does not look at all tokens alike.")
    if before[best] > MAX_WEIGHT:
        raise ValueError("This question needs a text whose last word does not look at one token alone.")
    change = float(after[best] - before[best])
    facts = {
        "head": _name(record),
        "query": named_token(record.queries, last),
        "query_number": last,
        "best": named_key(record.keys, best, last),
        "before": float(before[best]),
        "after": float(after[best]),
        "doubled": 2 * float(before[best]),
    }
    return Truth("same" if abs(change) < NUMBER_TOLERANCE / 100 else "sharper" if change > 0 else "flatter", facts)


def _record(model: Transformer, tokenizer: AnyTokenizer, run: Run, layer: int, head: int) -> HeadRecord:
    """Return a head of the first stack, by its layer and number from 1, or the last one if there are fewer."""
    stack, config = run.config.stacks[0], run.config
    place = HeadAddress(stack, min(layer, config.depth(stack)) - 1, min(head, config.heads) - 1)
    return one_head(model, tokenizer, run, place)


def _name(record: HeadRecord) -> str:
    return head_label(record.place.layer, record.place.head)


def _difference(one: np.ndarray, other: np.ndarray) -> float:
    """Return the largest difference of two arrays, as a share of the largest number of the second."""
    return float(np.abs(one - other).max()) / max(1.0, float(np.abs(other).max()))


def _cosine(one: np.ndarray, other: np.ndarray) -> float:
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / lengths if lengths and one.shape == other.shape else 0.0


def _all_ones(sums: np.ndarray) -> bool:
    return bool(np.allclose(sums, 1, atol=NUMBER_TOLERANCE))
