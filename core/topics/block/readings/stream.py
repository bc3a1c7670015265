"""Sentences and formulas about a block: the additions of its parts to the stream, and the effect of its norms."""

from collections.abc import Sequence

from core.readings.words import number, percent, quoted


def read_stream(token: str, parts: Sequence[str], sizes: Sequence[float], angles: Sequence[float]) -> tuple[str, ...]:
    """Return sentences on which part of the blocks adds the longest vector at a token, and on its direction.

    token: the token's name.
    parts: the names of the parts, such as "attention 1".
    sizes: the length of the vector that each part adds.
    angles: its angle in degrees to the stream that it is added to.
    """
    most = max(range(len(parts)), key=lambda index: sizes[index])
    if not sizes[most]:
        return (f"At {token} no part of the blocks adds anything.",)
    return (
        f"At {token} the longest addition of all blocks is that of {parts[most]}.",
        f"It is {number(sizes[most])} long, {towards(angles[most])} the stream it joins.",
    )


def towards(angle: float) -> str:
    """Describe in words the angle in degrees between an added vector and the vector that it is added to.

    For NaN the word is "beside".
    """
    if angle != angle:
        return "beside"
    side = "along" if angle < 60 else "against" if angle > 120 else "nearly at right angles to"
    return f"{side} ({number(angle, 2)}°)"


def read_turns(token: str, steps: Sequence[str], heard: Sequence[tuple[str, float]], next_word: bool) -> list[str]:
    """Return sentences on which piece the stream predicts at the end, and on the step from which it stays ahead.

    There are none without predictions.

    token: the token's name.
    steps: the names of the steps.
    heard: the piece that the model would predict from the stream after each step, and its probability; empty if it
        predicts none.
    next_word: whether the piece is predicted for the next place of the text, not for this one.
    """
    if not heard:
        return []
    end, probability = heard[-1]
    since = len(heard) - 1
    while since and heard[since - 1][0] == end:
        since -= 1
    what = "as the next piece" if next_word else "as the piece in this place"
    ahead = f"from {steps[since]} on it leads" if since < len(heard) - 1 else f"it leads only after {steps[since]}"
    return [
        f"Step by step the stream of {token} turns to {quoted(end)}: {ahead}.",
        f"At the end it predicts {quoted(end)} {what}, with a chance of {percent(probability)}.",
    ]


def write_stream(width: int, layers: int, norm_position: str, residual: bool, crosses: bool, feeds: bool = True) -> str:
    """Write in LaTeX how a block updates the stream x, with its shapes (Vaswani et al. 2017; Xiong et al. 2020).

    width: the width of the stream.
    layers: number of blocks.
    norm_position: "pre", "post" or "none".
    residual: whether the input of each part is added to its output.
    crosses: whether the block has cross-attention.
    feeds: whether it has a feed-forward layer.
    """
    added = {"pre": r"f(\mathrm{norm}(x))", "post": "f(x)", "none": "f(x)"}[norm_position]
    update = f"x + {added}" if residual else added
    if norm_position == "post":
        update = rf"\mathrm{{norm}}({update})"
    names = ["attention", *["cross-attention"] * crosses, *["feed-forward"] * feeds]
    parts = r",\ ".join(rf"\text{{{name}}}" for name in names)
    return rf"x \leftarrow {update} \qquad f = {parts} \qquad x \in \mathbb{{R}}^{{{width}}} \qquad {layers}\times"


def write_addition(step: str, size: float, before: float, after: float, angle: float, normed: bool) -> str:
    """Write in one line the lengths of the stream and of the vector that one step adds to it, and their angle.

    step: the name of the step.
    size: the length of the added vector.
    before, after: the lengths of the stream before and after the step.
    angle: the angle between them in degrees; NaN if the step adds nothing to a stream; then only the length after it is
        given.
    normed: whether a norm follows.
    """
    if angle != angle:
        return f"{step}: length {number(after)}."
    behind = ", before the norm that follows" if normed else ""
    return (
        f"{step} adds a vector of length {number(size)} to a stream of length {number(before)}, at "
        f"{number(angle, 3)}° to it{behind}. After it the stream is {number(after)} long."
    )
