"""The texts on which a neuron fires most, as a command found them, read again by the model."""

from dataclasses import dataclass, replace

import numpy as np

from core.checkpoints.firing import Firing, PoolText
from core.explorer.shared.places import to_numpy
from core.explorer.shared.run_from_choices import mask_kinds
from core.model.masks import MaskSpec
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run, execute, prepare


@dataclass(frozen=True)
class FoundText:
    """A text of the pool on which a neuron fires: at which token most, and how much, as the command found it."""

    text: PoolText
    token: int
    activation: float


@dataclass(frozen=True, eq=False)
class LitText:
    """A text as the model reads it now. pieces (L,), activations (L,) of one neuron; token: where the command found
    it to fire most. source: the English text that a decoder has beside it."""

    pieces: tuple[str, ...]
    activations: np.ndarray
    token: int
    source: str


def found_texts(firing: Firing, stack: str, layer: int, neuron: int) -> tuple[FoundText, ...]:
    """The texts of a neuron, the strongest first; none where it never fires on any."""
    found = firing.stacks.get(stack)
    if found is None:
        return ()
    rows = zip(*(each[layer, neuron].tolist() for each in (found.text, found.token, found.activation)), strict=True)
    return tuple(FoundText(firing.pool[text], token, much) for text, token, much in rows if much > 0)


def as_trained(run: Run, text: PoolText) -> Run:
    """The run's model on a text as it was trained to read it, without the run's own mask, padding and edits."""
    mask = MaskSpec(mask_kinds(("as built",), run.config.architecture))
    target = text.french if run.config.has_two_stacks else ""
    return replace(run, text=text.english, target=target, mask=mask, pads=0, edits=())


def lit_texts(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    stack: str,
    layer: int,
    neuron: int,
    found: tuple[FoundText, ...],
) -> tuple[LitText, ...]:
    """The texts through the run's model. ValueError for a token that a text does not have."""
    key, lit = f"{stack}.{layer}.ffn_hidden", []
    for each in found:
        own = as_trained(run, each.text)
        inputs = prepare(own, tokenizer)
        row = inputs.rows[stack]
        if each.token >= len(row):
            raise ValueError(f"The text “{each.text.english[:60]}” has no token {each.token}.")
        seen = execute(model, own, inputs, [key], {key: lambda hidden: hidden[0, :, neuron]})[key]
        lit.append(
            LitText(row.pieces, to_numpy(seen), each.token, own.text if own.target and stack == "decoder" else "")
        )
    return tuple(lit)
