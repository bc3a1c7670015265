"""The visitor's tokens through deep stacks of random blocks, and through the trained model.

The norms of the stream and of the gradient are measured, and the similarity between tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.analysis.word_contexts import cosine_rows, mean_cosine
from core.limits import STACKED_TOKENS
from core.model.config import TransformerConfig
from core.model.layers import Block
from core.model.transformer import Transformer, build
from core.text.pieces import AnyTokenizer
from core.text.special import UNK
from core.topics.depth.analysis.signal import NORM_ORDER, Streams, Wiring, backward, wired
from core.topics.depth.curves import WAYS, Curve, cosine_curve, names_of, norm_curve
from core.topics.shared.places import unpadded_length
from core.tracing.run import Inputs, Run, prepare

HEADS = 4
HIDDEN_STRIDE = 4  # in an encoder, one token in four is hidden
NORM_WIRINGS = tuple(Wiring(norm, residual) for norm in NORM_ORDER for residual in (True, False))


@dataclass(frozen=True, eq=False)
class StackText:
    """The input of the stacks, and the pieces that the loss asks for.

    ids (1, L): the tokens.
    given (1, L): the ids, with [MASK] in place of the tokens that an encoder must predict.
    mask (…, L, L): or None.
    rows (T,): the tokens from which a piece is predicted.
    gold (T,): the right pieces.
    cut: number of tokens in the whole text if it was cut, otherwise 0.
    """

    ids: Tensor
    given: Tensor
    mask: Tensor | None
    rows: Tensor
    gold: Tensor
    cut: int


@dataclass(frozen=True)
class StackShape:
    """The shape of a stack of random blocks.

    width: d_model.
    layers: number of layers.
    seed: the seed of its weights.
    gain: the factor by which its matrices are multiplied.
    """

    width: int
    layers: int
    seed: int
    gain: float = 1.0


@dataclass(frozen=True, eq=False)
class Norms:
    """The norms before the first layer and after each layer.

    signal, gradient (R, N + 1): the norms of the stream, and of the gradient of the cross-entropy, with R the number of
        NORM_WIRINGS, or 1 for a model as it is. The gradient is NaN if the model was trained for something else.
    losses (R,): the cross-entropies.
    """

    signal: np.ndarray
    gradient: np.ndarray
    losses: np.ndarray


class StreamTap:
    """A tap that collects the stream of one stack in a pass with gradients.

    It collects the input of the first block, which starts the graph of gradients, and the output of each block. Nothing
    is left on the model.
    """

    def __init__(self, stack: str) -> None:
        self.stack, self.prefix, self.seen = stack, "", list[Tensor]()

    def scope(self, name: str) -> "StreamTap":
        inner = object.__new__(StreamTap)
        inner.__dict__.update(self.__dict__, prefix=f"{self.prefix}{name}.")
        return inner

    def touches(self, name: str) -> bool:
        return False

    def __call__(self, name: str, x: Tensor) -> Tensor:
        stack, _, layer = self.prefix.rstrip(".").partition(".")
        if stack == self.stack and ((name, layer) == ("resid_pre", "0") or (name == "resid_post" and layer)):
            x = x.detach().requires_grad_() if name == "resid_pre" else x
            self.seen.append(x)
        return x


def stack_text(tokenizer: AnyTokenizer, run: Run) -> StackText:
    """Return the first tokens of the text that the run's last stack reads, without padding, under the run's own mask.

    A decoder must predict each next token. An encoder reads [MASK] in place of every fourth token, and must predict
    that token. ValueError for a text of one token.
    """
    return _stack_text(run, prepare(run, tokenizer))


def _stack_text(run: Run, inputs: Inputs) -> StackText:
    """Return the `StackText` of a run whose inputs are prepared; ValueError for a text of one token."""
    stack = run.config.stacks[-1]
    whole = unpadded_length(run, inputs, stack)
    if whole < 2:
        raise ValueError("One token has no other to be compared with, and no next one to be guessed: write two words.")
    count = min(whole, STACKED_TOKENS)
    ids = torch.tensor([inputs.rows[stack].ids[:count]])
    mask = getattr(inputs.masks, stack)
    mask = None if mask is None else mask[..., :count, :count].cpu()
    if stack == "decoder":
        given, rows, gold = ids, torch.arange(count - 1), ids[0, 1:]
    else:
        rows = torch.arange(1, count, HIDDEN_STRIDE)
        hides = UNK if run.format.special.mask is None else run.format.special.mask
        given, gold = ids.index_fill(1, rows, hides), ids[0, rows]
    return StackText(ids, given, mask, rows, gold, whole if whole > count else 0)


def stack_config(config: TransformerConfig, shape: StackShape) -> TransformerConfig:
    """Return the config of a stack of this shape.

    It has the vocabulary, activation, norm, positions and scores of the given model's config.
    """
    return replace(
        config,
        architecture=config.stacks[-1],
        d_model=shape.width,
        heads=HEADS,
        kv_heads=None,
        layers=shape.layers,
        decoder_layers=None,
        windows=(),
        rotary_width=None,
        parallel_residual=False,
        d_k=None,
        d_v=None,
        d_ff=None,
        norm_position="pre",
        final_norm=True,
        residual=True,
        tied=True,
        max_length=STACKED_TOKENS,
        dropout=0.0,
        seed=shape.seed,
    )


def random_stack(config: TransformerConfig, gain: float) -> Transformer:
    """Return random blocks of a `stack_config` in float64.

    Scores of 10⁸ have a rounding error of 8 in float32, which softmax turns into gradients that are wrong in their
    first digit.

    gain: the factor by which every matrix of the blocks is multiplied; 1 leaves them as in Glorot & Bengio (2010).
    """
    model = build(config).requires_grad_(False).double()
    for block in _blocks(model) if gain != 1 else ():
        for parameter in block.parameters():
            if parameter.dim() > 1:
                parameter.mul_(gain)
    return model


def stack_norms(model: Transformer, text: StackText, layers: int) -> Norms:
    """Return the norms in the first `layers` layers of a stack, under each of NORM_WIRINGS."""
    with torch.enable_grad():
        x = model.embed_ids(text.given).expand(len(NORM_WIRINGS), -1, -1).requires_grad_()
        states = wired(_blocks(model)[:layers], x, NORM_WIRINGS, text.mask)
        return _norms_of(backward(model, states, NORM_WIRINGS, text.rows, text.gold))


def stack_cosines(model: Transformer, text: StackText, layers: int, norm: str) -> np.ndarray:
    """Return the mean cosine between two tokens in a stack, (4, N + 1), for each of `alike_wirings`.

    layers: number of the stack's layers that the text passes, N.
    norm: the position of the norms.
    """
    wirings = alike_wirings(norm)
    with torch.no_grad():
        x = model.embed_ids(text.ids).expand(len(wirings), -1, -1)
        states = wired(_blocks(model)[:layers], x, wirings, text.mask)
        return np.stack([_alike(row) for row in torch.stack(states, 1)])


def stack_remains(model: Transformer, text: StackText, layers: int) -> np.ndarray:
    """Return how much of each token's vector is left after each layer of a stack, (R, N + 1, L).

    It is the cosine of the vector after a layer with the one that enters the first, under each of NORM_WIRINGS.

    layers: number of the stack's layers that the text passes, N.
    """
    with torch.no_grad():
        x = model.embed_ids(text.ids).expand(len(NORM_WIRINGS), -1, -1)
        return _remains(torch.stack(wired(_blocks(model)[:layers], x, NORM_WIRINGS, text.mask), 1))


def own_remains(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> np.ndarray:
    """Return the same in the run's own model, (N + 1, L)."""
    _, states, _ = _own(model, tokenizer, run, hides=False)
    return _remains(torch.cat(states))


