"""Choose the head that best shows where the newest token of a text looks."""

import numpy as np
import torch

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.generate.setup import text_generator
from core.topics.generate.views import words_of
from core.topics.shared.places import HeadAddress, to_numpy
from core.topics.shared.telling import link_scores, worth
from core.tracing.run import Run, TokenRow


def newest_place(model: Transformer, tokenizer: AnyTokenizer, run: Run, ids: tuple[int, ...]) -> HeadAddress:
    """Return the decoder's head in which the last token has the most informative link to an earlier one.

    ids: the tokens.

    Raises ValueError for tokens that the model cannot read.
    """
    ready = text_generator(model, tokenizer, run)
    if not 0 < len(ids) <= ready.limit:
        raise ValueError(f"the model reads 1 to {ready.limit} tokens, not {len(ids)}")
    cache = ready.cache(1, len(ids))
    batch = torch.tensor([ids], device=run.placement.device)
    if len(ids) > 1:
        ready.read(batch[:, :-1], cache)
    trace = ready.read(batch[:, -1:], cache, ("pattern",))
    rows = to_numpy(trace.stack("pattern", "decoder")[:, 0, :, -1:])  # (N, H, 1, K)
    text = TokenRow(ids, tokenizer.labels(ids), *words_of(tokenizer, ids))
    of_links = _of_newest(text)
    scores = link_scores(rows, of_links)[:, :, 0].max(-1)  # (N, H)
    layer, head = np.unravel_index(int(scores.argmax()), scores.shape)
    return HeadAddress("decoder", int(layer), int(head))


def _of_newest(text: TokenRow) -> np.ndarray:
    """Return for each key how informative a link from the last token to it would be, from 0 to 4, (1, K).

    The last token is treated as a content word, because even the attention of a function word is informative if it goes
    to a content word far back.
    """
    links = worth(text, text, True)
    key_worth = links.max(0)  # of each key, with the query whose link to it tells most
    key_worth[-2:] = 0
    is_same = np.array([piece.casefold() == text.pieces[-1].casefold() for piece in text.pieces])
    return np.where(is_same, 0, key_worth)[None]
