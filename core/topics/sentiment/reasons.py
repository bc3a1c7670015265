"""Four ways to attribute a verdict to words, and whether they agree.

Attention received; occlusion (Zeiler & Fergus 2014; Li et al. 2016); gradient × input (Shrikumar et al. 2016);
integrated gradients (Sundararajan et al. 2017). The last three are in units of the logit: how much a word speaks for
the class that is followed. Whether attention agrees with them is the question of Jain & Wallace (2019).
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.analysis.costs import PeakMemory
from core.checkpoints.class_layer import ClassLayer
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.sentiment.judging import (
    BATCH_TOKENS,
    WordPieces,
    changed_word,
    judging_holds,
    margin,
    margins,
    mask_rows,
    probabilities,
    word_pieces,
)
from core.topics.shared.places import HeadAddress, to_numpy
from core.topics.shared.rank_correlation import spearman_table
from core.tracing.edits import Edit
from core.tracing.run import Run
from core.tracing.taps import RecordingTap

METHODS = ("attention", "leaving out", "gradient × input", "integrated gradients")
STEPS, POWER = 64, 4  # points on the path of integrated gradients; the power that crowds them near its start
ZERO_BASELINE, UNKNOWN_BASELINE = "zeros", "<unk>"


@dataclass(frozen=True)
class WordChange:
    """A word of the text, counted from 0, that is left out or replaced by `put`; −1 for no change."""

    place: int = -1
    put: str = ""


@dataclass(frozen=True, eq=False)
class Reasons:
    """The score that each method gives each word.

    labels: the names of the two sides of the verdict.
    words (W,): the words, with the changed one in its place.
    changed: the position of the changed word, None if there is none.
    scores (4, W): the scores of each of `METHODS`, the first a share of the attention, the others in units of the
        logit.
    rho (4, 4): rank correlations of the scores' sizes, NaN if all scores of one method are alike.
    margin, probability: the verdict on the text as it is now.
    before: the probability before the change.
    baseline: the margin at the starting point of integrated gradients.
    pattern (L, L): over pieces, of one head, or the mean of the last layer's heads.
    pieces: the labels of the L pieces.
    removed: whether words are left out, not replaced by <unk>.
    note: a note on text that was cut off, None if nothing was.
    """

    labels: tuple[str, ...]
    words: tuple[str, ...]
    changed: int | None
    scores: np.ndarray
    rho: np.ndarray
    margin: float
    probability: float
    before: float
    baseline: float
    pattern: np.ndarray
    pieces: tuple[str, ...]
    removed: bool
    note: str | None

    @property
    def total(self) -> float:
        """The sum of the integrated gradients."""
        return float(self.scores[3].sum())

    @property
    def off(self) -> float:
        """The sum of the integrated gradients minus the difference of the margins, which it should equal."""
        return self.total - (self.margin - self.baseline)


def reasons(
    layer: ClassLayer,
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    change: WordChange,
    place: HeadAddress | None,
    remove: bool,
    start: str,
) -> Reasons:
    """Return the score of each word by each of the four methods.

    place: the head whose attention counts; None for the mean of the last layer's heads.
    remove: whether a word is left out, not replaced by <unk>; the only word of a text is always replaced.
    start: the starting point of integrated gradients, ZERO_BASELINE or UNKNOWN_BASELINE.
    """
    original = word_pieces(tokenizer, run)
    text = changed_word(original, tokenizer, change.place, change.put)
    remove = remove and sum(map(bool, text.ids)) > 1
    pattern = attention_pattern(model, run, text, place)
    embedded, first = _embedded(model, run, text.row), _start(model, run, text, start)
    _, slopes = _slopes(layer, model, run, text, embedded[None])
    along = _integrated(layer, model, run, text, embedded, first)
    (baseline, last), _ = _slopes(layer, model, run, text, torch.stack([first, embedded]))
    out = occlusion(layer, model, run, text, None if remove else unknown_piece(run))
    rows = (to_numpy(x).astype(np.float64) for x in (pattern.mean(0), (slopes[0] * embedded).sum(-1), along))
    attention, gradient, integrated = (text.by_word(row) for row in rows)
    scores = np.stack([attention, out, gradient, integrated])
    before = float(last) if text is original else float(margins(layer, model, run, [original.row])[0])
    present = np.array([bool(word) for word in text.ids])
    return Reasons(
        layer.sides,
        text.words,
        None if text is original else change.place,
        scores,
        spearman_table(np.abs(scores[:, present])),
        float(last),
        float(probabilities(np.array(last))),
        float(probabilities(np.array(before))),
        float(baseline),
        to_numpy(pattern),
        text.pieces,
        remove,
        text.note,
    )


def reasons_holds(length: int) -> PeakMemory:
    """Return the memory that `reasons` needs for a text of this length in which each token is a word."""
    return judging_holds(length, max(STEPS, length + 1), slopes=True)


def unknown_piece(run: Run) -> int:
    """Return the id of the piece that replaces unknown words.

    Raises ValueError if the model's vocabulary has none.
    """
    if run.format.special.unknown is None:
        raise ValueError("This model's vocabulary has no <unk>: remove words, and begin at zeros.")
    return run.format.special.unknown


def occlusion(layer: ClassLayer, model: Transformer, run: Run, text: WordPieces, instead: int | None) -> np.ndarray:
    """Return the margin of the text minus the margin without each word, (W,); 0 for a word that has no pieces.

    instead: the piece that replaces each of the word's pieces; None to remove them.
    """
    rows = [text.row, *(text.without(word, instead) for word in range(len(text.words)))]
    full_margin, *others = margins(layer, model, run, rows)
    return full_margin - np.array(others, np.float64)


def attention_pattern(model: Transformer, run: Run, text: WordPieces, place: HeadAddress | None) -> Tensor:
    """Return the attention of one head, or the mean of the last layer's heads, (L, L)."""
    key = f"encoder.{run.config.layers - 1 if place is None else place.layer}.pattern"
    tap = RecordingTap(record=[key])
    with torch.no_grad():
        _through(model, run, text.row, tap)
    heads = tap.seen[key][0].float().cpu()  # (H, L, L)
    return heads.mean(0) if place is None else heads[place.head]


