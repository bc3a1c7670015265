"""The permutation test: shuffle the words, and see whether the outputs only move along."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.checkpoints.source import Shipped
from core.model.config import TransformerConfig
from core.model.masks import build_mask, without_padding
from core.model.transformer import Transformer, build
from core.text.pieces import AnyTokenizer
from core.text.special import TextFormat
from core.topics.positions.encodings import KINDS
from core.topics.shared.places import to_numpy, unpadded_length
from core.tracing.run import Run, prepare

TOLERANCE = 1e-3  # of the largest output: far above float32's rounding, far below what positions do


@dataclass(frozen=True)
class Shuffled:
    """One model's outputs for a text and for its words in another order, compared in the first order.

    stack: the stack whose outputs are compared.
    masked: whether a mask that depends on the order is active.
    before, after: the words in both orders.
    movable: the number of words apart from <s>, </s> and padding, which stay in place.
    labels (L,): the labels of the tokens.
    order (L,): for each place in the new order, the place of its token in the first one.
    apart (L,): the largest difference in the output of each token.
    changed (L,): the length of the difference, divided by the length of the output before.
    size: the largest output.
    """

    stack: str
    masked: bool
    before: tuple[str, ...]
    after: tuple[str, ...]
    movable: int
    labels: tuple[str, ...]
    order: np.ndarray
    apart: np.ndarray
    changed: np.ndarray
    size: float

    @property
    def largest(self) -> float:
        return float(self.apart.max())

    @property
    def smallest(self) -> float:
        return float(self.apart.min())

    @property
    def moves_along(self) -> bool:
        """Whether the outputs are only permuted, up to rounding."""
        return self.largest <= TOLERANCE * self.size


def word_order(words: int, seed: int) -> np.ndarray:
    """Return a random order of the words, never the old one if there are two or more."""
    order = np.random.default_rng(seed).permutation(words)
    return np.roll(order, 1) if words > 1 and (order == np.arange(words)).all() else order


def token_order(words: Sequence[int], movable: range, seed: int) -> np.ndarray:
    """Return for each new position the old position of its token, (L,).

    Words move as a whole, and tokens outside `movable` stay.
    words: for each token the number of its word.
    """
    numbers = np.asarray(words)
    inside = numbers[movable.start : movable.stop]
    names = list(dict.fromkeys(inside.tolist()))
    order = word_order(len(names), seed)
    moved = [position for name in order for position in movable if numbers[position] == names[name]]
    rest = range(movable.stop, len(numbers))
    return np.array([*range(movable.start), *moved, *rest])


def outputs(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> np.ndarray:
    """Return the outputs (L, D) of the stack that reads `run.text` in its own order, under the run's own mask."""
    inputs, stack = prepare(run, tokenizer), run.config.stacks[0]
    return _outputs(model, run, stack, inputs.rows[stack].ids, getattr(inputs.masks, stack))


def shuffled(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, seed: int, first: np.ndarray | None = None
) -> Shuffled:
    """Shuffle the words of `run.text`, and compare each token's output with its output in the first order.

    The run's own mask applies; <s>, </s> and padding stay in place.

    first (L, D): the outputs in the text's own order, if they are known.
    Raises ValueError if the numbers overflow.
    """
    first = outputs(model, tokenizer, run) if first is None else first
    inputs, stack = prepare(run, tokenizer), run.config.stacks[0]
    row = inputs.rows[stack]
    end = unpadded_length(run, inputs, stack) - run.format.end
    order = token_order(row.words, range(int(run.format.begin), end), seed)
    second = _outputs(model, run, stack, [row.ids[old] for old in order], getattr(inputs.masks, stack))
    back = np.empty_like(second)
    back[order] = second
    hiding = build_mask(without_padding(run.masks), len(row), len(row)) if not run.config.has_two_stacks else None
    return Shuffled(
        stack,
        hiding is not None and not bool(hiding.all()),
        row.word_labels,
        tuple(row.word_labels[word] for word in dict.fromkeys(row.words[old] for old in order)),
        len(set(row.words[int(run.format.begin) : end])),
        row.labels,
        order,
        np.abs(back - first).max(1),
        np.linalg.norm(back - first, axis=1) / np.maximum(np.linalg.norm(first, axis=1), 1e-30),
        float(np.abs(first).max()),
    )


def _outputs(model: Transformer, run: Run, stack: str, ids: Sequence[int], mask: Tensor | None) -> np.ndarray:
    with torch.inference_mode():
        outputs = to_numpy(model.run_stack(stack, torch.tensor([ids], device=run.placement.device), mask)[0])
    if not np.isfinite(outputs).all():
        raise ValueError("The numbers overflow: choose a norm, fewer layers or another number format.")
    return outputs


def trained_run(text: str, known: Shipped) -> Run:
    """Return the run of a trained model on a text, read as in its training, without a mask of its own."""
    return Run(text, known.config, text, masks=(), source=known.source, format=known.format)


def fresh_encoders(vocabulary: int, seed: int, kinds: Sequence[str] = KINDS) -> nn.ModuleDict:
    """Return encoders of the default sizes, by the kind of their positions.

    They differ in nothing else: for one seed their other weights are equal.
    """
    configs = {kind: TransformerConfig(vocab_size=vocabulary, positions=kind, seed=seed) for kind in kinds}
    return nn.ModuleDict({kind: build(config).requires_grad_(False) for kind, config in configs.items()})


def shuffled_fresh(models: nn.ModuleDict, tokenizer: AnyTokenizer, run: Run, seed: int) -> dict[str, Shuffled]:
    """Run the test on fresh encoders without a mask, with this run's text; results by kind of positions."""
    plain = Run(run.text, TransformerConfig(), tokenizer=run.tokenizer, source=run.source, format=TextFormat())
    every: Iterable[tuple[str, Any]] = models.items()
    return {kind: shuffled(model, tokenizer, replace(plain, config=model.config), seed) for kind, model in every}
