"""What every part of a model adds to the residual stream at one token, and the directions that it meets there."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import torch
from torch import Tensor

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.circuits.direct_path import LogitDirections, exact
from core.topics.shared.places import HeadAddress
from core.topics.shared.stream_parts import block_parts, start_parts
from core.tracing.edits import Edit
from core.tracing.run import Inputs, Run, execute, prepare
from core.tracing.taps import Reduce
from core.tracing.trace import Trace

BIASES = "biases"


@dataclass(frozen=True)
class Component:
    """A part of a model that adds a vector to the residual stream.

    kind: "embedding", "positions", "token type", "attention", "cross-attention", "feed-forward", or `BIASES` for all
        biases of attention outputs, norms and logits together.
    layer: from 0; -1 before the blocks and for the biases.
    head: from 0; None for what is no head.
    """

    kind: str
    layer: int = -1
    head: int | None = None

    def place(self, stack: str) -> HeadAddress:
        """Return the head as the place of an attention of this stack; an assertion fails for what is no head."""
        assert self.head is not None
        return HeadAddress(stack, self.layer, self.head, self.kind == "cross-attention")

    def switch_off(self, stack: str, row: int | None) -> Edit:
        """Return the edit that makes the part add nothing, at one row or at all of them.

        Raises ValueError for a part that is neither a head nor a feed-forward layer.
        """
        if self.head is not None:
            return Edit(f"{self.place(stack).prefix}z", "zero", head=self.head, row=row)
        if self.kind == "feed-forward":
            return Edit(f"{stack}.{self.layer}.ffn_out", "zero", row=row)
        raise ValueError(f"The {self.kind} cannot be switched off: choose a head or a feed-forward layer.")


def recorded_parts(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    stack: str,
    token: int,
    more: Mapping[str, Reduce] = MappingProxyType({}),
) -> tuple[Inputs, dict[str, Tensor]]:
    """Return a run's inputs, and what its parts added at one token, in float64: vectors (D,), of heads (H, D).

    more: other keys that are recorded, and what is kept of each.

    Raises ValueError for a token that the text does not have.
    """
    inputs = prepare(run, tokenizer)
    row = inputs.rows[stack]
    if not 0 <= token < len(row):
        raise ValueError(f"There is no token {token}: the text has {len(row)}, counted from 0.")
    keys = [f"{stack}.{site}" for site in (*(site for _, site in start_parts(run)), "final")]
    for layer in range(run.config.depth(stack)):
        keys += [f"{stack}.{layer}.resid_pre", f"{stack}.{layer}.resid_post"]
        for _, added, after in block_parts(run, stack):
            keys += [f"{stack}.{layer}.{site}" for site in (added, after) if site != "resid_post"]
            if added.endswith("attn_out"):
                keys.append(f"{stack}.{layer}.{added.replace('attn_out', 'head_out')}")
    reduce = {key: _at_token(token) for key in keys} | dict(more)
    activations: Trace = execute(model, run, inputs, list(reduce), reduce)
    return inputs, {key: exact(activations[key]) for key in reduce}


def walk_back(
    model: Transformer, run: Run, stack: str, activations: dict[str, Tensor], directions: LogitDirections
) -> Iterator[tuple[Component, Tensor, LogitDirections]]:
    """Go from the output of a stack back to its embeddings.

    activations: as `recorded_parts` returns them.
    directions: C of them, at the stack's output.

    Yields each part, those before the blocks first, the biases last, with its shares (C,) and the directions behind it.
    """
    last = activations[f"{stack}.{run.config.depth(stack) - 1}.resid_post"]
    directions = directions.before_norm(getattr(model, f"{stack}_norm"), last)
    found: list[tuple[Component, Tensor, LogitDirections]] = []
    biases = torch.zeros(len(directions.vectors), dtype=torch.float64)
    for layer in reversed(range(run.config.depth(stack))):
        written, directions, more = _through_block(model, run, stack, layer, activations, directions)
        found += written
        biases += more
    start = start_parts(run)
    summed = torch.stack([activations[f"{stack}.{site}"] for _, site in start]).sum(0)
    directions = directions.before_norm(model.embed_norm, summed)
    for name, site in reversed(start):
        found.append((Component(name), directions.vectors @ activations[f"{stack}.{site}"], directions))
    yield from reversed(found)
    yield Component(BIASES), biases + directions.constants, directions


def _through_block(
    model: Transformer, run: Run, stack: str, layer: int, activations: dict[str, Tensor], directions: LogitDirections
) -> tuple[list[tuple[Component, Tensor, LogitDirections]], LogitDirections, Tensor]:
    """Go backwards through one block.

    Returns its parts, the last first; the directions before it; and what the output biases of its attentions add.
    """
    config, block, prefix = run.config, getattr(model, stack)[layer], f"{stack}.{layer}."
    norms = {"attention": block.norm_attn, "cross-attention": block.norm_cross, "feed-forward": block.norm_ffn}
    parts = block_parts(run, stack)
    found: list[tuple[Component, Tensor, LogitDirections]] = []
    biases = torch.zeros(len(directions.vectors), dtype=torch.float64)
    for index, (name, added, _) in reversed(list(enumerate(parts))):
        out = activations[prefix + added]
        if config.norm_position == "post":
            before = activations[prefix + (parts[index - 1][2] if index else "resid_pre")]
            directions = directions.before_norm(norms[name], before + out if config.residual else out)
        if name == "feed-forward":
            found.append((Component(name, layer), directions.vectors @ out, directions))
        else:
            heads = activations[prefix + added.replace("attn_out", "head_out")]  # (H, D)
            shares = heads @ directions.vectors.T  # (H, C)
            found += [(Component(name, layer, head), shares[head], directions) for head in reversed(range(len(heads)))]
            biases += directions.vectors @ (out - heads.sum(0))
        if not config.residual:  # the part replaces the stream: nothing before it comes through
            directions = LogitDirections(torch.zeros_like(directions.vectors), directions.constants)
    return found, directions, biases


def _at_token(token: int) -> Callable[[Tensor], Tensor]:
    return lambda x: x[0, ..., token, :]