def _embedded(model: Transformer, run: Run, row: list[int]) -> Tensor:
    """Return the token vectors (L, D) as they enter the stream, before any position is added."""
    tap = RecordingTap(record=["encoder.embed"])
    with torch.no_grad():
        _through(model, run, row, tap)
    return tap.seen["encoder.embed"][0]


def _through(model: Transformer, run: Run, row: list[int], tap: RecordingTap) -> None:
    device = run.placement.device
    model.run_stack("encoder", torch.tensor([row], device=device), mask_rows(run, len(row)).to(device), tap=tap)


def _start(model: Transformer, run: Run, text: WordPieces, start: str) -> Tensor:
    """Return the vectors (L, D) at which integrated gradients begin; positions are added to them as to the text's.

    The special pieces around the text are kept from the beginning, so that only its words are judged.
    """
    vectors = _embedded(model, run, text.row)
    typed = len(vectors[text.typed])
    words = (
        _embedded(model, run, [unknown_piece(run)] * typed)
        if start == UNKNOWN_BASELINE
        else torch.zeros_like(vectors[:typed])
    )
    return torch.cat([vectors[: text.typed.start], words, vectors[text.typed.stop :]])


def _integrated(
    layer: ClassLayer, model: Transformer, run: Run, text: WordPieces, embedded: Tensor, first: Tensor
) -> Tensor:
    """Return (x − x₀) times the mean slope on the way from x₀ to x, (L,).

    With α = tᵖ (p = `POWER`), the mean ∫ f(α) dα is ∫ f(tᵖ) p tᵖ⁻¹ dt, computed at the middles of `STEPS` equal parts
    of t. So the points lie close together near x₀, because near a vector of zeros a norm's output changes fast.
    """
    t = (torch.arange(STEPS) + 0.5) / STEPS
    way, share = (values.to(embedded.device)[:, None, None] for values in (t**POWER, POWER * t ** (POWER - 1) / STEPS))
    points = first + way.to(embedded) * (embedded - first)  # (S, L, D)
    many, mean = max(1, BATCH_TOKENS // len(embedded)), torch.zeros_like(embedded, dtype=torch.float32)
    for part in (slice(start, start + many) for start in range(0, STEPS, many)):
        mean += (share[part] * _slopes(layer, model, run, text, points[part])[1].float()).sum(0)
    return ((embedded - first).float() * mean).sum(-1)


def _slopes(layer: ClassLayer, model: Transformer, run: Run, text: WordPieces, points: Tensor) -> tuple[Tensor, Tensor]:
    """Return the margins (S,) for these token vectors (S, L, D), and their gradients (S, L, D).

    No gradient is stored on the model.
    """
    with torch.enable_grad():
        vectors = points.detach().requires_grad_()
        tap = RecordingTap(edits=[Edit("encoder.embed", "replace", vectors)])
        ids = torch.tensor([text.row]).expand(len(points), -1)
        log_odds = margin(layer, model, run, ids, [ids.shape[1]] * len(points), tap)
        (slopes,) = torch.autograd.grad(log_odds.sum(), vectors)
    return log_odds.detach(), slopes
