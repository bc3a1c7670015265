"""Greedy translation of one sentence by the recurrent translators and the transformer, token by token."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import torch
from torch import Tensor

from core.analysis.costs import MemoryEstimate
from core.decoding.filters import without
from core.decoding.translators import TransformerTranslator
from core.decoding.withheld import withheld_after
from core.model.recurrent import Recurrent, RecurrentConfig
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.text.special import BOS, EOS
from core.topics.generate.setup import translation_limit
from core.topics.sequence_to_sequence.analysis.costs import recurrent_estimate
from core.topics.sequence_to_sequence.records import MAX_SOURCE_TOKENS, Passage
from core.topics.shared.places import to_numpy
from core.tracing.run import Run, TokenRow, token_row
from core.tracing.step_tap import StepTap
from core.tracing.trace import trace

Forced = Mapping[int, tuple[float, ...]]
NOTHING_FORCED: Forced = MappingProxyType({})


def source_row(text: str, tokenizer: AnyTokenizer) -> TokenRow:
    """Return the sentence's tokens as all three models read them, with </s> at the end.

    Raises ValueError for a text without a word.
    """
    return token_row(text, tokenizer, MAX_SOURCE_TOKENS - 1, end=True)


def looking_only_at(cell: tuple[int, int] | None, length: int) -> Forced:
    """Return forced weights that put all attention on one source token while one token is written.

    cell: (token, source token); None forces nothing.
    length: tokens of the source.
    Raises ValueError for a source token that does not exist.
    """
    if cell is None:
        return NOTHING_FORCED
    row, column = cell
    if not 0 <= column < length:
        raise ValueError(f"source token {column} cannot be looked at: there are {length}")
    return {row: tuple(float(n == column) for n in range(length))}


def passage_size(config: RecurrentConfig) -> MemoryEstimate:
    """Return the peak memory of the longest passage."""
    return recurrent_estimate(config, 1, MAX_SOURCE_TOKENS, translation_limit(config, 1, MAX_SOURCE_TOKENS))


@torch.inference_mode()
def recurrent_passage(
    model: Recurrent, tokenizer: AnyTokenizer, source: TokenRow, forced: Forced = NOTHING_FORCED
) -> Passage:
    """Return the translation by a recurrent translator.

    forced: weights over the source by the number of the token written, counted from 0.
    """
    tap = StepTap(forced)
    ids = torch.tensor([source.ids])
    encoded = model.encode(ids, torch.ones_like(ids, dtype=torch.bool), tap)
    state, last = model.first_state(encoded), torch.tensor([BOS])
    written: list[tuple[int, float]] = []
    for _ in range(_most(model, source)):
        hidden, state = model.step(last, state, encoded, tap)
        written.append(_likeliest(model.logits(hidden), withheld_after(tokenizer, [piece for piece, _ in written])))
        last = torch.tensor([written[-1][0]])
        if written[-1][0] == EOS:
            break
    states = {site: to_numpy(tap.steps(site)[0]) for site in tap.seen}
    return _passage(tokenizer, source, written, states.get("decoder.pattern"), states)


@torch.inference_mode()
def transformer_passage(model: Transformer, tokenizer: AnyTokenizer, run: Run, source: TokenRow) -> Passage:
    """Return the translation by the transformer, with the mean of its cross-attention.

    run: names the model and where it computes.
    """
    max_tokens = _most(model, source)
    following = TransformerTranslator(model, [source.ids], max_tokens)
    written: list[tuple[int, float]] = []
    read = [BOS]
    for _ in range(max_tokens):
        logits = following(torch.tensor([read]), torch.zeros(1, dtype=torch.long))
        written.append(_likeliest(logits, withheld_after(tokenizer, read)))
        read.append(written[-1][0])
        if read[-1] == EOS:
            break
    device = run.placement.device
    reads, writes = (torch.tensor([row], device=device) for row in (source.ids, read[:-1]))
    recorded = trace(model, reads, writes, record=("pattern",))
    weights = to_numpy(recorded.stack("pattern", "decoder", cross=True)[:, 0].mean((0, 1)))
    memory = model.run_stack("encoder", reads, None)
    outputs = {"encoder.state": memory, "decoder.state": model.run_stack("decoder", writes, None, memory)}
    states = {site: to_numpy(output[0]) for site, output in outputs.items()}
    return _passage(tokenizer, source, written, weights, states)


def _most(model: Recurrent | Transformer, source: TokenRow) -> int:
    return translation_limit(model.config, 1, len(source))


def _likeliest(logits: Tensor, withheld: Sequence[int]) -> tuple[int, float]:
    """Return the likeliest id that is not withheld, and its probability, from logits (1, V)."""
    best = int(without(logits, [withheld])[0].argmax())
    return best, float(logits[0].float().softmax(-1)[best])


def _passage(
    tokenizer: AnyTokenizer,
    source: TokenRow,
    written: list[tuple[int, float]],
    weights: np.ndarray | None,
    states: Mapping[str, np.ndarray],
) -> Passage:
    ids = tuple(token for token, _ in written)
    probabilities = np.array([probability for _, probability in written])
    return Passage(
        ids, tokenizer.labels(ids), probabilities, tokenizer.decode(ids), source.pieces, weights, dict(states)
    )
