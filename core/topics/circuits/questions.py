"""The right answers to a lesson's questions about the attention that the first token gets."""

import numpy as np

from core.analysis.sinks import MIN_LOSS_RATIO, MIN_SINK_RATIO
from core.model.transformer import Transformer
from core.text.labels import head_label, token_name
from core.text.pieces import AnyTokenizer
from core.topics.circuits.first_token import FirstToken, first_token, hidden_losses
from core.topics.shared.places import HeadAddress, mask_of, unpadded_length
from core.topics.shared.truth import Truth, place_facts, short_labels
from core.tracing.run import Run, prepare

MIN_TOKENS = 4


def seen_by_most(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the token that most tokens may look at.

    Raises ValueError if several are seen by as many, and for a text that is too short or too long to choose from.
    """
    stack = run.config.stacks[-1]
    inputs = prepare(run, tokenizer)
    length = _length(run, unpadded_length(run, inputs, stack))
    labels = short_labels(inputs.rows[stack])[:length]
    seen = mask_of(inputs, HeadAddress(stack))[:length, :length].sum(0)
    most = int(seen.argmax())
    if (seen == seen[most]).sum() > 1:
        raise ValueError("This question needs a model in which a token sees only those before it.")
    facts = {
        "first": token_name(labels, most),
        "last": token_name(labels, length - 1),
        "tokens": length,
        "seen": int(seen[most]),
        "least": int(seen[-1]),
    }
    return Truth(most, facts, labels, sizes=tuple(map(float, seen)))


def strongest_on_first(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return how much of its weight the head that looks at the first token most gives it.

    The answer is "even" below twice an even share, "half" up to one half, and "more" above.
    """
    found, place = _strongest(model, tokenizer, run)
    weight = float(found.mean_weights[place.layer, place.head])
    answer = "even" if weight < MIN_SINK_RATIO * found.mean_even else "half" if weight <= 0.5 else "more"
    facts = {
        "weight": weight,
        "even": found.mean_even,
        "mean": float(found.mean_weights.mean()),
        "heads": found.mean_weights.size,
    }
    return Truth(answer, facts | _facts(found, place))


def length_of_value(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return how long the first token's value is in that head, beside the mean of the others.

    The answer is "short" below one half of it, "long" above twice, and "alike" between.
    """
    found, place = _strongest(model, tokenizer, run)
    ratio = float(found.value_lengths[place.layer, place.head])
    answer = "short" if ratio < 0.5 else "long" if ratio > 2 else "alike"
    return Truth(answer, {"ratio": ratio} | _facts(found, place))


def loss_without_first(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return whether hiding the first token costs more than hiding another earlier token from each query.

    Raises ValueError for a model without a decoder.
    """
    if run.config.stacks != ("decoder",):
        raise ValueError("This question needs a model that goes on with a text.")
    found, place = _strongest(model, tokenizer, run)
    losses = hidden_losses(model, tokenizer, run)
    others = float(losses.others.mean())
    answer = "more" if losses.first - losses.whole > MIN_LOSS_RATIO * (others - losses.whole) else "as-much"
    facts = {"whole": losses.whole, "without": losses.first, "other": others}
    return Truth(answer, facts | _facts(found, place))


def _strongest(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> tuple[FirstToken, HeadAddress]:
    """Return the weights on the first token, and the head that gives it most."""
    stack = run.config.stacks[-1]
    _length(run, unpadded_length(run, prepare(run, tokenizer), stack))
    found = first_token(model, tokenizer, run, stack)
    layer, head = np.unravel_index(found.mean_weights.argmax(), found.mean_weights.shape)
    return found, HeadAddress(stack, int(layer), int(head))


def _facts(found: FirstToken, place: HeadAddress) -> dict[str, object]:
    names = {"first": token_name(found.labels, 0), "head": head_label(place.layer, place.head)}
    return {**names, **place_facts(place)}


def _length(run: Run, length: int) -> int:
    if length < MIN_TOKENS:
        raise ValueError(f"This question needs a text of at least {MIN_TOKENS} tokens; yours has {length}.")
    return length
