"""The loop: the same weights whether it was cut or not, on one process or two."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from core.model import transformer
from core.model.config import TransformerConfig
from core.optim import state
from core.training import loop
from core.training.batches import Batch, Epochs, group_by_length, padded
from core.training.display import bar
from core.training.loop import Budget, TrainConfig, Trainer, snapshot_points
from core.training.objectives import LanguageLoss, linear_cross_entropy
from core.training.schedules import cosine

TINY = TransformerConfig("decoder", vocab_size=13, d_model=8, heads=2, layers=1, dropout=0.2, max_length=16)
CONFIG = TrainConfig(
    cosine(1e-2, 3), steps=8, validations=4, average=3, average_from=0.5, checkpoints=(0.0, 0.5), weight_decay=0.1
)


class Counting:
    """Goes on counting from a random start."""

    def __init__(self, config=TINY, rows=5):
        self.config, self.count, self.calls = config, rows, 0

    def objective(self):
        return LanguageLoss(transformer.build(self.config), 0.1)

    def batch(self, step):
        self.calls += 1
        start = np.random.default_rng(step).integers(1, 6, (self.count, 1))
        text = torch.from_numpy(start + np.arange(6))
        return Batch({"given": text[:, :-1], "gold": text[:, 1:]}, self.count * 5)

    def validate(self, objective):
        batch = self.batch(999)
        return {"loss": float(objective(**batch.tensors)) / batch.predictions}


def weights(objective):
    return {name: value.clone() for name, value in objective.state_dict().items()}


def equal(left, right):
    return left.keys() == right.keys() and all(torch.equal(left[name], right[name]) for name in left)


class CutAfter(Counting):
    """Asks its own process to stop while a step is under way, as a shell's `kill` does."""

    def __init__(self, calls):
        super().__init__()
        self.limit = calls

    def batch(self, step):
        if step == self.limit:
            os.kill(os.getpid(), signal.SIGTERM)
        return super().batch(step)


class Killed(Counting):
    def batch(self, step):
        if step == 5:
            raise KeyboardInterrupt
        return super().batch(step)


@pytest.mark.parametrize("cut", [0, 3, 6])
def test_a_run_that_was_stopped_ends_with_the_same_weights(cut, tmp_path):
    whole = Trainer("count", Counting(), CONFIG, Budget(8), tmp_path / "whole").run()
    stopped = Trainer("count", CutAfter(cut), CONFIG, Budget(8), tmp_path / "cut").run()
    assert (stopped.finished, stopped.progress.step) == (False, cut + 1)
    resumed = Trainer("count", Counting(), CONFIG, Budget(8), tmp_path / "cut").run()
    assert resumed.finished
    assert equal(weights(whole.objective), weights(resumed.objective))
    steps = [[row["step"], row["loss"]] for row in whole.progress.history]
    assert steps == [[row["step"], row["loss"]] for row in resumed.progress.history]
    assert [row[0] for row in steps] == [2, 4, 6, 8]
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_a_run_that_was_killed_goes_on_from_its_last_state(tmp_path):
    plan = replace(CONFIG, save_minutes=0.0)  # a state after every step
    whole = Trainer("count", Counting(), plan, Budget(8), tmp_path / "whole").run()
    with pytest.raises(KeyboardInterrupt):
        Trainer("count", Killed(), plan, Budget(8), tmp_path / "cut").run()
    resumed = Trainer("count", Counting(), plan, Budget(8), tmp_path / "cut")
    assert resumed.progress.step == 5
    assert equal(weights(whole.objective), weights(resumed.run().objective))


def test_one_seed_fixes_everything(tmp_path):
    seeds = enumerate((1, 1, 2))
    runs = [Trainer("count", Counting(), CONFIG, Budget(4), tmp_path / str(n), seed).run() for n, seed in seeds]
    assert equal(weights(runs[0].objective), weights(runs[1].objective))
    assert not equal(weights(runs[0].objective), weights(runs[2].objective))


def test_training_learns(tmp_path):
    outcome = Trainer("count", Counting(replace(TINY, dropout=0.0)), CONFIG, Budget(120), tmp_path).run()
    losses = [row["loss"] for row in outcome.progress.history]
    assert losses[-1] < 0.5 * losses[0]


def test_weights_are_kept_on_the_way(tmp_path):
    kept = []
    Trainer("count", Counting(), CONFIG, Budget(8), tmp_path).run(lambda path, _, progress: kept.append(path.name))
    assert kept == ["000000", "000004"]
    assert sorted(path.stem for path in (tmp_path / "snapshots").iterdir()) == ["00000004", "00000006", "00000008"]


def test_a_state_of_another_run_or_a_damaged_one_is_refused(tmp_path):
    Trainer("count", Counting(), CONFIG, Budget(1), tmp_path).run()
    with pytest.raises(ValueError, match=r"another run \(count, seed 0, .* not count, seed 1"):
        Trainer("count", Counting(), CONFIG, Budget(1), tmp_path, seed=1)
    path = tmp_path / state.STATE
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ValueError, match="damaged"):
        Trainer("count", Counting(), CONFIG, Budget(1), tmp_path)


def test_an_average_is_the_mean(tmp_path):
    for number, value in enumerate((1.0, 2.0, 6.0)):
        state.write_tensors(tmp_path / f"{number}.safetensors", {"a": torch.full((2,), value)})
    assert torch.equal(state.average_weights(sorted(tmp_path.iterdir()))["a"], torch.full((2,), 3.0))


def test_a_budget_of_minutes_and_steps_ends_at_the_first():
    assert Budget(10).progress(5, 99) == 0.5
    assert Budget(10, 4.0).progress(5, 3.0) == 0.75
    assert Budget(None, 4.0).progress(1000, 8.0) == 1.0


