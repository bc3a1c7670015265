"""The arithmetic of one cell of the additive attention."""

import torch

from core.analysis.arithmetic import Products, Softmax, dot_terms, softmax_terms
from core.model.recurrent import Recurrent
from core.topics.sequence_to_sequence.records import AdditiveCell, Passage
from core.topics.shared.places import to_numpy


@torch.inference_mode()
def additive_cell(model: Recurrent, passage: Passage, row: int, column: int) -> AdditiveCell:
    """Return the parts of the score of token `row` of a translation for token `column` of its source.

    Raises ValueError for a cell that does not exist.
    """
    rows, columns = len(passage.ids), len(passage.source)
    if not (0 <= row < rows and 0 <= column < columns):
        raise ValueError(f"cell ({row}, {column}) is not one of {rows} × {columns}")
    sites = {name: torch.from_numpy(values) for name, values in passage.states.items()}
    memory = torch.cat([sites["forwards.state"], sites["backwards.state"]], dim=-1)  # (S, M)
    first = torch.tanh(model.start(sites["backwards.state"][0]))
    state = sites["decoder.state"][row - 1] if row else first  # (U,)
    attend = model.attend
    return AdditiveCell(
        to_numpy(attend.w(state)),
        to_numpy(attend.u(memory[column])),
        to_numpy(attend.v.weight[0]),
        passage.states["decoder.scores"][row],
        passage.states["decoder.pattern"][row],
    )


def cell_terms(cell: AdditiveCell, column: int) -> tuple[Products, Softmax]:
    """Return the terms of the score vᵀ tanh(W s + U h) for one token of the source, and those of its weight."""
    bent = torch.tanh(torch.from_numpy(cell.query + cell.key)).numpy()
    score = dot_terms(cell.v, bent, float(cell.scores[column]))
    return score, softmax_terms(cell.scores, column, value=float(cell.weights[column]))
