"""Sentences and formulas about the neurons of a feed-forward layer."""

from collections.abc import Sequence

from core.readings.words import listed, number, part_of, plural, quoted

ACTIVATION_NAMES = {
    "relu": "ReLU",
    "gelu": "GELU",
    "gelu_tanh": "GELU",
    "silu": "SiLU",
    "swiglu": "SiLU",
    "geglu": "GELU",
    "geglu_tanh": "GELU",
}
NAMED_PIECES = 3  # pieces or tokens that a sentence names


def read_strongest(
    token: str, shown: int, count: int, share: float | None, neuron: int, activation: float, known: str = ""
) -> tuple[str, ...]:
    """Return sentences on which neuron contributes most at a token, and on what the strongest contribute together.

    token: the token's name.
    shown, count: number of strongest neurons, and of all neurons of the layer.
    share: the share of the layer's output that the strongest make together; None if the output is zero.
    neuron, activation: the strongest neuron and its activation.
    known: what else is known of it, a sentence.
    """
    if share is None:
        return (f"At {token} no neuron fires: this layer adds nothing there.",)
    first = f"At {token} neuron {neuron:,} adds most.{known and ' '}{known}"
    fires = f"Its activation there is {number(activation)}."
    if shown == count:
        return first, fires
    together = f"The {shown} strongest of {count:,} together make {part_of(share)} what the layer adds there."
    return first, f"{fires} {together}"


def read_fires(neuron: int, name: str, activation: float, above: int, tokens: int) -> str:
    """Say at which token of the text a neuron's activation is greatest, and at how many it is at least half as great.

    name: that token's name.
    activation: the activation there.
    above: number of tokens with at least half of it, that token included.
    tokens: number of tokens of the text.
    """
    if activation <= 0:
        return f"Neuron {neuron:,} fires nowhere in this text of {plural(tokens, 'token')}."
    others = f", and at {above - 1} of the other {tokens - 1} at least half as much" if above > 1 else ""
    if tokens > 1 and above == 1:
        others = ", and at no other token even half as much"
    return f"In this text neuron {neuron:,} fires most at {name} ({number(activation)}){others}."


def read_raised(neuron: int, raised: Sequence[str], lowered: Sequence[str]) -> str:
    """Say for which pieces a neuron's output row raises the score most, and for which it lowers it most.

    raised, lowered: these pieces, the strongest first.
    """
    return f"What neuron {neuron:,} writes raises {_listed(raised)} most, and lowers {_listed(lowered)}."


def read_favourite(read: int, token: str) -> str:
    """Say at which token of the texts of a corpus the neuron just named fires most.

    read: number of texts.
    """
    return f"In {read:,} other texts it fires most at {quoted(token)}."


def read_fires_on(neuron: int, read: int, tokens: Sequence[str]) -> str:
    """Say at which tokens of the texts of a corpus a neuron's activation is greatest.

    read: number of texts.
    tokens: those tokens, the strongest first; empty if the activation is never above 0.
    """
    if not tokens:
        return f"Neuron {neuron:,} never fires on any token of {read:,} texts."
    return f"In {read:,} texts that the model was not trained on, neuron {neuron:,} fires most at {_listed(tokens, 4)}."


def read_same_function(change: float, size: float, exact: bool) -> tuple[str, ...]:
    """Return sentences on how much the feed-forward layer's output changes when the tokens are reordered.

    change: the largest change.
    size: the largest number of the output.
    exact: whether the change is rounding only.
    """
    if not change:
        return (
            "Fed with the same vectors in another order, the feed-forward layer gives each word exactly the same "
            "numbers.",
        )
    if exact:
        return (
            "Fed with the same vectors in another order, the feed-forward layer gives each word the same numbers.",
            f"Rounding changes them by {number(change, 2)} at most.",
        )
    return (
        "Fed with the same vectors in another order, the feed-forward layer gives other numbers.",
        f"They change by {number(change)} at most; the largest is {number(size)}.",
    )


