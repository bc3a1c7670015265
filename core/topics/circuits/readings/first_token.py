"""Sentences about the attention that the first token gets."""

from core.analysis.sinks import MIN_LOSS_RATIO, MIN_SINK_RATIO
from core.readings.words import number, percent


def read_first_token(layer: int, head: int, weight: float, mean: float, even: float, token: str) -> str:
    """Say how much of its weight the head that looks at the first token most gives to it, and the average head.

    layer, head: from 0. mean: of all heads. even: the share of the first token if each query gave all tokens that it
    may see the same.
    """
    if weight < MIN_SINK_RATIO * even:
        return f"No head of this model gives the first token, {token}, much more than an even share."
    return (
        f"Head {head + 1} of layer {layer + 1} gives {percent(weight)} of its weight to the first token, {token}; the "
        f"average head gives it {percent(mean)}."
    )


def read_no_token(layer: int, head: int, share: float, first: float, even: float, token: str) -> str | None:
    """Say how much of the weight of the head with the largest share for no token goes there, and to the first token.

    layer, head: from 0. share, first: the head's mean weight on no token and on the first. even: as in
    `read_first_token`. None if no token gets less than its part in a sink.
    """
    if share < MIN_SINK_RATIO * even or share <= first:
        return None
    return (
        f"Head {head + 1} of layer {layer + 1} gives {percent(share)} of its weight to no token, so it need not rest "
        f"on the first, {token}, which gets {percent(first)}."
    )


def read_mean_to_no_token(mean: float) -> str:
    """Say how much of the weight of all heads goes to no token."""
    return (
        f"A learned number stands in each head's softmax beside the scores. On average {percent(mean)} of the weight "
        "goes to it, and so to no token."
    )


def read_even_share(mean: float, strongest: float, even: float) -> str:
    """Compare the mean weight of all heads, and that of the strongest, with an even share."""
    kind = "a sink of the whole model" if mean >= MIN_SINK_RATIO * even else "no sink of the whole model"
    return (
        f"An even share would be {percent(even)}: with {percent(mean)} on average, and {percent(strongest)} in one "
        f"head, it is {kind}."
    )


def read_value_length(ratio: float, layer: int, head: int) -> str:
    """Say how long the first token's value is in one head."""
    name = f"head {head + 1} of layer {layer + 1}"
    said = f"In {name} the value of the first token is {number(ratio)} times as long as the others' on average"
    return f"{said}: looking at it adds little." if ratio < 1 / MIN_SINK_RATIO else f"{said}."


def read_hidden_losses(whole: float, first: float, others: float) -> str:
    """Say what is lost when the first token may not be seen, and when another token may not.

    others: the mean over several draws.
    """
    said = (
        f"If the first token may not be seen, the loss goes from {number(whole)} to {number(first)} nats; if another "
        f"earlier token is hidden from each query, to {number(others)}"
    )
    if first - whole > MIN_LOSS_RATIO * (others - whole):
        return f"{said}: here the first token matters more than another."
    return f"{said}: here the first token matters no more than another."
