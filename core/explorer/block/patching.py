"""Activation patching: the stream of one token of a run made that of another run, and how far the answer turns.

Vig et al. 2020, "Investigating gender bias in language models using causal mediation analysis"; Meng et al. 2022,
"Locating and editing factual associations in GPT".
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.explorer.block.answers import LastStep, likeliest_of, softmax
from core.explorer.block.pairs import TextPair
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run, execute
from core.tracing.trace import Trace

WIDE = 8  # likeliest answers of each run, among which two are looked for where both runs answer alike


@dataclass(frozen=True, eq=False)
class Ends:
    """The answers of the two runs. names: of both; chances (2, 2): of the first run's answer and of the second run's,
    in the first run and in the second; alike: whether both answer the same, so that the two pieces are compared of
    which one run finds the one likelier, and the other the other. nothing: whether the answers lie so near to each
    other that nothing can turn. names and chances are empty of a model that answers nothing."""

    names: tuple[str, ...]
    chances: np.ndarray
    alike: bool
    nothing: bool


@dataclass(frozen=True, eq=False)
class PatchedRow:
    """Behind so many layers, for each of L tokens: turn (L,), 0 where the answer is still that of the
    first run and 1 where it is that of the second; chance (L,): of the second run's answer. NaN of a token that has no
    partner, and of the chance of a model that answers nothing."""

    turn: np.ndarray
    chance: np.ndarray


@dataclass(frozen=True, eq=False)
class PatchedCell:
    """One token behind so many layers. names: the likeliest answers of the two runs and of the patched one; chances
    (n, 3): in the first run, in the patched one, and in the second."""

    names: tuple[str, ...]
    chances: np.ndarray


class _Between:
    """A scale from the answer of the first run, 0, to that of the second, 1.

    Of logits: their difference z_second − z_first for the two answers. Of a model that answers nothing: how far the
    vector in the row that is read has moved along the way from the first to the second.
    """

    def __init__(self, step: LastStep, model: Transformer, pair: TextPair, first: Tensor, second: Tensor) -> None:
        """first (1, L, D), second (1, L', D): the last stack's outputs."""
        self.step, self.model, self.pair = step, model, pair
        one, two = self._logits(first, pair.at), self._logits(second, pair.other_at)
        self.ends = (first[0, pair.at].double().cpu(), second[0, pair.other_at].double().cpu())
        self.chances = None if one is None or two is None else (softmax(one[0]), softmax(two[0]))
        self.answers = (0, 0)
        self.alike = False
        if one is not None and two is not None:
            self.answers, self.alike = _two_answers(one[0], two[0])
            self.ends = (self._difference(one), self._difference(two))
        self.far = (self.ends[1] - self.ends[0]).norm()

    def _logits(self, final: Tensor, at: int) -> Tensor | None:
        return self.step.logits(self.model, final, at, final.shape[1])

    def _difference(self, logits: Tensor) -> Tensor:
        """(B,) z_second − z_first."""
        first, second = self.answers
        return logits[:, second].double() - logits[:, first].double()

    def __call__(self, final: Tensor) -> tuple[np.ndarray, np.ndarray]:
        """(B,) the turn and (B,) the chance of the second answer after the last stack's outputs (B, L, D)."""
        logits = self._logits(final, self.pair.at)
        if logits is None:
            way = self.ends[1] - self.ends[0]
            turn = (final[:, self.pair.at].double().cpu() - self.ends[0]) @ way / way.square().sum()
            return turn.numpy(), np.full(len(turn), np.nan)
        turn = (self._difference(logits) - self.ends[0]) / (self.ends[1] - self.ends[0])
        return turn.numpy(), softmax(logits)[:, self.answers[1]].numpy()


def patch_ends(step: LastStep, pair: TextPair, model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Ends:
    """What the two runs answer."""
    first, second = _recorded(pair, model, run, [])
    with torch.inference_mode():
        scale = _Between(step, model, pair, first[pair.last], second[pair.last])
    nothing = not float(scale.far) > 1e-6
    if scale.chances is None:
        return Ends((), np.zeros((0, 0)), False, nothing)
    chances = np.array([[float(each[number]) for number in scale.answers] for each in scale.chances])
    return Ends(step.labels(tokenizer, scale.answers), chances, scale.alike, nothing)


def patch_rows(
    step: LastStep, pair: TextPair, model: Transformer, tokenizer: AnyTokenizer, run: Run, boundaries: Sequence[int]
) -> list[PatchedRow]:
    """The stream of each token in turn made that of its partner, behind so many layers, for each of these numbers.

    For each one forward pass through the layers that are left, over a batch of all tokens whose streams differ.
    """
    keys = [pair.key(boundary) for boundary in boundaries]
    first, second = _recorded(pair, model, run, keys)
    with torch.inference_mode():
        scale = _Between(step, model, pair, first[pair.last], second[pair.last])
        return [_row(scale, model, pair, boundary, first, second) for boundary in boundaries]


def _row(scale: _Between, model: Transformer, pair: TextPair, boundary: int, first: Trace, second: Trace) -> PatchedRow:
    key, length = pair.key(boundary), len(pair.labels)
    turn, chance = np.full(length, np.nan), np.full(length, np.nan)
    chosen = [(place, at) for place, at in enumerate(pair.partners[:length]) if at is not None]
    swapped = _swapped(first[key], second[key], chosen)  # (B, L, D)
    moved = (swapped != first[key]).flatten(1).any(1).tolist()
    places = [place for place, _ in chosen]
    turn[places], chance[places] = scale(first[pair.last])  # where nothing was replaced by anything else
    if any(moved):
        places = [place for place, other in zip(places, moved, strict=True) if other]
        turn[places], chance[places] = scale(rest_of_run(model, pair, swapped[moved], boundary, first))
    return PatchedRow(turn, chance)


def patch_cell(
    step: LastStep, pair: TextPair, model: Transformer, tokenizer: AnyTokenizer, run: Run, boundary: int, token: int
) -> PatchedCell | None:
    """The likeliest answers where one token's stream was replaced; None where there are none."""
    key, partner = pair.key(boundary), pair.partners[token]
    first, second = _recorded(pair, model, run, [key])
    if partner is None:
        return None
    with torch.inference_mode():
        swapped = _swapped(first[key], second[key], [(token, partner)])
        middle = rest_of_run(model, pair, swapped, boundary, first)
        finals = (first[pair.last], pair.at), (middle, pair.at), (second[pair.last], pair.other_at)
        found = [step.logits(model, final, at, final.shape[1]) for final, at in finals]
    chances = [softmax(each[0]) for each in found if each is not None]
    if not chances:
        return None
    best = likeliest_of(chances, 3)
    return PatchedCell(step.labels(tokenizer, best), torch.stack(chances)[:, best].T.numpy())


def rest_of_run(model: Transformer, pair: TextPair, streams: Tensor, boundary: int, seen: Trace) -> Tensor:
    """(B, L, D) the last stack's output where streams (B, L, D) stand behind so many layers of the pair's stack.

    seen: the first run, for what its decoder reads of the encoder.
    """
    x, masks, batch = streams, pair.first.masks, len(streams)
    memory = seen["encoder.final"].expand(batch, -1, -1) if pair.stack == "decoder" and pair.several else None
    crosses = masks.cross if pair.stack == "decoder" else None
    inner = model.inner_positions(pair.stack, 0, x.shape[1], x)
    for block in list(getattr(model, pair.stack))[boundary:]:
        x = block(x, getattr(masks, pair.stack), memory, crosses, inner=inner)
    x = getattr(model, f"{pair.stack}_norm")(x)
    if not pair.several or pair.stack == "decoder":
        return x
    ids = pair.first.ids("decoder", str(x.device))
    assert ids is not None
    return model.run_stack("decoder", ids.expand(batch, -1), masks.decoder, x, masks.cross)


def _recorded(pair: TextPair, model: Transformer, run: Run, keys: list[str]) -> tuple[Trace, Trace]:
    """Both runs, with what is needed of them."""
    record = [*keys, *(f"{stack}.final" for stack in run.config.stacks)]
    return execute(model, run, pair.first, record, edits=()), execute(model, run, pair.second, record, edits=())


def _swapped(first: Tensor, second: Tensor, chosen: list[tuple[int, int]]) -> Tensor:
    """(B, L, D): the first stream (1, L, D) once for each chosen pair of tokens, of which one is taken from the
    second."""
    swapped = first.repeat(len(chosen), 1, 1)
    for row, (place, partner) in enumerate(chosen):
        swapped[row, place] = second[0, partner]
    return swapped


def _two_answers(first: Tensor, second: Tensor) -> tuple[tuple[int, int], bool]:
    """The likeliest answer of logits (C,) and of others; where they are the same, the two among the likeliest that lie
    farthest apart, and True."""
    one, two = int(first.argmax()), int(second.argmax())
    if one != two:
        return (one, two), False
    best = likeliest_of([first, second], WIDE)
    gained = second.log_softmax(-1)[best] - first.log_softmax(-1)[best]
    return (best[int(gained.argmin())], best[int(gained.argmax())]), True
