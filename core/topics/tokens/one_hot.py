"""A token id as a one-hot row, and its product with the embedding table, which is one row of the table."""

from dataclasses import dataclass

import numpy as np
import torch

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.shared.places import to_numpy
from core.tracing.run import Run, prepare

ROWS_EACH_SIDE = 3  # rows of the table that are shown above and below the token's row
MOST_NUMBERS = 64  # numbers of each row that are shown


@dataclass(frozen=True, eq=False)
class OneHot:
    """One token of a run's text as a one-hot vector.

    labels, ids: the labels and ids of all tokens.
    place: the position of the token.
    vector (V,): 1 at the id and 0 elsewhere.
    window: the ids of the table's rows that are shown.
    names: their pieces.
    table (W, D): these rows.
    row (D,): the result of the look-up.
    product (D,): the result of the multiplication.
    same: whether the two are equal to the bit.
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
        """The number of multiplications of the product, V · D; the look-up has none."""
        return len(self.vector) * len(self.row)


def one_hot(model: Transformer, tokenizer: AnyTokenizer, run: Run, position: int) -> OneHot:
    """Return the token at `position`, or the last one if there are fewer, as one-hot vector and as row of the table."""
    row = prepare(run, tokenizer).rows[run.config.stacks[0]]
    position = min(position, len(row.ids) - 1)
    i, table = row.ids[position], model.embed.weight.detach()  # (V, D)
    vector = torch.zeros(len(table), dtype=table.dtype, device=table.device)
    vector[i] = 1
    looked_up, product = table[i], vector @ table
    window = tuple(range(max(0, i - ROWS_EACH_SIDE), min(len(table), i + ROWS_EACH_SIDE + 1)))
    return OneHot(
        tuple(row.pieces),
        tuple(row.ids),
        position,
        to_numpy(vector),
        window,
        tuple(tokenizer.labels(window)),
        to_numpy(table[list(window)]),
        to_numpy(looked_up),
        to_numpy(product),
        bool(torch.equal(looked_up, product)),
    )
