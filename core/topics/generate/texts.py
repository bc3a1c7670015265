"""Generation token by token, with the details of each choice; all numbers come from the model's own passes."""

import math
from collections.abc import Iterator, Sequence
from functools import partial

import torch
from torch import Tensor

from core.decoding.beam import beam_search
from core.decoding.sampling import GREEDY, Sampling
from core.decoding.withheld import withheld_after
from core.model.kv import KVCache
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.generate.chosen import Chosen, choose_token, finite
from core.topics.generate.records import (
    NO_INTERVENTION,
    BeamNode,
    BeamText,
    BeamTree,
    GeneratedToken,
    GenerationStep,
    Intervention,
    ScoredToken,
)
from core.topics.generate.setup import STRETCH_TOKENS, TextGenerator, start_ids, text_generator
from core.tracing.run import Run


def step(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    ids: tuple[int, ...],
    sampling: Sampling = GREEDY,
    number: int = 0,
    sample: int = 0,
    forced: int | None = None,
    intervention: Intervention = NO_INTERVENTION,
) -> GenerationStep:
    """Return the choice of the token after `ids`, the same that `generate` makes there.

    number: number of ids, at the end, that were written.
    sample: the number of the text among several that are drawn with one seed.
    forced: the id of a token that is written whatever the model predicts; None if none is forced.

    Raises ValueError for ids that the model cannot read, and for a forced id outside its vocabulary.
    """
    ready = text_generator(model, tokenizer, run, intervention)
    if not 0 < len(ids) <= ready.limit:
        raise ValueError(f"the model reads 1 to {ready.limit} tokens, not {len(ids)}")
    logits = ready.reread(ids, number).output[0, -1]
    last = len(ids) >= ready.limit
    return choose_token(tokenizer, ids, logits, sampling, number, sample, forced, last).step(tokenizer)


def generate(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    sampling: Sampling = GREEDY,
    forced: Sequence[tuple[int, int]] = (),
    max_tokens: int = 64,
    sample: int = 0,
    intervention: Intervention = NO_INTERVENTION,
    written: tuple[int, ...] = (),
) -> Iterator[GenerationStep]:
    """Yield the next steps of a text: a decoder continues the text, an encoder-decoder translates it.

    It ends with </s>, after `max_tokens`, or when the context is full. Keys and values are cached, unless an edit
    holds values for all rows at once. The text is divided into passes as described in `TextGenerator.reread`, however
    much of it was written before.

    forced: pairs (number of the step, token id) of tokens that are written whatever the model predicts.
    max_tokens: the largest number of steps.
    sample: the number of the text among several that are drawn with one seed.
    written: the tokens written before.
    """
    choices = _write(model, tokenizer, run, sampling, forced, max_tokens, sample, intervention, written)
    return (choice.step(tokenizer) for choice in choices)


def generate_tokens(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    sampling: Sampling = GREEDY,
    forced: Sequence[tuple[int, int]] = (),
    max_tokens: int = 64,
    intervention: Intervention = NO_INTERVENTION,
    written: tuple[int, ...] = (),
    sample: int = 0,
) -> tuple[GeneratedToken, ...]:
    """Return the next tokens of a text as `generate` gives them, without the distribution over the vocabulary."""
    choices = _write(model, tokenizer, run, sampling, forced, max_tokens, sample, intervention, written)
    return tuple(choice.token for choice in choices)


