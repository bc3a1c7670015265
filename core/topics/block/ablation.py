"""The effect of each part of a block: the same run with the part and without it."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.block.answers import AnswerHead, likeliest_of, softmax
from core.topics.block.passes import CachedPass, changed_pass, keep_pass
from core.topics.shared.places import to_numpy, unpadded_length
from core.tracing.run import Overflow, Run, execute, prepare


@dataclass(frozen=True, eq=False)
class RunOutcome:
    """The outcome of one run.

    final (L, D): the output of one stack.
    lengths (N + 1, L): norms of that stack's stream before the first block and after each block.
    probabilities (C,): the probabilities of the answers; None if the model gives no answer.
    best: the likeliest answer with its probability; None if the model gives no answer.
    """

    final: np.ndarray
    lengths: np.ndarray
    probabilities: np.ndarray | None
    best: tuple[str, float] | None


@dataclass(frozen=True, eq=False)
class AblatedRun:
    """The differences between a run without one part and the full run.

    moved (L,): ‖change‖ / ‖final‖ of each token's last vector.
    cosine (L,): the cosine between that vector without the part and with it; NaN if either is zero.
    lengths, best: as in `RunOutcome`, for the run without the part.
    answers: the likeliest answers with the part, then the likeliest without it, as (name, probability with the part,
        probability without it); empty if the model gives no answer.
    """

    name: str
    moved: np.ndarray
    cosine: np.ndarray
    lengths: np.ndarray
    best: tuple[str, float] | None
    answers: tuple[tuple[str, float, float], ...]


def whole_pass(model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str) -> CachedPass:
    """Run the unchanged model and return the pass with the tensors that it stored.

    Raises ValueError if its numbers overflow.
    """
    inputs, device = prepare(run, tokenizer), run.placement.device
    ids = inputs.ids("encoder", device), inputs.ids("decoder", device)
    stored_pass = keep_pass(model, *ids, inputs.masks, stack)
    if not _fine(stored_pass):
        execute(model, run, inputs, ["resid_post"], edits=())  # its error names the layer where they overflow
        raise Overflow("The numbers overflow after the last layer.")
    return stored_pass


def untouched(
    step: AnswerHead, stored_pass: CachedPass, model: Transformer, tokenizer: AnyTokenizer, run: Run, row: int
) -> RunOutcome:
    """Return the outcome of the run of the unchanged model.

    stored_pass: its pass.
    row: the row in which the answer is read.
    """
    return _outcome(step, stored_pass, model, tokenizer, run, row)


def without(
    step: AnswerHead,
    stored_pass: CachedPass,
    before: RunOutcome,
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    row: int,
    name: str,
) -> AblatedRun | None:
    """Run the model without one part and compare it with the full run; return None if its numbers overflow.

    stored_pass: the pass of the full run.
    before: the outcome of the full run.
    row: the row in which the answer is read.
    name: the variant that lacks the part.
    """
    changed = changed_pass(model, stored_pass, name)
    try:
        after = _outcome(step, changed, model, tokenizer, run, row)
    except Overflow:
        return None
    first, second = before.final.astype(np.float64), after.final.astype(np.float64)
    sizes, change = np.linalg.norm(first, axis=1), np.linalg.norm(second - first, axis=1)
    products = sizes * np.linalg.norm(second, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = np.where(change > 0, change / sizes, 0.0)
        cosine = np.where(products > 0, (first * second).sum(1) / products, np.nan)
    return AblatedRun(name, moved, cosine, after.lengths, after.best, _answers(step, tokenizer, before, after))


def _fine(stored_pass: CachedPass) -> bool:
    """Return whether all stored numbers of a pass are finite."""
    return all(bool(tensor.isfinite().all()) for tensor in (*stored_pass.streams, *stored_pass.finals.values()))


def _outcome(
    step: AnswerHead, stored_pass: CachedPass, model: Transformer, tokenizer: AnyTokenizer, run: Run, row: int
) -> RunOutcome:
    with torch.inference_mode():
        written = unpadded_length(run, prepare(run, tokenizer), run.config.stacks[-1])
        logits = step.logits(model, stored_pass.output, row, written)
    if not _fine(stored_pass) or (logits is not None and not logits.isfinite().all()):
        raise Overflow("The numbers overflow after the last layer.")
    lengths = np.stack([to_numpy(_lengths(stream)) for stream in stored_pass.streams])
    final = to_numpy(stored_pass.finals[stored_pass.stack][0])
    if logits is None:
        return RunOutcome(final, lengths, None, None)
    probabilities = softmax(logits[0])
    (best,) = likeliest_of([probabilities], 1)
    return RunOutcome(
        final, lengths, probabilities.numpy(), (step.labels(tokenizer, [best])[0], float(probabilities[best]))
    )


def _lengths(x: Tensor) -> Tensor:
    """Return the norms (L,) of (1, L, D), in float64: the squares of large numbers overflow in float32."""
    return x[0].double().norm(dim=-1)


def _answers(
    step: AnswerHead, tokenizer: AnyTokenizer, before: RunOutcome, after: RunOutcome
) -> tuple[tuple[str, float, float], ...]:
    if before.probabilities is None or after.probabilities is None:
        return ()
    best = likeliest_of([torch.from_numpy(outcome.probabilities) for outcome in (before, after)])
    labels = step.labels(tokenizer, best)
    return tuple(
        (label, float(before.probabilities[answer]), float(after.probabilities[answer]))
        for label, answer in zip(labels, best, strict=True)
    )
