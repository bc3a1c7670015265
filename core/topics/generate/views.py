"""Records of a text that is being written: its attention patterns, and the next piece that each layer predicts."""

import numpy as np
import torch
from torch import Tensor

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.generate.records import NO_INTERVENTION, Attentions, Intervention, Lens, Look
from core.topics.generate.setup import TextGenerator, text_generator
from core.topics.shared.places import to_numpy
from core.tracing.run import Run
from core.tracing.trace import Trace


def look(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    ids: tuple[int, ...],
    intervention: Intervention = NO_INTERVENTION,
) -> Look:
    """Return the attention of the last of these tokens, in every layer and head.

    ids: the tokens that the decoder has read.
    """
    patterns = attentions(model, tokenizer, run, ids, intervention)
    cross = None if patterns.cross is None else patterns.cross[:, :, -1]
    return Look(patterns.pieces, patterns.source_pieces, patterns.decoder[:, :, -1], cross)


def attentions(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    ids: tuple[int, ...],
    intervention: Intervention = NO_INTERVENTION,
) -> Attentions:
    """Return the attention pattern of every layer and head over a text.

    ids: the tokens of the text, which the decoder has read.
    """
    ready = text_generator(model, tokenizer, run, intervention)
    trace = _trace(ready, ids, ("pattern",))
    source = ready.source
    words, labels = words_of(tokenizer, ids)
    return Attentions(
        tokenizer.labels(ids),
        source.pieces if source else (),
        words,
        labels,
        source.words if source else (),
        source.word_labels if source else (),
        to_numpy(trace.stack("pattern", "decoder")[:, 0]),
        to_numpy(trace.stack("pattern", "encoder")[:, 0]) if source else None,
        to_numpy(trace.stack("pattern", "decoder", cross=True)[:, 0]) if source else None,
    )


def lens(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    ids: tuple[int, ...],
    written: int = 0,
    came: int | None = None,
) -> Lens:
    """Return the next piece that each layer predicts after each token, by the logit lens (nostalgebraist 2020).

    The logit lens sends the stream after each layer through the last norm and the unembedding. The logits of the last
    layer are those of the passes that chose the tokens.

    ids: the tokens that the decoder has read.
    written: number of ids, at the end, that the model wrote.
    came: the id that was chosen after them; None if there is none.
    """
    ready = text_generator(model, tokenizer, run)
    _check_length(ready, ids)
    trace = ready.reread(ids, written, ("resid_pre", "resid_post"))
    streams = [trace["decoder.0.resid_pre"][0], *trace.stack("resid_post", "decoder")[:-1, 0]]  # N of (L, D)
    norm, after = model.get_submodule("decoder_norm"), ids[1:] if came is None else (*ids[1:], came)
    with torch.inference_mode():  # one by one: each has L × V probabilities
        layers = [*(_heard(model.logits(norm(stream)), after) for stream in streams), _heard(trace.output[0], after)]
    top, best, chosen = (np.stack(arrays) for arrays in zip(*layers, strict=True))  # (N + 1, L)
    return Lens(tokenizer.labels(ids), tuple(tokenizer.labels(row) for row in best.tolist()), top, chosen)


def _heard(logits: Tensor, after: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the likeliest next piece after each token, and the probability of the piece that really came.

    logits (L, V): the logits of the next piece after each token.
    after: the ids that came, one for each token, or one less.

    Three arrays (L,): the largest probability, its id, and the probability of the id that came; that is NaN after the
    last token if nothing came.
    """
    probabilities = logits.float().softmax(-1)
    top, best = probabilities.max(-1)
    chosen = np.full(len(logits), np.nan, dtype=np.float32)
    places = torch.tensor(after, device=probabilities.device, dtype=torch.long)
    chosen[: len(after)] = to_numpy(probabilities[: len(after)].gather(-1, places[:, None])[:, 0])
    return to_numpy(top), best.cpu().numpy(), chosen


def words_of(tokenizer: AnyTokenizer, ids: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the number of each token's word, and the labels of the words.

    <s>, </s> and tokens that form no whole text are words of their own.
    """
    ends = {tokenizer.special.begin, *tokenizer.special.ends}
    first, last = int(ids[0] in ends), len(ids) - int(len(ids) > 1 and ids[-1] in ends)
    inside = tokenizer.describe(ids[first:last])
    labels = tokenizer.labels(ids)
    if inside is None:
        return tuple(range(len(ids))), labels
    middle = [first + word for word in inside.words]
    after = first + len(inside.word_labels)
    words = (*range(first), *middle, *range(after, after + len(ids) - last))
    return words, (*labels[:first], *inside.word_labels, *labels[last:])


def _check_length(ready: TextGenerator, ids: tuple[int, ...]) -> None:
    if not 0 < len(ids) <= ready.limit:
        raise ValueError(f"the model reads 1 to {ready.limit} tokens, not {len(ids)}")


def _trace(ready: TextGenerator, ids: tuple[int, ...], record: tuple[str, ...]) -> Trace:
    _check_length(ready, ids)
    batch = torch.tensor([ids], device=ready.run.placement.device)
    tap = ready.tap(len(ids), record=record)
    with torch.inference_mode():
        logits = ready.model(ready.source_ids(1), batch, ready.masks(len(ids)), tap)
    return Trace(tap.seen, logits)
