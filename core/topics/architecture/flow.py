"""Follow the tokens of a text through the drawing: the numbers at each box, from the trace of one run."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from torch import Tensor

from core.model.config import TransformerConfig
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.architecture.drawn import ANSWER, drawn_model
from core.topics.architecture.plan import Box
from core.topics.architecture.whole import whole_model
from core.topics.shared.places import to_numpy, unpadded_length
from core.tracing.run import Inputs, Run, TokenRow, execute, prepare
from core.tracing.sites import head_at, scored_site

SHOWN_TOKENS, SHOWN_COLUMNS, SHOWN_ANSWERS = 12, 32, 5
# The site of a norm's output, by the part that comes after the norm (SITE_BEFORE) or before it (SITE_AFTER).
SITE_BEFORE = {"attn": "attn_in", "cross": "cross.attn_in", "ffn": "ffn_in"}
SITE_AFTER = {"attn": "resid_mid", "cross": "cross.resid_mid", "ffn": "resid_post"}


@dataclass(frozen=True)
class ShownTokens:
    """The tokens of one stack that are drawn: their pieces and places.

    left: number of tokens that are not drawn.
    """

    pieces: tuple[str, ...]
    places: tuple[int, ...]
    left: int


@dataclass(frozen=True, eq=False)
class FlowStep:
    """The output of one box, for the tokens that are drawn.

    box: key of the box.
    stack: the stack to which the tokens belong.
    unit: the quantity that is written at each row: "id", "length", "most on" or "likeliest next".
    amounts (T,): that quantity; for the last two units, the largest share of the row, 0 if a token may attend to none.
    pieces (T,): the piece with that share; empty for the other units.
    strip (T, C): the first numbers of each row, at most 32; for the next-token probabilities, the largest; no columns
        for tokens that are still ids.
    width: length of the whole row.
    weights: whether the numbers are shares from 0 to 1.
    head: the head to which the numbers belong, from 0; None if all heads have a part in them.
    """

    box: str
    stack: str
    unit: str
    amounts: tuple[float, ...]
    pieces: tuple[str, ...]
    strip: np.ndarray
    width: int
    weights: bool = False
    head: int | None = None


@dataclass(frozen=True, eq=False)
class Flow:
    """All steps, in the order in which the model runs.

    answer: the likeliest next tokens of a decoder after `last`, with their probabilities.
    """

    tokens: Mapping[str, ShownTokens]
    steps: tuple[FlowStep, ...]
    last: str = ""
    answer: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class _Stop:
    """The source of a box's numbers.

    stack: the stack to which the tokens belong.
    keys: the keys of the sites that add up to the numbers.
    """

    box: Box
    stack: str
    keys: tuple[str, ...]


def flow(model: Transformer, tokenizer: AnyTokenizer, run: Run, opened: int, head: int) -> Flow:
    """Return the output of every box of the architecture drawing, in the order in which the model runs.

    opened: the layer that is drawn box by box, from 0.
    head: the head whose numbers are given where they are given head by head.
    """
    inputs = prepare(run, tokenizer)
    plan = drawn_model(whole_model(run, inputs.rows), opened)
    tokens = {stack: _shown(row, unpadded_length(run, inputs, stack)) for stack, row in inputs.rows.items()}
    stops = [_stop(run.config, pile.stack, box) for pile in plan.piles for box in pile.boxes]
    keep = {
        key: partial(_rows, list(tokens[stop.stack].places), head_at(run.config, key, head))
        for stop in stops
        for key in stop.keys
    }
    activations = {key: to_numpy(rows) for key, rows in execute(model, run, inputs, keep, keep).items()}
    steps = tuple(_step(stop, activations, inputs, tokens, head, tokenizer) for stop in stops)
    if "logits" not in activations:
        return Flow(tokens, steps)
    shown = tokens["decoder"]
    probabilities = _softmax(activations["logits"][-1])
    best = np.argsort(-probabilities, kind="stable")[:SHOWN_ANSWERS]
    answer = tuple(zip(tokenizer.labels(best.tolist()), probabilities[best].tolist(), strict=True))
    return Flow(tokens, steps, shown.pieces[-1], answer)


def _shown(row: TokenRow, real: int) -> ShownTokens:
    """Return the first tokens, and the last one before the padding."""
    positions = tuple(range(real)) if real <= SHOWN_TOKENS else (*range(SHOWN_TOKENS - 1), real - 1)
    return ShownTokens(tuple(row.pieces[position] for position in positions), positions, real - len(positions))


def _rows(positions: list[int], head: int, tensor: Tensor) -> Tensor:
    """Return the rows (T, C) of the shown tokens, of one head if the tensor has several.

    tensor: (B, L, D) or (B, H, L, E).
    """
    matrix = tensor[0, head] if tensor.dim() == 4 else tensor[0]
    return matrix[positions].float()


def _stop(config: TransformerConfig, stack: str, box: Box) -> _Stop:
    if box.kind == "text":
        return _Stop(box, stack, ())
    if box.key == ANSWER:
        return _Stop(box, stack, ("logits" if stack == "decoder" else f"{stack}.final",))
    parent, _, name = box.key.rpartition(".")
    if box.layer is None:
        return _Stop(box, stack, _at_start(config, box, stack, name))
    if box.kind == "layer":
        return _Stop(box, stack, (f"{stack}.{name}.resid_post",))
    block, _, part = parent.rpartition(".")
    if box.kind == "norm":
        sites = SITE_BEFORE if config.norm_position == "pre" else SITE_AFTER
        return _Stop(box, stack, (f"{parent}.{sites[name.removeprefix('norm_')]}",))
    if box.kind == "add":
        return _Stop(box, stack, tuple(f"{block}.{site}" for site in _added(config, part)))
    inside = f"{block}.cross." if part == "cross" else f"{block}."
    crosses = part == "cross"
    site = scored_site(config, name, crosses) if name in ("q", "k") else {"scores": "pattern"}.get(name, name)
    keys_of = "encoder" if crosses and name in ("k", "v") else stack
    return _Stop(box, keys_of, (inside + site,))


def _at_start(config: TransformerConfig, box: Box, stack: str, name: str) -> tuple[str, ...]:
    """Return the sites whose sum is the stream after a box outside the layers."""
    summed = ("embed", *["pos"] * config.adds_positions, *["types"] * bool(config.token_types))
    if name == "norm_embed":
        return (f"{stack}.0.resid_pre",)
    return tuple(f"{stack}.{site}" for site in summed[: summed.index(name) + 1]) if name in summed else (box.key,)


def _added(config: TransformerConfig, part: str) -> tuple[str, ...]:
    """Return the sites whose sum is the stream after an addition.

    The stream between an addition and a post-norm has no site of its own.
    """
    if config.norm_position != "post":
        return (SITE_AFTER[part],)
    before = {"attn": "resid_pre", "cross": "resid_mid", "ffn": "ffn_in"}[part]
    return before, {"attn": "attn_out", "cross": "cross.attn_out", "ffn": "ffn_out"}[part]


def _step(
    stop: _Stop,
    activations: Mapping[str, np.ndarray],
    inputs: Inputs,
    tokens: Mapping[str, ShownTokens],
    head: int,
    tokenizer: AnyTokenizer,
) -> FlowStep:
    shown, box = tokens[stop.stack], stop.box
    if not stop.keys:
        ids = tuple(inputs.rows[stop.stack].ids[position] for position in shown.places)
        return FlowStep(box.key, stop.stack, "id", ids, (), np.zeros((len(ids), 0), np.float32), 0)
    rows = sum((activations[key] for key in stop.keys[1:]), activations[stop.keys[0]])
    if box.kind == "weights":
        key_row = inputs.rows["encoder" if ".cross." in box.key else stop.stack]
        amounts, best = _largest(rows)
        pieces = tuple(key_row.pieces[key] for key in best)
        return FlowStep(
            box.key, stop.stack, "most on", amounts, pieces, rows[:, :SHOWN_COLUMNS], rows.shape[1], True, head
        )
    if box.key == ANSWER and stop.keys == ("logits",):
        probabilities = np.stack([_softmax(row) for row in rows])
        amounts, best = _largest(probabilities)
        pieces = tuple(tokenizer.labels(best))
        strip = -np.sort(-probabilities, axis=1)[:, :SHOWN_COLUMNS]
        return FlowStep(box.key, stop.stack, "likeliest next", amounts, pieces, strip, probabilities.shape[1], True)
    lengths = tuple(np.linalg.norm(rows.astype(np.float64), axis=1).tolist())
    whose_head = head if box.kind in ("q", "k", "v") or box.key.endswith(".z") else None
    return FlowStep(box.key, stop.stack, "length", lengths, (), rows[:, :SHOWN_COLUMNS], rows.shape[1], head=whose_head)


def _largest(rows: np.ndarray) -> tuple[tuple[float, ...], list[int]]:
    """Return the largest share of each row, and its column."""
    return tuple(rows.max(axis=1).tolist()), rows.argmax(axis=1).tolist()


def _softmax(logits: np.ndarray) -> np.ndarray:
    exps = np.exp(logits.astype(np.float64) - logits.max())
    shares: np.ndarray = exps / exps.sum()
    return shares
