"""The optimizer of all trainings: PyTorch's AdamW to the last bit, without PyTorch's compiler."""

import subprocess
import sys

import torch
from torch import Tensor, nn
from torch.optim import AdamW

from core.optim.step import BETAS, EPS, make_optimizer, train_step

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


def test_a_run_of_the_lab_trains_without_the_compiler() -> None:
    done = subprocess.run([sys.executable, "-c", WORK], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
