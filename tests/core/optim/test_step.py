"""The optimizer of all trainings: PyTorch's AdamW to the last bit, without PyTorch's compiler."""

import subprocess
import sys

import pytest
import torch
from torch import Tensor, nn
from torch.optim import AdamW

from core.optim.step import BETAS, EPS, NotFinite, make_optimizer, train_step

STEPS = 5
WORK = """
import sys
from core.lab.recipe import read_recipe
from core.lab.run import LabRun
run = LabRun(read_recipe("sort"))
run.train_to(2)
print(sorted({"sympy", "torch._dynamo"} & sys.modules.keys()))
"""


class SquaredError(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.net = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return (self.net(x) - y).square().sum()


def test_each_step_is_that_of_adamw() -> None:
    ours, theirs = SquaredError(), SquaredError()
    optimizer = make_optimizer(ours, weight_decay=0.1)
    matrices, others = ([p for p in theirs.parameters() if (p.dim() > 1) == wanted] for wanted in (True, False))
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
    other = AdamW(groups, betas=BETAS, eps=EPS, fused=True)
    draw = torch.Generator().manual_seed(1)
    for number in range(1, STEPS + 1):
        rows = {"x": torch.randn(6, 4, generator=draw), "y": torch.randn(6, 1, generator=draw)}
        train_step(ours, optimizer, rows, lr=0.01 * number)
        train_step(theirs, other, rows, lr=0.01 * number)
    for one, two in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.equal(one, two) and not optimizer.state[one]["exp_avg"].requires_grad


@pytest.mark.parametrize("clip", [0.0, 1.0])
@pytest.mark.parametrize("target", [float("nan"), 3e38, 5e18])  # at 5e18 only the norm is infinite
def test_a_step_that_must_be_finite_changes_no_weight_if_it_is_not(clip: float, target: float) -> None:
    objective = SquaredError()
    optimizer = make_optimizer(objective)
    before = [value.clone() for value in objective.parameters()]
    rows = {"x": torch.ones(6, 4), "y": torch.full((6, 1), target)}
    with pytest.raises(NotFinite):
        train_step(objective, optimizer, rows, lr=0.01, clip=clip, must_be_finite=True)
    assert all(torch.equal(one, two) for one, two in zip(before, objective.parameters(), strict=True))
    assert not optimizer.state
    rows["y"] = torch.ones(6, 1)
    train_step(objective, optimizer, rows, lr=0.01, clip=clip, must_be_finite=True)
    assert all(value.isfinite().all() for value in objective.parameters())


def test_looking_at_a_step_does_not_change_it() -> None:
    one, other = SquaredError(), SquaredError()
    rows = {"x": torch.ones(6, 4), "y": torch.full((6, 1), 5.0)}
    train_step(one, make_optimizer(one), rows, lr=0.01, clip=0.0)
    train_step(other, make_optimizer(other), rows, lr=0.01, clip=0.0, must_be_finite=True)
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def test_a_run_of_the_lab_trains_without_the_compiler() -> None:
    done = subprocess.run([sys.executable, "-c", WORK], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
