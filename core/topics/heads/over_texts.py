"""What heads do over many texts, measured beforehand by a command, beside what they do on the run's own text."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from torch import Tensor

from core.analysis.corpus_scores import corpus_scores, is_punctuation, named_scores
from core.analysis.head_names import NamedHead, named_heads
from core.checkpoints.firing import PoolText
from core.checkpoints.head_records import STRONGEST, AttentionRecord, HeadRecord, scores_of
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.heads.all_heads import patterns
from core.topics.heads.records import Patterns
from core.topics.shared.places import HeadAddress, layer_keys, mask_of, to_numpy, token_rows, unpadded_length
from core.tracing.run import AS_BUILT, Run, execute, prepare

MIN_STRENGTH = 0.25  # of the way from the best mean of random weights to the most possible


@dataclass(frozen=True)
class Context:
    """A text of the corpus with a link of one head, as the record has it.

    query, key: the numbers of the tokens that the link joins. weight: its weight, rounded to float16.
    """

    text: PoolText
    query: int
    key: int
    weight: float


def attention_name(place: HeadAddress) -> str:
    """Return the name of a place's attention in a record: "encoder", "decoder" or "cross"."""
    return "cross" if place.cross else place.stack


def mean_scores(record: AttentionRecord, attention: str) -> Mapping[str, np.ma.MaskedArray]:
    """Return the mean (N, H) of each score over the texts, masked for a head that no text gives this score."""
    found = record.counts.sum(-1) > 0
    means = record.mean.astype(np.float64)
    return {
        score: np.ma.masked_array(means[number], mask=~found[number])
        for number, score in enumerate(scores_of(attention))
    }


def names_over_texts(record: AttentionRecord, attention: str) -> tuple[NamedHead, ...]:
    """Return the heads that have a name over all texts, the strongest first.

    A name needs a mean above one half and at least a quarter of the way from the best mean of heads with random weights
    to the most possible, because a single best of some random heads is easily beaten by another.
    """
    reached = dict(zip(scores_of(attention), record.reached.tolist(), strict=True))
    named = named_heads(named_scores(mean_scores(record, attention)), reached)
    return tuple(head for head in named if head.strength >= MIN_STRENGTH)


def contexts(record: HeadRecord, place: HeadAddress, strongest: bool = True) -> tuple[Context, ...]:
    """Return the contexts of one head: its strongest links, the strongest first, or one of each decile from below."""
    found = record.attentions[attention_name(place)]
    part = slice(0, STRONGEST) if strongest else slice(STRONGEST, None)
    columns = (field[place.layer, place.head, part].tolist() for field in (found.text, found.query, found.key))
    weights = found.weight[place.layer, place.head, part].tolist()
    rows = zip(*columns, weights, strict=True)
    return tuple(Context(record.pool[text], query, key, weight) for text, query, key, weight in rows if weight > 0)


def run_on(run: Run, text: PoolText) -> Run:
    """Return a run of the same model on a text as it was trained to read it, without masks, padding and edits."""
    target = text.french if run.config.has_two_stacks else ""
    return replace(run, text=text.english, target=target, masks=AS_BUILT, pads=0, edits=())


def context_pattern(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress, context: Context
) -> Patterns:
    """Return the weights of the layer's heads on a context's text, computed by the model now.

    Raises ValueError if the text has no tokens with the stored numbers, as after a change of tokenizer.
    """
    found = patterns(model, tokenizer, run_on(run, context.text), place)
    if context.query >= len(found.queries) or context.key >= len(found.keys):
        raise ValueError(f"The text “{context.text.english[:60]}” has no token {max(context.query, context.key)}.")
    return found


def text_scores(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress
) -> Mapping[str, np.ma.MaskedArray]:
    """Return the scores (N, H) of the place's attention on the run's own text; padding tokens are left out."""
    inputs = prepare(run, tokenizer)
    queries, keys = token_rows(inputs, place)
    written = unpadded_length(run, inputs, place.stack)
    marks = np.array([is_punctuation(piece) for piece in keys.pieces])
    layers: list[Mapping[str, np.ma.MaskedArray]] = []

    def keep(pattern: Tensor) -> Tensor:
        text = pattern.clone()
        text[:, :, written:] = 0  # a row of zeros is left out of every mean
        allowed = mask_of(inputs, replace(place, layer=len(layers)))
        layers.append(corpus_scores(to_numpy(text), allowed, None if place.cross else queries.ids, marks))
        return pattern[:0]

    execute(model, run, inputs, layer_keys(run, place, "pattern"), {"pattern": keep})
    return {score: np.ma.concatenate([scores[score] for scores in layers]) for score in layers[0]}
