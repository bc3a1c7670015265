"""An id as a row as long as the vocabulary, and what that does to the embedding table: it takes out one row."""

from dataclasses import dataclass

import numpy as np
import torch

from core.explorer.shared.places import to_numpy
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run, prepare

AROUND = 3  # rows of the table that are shown above and below the one
MOST_NUMBERS = 64  # of each row that are shown


@dataclass(frozen=True, eq=False)
class OneHot:
    """One token of a run's text.

    labels, ids: of all tokens; place: which of them. vector: (V,), 1 at the id and 0 elsewhere. window: ids of the
    rows that are shown; names: their pieces; table: (W, D) of these rows. row: (D,) what the look-up gives; product:
    (D,) what the multiplication gives. same: whether the two are equal to the bit.
    """

    labels: tuple[str, ...]
    ids: tuple[int, ...]
    place: int
    vector: np.ndarray
    window: tuple[int, ...]
    names: tuple[str, ...]
    table: np.ndarray
    row: np.ndarray
    product: np.ndarray
    same: bool

    @property
    def multiplications(self) -> int:
        """Of the product: V · D. The look-up has none."""
        return len(self.vector) * len(self.row)


def one_hot(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: int) -> OneHot:
    """The token at `place`, or the last one, as one-hot vector and as row of the embedding table."""
    row = prepare(run, tokenizer).rows[run.config.stacks[0]]
    place = min(place, len(row.ids) - 1)
    i, table = row.ids[place], model.embed.weight.detach()  # (V, D)
    vector = torch.zeros(len(table), dtype=table.dtype, device=table.device)
    vector[i] = 1
    looked_up, product = table[i], vector @ table
    window = tuple(range(max(0, i - AROUND), min(len(table), i + AROUND + 1)))
    return OneHot(
        tuple(row.pieces),
        tuple(row.ids),
        place,
        to_numpy(vector),
        window,
        tuple(tokenizer.labels(window)),
        to_numpy(table[list(window)]),
        to_numpy(looked_up),
        to_numpy(product),
        bool(torch.equal(looked_up, product)),
    )
