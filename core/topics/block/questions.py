"""The right answers to a lesson's questions about what a block does to the vector of the last word."""

import numpy as np

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.block.norms import norm, norm_names
from core.topics.block.stream import stream
from core.topics.shared.stream_parts import block_parts
from core.topics.shared.truth import MOST_LABELS, Truth, last_word, named_token
from core.tracing.run import Run, prepare

VECTOR_TOLERANCE = 1e-3  # of a vector's length: what is nearer is the same but for rounding


def effect_on_vector(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return how the parts of a block change a token's vector: each "adds" to it, or "replaces" it.

    Raises ValueError for a model in which a norm follows a part, so that neither is true.
    """
    stack, token = _last_word(tokenizer, run)
    record = stream(model, tokenizer, run, stack, token)
    steps = [step for step in record.steps if step.layer >= 0]
    befores = [record.steps[index - 1].after for index, step in enumerate(record.steps) if step.layer >= 0]
    sums = [before + step.added for before, step in zip(befores, steps, strict=True)]
    facts = {
        "token": _name(tokenizer, run),
        "token_number": token,
        "parts": len(steps),
        "layers": run.config.depth(stack),
        "start": float(np.linalg.norm(befores[0])),
        "end": steps[-1].length,
        "first": steps[0].label,
        "first_size": steps[0].size,
        "first_length": steps[0].length,
    }
    if all(_same(total, step.after) for total, step in zip(sums, steps, strict=True)):
        return Truth("adds", facts)
    if all(_same(step.added, step.after) for step in steps):
        return Truth("replaces", facts)
    raise ValueError("This question needs a model in which no norm follows a part of a block.")


def largest_addition(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the part, of all blocks, that adds the longest vector.

    Raises ValueError for a model of too many parts to choose from.
    """
    stack, token = _last_word(tokenizer, run)
    if len(block_parts(run, stack)) * run.config.depth(stack) > MOST_LABELS:
        raise ValueError(f"This question needs a model whose blocks have at most {MOST_LABELS} parts together.")
    record = stream(model, tokenizer, run, stack, token)
    steps = [step for step in record.steps if step.layer >= 0]
    sizes = [step.size for step in steps]
    best, least = steps[int(np.argmax(sizes))], steps[int(np.argmin(sizes))]
    first = len(record.steps) - len(steps)  # all that comes before the blocks
    before = record.steps[first + int(np.argmax(sizes)) - 1]
    facts = {
        "token": _name(tokenizer, run),
        "token_number": token,
        "best": best.label,
        "best_size": best.size,
        "before_length": before.length,
        "best_length": best.length,
        "least": least.label,
        "least_size": least.size,
    }
    return Truth(steps.index(best), facts, tuple(step.label for step in steps), sizes=tuple(map(float, sizes)))


def spread_after_norm(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return how far the numbers of the last word spread after the last norm, before its learned gain and bias.

    It is the root of their mean square. Raises ValueError if no token comes before it.
    """
    stack, token = _last_word(tokenizer, run)
    if token == 0:
        raise ValueError("This question needs a text of at least two words.")
    which = norm_names(run, stack)[-1]
    layer = run.config.depth(stack) - 1
    records = [norm(model, tokenizer, run, stack, layer, which, index) for index in (0, token)]
    first, last = (_spread(record.own.x - record.own.mean) for record in records)
    first_after, after = (_spread(record.own.normalised) for record in records)
    pieces = prepare(run, tokenizer).rows[stack].pieces
    facts = {
        "first": pieces[0],
        "last": pieces[token],
        "token": _name(tokenizer, run),
        "token_number": token,
        "first_before": first,
        "last_before": last,
        "first_after": first_after,
        "after": after,
        "largest": float(np.abs(records[1].own.x).max()),
        "numbers": len(records[1].own.x),
    }
    return Truth(after, facts)


def _last_word(tokenizer: AnyTokenizer, run: Run) -> tuple[str, int]:
    """Return the first stack and the number of the last word that it reads."""
    stack = run.config.stacks[0]
    return stack, last_word(prepare(run, tokenizer).rows[stack])


def _name(tokenizer: AnyTokenizer, run: Run) -> str:
    stack, token = _last_word(tokenizer, run)
    return named_token(prepare(run, tokenizer).rows[stack], token)


def _same(first: np.ndarray, second: np.ndarray) -> bool:
    return bool(np.linalg.norm(first - second) <= VECTOR_TOLERANCE * np.linalg.norm(second))


def _spread(numbers: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(numbers))))
