"""The residual stream of one token through all blocks: the vector that each part adds, and the stream after it."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.model.transformer import Transformer
from core.text.masked import MaskTokenizer
from core.text.pieces import AnyTokenizer
from core.topics.shared.places import to_numpy
from core.topics.shared.stream_parts import block_parts, start_parts
from core.tracing.run import Run, execute, prepare


@dataclass(frozen=True)
class StreamStep:
    """One step of the stream.

    part: "embedding", "positions", "token type", "attention", "cross-attention" or "feed-forward".
    layer: the number of the layer, from 0; -1 before the blocks.
    added (D,): the vector that the part adds.
    after (D,): the stream after the step, normalised in a post-norm model.
    angle: between `added` and the stream before it, in degrees; NaN if either is zero or nothing came before.
    """

    part: str
    layer: int
    added: np.ndarray
    after: np.ndarray
    angle: float

    @property
    def label(self) -> str:
        """The name of the step, such as "attention 2"; parts before the blocks have no number."""
        return self.part if self.layer < 0 else f"{self.part} {self.layer + 1}"

    @property
    def size(self) -> float:
        """The norm of the added vector."""
        return float(np.linalg.norm(self.added))

    @property
    def length(self) -> float:
        """The norm of the stream after the step."""
        return float(np.linalg.norm(self.after))


@dataclass(frozen=True)
class Stream:
    """The residual stream at one token.

    final (D,): the stream after the last norm, if there is one.
    heard: for each step, the piece that the model would predict if it ended after that step, and its probability; empty
        if the stack predicts no pieces.
    """

    labels: tuple[str, ...]
    token: int
    steps: tuple[StreamStep, ...]
    final: np.ndarray
    heard: tuple[tuple[str, float], ...]


def stream(model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, token: int) -> Stream:
    """Return the residual stream of one token.

    He et al. 2016; Elhage et al. 2021, "A mathematical framework for transformer circuits". ValueError for a token that
    the text does not have.
    """
    inputs = prepare(run, tokenizer)
    row = inputs.rows[stack]
    if not 0 <= token < len(row):
        raise ValueError(f"There is no token {token}: the text has {len(row)}, counted from 0.")
    sites = (*(site for _, site in start_parts(run)), "0.resid_pre", "final")
    keys = [f"{stack}.{site}" for site in sites]
    for layer in range(run.config.depth(stack)):
        keys += [f"{stack}.{layer}.{site}" for _, *pair in block_parts(run, stack) for site in pair]

    def at_token(x: Tensor) -> Tensor:
        return x[0, token]

    activations = execute(model, run, inputs, keys, dict.fromkeys(keys, at_token))
    steps = _steps(run, stack, {key: to_numpy(x) for key, x in activations.items()})
    final = to_numpy(activations[f"{stack}.final"])
    return Stream(row.labels, token, steps, final, _heard(model, tokenizer, run, stack, steps))


def step_count(run: Run, stack: str) -> int:
    """Return the number of steps of a stack's stream, those before the blocks included."""
    return 1 + step_at(run, stack, run.config.depth(stack) - 1)


def step_at(run: Run, stack: str, layer: int = -1, part: str = "") -> int:
    """Return the number of the step at which a part of a layer adds its vector to the stream.

    layer: the number of the layer, from 0; -1 for the last step before the blocks, whatever the part.
    part: the name of the part, as in `block_parts`; any other means the last part of the block.
    """
    parts = [name for name, *_ in block_parts(run, stack)]
    place = parts.index(part) if part in parts else len(parts) - 1
    return len(start_parts(run)) - 1 + (0 if layer < 0 else 1 + layer * len(parts) + place)


def names_pieces(run: Run, tokenizer: AnyTokenizer, stack: str) -> bool:
    """Return whether the model predicts pieces of the vocabulary from the end of this stack's stream.

    True for decoders, and for a trained encoder that learnt to predict hidden pieces.
    """
    learnt = isinstance(tokenizer, MaskTokenizer) or run.config.masked_head
    return stack == "decoder" or (run.is_trained and learnt)


def _steps(run: Run, stack: str, activations: dict[str, np.ndarray]) -> tuple[StreamStep, ...]:
    after = np.zeros_like(activations[f"{stack}.embed"])
    steps = []
    start = start_parts(run)
    for part, site in start:
        added = activations[f"{stack}.{site}"]
        behind = activations[f"{stack}.0.resid_pre"] if part == start[-1][0] else after + added
        steps.append(_step(part, -1, added, after, behind))
        after = behind
    for layer in range(run.config.depth(stack)):
        for part, added_site, stream_after in block_parts(run, stack):
            added, before = activations[f"{stack}.{layer}.{added_site}"], after
            after = activations[f"{stack}.{layer}.{stream_after}"]
            steps.append(_step(part, layer, added, before, after))
    return tuple(steps)


def _step(part: str, layer: int, added: np.ndarray, before: np.ndarray, after: np.ndarray) -> StreamStep:
    sizes = float(np.linalg.norm(added) * np.linalg.norm(before))
    cosine = float(added @ before) / sizes if sizes else np.nan
    return StreamStep(part, layer, added, after, float(np.degrees(np.arccos(np.clip(cosine, -1, 1)))))


def _heard(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, steps: tuple[StreamStep, ...]
) -> tuple[tuple[str, float], ...]:
    """Return the likeliest piece after each step and its probability, by the logit lens (nostalgebraist 2020).

    The logit lens is the last norm, the unembedding and softmax. Empty if the stack predicts no pieces.
    """
    if not names_pieces(run, tokenizer, stack):
        return ()
    streams = torch.from_numpy(np.stack([step.after for step in steps]))
    norm = getattr(model, f"{stack}_norm")
    with torch.inference_mode():
        weight = model.embed.weight
        probabilities = model.logits(norm(streams.to(weight))).float().softmax(-1)  # (S, V)
    best, pieces = probabilities.max(-1)
    return tuple(zip(tokenizer.labels(pieces.tolist()), best.tolist(), strict=True))
