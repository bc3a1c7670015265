"""The head that a page opens with: the one that shows best, on this text, what heads can do."""

from dataclasses import replace

import numpy as np
from torch import Tensor

from core.analysis.heads import previous_token_score
from core.explorer.shared.places import Place, layer_keys, to_numpy, unpadded_length
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run, execute, prepare


def opening_place(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: Place) -> Place:
    """The head of the place's stack that gives most of its attention to the token just before; the first of equals."""
    inputs = prepare(run, tokenizer)
    written = unpadded_length(run, inputs, place.stack)
    scores: list[np.ndarray] = []

    def keep(pattern: Tensor) -> Tensor:
        scores.append(np.ma.filled(previous_token_score(to_numpy(pattern[:, :, :written, :written])), 0)[0])  # (H,)
        return pattern[:, :, :1, :1]

    execute(model, run, inputs, layer_keys(run, place, "pattern"), {"pattern": keep})
    layer, head = np.unravel_index(int(np.stack(scores).argmax()), (len(scores), len(scores[0])))
    return replace(place, layer=int(layer), head=int(head))
