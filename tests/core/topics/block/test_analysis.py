"""What neurons add and write: against sums by hand, and against the derivative of the model's own last step."""

import numpy as np
import pytest
import torch
from torch import nn

from core.topics.block.analysis import before_unembedding, largest_change, output_shares, written_lengths


def test_shares_are_parts_of_the_sum_in_its_own_direction() -> None:
    added = np.array([[3.0, 0.0], [1.0, 4.0], [0.0, -2.0]])
    out = added.sum(0)  # (4, 2), of squared length 20
    assert output_shares(added, out).tolist() == pytest.approx([12 / 20, (4 + 8) / 20, -4 / 20])
    assert output_shares(added, out).sum() == pytest.approx(1)
    assert np.isnan(output_shares(added, np.zeros(2))).all()


def test_what_a_neuron_adds_is_as_long_as_its_row_times_its_activation() -> None:
    assert written_lengths(np.array([-2.0, 0.5]), np.array([[3.0, 4.0], [0.0, 8.0]])).tolist() == [10, 4]


@pytest.mark.parametrize("kind", [nn.LayerNorm, nn.RMSNorm])
def test_a_row_before_the_unembedding_is_the_derivative_of_the_last_norm(kind: type[nn.Module]) -> None:
    """Along a row that leaves the stream's deviation as it is, the norm's derivative is the row as it is read, divided
    by that deviation."""
    draw = torch.Generator().manual_seed(0)
    norm = kind(8, eps=0.0).double()
    with torch.no_grad():
        for parameter in norm.parameters():
            parameter.copy_(torch.randn(8, generator=draw, dtype=torch.float64))
    stream, row = torch.randn(2, 8, generator=draw, dtype=torch.float64)
    centred = stream - stream.mean() if kind is nn.LayerNorm else stream
    row = row - (row @ centred) / (centred @ centred) * centred
    moved = torch.func.jvp(norm, (stream,), (row,))[1]
    deviation = (centred @ centred / 8).sqrt()
    torch.testing.assert_close(before_unembedding(row, norm), moved * deviation)
    assert before_unembedding(row, nn.Identity()) is row


def test_the_largest_change_is_that_of_one_number() -> None:
    assert largest_change(torch.tensor([[1.0, 2.0]]), torch.tensor([[1.5, -1.0]])) == 3
