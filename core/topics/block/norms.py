"""One token's vector through one norm of a block: its input, the model's own output, and the arithmetic."""

from dataclasses import dataclass

import numpy as np
from torch import Tensor, nn

from core.analysis.norms import NormTerms, layer_norm_terms, rms_norm_terms
from core.model.config import TransformerConfig
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.shared.places import to_numpy
from core.topics.shared.stream_parts import block_parts
from core.tracing.run import Run, execute, prepare

LAST_NORM = "last"
MODULES = {"attention": "norm_attn", "cross-attention": "norm_cross", "feed-forward": "norm_ffn"}


@dataclass(frozen=True, eq=False)
class NormRecord:
    """A norm at one token.

    labels: the labels of the text's tokens.
    kind: the model's kind of norm, "layernorm" or "rmsnorm".
    made (D,): the output of the model's own norm; None if the model has none, in which case gains are 1 and biases 0.
    own, other: the norm of this vector computed step by step, by the model's kind and by the other kind with the same
        gain.
    """

    labels: tuple[str, ...]
    token: int
    kind: str
    made: np.ndarray | None
    own: NormTerms
    other: NormTerms

    @property
    def error(self) -> float:
        """The largest difference between the norm computed step by step and the model's output; 0 without a norm."""
        return 0.0 if self.made is None else float(np.abs(self.own.out - self.made).max())

    @property
    def cosine(self) -> float:
        """The cosine between the outputs of the two kinds, before gain and bias; NaN if either is zero."""
        own, other = self.own.normalised, self.other.normalised
        sizes = float(np.linalg.norm(own) * np.linalg.norm(other))
        return float(own @ other) / sizes if sizes else float("nan")


def norm_names(run: Run, stack: str) -> tuple[str, ...]:
    """Return the names of a stack's norms: the part that each belongs to, then the last norm if the stack has one."""
    parts = tuple(part for part, *_ in block_parts(run, stack))
    return (*parts, LAST_NORM) if run.config.ends_with_norm else parts


def norm(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, layer: int, which: str, token: int
) -> NormRecord:
    """Return the record of one norm of a layer at one token.

    which: one of `norm_names`.

    ValueError for another name, and for a token that the text does not have.
    """
    if which not in norm_names(run, stack):
        raise ValueError(f"There is no norm {which!r} here: choose {', '.join(norm_names(run, stack))}.")
    inputs = prepare(run, tokenizer)
    labels = inputs.rows[stack].labels
    if not 0 <= token < len(labels):
        raise ValueError(f"There is no token {token}: the text has {len(labels)}, counted from 0.")
    before, added, behind = _sites(run, stack, layer, which)
    keys = [key for key in (before, added, behind) if key]

    def at_token(x: Tensor) -> Tensor:
        return x[0, token]

    activations = execute(model, run, inputs, keys, dict.fromkeys(keys, at_token))
    x = to_numpy(activations[before] + activations[added] if added else activations[before])
    gain, bias = _learned(_module(model, stack, layer, which), run.config)
    output = to_numpy(activations[behind]) if behind else None
    kind, eps = run.config.norm, run.config.norm_eps
    sums = {"layernorm": layer_norm_terms(x, gain, bias, eps), "rmsnorm": rms_norm_terms(x, gain, eps)}
    return NormRecord(labels, token, kind, output, sums.pop(kind), sums.popitem()[1])


def _sites(run: Run, stack: str, layer: int, which: str) -> tuple[str, str, str]:
    """Return the keys of a norm's input, of the vector that is first added to that input, and of the norm's output.

    A key is "" if there is no such vector.

    which: one of `norm_names`.
    """
    config = run.config
    if which == LAST_NORM:
        return f"{stack}.{config.depth(stack) - 1}.resid_post", "", f"{stack}.final"
    parts = block_parts(run, stack)
    index = next(number for number, part in enumerate(parts) if part[0] == which)
    _, output_site, stream_site = parts[index]
    before = "resid_pre" if index == 0 or config.parallel_residual else parts[index - 1][2]
    prefix = f"{stack}.{layer}."
    if config.norm_position == "post":
        added = prefix + output_site
        return (prefix + before, added, prefix + stream_site) if config.residual else (added, "", prefix + stream_site)
    input_site = output_site.replace("attn_out", "attn_in").replace("ffn_out", "ffn_in")
    return prefix + before, "", prefix + input_site if config.norm_position == "pre" else ""


def _module(model: Transformer, stack: str, layer: int, which: str) -> nn.Module:
    return (
        getattr(model, f"{stack}_norm") if which == LAST_NORM else getattr(getattr(model, stack)[layer], MODULES[which])
    )


def _learned(module: nn.Module, config: TransformerConfig) -> tuple[np.ndarray, np.ndarray]:
    """Return the gain and bias (D,) of a norm in float64: 1 and 0 if it has none."""
    gain, bias = getattr(module, "weight", None), getattr(module, "bias", None)
    ones, zeros = np.ones(config.d_model), np.zeros(config.d_model)
    gains, biases = (ones if gain is None else to_numpy(gain), zeros if bias is None else to_numpy(bias))
    return gains.astype(np.float64), biases.astype(np.float64)
