"""Which part of a model wrote a word: a logit as a sum over everything that was added to the residual stream.

Direct logit attribution: Elhage et al. 2021, "A mathematical framework for transformer circuits"; Wang et al. 2022,
"Interpretability in the wild". The scale of each norm is held fixed; see `core.topics.circuits.direct_path`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.circuits.direct_path import exact, output_directions
from core.topics.circuits.parts import Component, recorded_parts, walk_back
from core.topics.shared.places import attention_module
from core.tracing.run import Inputs, Run, execute, prepare

LIKELIEST = 6  # pieces that are offered for comparison
RANDOM_PIECES, RANDOM_SEED = 200, 20_221_101  # the pieces that show what a part adds to any logit


@dataclass(frozen=True, eq=False)
class CandidateLogits:
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
    candidates: CandidateLogits
    parts: tuple[Component, ...]
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
    inputs, activations = recorded_parts(model, tokenizer, run, stack, token)
    candidates = _candidates(model, tokenizer, run, inputs, stack, token, activations)
    rng = torch.Generator().manual_seed(RANDOM_SEED)
    drawn = torch.randint(run.config.vocab_size, (RANDOM_PIECES,), generator=rng)
    pieces = torch.cat([torch.tensor(candidates.ids), drawn])
    parts, shares = [], []
    final = activations[f"{stack}.final"]
    for part, share, _ in walk_back(model, run, stack, activations, output_directions(model, final, pieces)):
        parts.append(part)
        shares.append(share)
    table = torch.stack(shares).numpy()  # (P, C + random + 1)
    count = len(candidates.ids)
    spread = table[:, count:-1].std(-1)
    own = np.concatenate([table[:, :count], table[:, -1:]], axis=-1)
    return Attribution(inputs.rows[stack].labels, token, candidates, tuple(parts), own, spread)


def read_by_head(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, token: int, part: Component, ids: Sequence[int]
) -> HeadReading:
    """Return what a head read at a token, and what each token that it read added to the logits of some pieces.

    ids: the candidates of `attribute`.
    """
    place = part.place(stack)
    sites = {
        f"{place.prefix}pattern": _of_head(place.head, token),
        f"{place.prefix}v": _of_head(run.config.kv_head_of(place.head)),
    }
    inputs, activations = recorded_parts(model, tokenizer, run, stack, token, sites)
    weights, values = (activations[key] for key in sites)  # (K,), (K, E)
    directions = output_directions(model, activations[f"{stack}.final"], torch.tensor(ids))
    walked = walk_back(model, run, stack, activations, directions)
    direction = next(behind for other, _, behind in walked if other == part)
    w_o = exact(attention_module(model, place).w_o.weight).unflatten(1, (run.config.heads, -1))[:, place.head]  # (D, E)
    shares = weights[:, None] * (values @ w_o.T @ direction.vectors.T)  # (K, C + 1)
    row = inputs.rows["encoder" if place.cross else stack]
    return HeadReading(row.labels, weights.numpy(), shares.numpy())


def switch_off(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, token: int, part: Component, ids: Sequence[int]
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


def _candidates(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    inputs: Inputs,
    stack: str,
    token: int,
    activations: dict[str, Tensor],
) -> CandidateLogits:
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
    return CandidateLogits(
        tuple(ids),
        tokenizer.labels(ids),
        logits[ids].numpy(),
        probabilities[ids].numpy(),
        float(logits.mean()),
        None if written is None else ids.index(written),
    )


def _of_head(head: int, row: int | None = None) -> Callable[[Tensor], Tensor]:
    return lambda x: x[0, head] if row is None else x[0, head, row]