def remains_curves(remains: Sequence[np.ndarray], token: int, name: str) -> list[Curve]:
    """Return what is left, as curves with their spread over the seeds.

    First those of one token, called `name`, in the stacks with pre-norm, with and without residual connections; then
    the mean of all tokens under each of NORM_WIRINGS.

    remains: of each seed, as `stack_remains` returns them.
    """
    stacked = np.stack(remains)  # (S, R, N + 1, L)
    rows = [NORM_WIRINGS.index(Wiring("pre", residual)) for residual in (True, False)]
    return [
        *(cosine_curve(name, way, stacked[:, row, :, token]) for row, way in zip(rows, WAYS, strict=True)),
        *(
            cosine_curve(*names_of(wiring, of_norm=True), stacked[:, row].mean(-1))
            for row, wiring in enumerate(NORM_WIRINGS)
        ),
    ]


def alike_wirings(norm: str) -> tuple[Wiring, ...]:
    """Return four wirings: with and without residual connections, each of them with and without feed-forward layers.

    norm: the position of the norms, as in `Wiring`.
    """
    return tuple(Wiring(norm, residual, feeds) for residual in (True, False) for feeds in (True, False))


def alike_curves(cosines: Sequence[np.ndarray], norm: str) -> list[Curve]:
    """Return the mean over the seeds of the cosines in each of `alike_wirings`, as a curve with its spread.

    cosines: the cosines of each seed, as `stack_cosines` returns them.
    """
    stacked, wirings = np.stack(cosines), alike_wirings(norm)  # (S, R, N + 1)
    return [cosine_curve(*names_of(wiring, of_norm=False), stacked[:, row]) for row, wiring in enumerate(wirings)]