DATA_PARALLEL = """
import json, sys
import torch
from tests.core.training.test_loop import Counting, TINY, CONFIG
from core.training.loop import Trainer, Budget
from core.training import processes
from pathlib import Path
from dataclasses import replace
torch.set_num_threads(1)
for rows in map(int, sys.argv[2:]):
    task = Counting(replace(TINY, dropout=0.0), rows=rows)
    trainer = Trainer("count", task, replace(CONFIG, bf16=False, clip=1e9), Budget(3), Path(sys.argv[1], str(rows)))
    trainer._step(0.0)
    found = {n: p.grad.tolist() for n, p in trainer.objective.named_parameters()}
    if trainer.worker.leads:
        Path(sys.argv[1], f"{rows}.json").write_text(json.dumps([trainer.worker.world, found]))
trainer.run()
processes.leave()
"""


def test_two_processes_find_the_gradients_of_one(tmp_path):
    script = tmp_path / "both.py"
    script.write_text(DATA_PARALLEL)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    root = Path(__file__).parents[3]
    environment = os.environ | {"PYTHONPATH": str(root), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, str(script), str(tmp_path), "5", "1"], cwd=root, env=environment, capture_output=True, timeout=280
    )
    assert done.returncode == 0, done.stderr.decode()
    for rows in (5, 1):
        task = Counting(replace(TINY, dropout=0.0), rows=rows)
        alone = Trainer("count", task, replace(CONFIG, bf16=False, clip=1e9), Budget(3), tmp_path / "alone")
        alone._step(0.0)
        world, found = json.loads((tmp_path / f"{rows}.json").read_text())
        assert world == 2
        for name, parameter in alone.objective.named_parameters():
            torch.testing.assert_close(torch.tensor(found[name]), parameter.grad, atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
def test_linear_cross_entropy_is_cross_entropy(smoothing, rng):
    hidden = torch.randn(2500, 6, generator=rng, requires_grad=True)
    weight = torch.randn(9, 6, generator=rng, requires_grad=True)
    targets = torch.randint(9, (2500,), generator=rng)
    loss = linear_cross_entropy(hidden, weight, targets, smoothing) * 0.5
    right = F.cross_entropy(hidden @ weight.T, targets, reduction="sum", label_smoothing=smoothing) * 0.5
    torch.testing.assert_close(loss, right)
    found, wanted = (torch.autograd.grad(value, (hidden, weight)) for value in (loss, right))
    for left, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(left, other, atol=2e-4, rtol=1e-4)


def test_linear_cross_entropy_keeps_the_digits_of_float64(rng):
    hidden, weight = (torch.randn(n, 6, generator=rng, dtype=torch.float64, requires_grad=True) for n in (20, 9))
    targets = torch.randint(9, (20,), generator=rng)
    loss = linear_cross_entropy(hidden, weight, targets, 0.1)
    right = F.cross_entropy(hidden @ weight.T, targets, reduction="sum", label_smoothing=0.1)
    torch.testing.assert_close(loss, right, rtol=1e-12, atol=0)


def test_linear_cross_entropy_in_bfloat16_is_near(rng):
    hidden, weight = torch.randn(64, 16, generator=rng), torch.randn(50, 16, generator=rng)
    targets = torch.randint(50, (64,), generator=rng)
    right = F.cross_entropy(hidden @ weight.T, targets, reduction="sum", label_smoothing=0.1)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = linear_cross_entropy(hidden, weight, targets, 0.1)
    assert abs(float(loss / right) - 1) < 0.01


def test_snapshots_end_with_the_run():
    assert snapshot_points(CONFIG) == [1.0, 0.75, 0.5]
    assert snapshot_points(replace(CONFIG, average=0)) == []


def test_groups_hold_every_row_once_within_the_limit():
    lengths = np.random.default_rng(0).integers(1, 30, (200, 2))
    groups = group_by_length(lengths, 100, np.random.default_rng(1))
    assert sorted(np.concatenate(groups)) == list(range(200))
    assert all(len(group) == 1 or len(group) * lengths[group].max(0).sum() <= 100 for group in groups)
    used = sum(len(group) * lengths[group].max(0).sum() for group in groups)
    assert lengths.sum() / used > 0.8  # little padding


def test_every_epoch_has_all_rows_in_another_order():
    epochs = Epochs(np.random.default_rng(0).integers(1, 5, 60), 20, seed=7)
    first, second = ([epochs.rows(n * epochs.batches + i).tolist() for i in range(epochs.batches)] for n in (0, 1))
    assert sorted(chain(*first)) == sorted(chain(*second)) == list(range(60))
    assert first != second
    assert epochs.rows(3).tolist() == first[3]
    with pytest.raises(ValueError, match="nothing to train on"):
        Epochs(np.zeros((0, 1), dtype=int), 20, seed=7)


def test_padding_and_the_bar():
    assert padded([[5], [6, 7]]).tolist() == [[5, 0], [6, 7]]
    assert bar(0.5) == "[############············]  50%"
    assert bar(7.0).count("#") == 24


@pytest.mark.parametrize(("bfloat16", "float32", "faster"), [(0.1, 1.0, True), (1.0, 0.1, False)])
def test_bfloat16_is_taken_on_a_processor_only_where_it_is_faster(monkeypatch, bfloat16, float32, faster):
    seconds = {torch.bfloat16: bfloat16, torch.float32: float32}
    monkeypatch.setattr(loop, "_product_seconds", seconds.get)
    loop.is_bf16_faster.cache_clear()
    try:
        with loop.autocast(torch.device("cpu"), True):
            assert torch.is_autocast_enabled("cpu") is faster
        with loop.autocast(torch.device("cpu"), False):
            assert not torch.is_autocast_enabled("cpu")
    finally:
        loop.is_bf16_faster.cache_clear()
