"""Find in the measurements of a run what happened at which step, and write it as sentences with numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

from core.lab.fourier import Spectrum, spectrum
from core.lab.head_scores import highest_score
from core.lab.induction import INDUCTION
from core.lab.measured import longer_rows, row_scores, share_right
from core.lab.task import FIRST_TOKEN_ID, Rows, Task
from core.model.transformer import Transformer
from core.tracing.edits import Edit
from core.tracing.trace import trace

History = Sequence[Mapping[str, Any]]
Find = Callable[[Task, History, Mapping[int, Transformer]], tuple["Finding", ...]]
MIN_FORMED_SCORE = 0.5  # the lowest score of a head that counts as formed
MIN_RIGHT_SHARE = 0.95  # the lowest share of right answers with which a task counts as learned
REPEATED_ROWS = 64


@dataclass(frozen=True)
class Finding:
    """One observation in a run.

    step: its step; None for an observation about the whole run.
    sentence: the observation as a sentence, with its number.
    """

    step: int | None
    sentence: str


def first_step(history: History, holds: Callable[[Mapping[str, Any]], bool], stays: int = 3) -> int | None:
    """Return the first measured step at which a condition holds; None if there is none.

    holds: the condition.
    stays: the number of consecutive measured steps at which it must hold, unless it holds from there to the end.
    """
    held = [holds(entry) for entry in history]
    for place, entry in enumerate(history):
        if all(held[place : place + stays]):
            return int(entry["step"])
    return None


def best_head(entry: Mapping[str, Any], score: str) -> tuple[int, int, float]:
    """Return the layer and the head, counted from 1, with the highest value of a named score, and the value."""
    return highest_score(_floats(entry["scores"][score]))


def heads_with(entry: Mapping[str, Any], score: str, least: float = MIN_FORMED_SCORE) -> tuple[tuple[int, int], ...]:
    """Return the layers and heads, counted from 1, whose value of a named score is at least `least`."""
    values = np.nan_to_num(_floats(entry["scores"][score]))
    return tuple((int(layer) + 1, int(head) + 1) for layer, head in np.argwhere(values >= least))


def formed(history: History, score: str, name: str) -> Finding:
    """Return when a head first had a score of one half or more, and which heads have it at the last step."""
    step = first_step(history, lambda entry: best_head(entry, score)[2] >= MIN_FORMED_SCORE)
    if step is None:
        highest = max((best_head(entry, score)[2], int(entry["step"])) for entry in history)
        return Finding(None, f"No head becomes {name}: the highest score is {highest[0]:.2f}, at step {highest[1]:,}.")
    entry = next(entry for entry in history if entry["step"] == step)
    layer, head, value = best_head(entry, score)
    last = " and ".join(f"head {head} of layer {layer}" for layer, head in heads_with(history[-1], score)) or "none"
    return Finding(
        step,
        f"Head {head} of layer {layer} is {name}: its score on the probe is {value:.2f}. At the last step these are: "
        f"{last}.",
    )


def shares_right(task: Task, history: History) -> Finding:
    """Return how many answers are right at the last step, in held-out rows and in longer ones."""
    last, more = history[-1], longer_rows(task)
    longer = "" if more is None else f"; on longer rows {share_right(_floats(last['longer_by_place']), more):.0%}"
    right = share_right(_floats(last["by_place"]), task.held_out_rows())
    return Finding(
        int(last["step"]),
        f"Of the tokens asked for in held-out rows {right:.0%} are right{longer}. The loss is "
        f"{last['held_out_loss']:.2f} nats.",
    )


def find_induction(task: Task, history: History, models: Mapping[int, Transformer]) -> tuple[Finding, ...]:
    """Return when the two heads of induction formed, and how many copies at other distances are right at the end."""
    findings = [
        formed(history, "previous_token", "a previous-token head"),
        formed(history, "induction", "an induction head"),
        shares_right(task, history),
        _by_distance(models),
    ]
    for score, name in (("previous_token", "previous-token heads"), ("induction", "induction heads")):
        if heads := heads_with(history[-1], score):
            share = share_without(models[max(models)], heads)
            findings.append(Finding(max(models), f"With its {name} switched off, {share:.0%} of the tokens are right."))
    return tuple(findings)


def find_fixed(task: Task, history: History, models: Mapping[int, Transformer]) -> tuple[Finding, ...]:
    """Return what looks like induction in a run on copies at one distance, and how many are right at others."""
    rows, induction = task.held_out_rows(), best_head(history[-1], "induction")
    layer, head, share = best_head(history[-1], "diagonal")
    back = history[-1]["back"][layer - 1][head - 1]
    step = int(history[-1]["step"])
    return (
        _reached(
            first_step(history, lambda entry: bool(share_right(_floats(entry["by_place"]), rows) >= MIN_RIGHT_SHARE)),
            "Of the tokens asked for in held-out rows 95% or more are right.",
        ),
        Finding(
            step,
            f"Head {induction[1]} of layer {induction[0]} scores {induction[2]:.2f} as an induction head on the probe, "
            f"and head {head} of layer {layer} looks {back} tokens back with {share:.0%} of its weight: with copies at "
            "one distance the two cannot be told apart.",
        ),
        shares_right(task, history),
        _by_distance(models),
    )


def _by_distance(models: Mapping[int, Transformer]) -> Finding:
    """Return how many letters are right at the last step if each repeats one a fixed number of places before."""
    rows = {size: _right_at_distance(models[max(models)], size) for size in (6, 12, 18, 24)}
    words = ", ".join(f"{size} places later {share:.0%}" for size, share in rows.items())
    return Finding(max(models), f"Right letters, by how much later each comes again: {words}.")


def find_modular(task: Task, history: History, models: Mapping[int, Transformer]) -> tuple[Finding, ...]:
    """Return when the pairs of training and the others were right, and how many waves the embeddings contain."""
    known = first_step(history, lambda entry: entry["exact"] >= MIN_RIGHT_SHARE)
    understood = first_step(history, lambda entry: entry["held_out_exact"] >= MIN_RIGHT_SHARE)
    findings = [
        _reached(known, "The pairs of training are known: 95% or more of them are right."),
        _reached(understood, "The pairs that it never saw are right too: 95% or more of them."),
    ]
    if understood is not None:
        later = [entry for entry in history if entry["step"] > understood]
        lowest = min(later, key=lambda entry: entry["held_out_exact"], default=history[-1])
        sentence = (
            f"After that it slips now and then: here {lowest['held_out_exact']:.0%} of the unseen pairs are right."
        )
        findings.append(Finding(int(lowest["step"]), sentence))
    steps = [min(models), *([known] if known is not None and known in models else []), max(models)]
    for step in steps:
        shown = waves_of(models[step])
        findings.append(
            Finding(
                step,
                f"{len(shown.strongest)} of {len(shown.shares)} frequencies make up 90% of the numbers' embeddings; "
                f"the strongest is {shown.strongest[0]}, with {shown.shares.max():.0%}.",
            )
        )
    return tuple(findings)


def _reached(step: int | None, sentence: str) -> Finding:
    return Finding(step, sentence if step is not None else f"It did not come to this: {sentence}")


def find_sums(task: Task, history: History, models: Mapping[int, Transformer]) -> tuple[Finding, ...]:
    """Return when each digit of the sum was right, and how many answers with longer numbers are right at the end."""
    places = len(history[-1]["by_place"])
    findings = []
    for place in range(places):
        step = first_step(history, partial(_is_right_at, place))
        last = history[-1]["by_place"][place]
        words = "95% or more are right" if step is not None else f"{last:.0%} are right at the end"
        findings.append(Finding(step, f"Digit {place + 1} of the answer: {words}."))
    return (*findings, shares_right(task, history))


def _is_right_at(place: int, entry: Mapping[str, Any]) -> bool:
    """Return whether enough answers are right at a place of the answer."""
    return bool(entry["by_place"][place] >= MIN_RIGHT_SHARE)


def waves_of(model: Transformer) -> Spectrum:
    """Return the spectrum of the embeddings of a model that adds modulo p: the tokens 0 to p − 1 of its vocabulary."""
    table = model.embed.weight.detach().numpy()[FIRST_TOKEN_ID:-1]  # the last token is “=”
    return spectrum(table)


def repeated_rows(size: int, symbols: int) -> Rows:
    """Return rows of `size` random symbols that occur twice; the second occurrence but for its start is the answer."""
    half = np.random.default_rng(size).integers(FIRST_TOKEN_ID, FIRST_TOKEN_ID + symbols, (REPEATED_ROWS, size))
    ids = np.concatenate([half, half], 1)
    asked = np.zeros(ids.shape, dtype=bool)
    asked[:, size + 1 :] = True
    return Rows(ids, asked)


def share_without(model: Transformer, heads: Sequence[tuple[int, int]]) -> float:
    """Return the share of right answer tokens in held-out rows of the task induction while some heads are off.

    heads: their layers and numbers, counted from 1.
    """
    rows = INDUCTION.held_out_rows()
    off = [Edit(f"decoder.{layer - 1}.z", "zero", head=head - 1) for layer, head in heads]
    logits = trace(model, None, torch.from_numpy(rows.given), record=["logits"], edits=off)["logits"]
    right = logits.argmax(-1).numpy() == rows.gold
    return float(right[rows.asked[:, 1:]].mean())


@torch.inference_mode()
def _right_at_distance(model: Transformer, size: int) -> float:
    """Return the share of right letters if each repeats the one `size` places before."""
    scores = row_scores(model, repeated_rows(size, model.config.vocab_size - FIRST_TOKEN_ID))
    return float(np.nanmean(scores.by_place))


def _floats(values: Sequence[Any]) -> np.ndarray:
    """Return plain numbers as an array, None as NaN."""
    return np.array(values, dtype=float)
