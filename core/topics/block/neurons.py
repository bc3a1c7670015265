"""The neurons of one feed-forward layer: those that fire at a token, their outputs, and their effect on the logits."""

from dataclasses import dataclass

import numpy as np
import torch

from core.model.layers import FeedForward
from core.model.transformer import Transformer
from core.text.pieces import FIRST_LEARNED, AnyTokenizer
from core.text.tokenizer import Tokenizer
from core.topics.block.analysis import before_unembedding, output_shares, written_lengths
from core.topics.block.stream import names_pieces
from core.topics.shared.loading import up_to
from core.topics.shared.places import HeadAddress, to_numpy
from core.tracing.run import Run, execute, prepare
from core.tracing.trace import trace

SHOWN_NEURONS = 10  # neurons, the strongest at a token
SHOWN_PIECES = 6  # shown of those that a neuron raises most, and of those that it lowers most


@dataclass(frozen=True, eq=False)
class BlockInputs:
    """The inputs of the two parts of a block: a row for each token, both (L, D)."""

    labels: tuple[str, ...]
    attention: np.ndarray
    ffn: np.ndarray


@dataclass(frozen=True, eq=False)
class Neurons:
    """A feed-forward layer at one token.

    count: number of neurons in the layer.
    numbers: the n strongest neurons at the token, by the norm of the vector that each adds; the chosen neuron comes
        last if it is not among them.
    chosen: the index in `numbers` of the chosen neuron.
    activations (L, n): the activations of these neurons at every token.
    lengths (n,): the norm of the vector that each neuron adds at the token.
    shares (n,): each neuron's share of the layer's output at the token; NaN if that output is zero.
    bias: the share of the layer's bias, likewise.
    size: the norm of the output.
    """

    labels: tuple[str, ...]
    token: int
    count: int
    numbers: tuple[int, ...]
    chosen: int
    activations: np.ndarray
    lengths: np.ndarray
    shares: np.ndarray
    bias: float
    size: float

    @property
    def neuron(self) -> int:
        """The number of the chosen neuron."""
        return self.numbers[self.chosen]

    @property
    def strongest(self) -> slice:
        """The slice of `numbers` with the strongest neurons."""
        return slice(0, min(SHOWN_NEURONS, self.count))

    @property
    def fires(self) -> np.ndarray:
        """The activation (L,) of the chosen neuron at every token."""
        return self.activations[:, self.chosen]


@dataclass(frozen=True)
class Written:
    """The pieces whose scores a neuron's output row raises most and lowers most.

    Each has its score for an activation of 1; the strongest come first. Special and byte pieces are left out. The mean
    over all pieces is subtracted from the scores, because a softmax does not depend on it.
    """

    raised: tuple[tuple[str, float], ...]
    lowered: tuple[tuple[str, float], ...]


def ffn_module(model: Transformer, stack: str, layer: int) -> FeedForward:
    """Return the feed-forward layer of a block.

    Raises ValueError if it has none.
    """
    ffn: FeedForward | None = getattr(model, stack)[layer].ffn
    if ffn is None:
        raise ValueError("This model has no feed-forward layer: its d_ff is 0.")
    return ffn


def block_inputs(model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, layer: int) -> BlockInputs:
    """Return the inputs of a block's attention and of its feed-forward layer."""
    inputs = prepare(run, tokenizer)
    keys = [f"{stack}.{layer}.{site}" for site in ("attn_in", "ffn_in")]
    crosses = stack == "decoder" and run.config.has_two_stacks  # its feed-forward layer reads the stream after that
    short, less = up_to(model, run, HeadAddress(stack, layer, cross=crosses))
    activations = execute(short, less, inputs, keys)
    return BlockInputs(inputs.rows[stack].labels, *(to_numpy(activations[key][0]) for key in keys))


def hidden_rows(ffn: FeedForward, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Run a feed-forward layer of the model over rows (L, D); return its activations (L, F) and its output (L, D)."""
    inputs = torch.from_numpy(rows).to(ffn.w_1.weight)[None]
    activations = trace(lambda tap: ffn(inputs, tap), record=["ffn_hidden", "ffn_out"])
    return to_numpy(activations["ffn_hidden"][0]), to_numpy(activations["ffn_out"][0])


def neurons(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    stack: str,
    layer: int,
    token: int,
    neuron: int | None,
    inputs: BlockInputs,
) -> Neurons:
    """Return the strongest neurons of a feed-forward layer at a token.

    neuron: the chosen neuron; None for the strongest.
    inputs: the inputs of the block, from `block_inputs`.

    ValueError for a token or a neuron that does not exist.
    """
    ffn = ffn_module(model, stack, layer)
    hidden, output = hidden_rows(ffn, inputs.ffn)
    count = hidden.shape[1]
    if not 0 <= token < len(hidden):
        raise ValueError(f"There is no token {token}: the text has {len(hidden)}, counted from 0.")
    if neuron is not None and not 0 <= neuron < count:
        raise ValueError(f"There is no neuron {neuron:,}: the layer has {count:,}, counted from 0.")
    rows = to_numpy(ffn.w_2.weight).T  # (F, D)
    lengths = written_lengths(hidden[token], rows)
    numbers = np.argsort(-lengths, kind="stable")[:SHOWN_NEURONS].tolist()
    neuron = numbers[0] if neuron is None else neuron
    numbers += [neuron] * (neuron not in numbers)
    added = hidden[token, numbers, None] * rows[numbers]  # (n, D)
    bias = np.zeros(rows.shape[1], rows.dtype) if ffn.w_2.bias is None else to_numpy(ffn.w_2.bias)
    shares = output_shares(np.concatenate([added, bias[None]]), output[token])
    return Neurons(
        inputs.labels,
        token,
        count,
        tuple(numbers),
        numbers.index(neuron),
        hidden[:, numbers],
        lengths[numbers],
        shares[:-1],
        float(shares[-1]),
        float(np.linalg.norm(output[token])),
    )


def written(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, layer: int, neuron: int
) -> Written | None:
    """Return the pieces that a neuron's output row raises and lowers most.

    The row passes the last norm's gain and the unembedding (Geva et al. 2022, "Transformer feed-forward layers build
    predictions by promoting concepts in the vocabulary space", section 3). None in a stack whose stream is never
    compared with the pieces.
    """
    if not names_pieces(run, tokenizer, stack):
        return None
    with torch.inference_mode():
        row = ffn_module(model, stack, layer).w_2.weight[:, neuron]
        scores = model.logits(before_unembedding(row, getattr(model, f"{stack}_norm"))).float()  # (V,)
    scores = scores - scores.mean()
    first = FIRST_LEARNED if isinstance(tokenizer, Tokenizer) else 0
    scores = scores[first:]
    max_pieces = min(SHOWN_PIECES, len(scores) // 2)
    up, down = scores.topk(max_pieces), scores.topk(max_pieces, largest=False)
    raised, lowered = (
        tuple(zip(_unlike(tokenizer, (ranking.indices + first).tolist()), ranking.values.tolist(), strict=True))
        for ranking in (up, down)
    )
    return Written(raised, lowered)


def _unlike(tokenizer: AnyTokenizer, pieces: list[int]) -> list[str]:
    """Return the labels of pieces; a label that two of them share gets the piece's id."""
    labels = tokenizer.labels(pieces)
    return [
        label if labels.count(label) == 1 else f"{label} ({piece})" for label, piece in zip(labels, pieces, strict=True)
    ]
