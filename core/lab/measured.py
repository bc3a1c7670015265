"""Measure a run at a step: its losses, its answers, the keys that its heads look at, and its gradient."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.decoding.greedy import continuation
from core.lab.head_scores import HeadScores, cross_scores, head_scores
from core.lab.run import LabRun, batch_of, one_thread
from core.lab.task import HELD_OUT_ROWS, MARKS, UNPREDICTED_TOKENS, Rows, Task
from core.model.transformer import Transformer
from core.text.special import BOS, EOS, PAD
from core.tracing.trace import trace

ANSWER_ROWS = 8
LONGER_SEED = 1_000_004


@dataclass(frozen=True)
class Answer:
    """A model's answer to one held-out row.

    question: the tokens that it reads first.
    right: the tokens of the right answer.
    given: the tokens that it writes; if the answer tokens are spread over the row, the likeliest token at each of their
        positions.
    """

    question: tuple[str, ...]
    right: tuple[str, ...]
    given: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        return self.right == self.given


@dataclass(frozen=True, eq=False)
class GradientNorms:
    """The norms of the gradient, before it is clipped, by layer and by kind of weight.

    layers: "embedding", "layer 1" and so on, "output".
    kinds: such as "W_Q"; biases and gains are "others".
    norms: (layers, kinds); NaN where a layer has no such weights.
    """

    layers: tuple[str, ...]
    kinds: tuple[str, ...]
    norms: np.ndarray


@dataclass(frozen=True, eq=False)
class Measured:
    """The measurements of a run at a step. Losses are means over the answer tokens, in nats.

    loss, exact: measured on the rows of the next step, which are not learned from yet.
    held_out_loss, held_out_exact: measured on the rows of `Task.held_out_rows`. Exact is the share of rows in which
        every answer token is right, as when the answers are written greedily.
    by_place (P,): the share of right tokens by their place in the answer; NaN for a place that no row has.
    longer_loss, longer_exact, longer_by_place: the same on rows longer than any of training; None if there are none.
    scores: the named scores of all heads on the probe.
    gradient: the norms of the gradient of the loss on the next step's rows.
    answers: the model's answers to a few held-out rows, always the same ones.
    patterns: the attention patterns (layers, heads, Q, K) on the probe.
    """

    step: int
    loss: float
    exact: float
    held_out_loss: float
    held_out_exact: float
    by_place: np.ndarray
    longer_loss: float | None
    longer_exact: float | None
    longer_by_place: np.ndarray | None
    scores: HeadScores
    gradient: GradientNorms
    answers: tuple[Answer, ...]
    patterns: np.ndarray

    @property
    def held_out_right(self) -> float:
        """The share of right tokens in held-out rows, a mean over the places of the answer."""
        return float(np.nanmean(self.by_place))

    @property
    def longer_right(self) -> float | None:
        """The same in longer rows; None if there are none."""
        return None if self.longer_by_place is None else float(np.nanmean(self.longer_by_place))


@dataclass(frozen=True, eq=False)
class RowScores:
    """How well a model does on rows: the fields of `Measured` of the same names."""

    loss: float
    exact: float
    by_place: np.ndarray


def measure(run: LabRun) -> Measured:
    """Return the measurements of a run at its present step, and leave the run unchanged."""
    task, model = run.task, run.model
    with one_thread():
        held_out = task.held_out_rows()
        scores = row_scores(model, held_out)
        more = longer_rows(task)
        longer = None if more is None else row_scores(model, more)
        next_rows = row_scores(model, run.rows(run.steps + 1))
        patterns = probe_patterns(model, task)
        return Measured(
            step=run.steps,
            loss=next_rows.loss,
            exact=next_rows.exact,
            held_out_loss=scores.loss,
            held_out_exact=scores.exact,
            by_place=scores.by_place,
            longer_loss=None if longer is None else longer.loss,
            longer_exact=None if longer is None else longer.exact,
            longer_by_place=None if longer is None else longer.by_place,
            scores=probe_scores(patterns, task, model.config.has_two_stacks),
            gradient=gradient_norms(run.gradients()),
            answers=answers(model, task, held_out.first(ANSWER_ROWS)),
            patterns=patterns,
        )


def longer_rows(task: Task) -> Rows | None:
    """Return rows longer than any of training, the same whenever it is called; None if the task has none."""
    return None if task.longer is None else task.longer(np.random.default_rng(LONGER_SEED), HELD_OUT_ROWS)


def share_right(by_place: np.ndarray, rows: Rows) -> np.ndarray:
    """Return the share of right tokens among all answer tokens, from the shares by their place in the answer.

    by_place (..., P): as in `Measured`.
    rows: the rows on which the shares were measured. A place that only long answers have counts as often as it occurs.
    """
    asked = rows.asked[:, 1:]
    counts = np.bincount(asked.cumsum(1)[asked] - 1)
    return np.asarray(np.nan_to_num(by_place) @ counts / counts.sum())


def probe(task: Task) -> tuple[np.ndarray, np.ndarray]:
    """Return the ids of a task's probe (L,), and whether the token after each position is part of the answer (L,).

    The answer is what comes after “→” or “=”; in a row without either, the second time of a pair of tokens. In a text,
    all tokens but the first few count as the answer. If the task has triggers, it is what comes after one of them.
    """
    ids = np.array(task.encode(task.probe))
    marks = [position for position, word in enumerate(task.probe.split()) if word in MARKS]
    if task.window is not None:
        answering = np.arange(len(ids)) >= UNPREDICTED_TOKENS - 1
    elif task.triggers:
        answering = np.isin(ids, [task.ids[token] for token in task.triggers])
    elif marks:
        answering = np.arange(len(ids)) >= marks[-1]
    else:
        pairs = list(pairwise(ids))
        answering = np.array([*(pair in pairs[:place] for place, pair in enumerate(pairs)), False])
    answering[-1] = False
    return ids, answering


@torch.inference_mode()
def probe_patterns(model: Transformer, task: Task) -> np.ndarray:
    """Return the patterns of all heads on the probe (layers, heads, Q, K), of an encoder-decoder in cross-attention."""
    crosses = model.config.has_two_stacks
    source, given = probe_texts(task, crosses)
    inputs = (None if source is None else torch.from_numpy(source)[None], torch.from_numpy(given)[None])
    patterns = trace(model, *inputs, record=["pattern"]).stack("pattern", "decoder", cross=crosses)
    return np.asarray(patterns[:, 0].numpy())


def probe_texts(task: Task, crosses: bool) -> tuple[np.ndarray | None, np.ndarray]:
    """Return the ids that the encoder and the decoder read of the probe; None for the encoder if there is none."""
    ids, answering = probe(task)
    if not crosses:
        return None, ids
    mark = int(answering.argmax())
    return np.array([*ids[:mark], EOS]), np.array([BOS, *ids[mark + 1 :]])


def probe_scores(patterns: np.ndarray, task: Task, crosses: bool) -> HeadScores:
    """Return the named scores of all heads on the probe: patterns as `probe_patterns` returns them."""
    return cross_scores(patterns) if crosses else head_scores(patterns, *probe(task))


@torch.inference_mode()
def row_scores(model: Transformer, rows: Rows) -> RowScores:
    """Return how well a model does on rows; each answer token is predicted from the right tokens before it."""
    batch = batch_of(rows, model.config.has_two_stacks)
    logits, gold = model(batch.get("source"), batch["given"]), batch["gold"]  # (B, L, V), (B, L)
    real = gold != PAD
    loss = F.cross_entropy(logits[real], gold[real])
    right, asked = (logits.argmax(-1) == gold).numpy(), real.numpy()
    places = asked.cumsum(1) - 1
    counts = [asked & (places == place) for place in range(int(places.max()) + 1)]
    by_place = np.array([right[place].mean() if place.any() else np.nan for place in counts])
    return RowScores(float(loss), float((right | ~asked).all(1).mean()), by_place)


@torch.inference_mode()
def answers(model: Transformer, task: Task, rows: Rows) -> tuple[Answer, ...]:
    """Return a model's answers to rows of one length.

    If the answers are the ends of the rows, it writes them, the likeliest token each time. Of a text it reads the first
    half of each row, and writes the second.
    """
    if task.window is not None:
        rows = Rows(rows.ids, np.broadcast_to(np.arange(rows.ids.shape[1]) >= task.window // 2, rows.ids.shape))
    count = int(rows.asked[0].sum())
    if rows.asked[:, -count:].all() and (rows.asked.sum(1) == count).all():
        batch, texts = batch_of(rows, model.config.has_two_stacks), rows.ids.copy()
        begun = batch["given"][:, :1] if "source" in batch else torch.from_numpy(rows.ids[:, :-count])
        texts[:, -count:] = continuation(model, begun, count, batch.get("source"))[:, -count:].numpy()
    else:
        given = torch.from_numpy(rows.given)
        texts = np.concatenate([rows.ids[:, :1], model(None, given).argmax(-1).numpy()], 1)
    return tuple(
        Answer(*(tuple(task.decode(list(ids))) for ids in (row[: asked.argmax()], row[asked], written[asked])))
        for row, asked, written in zip(rows.ids, rows.asked, texts, strict=True)
    )


def gradient_norms(gradients: Mapping[str, Tensor]) -> GradientNorms:
    """Return the norms of a gradient by layer and by kind of weight.

    gradients: the gradients by the names of the model's parameters.
    """
    squares: dict[tuple[str, str], float] = {}
    for name, value in gradients.items():
        squares[_group(name)] = squares.get(_group(name), 0.0) + float(value.square().sum())
    layers, kinds = (tuple(dict.fromkeys(group[axis] for group in squares)) for axis in (0, 1))
    norms = np.array([[squares.get((layer, kind), np.nan) ** 0.5 for kind in kinds] for layer in layers])
    return GradientNorms(layers, kinds, norms)


KINDS: Mapping[str, str] = MappingProxyType(
    {f"w_{letter}.weight": f"W_{letter.upper()}" for letter in ("q", "k", "v", "o", "1", "2")}
)


def _group(name: str) -> tuple[str, str]:
    """Return the layer and the kind of a parameter, by its name."""
    parts = name.split(".")
    if parts[0] in ("encoder", "decoder"):
        kind = KINDS.get(".".join(parts[-2:]), "others")
        stack = {"encoder": "encoder layer", "decoder": "layer"}[parts[0]]
        return f"{stack} {int(parts[1]) + 1}", f"cross {kind}" if parts[2] == "cross" else kind
    if name in ("embed.weight", "positions.weight"):
        return "embedding", parts[0]
    return "output", "unembed" if name == "unembed.weight" else "others"