def read_attention_moved(order: bool, alone: bool, told_by: Sequence[str]) -> str:
    """Say how attention's output changes when the tokens are reordered, and when each token is fed alone.

    order, alone: whether these two leave it the same, up to rounding.
    told_by: the means by which attention learns the positions of tokens, such as "its mask".
    """
    if alone:
        first = "Attention needs no other token either here: each token attends to itself alone"
    else:
        first = "Attention mixes tokens, so a token by itself gives another output"
    if order:
        return f"{first}. Another order only rounds it otherwise: the vectors hold all that it knows of places."
    return f"{first}. Another order changes it too: {listed(told_by)} can tell the places."


def write_ffn(d_model: int, d_ff: int, activation: str, bias: bool = True) -> str:
    """Write a feed-forward layer in LaTeX as a sum over its neurons.

    The formulas are equation 2 of Vaswani et al. 2017 and equation 6 of Shazeer 2020.

    d_model, d_ff: the width of the stream, and the number of neurons.
    activation: a key of ACTIVATION_NAMES.
    bias: whether a bias is added to each of its matrix products.
    """
    b_1, b_2, b_3 = (f" + b_{number}" if bias else "" for number in (1, 2, 3))
    hidden = rf"\mathrm{{{ACTIVATION_NAMES[activation]}}}\Big(\underset{{{d_ff} \times {d_model}}}{{W_1}} x{b_1}\Big)"
    if "glu" in activation:  # a gated linear unit
        hidden += rf" \odot \Big(\underset{{{d_ff} \times {d_model}}}{{W_3}} x{b_3}\Big)"
    return (
        rf"h = {hidden} \qquad \mathrm{{ffn}}(x) = \underset{{{d_model} \times {d_ff}}}{{W_2}} h{b_2} "
        rf"= \sum_{{i=1}}^{{{d_ff}}} h_i w_i{b_2} \qquad w_i = \text{{column }} i \text{{ of }} W_2"
    )


def write_moved_parts(parts: Sequence[str], order: Sequence[float], alone: Sequence[float]) -> str:
    """Write a table in markdown of the largest change in the output of each part of a block.

    parts: the names of the parts.
    order, alone: the change of each part if the tokens are fed in another order, and one at a time.
    """
    rows = {"fed in another order": order, "fed one token at a time": alone}
    lines = [f"| {name} | {' | '.join(number(change, 2) for change in changes)} |" for name, changes in rows.items()]
    return "\n".join([f"| Largest change of the output | {' | '.join(parts)} |", "|:--|" + "--:|" * len(parts), *lines])


def write_order() -> str:
    """Write in LaTeX that the feed-forward layer is a function of each row alone."""
    return r"\mathrm{ffn}(\Pi X) = \Pi\, \mathrm{ffn}(X) \qquad \mathrm{ffn}(X)_t = \mathrm{ffn}(X_t)"


def explain_written(norm: str | None, gated: bool) -> str:
    """Explain in markdown how the scores of pieces for a neuron's output row are computed.

    norm: the kind of the model's last norm: "layernorm", "rmsnorm" or None.
    gated: whether the activations have a gate, so that they can be negative.
    """
    done = {
        "layernorm": "less its mean, times the gain of the last norm",
        "rmsnorm": "times the gain of the last norm",
        None: "as it is, because this model has no last norm",
    }[norm]
    left = "Left out are the norm's division, one factor for all pieces, and" if norm else "Left out is"
    sign = " Behind a gate an activation can be negative: then it lowers what is shown as raised." if gated else ""
    return (
        f"Scores: the neuron's output row, {done}, times the **unembedding**, less the mean of all pieces, for an "
        f"activation of 1. {left} what later layers make of it; so the scores say what the row itself points at, not "
        "what the model will say. "
        f"Pieces of single bytes are not shown.{sign}"
    )


def _listed(pieces: Sequence[str], max_pieces: int = NAMED_PIECES) -> str:
    return listed([quoted(piece) for piece in dict.fromkeys(pieces)][:max_pieces])