def signal_curves(measurements: Sequence[Norms], gradient: bool) -> list[Curve]:
    """Return the geometric mean over the seeds of the norms in each of NORM_WIRINGS, as a curve with its spread.

    measurements: the measurement of each seed. gradient: whether the norms are those of the gradient, not of the
        stream.
    """
    stacked = np.stack([each.gradient if gradient else each.signal for each in measurements])  # (S, R, N + 1)
    return [norm_curve(*names_of(wiring, of_norm=True), stacked[:, row]) for row, wiring in enumerate(NORM_WIRINGS)]


def own_norms(model: Transformer, tokenizer: AnyTokenizer, run: Run, guesses: bool) -> Norms:
    """Return the norms in the run's own model, from one forward and one backward pass.

    guesses: whether the model learnt to predict the pieces that the loss asks for; if not, the gradients are NaN.
    """
    text, states, output = _own(model, tokenizer, run, hides=True)
    if not guesses:
        none = np.full((1, len(states)), np.nan)
        return Norms(_sizes(states), none, none[:, 0])
    logits = output if run.config.stacks[-1] == "decoder" else model.logits(output)
    loss = F.cross_entropy(logits[0, text.rows].float(), text.gold)
    gradients = torch.autograd.grad(loss, states)
    return Norms(_sizes(states), _sizes(gradients), np.array([loss.item()]))


def own_cosines(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> np.ndarray:
    """Return the mean cosine between two tokens in the run's own model, (N + 1,)."""
    _, states, _ = _own(model, tokenizer, run, hides=False)
    return _alike(torch.cat(states))


def _own(model: Transformer, tokenizer: AnyTokenizer, run: Run, hides: bool) -> tuple[StackText, list[Tensor], Tensor]:
    """Return the text that the model's last stack reads, its stream, and the model's output, with gradients.

    hides: whether an encoder reads [MASK] in place of the tokens that it must predict.
    """
    inputs, stack = prepare(run, tokenizer), run.config.stacks[-1]
    text, tap = _stack_text(run, inputs), StreamTap(stack)
    ids = text.given if hides else text.ids
    masks = replace(inputs.masks, **{stack: text.mask})
    with torch.enable_grad():
        output = (
            model(ids, None, masks, tap) if stack == "encoder" else model(inputs.ids("encoder", "cpu"), ids, masks, tap)
        )
    return text, tap.seen, output


def _alike(states: Tensor) -> np.ndarray:
    """Return the mean cosine of all pairs of different tokens, (N + 1,), from states (N + 1, L, D)."""
    rows, different = states.detach().double().numpy(), ~np.eye(states.shape[1], dtype=bool)
    return mean_cosine(rows, rows, different)


def _remains(states: Tensor) -> np.ndarray:
    """Return the cosines (…, N + 1, L) of states (…, N + 1, L, D) with those before the first layer."""
    rows = states.detach().double().numpy()
    return cosine_rows(rows, rows[..., :1, :, :])


def _blocks(model: Transformer) -> Sequence[Block]:
    return list(getattr(model, model.config.stacks[-1]))


def _norms_of(streams: Streams) -> Norms:
    return Norms(streams.signal.numpy(), streams.gradient.numpy(), streams.losses.double().numpy())


def _sizes(tensors: Sequence[Tensor]) -> np.ndarray:
    return torch.stack([tensor.detach().double().norm() for tensor in tensors])[None].numpy()
