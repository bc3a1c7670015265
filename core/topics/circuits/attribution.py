"""Which part of a model wrote a word: a logit as a sum over everything that was added to the residual stream.

Direct logit attribution: Elhage et al. 2021, "A mathematical framework for transformer circuits"; Wang et al. 2022,
"Interpretability in the wild". The scale of each norm is held fixed; see `core.topics.circuits.direct_path`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import torch
from torch import Tensor

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.circuits.direct_path import Directions, exact, output_directions
from core.topics.shared.places import Place, attention_module
from core.topics.shared.stream_parts import block_parts, start_parts
from core.tracing.edits import Edit
from core.tracing.run import Inputs, Run, execute, prepare
from core.tracing.taps import Reduce
from core.tracing.trace import Trace

LIKELIEST = 6  # pieces that are offered for comparison
RANDOM_PIECES, RANDOM_SEED = 200, 20_221_101  # the pieces that show what a part adds to any logit
BIASES = "biases"


@dataclass(frozen=True)
class Part:
    """A part of a model that adds a vector to the residual stream.

    kind: "embedding", "positions", "token type", "attention", "cross-attention", "feed-forward", or `BIASES` for all
        biases of attention outputs, norms and logits together.
    layer: from 0; -1 before the blocks and for the biases.
    head: from 0; None for what is no head.
    """

    kind: str
    layer: int = -1
    head: int | None = None

    def place(self, stack: str) -> Place:
        """Return the head as the place of an attention of this stack; an assertion fails for what is no head."""
        assert self.head is not None
        return Place(stack, self.layer, self.head, self.kind == "cross-attention")

    def switch_off(self, stack: str, row: int | None) -> Edit:
        """Return the edit that makes the part add nothing, at one row or at all of them.

        Raises ValueError for a part that is neither a head nor a feed-forward layer.
        """
        if self.head is not None:
            return Edit(f"{self.place(stack).prefix}z", "zero", head=self.head, row=row)
        if self.kind == "feed-forward":
            return Edit(f"{stack}.{self.layer}.ffn_out", "zero", row=row)
        raise ValueError(f"The {self.kind} cannot be switched off: choose a head or a feed-forward layer.")


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pieces that could come at a token, and the model's logits for them.

    ids (C,): the likeliest pieces, the likeliest first, then the piece that the text has there, if it is another.
    pieces: their labels.
    logits, probabilities (C,): the model's own.
    mean_logit: the mean of the logits of all pieces.
    written: the index of the piece that the text has; None if there is none.
    """

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    logits: np.ndarray
    probabilities: np.ndarray
    mean_logit: float
    written: int | None


@dataclass(frozen=True, eq=False)
class Attribution:
    """The logits of some pieces at one token as sums over the parts that wrote to its residual stream.

    labels: of the stack's tokens.
    token: the token after which the pieces would come, or, for a model of hidden pieces, at which they would stand.
    parts (P,): those before the blocks, then layer by layer, the biases last.
    shares (P, C + 1): what each part adds to the logit of each candidate; in the last column, to the mean logit of all
        pieces.
    spread (P,): the standard deviation, over random pieces, of what a part adds to their logits: what it adds to any
        word, so that a bar within it says nothing about this one.
    """

    labels: tuple[str, ...]
    token: int
    candidates: Candidates
    parts: tuple[Part, ...]
    shares: np.ndarray
    spread: np.ndarray


@dataclass(frozen=True, eq=False)
class HeadReading:
    """What one head read to write its share of a logit.

    labels: of the tokens that it reads.
    weights (K,): its attention weights at the token.
    shares (K, C + 1): what it adds to each logit by reading each token, weight × value × output matrix × direction; the
        sum over the tokens is the head's share in `Attribution.shares`.
    """

    labels: tuple[str, ...]
    weights: np.ndarray
    shares: np.ndarray


@dataclass(frozen=True, eq=False)
class SwitchedOff:
    """The logits of the candidates, and the mean logit, without one part: (C + 1,).

    here: if it adds nothing at the token alone; what it wrote for other tokens stays.
    everywhere: if it adds nothing at any token.
    """

    here: np.ndarray
    everywhere: np.ndarray


def attribute(model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, token: int) -> Attribution:
    """Return the logits of the likeliest pieces at a token as sums over the parts of the model.

    Raises ValueError for a token that the text does not have.
    """
    inputs, activations = _recorded(model, tokenizer, run, stack, token)
    candidates = _candidates(model, tokenizer, run, inputs, stack, token, activations)
    rng = torch.Generator().manual_seed(RANDOM_SEED)
    drawn = torch.randint(run.config.vocab_size, (RANDOM_PIECES,), generator=rng)
    pieces = torch.cat([torch.tensor(candidates.ids), drawn])
    parts, shares = [], []
    for part, share, _ in _walk(model, run, stack, activations, pieces):
        parts.append(part)
        shares.append(share)
    table = torch.stack(shares).numpy()  # (P, C + random + 1)
    count = len(candidates.ids)
    spread = table[:, count:-1].std(-1)
    own = np.concatenate([table[:, :count], table[:, -1:]], axis=-1)
    return Attribution(inputs.rows[stack].labels, token, candidates, tuple(parts), own, spread)


