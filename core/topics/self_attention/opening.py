"""Choose the head with which a page opens: on this text, the one that best shows the page's subject."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from torch import Tensor

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.shared.places import HeadAddress, layer_keys, to_numpy, token_rows, unpadded_length
from core.topics.shared.telling import MIN_CONTENT_SCORE, last_told, link_scores, worth
from core.tracing.run import Run, execute, prepare


def telling_place(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> HeadAddress:
    """Return the head with the most informative link, among the heads of the attention at `place`.

    A link is informative if a content word attends clearly to another content word.
    """
    return _best(model, tokenizer, run, place, lambda scores: scores.max((-2, -1)))


def last_word_place(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> HeadAddress:
    """Return the head in which the last content word of the text has its most informative link.

    If that word attends clearly to no other content word, the last content word that does so is taken. If none does,
    the head is that of `telling_place`.
    """

    def of_last(scores: np.ndarray) -> np.ndarray:
        return 2 * MIN_CONTENT_SCORE * (1 + last_told(scores)) + scores.max((-2, -1))

    return _best(model, tokenizer, run, place, of_last)


def _best(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    place: HeadAddress,
    of_heads: Callable[[np.ndarray], np.ndarray],
) -> HeadAddress:
    """Return the head with the largest value of `of_heads`, the first of equals; padding is left out.

    of_heads: computes the values (H,) from the scores of links (H, Q, K).
    """
    inputs = prepare(run, tokenizer)
    queries, keys = token_rows(inputs, place)
    of_links, written = worth(queries, keys, not place.cross), unpadded_length(run, inputs, place.stack)
    values: list[np.ndarray] = []

    def keep(pattern: Tensor) -> Tensor:
        values.append(of_heads(link_scores(to_numpy(pattern[0]), of_links)[:, :written]))
        return pattern[:, :, :1, :1]

    execute(model, run, inputs, layer_keys(run, place, "pattern"), {"pattern": keep})
    layer, head = np.unravel_index(int(np.stack(values).argmax()), (len(values), len(values[0])))
    return replace(place, layer=int(layer), head=int(head))
