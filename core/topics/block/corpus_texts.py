"""The texts on which a neuron fires most, found beforehand by a command and read again by the model."""

from dataclasses import dataclass, replace

import numpy as np

from core.checkpoints.firing import Firing, PoolText
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.shared.places import to_numpy
from core.tracing.run import AS_BUILT, Run, execute, prepare


@dataclass(frozen=True)
class FoundText:
    """A corpus text with one of a neuron's highest activations, as found by an earlier search.

    token: the number of the token with the highest activation.
    activation: the activation there.
    """

    text: PoolText
    token: int
    activation: float


@dataclass(frozen=True, eq=False)
class LitText:
    """A corpus text with the activation of one neuron at every token, computed by the current model.

    pieces (L,), activations (L,): one for each token.
    token: the token at which the stored search found the highest activation.
    source: the English text that the encoder reads, if the neuron is in the decoder behind it; otherwise "".
    """

    pieces: tuple[str, ...]
    activations: np.ndarray
    token: int
    source: str


def found_texts(firing: Firing, stack: str, layer: int, neuron: int) -> tuple[FoundText, ...]:
    """Return the texts with a neuron's highest activations, highest first; empty if it is never active."""
    strongest = firing.stacks.get(stack)
    if strongest is None:
        return ()
    arrays = strongest.text, strongest.token, strongest.activation
    rows = zip(*(array[layer, neuron].tolist() for array in arrays), strict=True)
    return tuple(FoundText(firing.pool[text], token, much) for text, token, much in rows if much > 0)


def as_trained(run: Run, text: PoolText) -> Run:
    """Return a run of the same model on a text as it was trained to read it.

    The run's own mask, padding and edits are left out.
    """
    target = text.french if run.config.has_two_stacks else ""
    return replace(run, text=text.english, target=target, masks=AS_BUILT, pads=0, edits=())


def lit_texts(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    stack: str,
    layer: int,
    neuron: int,
    hits: tuple[FoundText, ...],
) -> tuple[LitText, ...]:
    """Return the activation of one neuron at every token of the texts found for it.

    hits: the texts, from `found_texts`.
    Raises ValueError if a text has no token with the stored number, as after a change of tokenizer.
    """
    key, lit = f"{stack}.{layer}.ffn_hidden", []
    for hit in hits:
        text_run = as_trained(run, hit.text)
        inputs = prepare(text_run, tokenizer)
        row = inputs.rows[stack]
        if hit.token >= len(row):
            raise ValueError(f"The text “{hit.text.english[:60]}” has no token {hit.token}.")
        activations = execute(model, text_run, inputs, [key], {key: lambda hidden: hidden[0, :, neuron]})[key]
        source = text_run.text if text_run.target and stack == "decoder" else ""
        lit.append(LitText(row.pieces, to_numpy(activations), hit.token, source))
    return tuple(lit)