def read_by_head(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, token: int, part: Part, ids: Sequence[int]
) -> HeadReading:
    """Return what a head read at a token, and what each token that it read added to the logits of some pieces.

    ids: the candidates of `attribute`.
    """
    place = part.place(stack)
    sites = {
        f"{place.prefix}pattern": _of_head(place.head, token),
        f"{place.prefix}v": _of_head(run.config.kv_head_of(place.head)),
    }
    inputs, activations = _recorded(model, tokenizer, run, stack, token, sites)
    weights, values = (activations[key] for key in sites)  # (K,), (K, E)
    walked = _walk(model, run, stack, activations, torch.tensor(ids))
    direction = next(directions for other, _, directions in walked if other == part)
    w_o = exact(attention_module(model, place).w_o.weight).unflatten(1, (run.config.heads, -1))[:, place.head]  # (D, E)
    shares = weights[:, None] * (values @ w_o.T @ direction.vectors.T)  # (K, C + 1)
    row = inputs.rows["encoder" if place.cross else stack]
    return HeadReading(row.labels, weights.numpy(), shares.numpy())


def switch_off(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, token: int, part: Part, ids: Sequence[int]
) -> SwitchedOff:
    """Return the logits of some pieces when one part adds nothing.

    Raises ValueError for a part that is neither a head nor a feed-forward layer.
    """
    inputs = prepare(run, tokenizer)
    found = []
    for row in (token, None):
        edits = (*run.edits, part.switch_off(stack, row))
        final = execute(model, run, inputs, [f"{stack}.final"], edits=edits)[f"{stack}.final"][:, token]
        with torch.inference_mode():
            logits = exact(model.logits(final))[0]
        found.append(torch.cat([logits[list(ids)], logits.mean()[None]]).numpy())
    return SwitchedOff(*found)


def _recorded(
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


def _walk(
    model: Transformer, run: Run, stack: str, activations: dict[str, Tensor], pieces: Tensor
) -> Iterable[tuple[Part, Tensor, Directions]]:
    """Yield each part, in the order of `Attribution.parts`, with its shares (C + 1,) and the directions behind it."""
    directions = output_directions(model, activations[f"{stack}.final"], pieces)
    last = activations[f"{stack}.{run.config.depth(stack) - 1}.resid_post"]
    directions = directions.before_norm(getattr(model, f"{stack}_norm"), last)
    found: list[tuple[Part, Tensor, Directions]] = []
    biases = torch.zeros(len(directions.vectors), dtype=torch.float64)
    for layer in reversed(range(run.config.depth(stack))):
        written, directions, more = _through_block(model, run, stack, layer, activations, directions)
        found += written
        biases += more
    start = start_parts(run)
    summed = torch.stack([activations[f"{stack}.{site}"] for _, site in start]).sum(0)
    directions = directions.before_norm(model.embed_norm, summed)
    for name, site in reversed(start):
        found.append((Part(name), directions.vectors @ activations[f"{stack}.{site}"], directions))
    yield from reversed(found)
    yield Part(BIASES), biases + directions.constants, directions


def _through_block(
    model: Transformer, run: Run, stack: str, layer: int, activations: dict[str, Tensor], directions: Directions
) -> tuple[list[tuple[Part, Tensor, Directions]], Directions, Tensor]:
    """Go backwards through one block.

    Returns its parts, the last first; the directions before it; and what the output biases of its attentions add.
    """
    config, block, prefix = run.config, getattr(model, stack)[layer], f"{stack}.{layer}."
    norms = {"attention": block.norm_attn, "cross-attention": block.norm_cross, "feed-forward": block.norm_ffn}
    parts = block_parts(run, stack)
    found: list[tuple[Part, Tensor, Directions]] = []
    biases = torch.zeros(len(directions.vectors), dtype=torch.float64)
    for index, (name, added, _) in reversed(list(enumerate(parts))):
        out = activations[prefix + added]
        if config.norm_position == "post":
            before = activations[prefix + (parts[index - 1][2] if index else "resid_pre")]
            directions = directions.before_norm(norms[name], before + out if config.residual else out)
        if name == "feed-forward":
            found.append((Part(name, layer), directions.vectors @ out, directions))
        else:
            heads = activations[prefix + added.replace("attn_out", "head_out")]  # (H, D)
            shares = heads @ directions.vectors.T  # (H, C + 1)
            found += [(Part(name, layer, head), shares[head], directions) for head in reversed(range(len(heads)))]
            biases += directions.vectors @ (out - heads.sum(0))
        if not config.residual:  # the part replaces the stream: nothing before it comes through
            directions = Directions(torch.zeros_like(directions.vectors), directions.constants)
    return found, directions, biases


def _candidates(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    inputs: Inputs,
    stack: str,
    token: int,
    activations: dict[str, Tensor],
) -> Candidates:
    with torch.inference_mode():
        final = activations[f"{stack}.final"].to(model.embed.weight)
        logits = exact(model.logits(final[None]))[0]
    ids = logits.topk(min(LIKELIEST, len(logits))).indices.tolist()
    row = inputs.rows[stack]
    place = token + 1 if stack == "decoder" else token
    written = row.ids[place] if place < len(row) else None
    if stack == "encoder" and written == run.format.special.mask:
        written = None
    if written is not None and written not in ids:
        ids.append(written)
    probabilities = logits.softmax(-1)
    return Candidates(
        tuple(ids),
        tokenizer.labels(ids),
        logits[ids].numpy(),
        probabilities[ids].numpy(),
        float(logits.mean()),
        None if written is None else ids.index(written),
    )


def _at_token(token: int) -> Callable[[Tensor], Tensor]:
    return lambda x: x[0, ..., token, :]


def _of_head(head: int, row: int | None = None) -> Callable[[Tensor], Tensor]:
    return lambda x: x[0, head] if row is None else x[0, head, row]
