"""Draw several texts after the same beginning."""

import math
from collections.abc import Container, Sequence

import torch

from core.decoding.sampling import Sampling, draw, seen_tokens, stages, uniform
from core.decoding.withheld import withheld_after
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.generate.chosen import finite
from core.topics.generate.records import Sample
from core.topics.generate.setup import start_ids, text_generator
from core.topics.generate.texts import generate_tokens
from core.tracing.run import Run


def samples(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, sampling: Sampling, count: int, max_tokens: int = 64
) -> tuple[Sample, ...]:
    """Draw `count` texts; text n is the one that `generate` writes with sample=n.

    In float32 they are drawn at once, as one batch. Shorter formats round a row of a batch differently from a single
    row, so there the texts are drawn one by one.

    max_tokens: the largest number of tokens of a text.

    Raises ValueError for a count outside 1 to 64.
    """
    if not 1 <= count <= 64:
        raise ValueError(f"1 to 64 texts can be drawn at once, not {count}")
    if run.placement.dtype != "float32":
        return tuple(_sample(model, tokenizer, run, sampling, number, max_tokens) for number in range(count))
    ready, start = text_generator(model, tokenizer, run), start_ids(tokenizer, run)
    cache = model.cache(count, min(ready.limit, len(start) + max_tokens))
    texts, totals, alive = torch.tensor([start] * count), [0.0] * count, [True] * count
    new = texts
    for number in range(min(max_tokens, ready.limit - len(start) + 1)):
        logits = finite(ready.logits(new.to(run.placement.device), cache).float().cpu())  # (count, V)
        withheld = [withheld_after(tokenizer, text) for text in texts.tolist()]
        after = stages(logits, seen_tokens(texts, logits.shape[1]), sampling, withheld)[-1].double().softmax(-1)
        log_probabilities = logits.double().log_softmax(-1)
        chosen = [draw(row, uniform(sampling.seed, n, number)) for n, row in enumerate(after)]
        for n in filter(alive.__getitem__, range(count)):
            totals[n] += float(log_probabilities[n, chosen[n]])
            alive[n] = chosen[n] not in tokenizer.special.ends
        new = torch.tensor(chosen)[:, None]
        texts = torch.cat([texts, new], 1)
        if not any(alive) or texts.shape[1] > ready.limit:
            break
    ends = tokenizer.special.ends
    written = [_until_end(row, ends) for row in texts[:, len(start) :].tolist()]
    return tuple(
        Sample(tokenizer.decode(ids), ids, tokenizer.labels(ids), total, ids[-1] in ends)
        for ids, total in zip(written, totals, strict=True)
    )


def _sample(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, sampling: Sampling, number: int, max_tokens: int
) -> Sample:
    tokens = generate_tokens(model, tokenizer, run, sampling, max_tokens=max_tokens, sample=number)
    ids = tuple(token.chosen for token in tokens)
    total = -math.log(2) * sum(token.surprisal for token in tokens)
    return Sample(tokenizer.decode(ids), ids, tokenizer.labels(ids), total, ids[-1] in tokenizer.special.ends)


def _until_end(ids: Sequence[int], ends: Container[int]) -> tuple[int, ...]:
    end = next((number for number, token in enumerate(ids) if token in ends), len(ids) - 1)
    return tuple(ids[: end + 1])
