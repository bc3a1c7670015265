"""Activation patching: replace one token's stream with that of another run, and measure how far the answer changes.

Vig et al. 2020, "Investigating gender bias in language models using causal mediation analysis"; Meng et al. 2022,
"Locating and editing factual associations in GPT".
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.model.kv import LayerKV
from core.model.masks import attends_ahead
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.block.answers import AnswerHead, likeliest_of, softmax
from core.topics.block.between import LogitDifferenceScale
from core.topics.block.pairs import TextPair
from core.tracing.run import Run, execute
from core.tracing.sites import scored_site
from core.tracing.trace import Trace


@dataclass(frozen=True, eq=False)
class Ends:
    """The answers of the two runs without patching, the ends of the scale on which patched runs are measured.

    names: the two answers that are compared; empty if the model gives no answer.
    probabilities (2, 2): a row for each run, with the probabilities of the first and of the second answer; empty if the
        model gives no answer.
    alike: whether both runs give the same answer. The two pieces compared are then those whose probabilities differ
        most between the runs, one likelier in the first and one in the second.
    nothing: whether the answers are so close to each other that no patch can be measured.
    """

    names: tuple[str, ...]
    probabilities: np.ndarray
    alike: bool
    nothing: bool


@dataclass(frozen=True, eq=False)
class BothRuns:
    """The recorded tensors of two runs, from which patched runs are computed.

    first, second: for each run, the stream after 0, 1, 2, … layers and the output of each stack; `first` also has the
        keys and values if `causal`.
    causal: whether no token attends to a later one.
    """

    first: Trace
    second: Trace
    causal: bool


@dataclass(frozen=True, eq=False)
class PatchedRow:
    """The answers of the first run when one token's vector is replaced by its partner's after 0, 1, … N layers.

    turn (N + 1,): 0 for the answer of the first run, 1 for that of the second; NaN if the token has no partner.
    probability (N + 1,): the probability of the second run's answer; NaN if the token has no partner or the model gives
        no answer.
    """

    turn: np.ndarray
    probability: np.ndarray


@dataclass(frozen=True, eq=False)
class PatchedCell:
    """The likeliest answers when one token's vector is replaced by its partner's after a given number of layers.

    names: the likeliest answers of the two runs and of the patched one.
    probabilities (n, 3): their probabilities in the first run, in the patched one, and in the second.
    """

    names: tuple[str, ...]
    probabilities: np.ndarray


def both_runs(pair: TextPair, model: Transformer, tokenizer: AnyTokenizer, run: Run) -> BothRuns:
    """Run both texts and record the tensors that patched runs need."""
    mask = getattr(pair.first.masks, pair.stack)
    causal = mask is not None and not attends_ahead(mask)
    record = [pair.key(boundary) for boundary in range(pair.layers + 1)]
    record += [f"{stack}.final" for stack in run.config.stacks]
    sites = (scored_site(run.config, "k"), "v") if causal else ()
    kept = [f"{pair.stack}.{layer}.{site}" for layer in range(pair.layers) for site in sites]
    first = execute(model, run, pair.first, [*record, *kept], edits=())
    return BothRuns(first, execute(model, run, pair.second, record, edits=()), causal)


def patch_ends(
    step: AnswerHead, pair: TextPair, runs: BothRuns, model: Transformer, tokenizer: AnyTokenizer, run: Run
) -> Ends:
    """Return the answers of the two runs without patching."""
    with torch.inference_mode():
        scale = LogitDifferenceScale(step, model, pair, runs.first[pair.last], runs.second[pair.last])
    nothing = not float(scale.far) > 1e-6
    if scale.probabilities is None:
        return Ends((), np.zeros((0, 0)), False, nothing)
    probabilities = np.array(
        [[float(distribution[answer]) for answer in scale.answers] for distribution in scale.probabilities]
    )
    return Ends(step.labels(tokenizer, scale.answers), probabilities, scale.alike, nothing)


def patch_order(pair: TextPair) -> list[int]:
    """Return the tokens that have a partner, in the order in which they are patched.

    Tokens whose partner is another piece come first; in both groups, the last token comes first.
    """
    first, second = (inputs.rows[pair.stack].ids for inputs in (pair.first, pair.second))
    tokens = [token for token, _ in enumerate(pair.labels) if pair.partners[token] is not None]
    return sorted(tokens, key=lambda token: (first[token] == second[pair.partners[token] or 0], -token))


def patch_rows(
    step: AnswerHead,
    pair: TextPair,
    runs: BothRuns,
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    tokens: Sequence[int],
) -> list[PatchedRow]:
    """Return the answers if the stream of each token is replaced by that of its partner after 0, 1, … N layers.

    tokens: the tokens to patch, one after another.

    This is one forward pass over a growing batch: a patched run joins it at the layer at which its stream is replaced.
    If no token attends to a later one, the rows before the first of these tokens are taken from the first run.
    """
    changes, probabilities = np.full((2, len(tokens), pair.layers + 1), np.nan)
    chosen = [number for number, token in enumerate(tokens) if pair.partners[token] is not None]
    with torch.inference_mode():
        scale = LogitDifferenceScale(step, model, pair, runs.first[pair.last], runs.second[pair.last])
        changes[chosen], probabilities[chosen] = (float(values[0]) for values in scale(runs.first[pair.last]))
        cells, finals = _patched(model, pair, runs, [tokens[number] for number in chosen])
        if cells:
            rows, columns = zip(*((chosen[number], boundary) for number, boundary in cells), strict=True)
            changes[rows, columns], probabilities[rows, columns] = scale(finals)
    return [PatchedRow(*row) for row in zip(changes, probabilities, strict=True)]


def _patched(
    model: Transformer, pair: TextPair, runs: BothRuns, tokens: Sequence[int]
) -> tuple[list[tuple[int, int]], Tensor]:
    """Run the model with the vector of one token replaced, once for each token and number of layers before the patch.

    Nothing is run where both runs have the same vector.

    Return the list of (index in `tokens`, number of layers before the patch), and in the same order the last stack's
    outputs (B, L, D).
    """
    start = min(tokens, default=0) if runs.causal else 0
    chosen = [(token, pair.partners[token] or 0) for token in tokens]
    final = runs.first[f"{pair.stack}.final"]
    cells: list[tuple[int, int]] = []
    x = final[:0, start:]
    for boundary in range(pair.layers + 1):
        stream, other_stream = runs.first[pair.key(boundary)], runs.second[pair.key(boundary)]
        moved = [
            number for number, (token, partner) in enumerate(chosen) if _differ(stream, token, other_stream, partner)
        ]
        cells += [(number, boundary) for number in moved]
        x = torch.cat([x, swapped(stream, other_stream, [chosen[number] for number in moved])[:, start:]])
        if boundary < pair.layers and len(x):
            x = _through(model, pair, runs, x, boundary, start)
    x = getattr(model, f"{pair.stack}_norm")(x)
    outputs = torch.cat([final[:, :start].expand(len(x), -1, -1), x], 1)
    return cells, _to_the_end(model, pair, outputs) if len(x) else outputs


def _differ(stream: Tensor, token: int, other_stream: Tensor, partner: int) -> bool:
    return not torch.equal(stream[0, token], other_stream[0, partner])


def _through(model: Transformer, pair: TextPair, runs: BothRuns, x: Tensor, layer: int, start: int) -> Tensor:
    """Return the rows from `start` on, (B, L − start, D), after one layer; earlier rows are the first run's."""
    masks, kv = pair.first.masks, None
    mask = getattr(masks, pair.stack)
    memory, cross = _memory(pair, runs.first, len(x)), masks.cross if pair.stack == "decoder" else None
    if start:
        old = [runs.first[f"{pair.stack}.{layer}.{site}"] for site in (scored_site(model.config, "k"), "v")]
        k, v = (cached.repeat(len(x), 1, 1, 1) for cached in old)  # (B, G, L, E); overwritten from `start` on
        kv = LayerKV(k, v, start)
        mask = mask[..., start:, :]
    inner = model.inner_positions(pair.stack, start, x.shape[1], x)
    output: Tensor = getattr(model, pair.stack)[layer](x, mask, memory, cross, kv=kv, inner=inner)
    return output


