"""The choice of one token: the filters, the random draw, and the numbers of the chosen token."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.decoding.sampling import STAGES, Sampling, draw, seen_tokens, stages, uniform
from core.decoding.withheld import withheld_after
from core.text.pieces import AnyTokenizer
from core.topics.generate.records import GeneratedToken, GenerationStep, StageRecord

LISTED_TOKENS = 50


@dataclass(frozen=True, eq=False)
class Chosen:
    """A token, with the distribution from which it was chosen.

    token: the token and its numbers.
    ids: the tokens that the decoder had read.
    number: the number of the token in the written text, from 0.
    stages: the logits (V,) after each filter.
    own, after (V,): the probabilities before and after all filters.
    """

    token: GeneratedToken
    ids: tuple[int, ...]
    number: int
    stages: list[Tensor]
    own: Tensor
    after: Tensor

    def step(self, tokenizer: AnyTokenizer) -> GenerationStep:
        """Return this choice as a record for a page, with the likeliest tokens and all labels."""
        order = np.lexsort((-self.own.numpy(), -self.after.numpy()))[:LISTED_TOKENS].tolist()
        return GenerationStep(
            **vars(self.token),
            number=self.number,
            ids=self.ids,
            pieces=tokenizer.labels(self.ids),
            stages=tuple(
                StageRecord(name, stage.numpy(), int(stage.isfinite().sum()))
                for name, stage in zip(STAGES, self.stages, strict=True)
            ),
            likely=tuple(zip(order, tokenizer.labels(order), strict=True)),
        )


def choose_token(
    tokenizer: AnyTokenizer,
    ids: tuple[int, ...],
    logits: Tensor,
    sampling: Sampling,
    number: int,
    sample: int,
    forced: int | None,
    last: bool,
) -> Chosen:
    """Choose the token that comes after `ids` from the logits (V,).

    number: the number of the token in the written text, from 0.
    sample: the number of the text among several that are drawn with one seed.
    forced: the id that is chosen whatever the logits; None if none is forced.
    last: whether nothing can be written after this token, because the context is full.

    Raises ValueError for logits that overflow, and for a forced id outside the vocabulary.
    """
    logits = finite(logits.float().cpu())
    seen, withheld = seen_tokens(torch.tensor(ids), len(logits)), withheld_after(tokenizer, ids)
    stage_logits = [stage[0] for stage in stages(logits[None], seen[None], sampling, [withheld])]
    own, after = torch.softmax(logits.double(), -1), torch.softmax(stage_logits[-1].double(), -1)
    random = None if sampling.greedy or forced is not None else uniform(sampling.seed, sample, number)
    if forced is not None and not 0 <= forced < len(logits):
        raise ValueError(f"token {forced} cannot be written: the vocabulary has ids 0 to {len(logits) - 1:,}")
    drawn = int(after.argmax()) if random is None else draw(after, random)
    chosen = drawn if forced is None else forced
    token = GeneratedToken(
        chosen,
        tokenizer.labels([chosen])[0],
        float(after[chosen]),
        float(own[chosen]),
        random,
        forced is not None,
        float(-(own * own.clamp(min=1e-300).log2()).sum()),
        float(-own[chosen].clamp(min=1e-300).log2()),
        chosen in tokenizer.special.ends or last,
    )
    return Chosen(token, ids, number, stage_logits, own, after)


def finite(logits: Tensor) -> Tensor:
    """Return the logits unchanged; raise ValueError if any of them is infinite or NaN."""
    if not logits.isfinite().all():
        raise ValueError("The numbers overflow before the last layer: choose a norm, fewer layers or float32.")
    return logits