def _write(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    sampling: Sampling,
    forced: Sequence[tuple[int, int]],
    max_tokens: int,
    sample: int,
    intervention: Intervention,
    written: tuple[int, ...],
) -> Iterator[Chosen]:
    ready, wishes = text_generator(model, tokenizer, run, intervention), dict(forced)
    ids = (*start_ids(tokenizer, run), *written)
    if len(ids) > ready.limit or not tokenizer.special.ends.isdisjoint(written):
        return
    cache = ready.cache(1, min(ready.limit, len(ids) + max_tokens))
    for number in range(len(written), len(written) + max_tokens):
        if cache is None or number == len(written) or number % STRETCH_TOKENS == 0:
            if cache is not None:
                cache.truncate(0)
            logits = ready.reread(ids, number, cache=cache).output[0, -1]
        else:
            logits = ready.logits(torch.tensor([ids[-1:]], device=run.placement.device), cache)[0]
        last = len(ids) >= ready.limit
        choice = choose_token(tokenizer, ids, logits, sampling, number, sample, wishes.get(number), last)
        yield choice
        if choice.token.ended:
            return
        ids += (choice.token.chosen,)


def score_text(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    ids: tuple[int, ...],
    intervention: Intervention = NO_INTERVENTION,
) -> tuple[ScoredToken, ...]:
    """Return the probability of each id given `start_ids` and the ids before it, in one pass (teacher forcing).

    In a decoder alone `start_ids` are the run's whole text, so the ids are what follows it.

    If the ids are more than the model can read, the last ones are left out.
    """
    ready, start = text_generator(model, tokenizer, run, intervention), start_ids(tokenizer, run)
    all_ids = (*start, *ids)[: ready.limit + 1]
    batch = torch.tensor([all_ids[:-1]], device=run.placement.device)
    with torch.inference_mode():
        tap = ready.tap(batch.shape[1])
        logits = model(ready.source_ids(1), batch, ready.masks(batch.shape[1]), tap)[0, len(start) - 1 :]
    probabilities = torch.softmax(finite(logits.float().cpu()).double(), -1)  # (L, V)
    scored_tokens = []
    for token, row in zip(all_ids[len(start) :], probabilities, strict=True):
        best = int(row.argmax())
        rank = int((row > row[token]).sum()) + 1
        piece, best_piece = tokenizer.labels([token, best])
        scored_tokens.append(ScoredToken(token, piece, float(row[token]), rank, best_piece, float(row[best])))
    return tuple(scored_tokens)


def beam(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    width: int = 4,
    alpha: float = 0.6,
    max_tokens: int = 64,
    intervention: Intervention = NO_INTERVENTION,
) -> BeamTree:
    """Run a beam search and return its whole tree, with the finished texts, best first.

    The length penalty is that of Wu et al. 2016.
    """
    ready, start = text_generator(model, tokenizer, run, intervention), start_ids(tokenizer, run)
    max_tokens = min(max_tokens, ready.limit - len(start) + 1)
    next_logits = partial(_next_logits, ready, ready.cache(1, min(ready.limit, len(start) + max_tokens)))
    withheld = partial(withheld_after, tokenizer)
    (search,) = beam_search(next_logits, [max_tokens], width, alpha, start, tokenizer.special.ends, withheld)
    pieces = tokenizer.labels([node.id for node in search.nodes])
    nodes = tuple(
        BeamNode(n.index, n.parent, n.step, n.id, piece, n.log_probability, n.total, n.score, n.fate)
        for n, piece in zip(search.nodes, pieces, strict=True)
    )
    texts = tuple(
        BeamText(
            tokenizer.decode(hypothesis.ids),
            hypothesis.path,
            hypothesis.log_probability,
            hypothesis.score,
            hypothesis.cut,
        )
        for hypothesis in search.hypotheses
    )
    return BeamTree(nodes, texts)


def _next_logits(ready: TextGenerator, cache: KVCache | None, prefixes: Tensor, rows: Tensor) -> Tensor:
    prefixes = prefixes.to(ready.run.placement.device)
    if cache is None:
        return finite(ready.logits(prefixes))
    if cache.length:
        cache.select(rows.to(prefixes.device))
    return finite(ready.logits(prefixes[:, cache.length :], cache))


def per_token(log_probability: float, tokens: int) -> float:
    """Return the mean log-probability per token in bits, from the sum in nats; 0 for an empty text.

    log_probability: the sum.
    tokens: number of tokens.
    """
    return log_probability / math.log(2) / tokens if tokens else 0.0