def patch_cell(
    step: AnswerHead,
    pair: TextPair,
    runs: BothRuns,
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    boundary: int,
    token: int,
) -> PatchedCell | None:
    """Return the likeliest answers with one token's stream replaced.

    boundary: number of layers before the replacement.

    None if the token has no partner or the model gives no answer.
    """
    key, partner, first, second = pair.key(boundary), pair.partners[token], runs.first, runs.second
    if partner is None:
        return None
    with torch.inference_mode():
        middle = rest_of_run(model, pair, swapped(first[key], second[key], [(token, partner)]), boundary, first)
        finals = (first[pair.last], pair.at), (middle, pair.at), (second[pair.last], pair.other_at)
        scores = [step.logits(model, final, row, final.shape[1]) for final, row in finals]
    probabilities = [softmax(logits[0]) for logits in scores if logits is not None]
    if not probabilities:
        return None
    best = likeliest_of(probabilities, 3)
    return PatchedCell(step.labels(tokenizer, best), torch.stack(probabilities)[:, best].T.numpy())


def rest_of_run(model: Transformer, pair: TextPair, streams: Tensor, boundary: int, first: Trace) -> Tensor:
    """Finish a run from streams after `boundary` layers of the pair's stack; return the last stack's output (B, L, D).

    streams (B, L, D): the streams to start from.
    first: the first run, whose encoder output a decoder reads.
    """
    masks, memory = pair.first.masks, _memory(pair, first, len(streams))
    mask, cross = getattr(masks, pair.stack), masks.cross if pair.stack == "decoder" else None
    return _to_the_end(model, pair, model.run_blocks(pair.stack, streams, mask, memory, cross, first=boundary))


def _memory(pair: TextPair, first: Trace, batch: int) -> Tensor | None:
    """Return the encoder's output (B, S, D) that the decoder reads; None if the pair's stack reads none."""
    return first["encoder.final"].expand(batch, -1, -1) if pair.stack == "decoder" and pair.several else None


def _to_the_end(model: Transformer, pair: TextPair, final: Tensor) -> Tensor:
    """Return the last stack's output, computed from the output (B, L, D) of the pair's stack."""
    if not pair.several or pair.stack == "decoder":
        return final
    masks, ids = pair.first.masks, pair.first.ids("decoder", str(final.device))
    assert ids is not None
    return model.run_stack("decoder", ids.expand(len(final), -1), masks.decoder, final, masks.cross)


def swapped(first: Tensor, second: Tensor, chosen: Sequence[tuple[int, int]]) -> Tensor:
    """Return copies (B, L, D) of the first stream, each with one token taken from the second stream.

    first, second: streams (1, L, D) and (1, L', D).
    chosen: for each copy, the token's index in the first stream and its partner's in the second.
    """
    copies = first.repeat(len(chosen), 1, 1)
    for row, (token, partner) in enumerate(chosen):
        copies[row, token] = second[0, partner]
    return copies
