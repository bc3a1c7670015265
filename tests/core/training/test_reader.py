"""The reader: what it is asked and what it is never shown, its loss, and a run of it that was cut."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from core.model.config import TransformerConfig
from core.model.masks import key_padding_mask
from core.model.transformer import Masks, build, parameter_count
from core.text.special import MASK, PAD
from core.training import translation
from core.training.corpus import book_lines
from core.training.loop import Budget, TrainConfig, Trainer
from core.training.objectives import MaskedLanguageLoss
from core.training.recipes.reader import READER, ReaderTask, reader_config
from core.training.recipes.storytellers import StoryTask
from core.training.schedules import trapezoid

CONFIG = TransformerConfig(
    "encoder", vocab_size=1000, d_model=8, heads=2, layers=1, positions="learned", norm_position="pre", max_length=32
)
PLAN = TrainConfig(trapezoid(1e-2, 2, 0.5), steps=6, validations=2, average=0)
GIVEN = torch.tensor([[300, MASK, 302, 303], [400, 401, MASK, PAD]])
GOLD = torch.tensor([[0, 301, 0, 303], [0, 0, 500, 0]])


@pytest.fixture
def task(data, monkeypatch):
    monkeypatch.setattr(translation.split_pairs, "__defaults__", (True, 20, 10))
    return ReaderTask(CONFIG, "unigram-1000", data, 0, batch_tokens=400)


def weights(outcome):
    return {name: value.clone() for name, value in outcome.objective.state_dict().items()}


def same(left, right):
    return all(torch.equal(value, right[name]) for name, value in left.items())


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_loss_is_that_of_the_places_asked_for(training, dtype):
    model = build(CONFIG, dtype=dtype)
    loss = MaskedLanguageLoss(model).train(training)(GIVEN, GOLD)
    total = 0.0
    for row, place, gold in ((0, 1, 301), (0, 3, 303), (1, 2, 500)):
        text = GIVEN[row : row + 1, : 4 - row]  # without its padding
        scores = model(text)[0, place] @ model.embed.weight.T
        total += float((scores.exp().sum().log() - scores[gold]).detach())
    assert float(loss.detach()) == pytest.approx(total, rel=1e-5 if dtype == torch.float32 else 1e-12)


def test_what_is_not_asked_for_costs_nothing():
    model = build(CONFIG, dtype=torch.float64)
    objective = MaskedLanguageLoss(model).train()
    one = GOLD * torch.tensor([[0, 1, 0, 0], [0, 0, 0, 0]])
    gradients = torch.autograd.grad(objective(GIVEN, one), list(model.parameters()))
    alone = torch.autograd.grad(objective(GIVEN[:1], one[:1]), list(model.parameters()))
    for found, wanted in zip(gradients, alone, strict=True):
        torch.testing.assert_close(found, wanted)


def test_float64_gradients_are_those_of_finite_differences():
    model = build(CONFIG, dtype=torch.float64)
    objective = MaskedLanguageLoss(model).train()
    table = model.positions.weight
    objective(GIVEN, GOLD).backward()
    with torch.no_grad():
        ends = []
        for step in (1e-3, -1e-3):
            table[2, 3] += step
            ends.append(float(objective(GIVEN, GOLD)))
            table[2, 3] -= step
    assert table.grad is not None
    assert float(table.grad[2, 3]) == pytest.approx((ends[0] - ends[1]) / 2e-3, rel=1e-5)


def test_nothing_held_out_is_trained_on(task, data, tmp_path):
    parts = task.parts
    story = StoryTask(replace(CONFIG, architecture="decoder"), "unigram-1000", data, tmp_path, 0).parts
    assert (parts["validation"], parts["test"]) == (story["validation"], story["test"])
    held = {line for part in ("validation", "test") for path in parts[part] for line in book_lines(path)}
    table = task.train_rows.table(range(len(task.train_rows.lengths)))
    trained = task.tokenizer.decode([i for row in table for i in row[row != PAD].tolist()])
    assert held and not any(line in trained for line in held)
    shown = [line for path in parts["train"] for line in book_lines(path)]
    assert shown and sum(line in trained for line in shown) == len(shown)
    kept_out = translation.split_pairs(data, 0)
    tested = [english for english, _ in kept_out.validation]
    tested += [english for test in kept_out.tests.values() for english in test.english]
    assert not {translation.key(each) for each in tested} & {translation.key(each) for each in task.sentences}
    assert len({*task.sentences}) == len(task.sentences) > 100


def test_another_seed_holds_out_the_same(task):
    assert replace(task, seed=5).parts == task.parts
    assert replace(task, seed=5).sentences == task.sentences


def test_what_is_hidden_depends_on_the_step_and_the_seed_alone(task):
    fresh = replace(task)
    fresh.batch(0)
    for step in (7, 2):
        one, two = task.batch(step), fresh.batch(step)
        assert one.predictions == two.predictions == int((one.tensors["gold"] != PAD).sum())
        assert same(one.tensors, two.tensors)
    other = replace(task, seed=1).batch(2)
    assert not (other.tensors["given"].shape == one.tensors["given"].shape and same(other.tensors, one.tensors))
    again = task.batch(2 + task.epochs.batches)
    assert again.tensors["given"].shape[0] and not np.array_equal(again.tensors["gold"], one.tensors["gold"])


def test_every_score_hides_the_same_pieces_and_leaves_nothing_of_them(task):
    first, again = task.held_out("test"), replace(task, seed=3).held_out("test")
    assert all(
        np.array_equal(a, b) for one, two in zip(first, again, strict=True) for a, b in zip(one, two, strict=True)
    )
    assert all((given[gold != PAD] == MASK).all() for given, gold in first)
    whole = sum(int((gold != PAD).sum()) for _, gold in first)
    lengths = sum(int((given != PAD).sum()) for given, _ in first)
    assert whole == pytest.approx(0.15 * lengths, rel=0.05)
    assert sum(len(gold) for _, gold in task.held_out("validation", 5)) == 5


def test_a_score_is_that_of_plain_calls(task):
    objective = task.objective().eval()
    found = task.validate(objective)
    model, total, right, asked = objective.model, 0.0, 0, 0
    for given, gold in task.held_out("validation", 400):
        ids = torch.from_numpy(given)
        probabilities = model.logits(model(ids, masks=Masks(encoder=key_padding_mask(ids != PAD)))).log_softmax(-1)
        for row, place in np.argwhere(gold != PAD):
            total -= float(probabilities[row, place, gold[row, place]].detach())
            right += int(probabilities[row, place].argmax()) == gold[row, place]
            asked += 1
    assert found["loss"] == pytest.approx(total / asked, rel=1e-5)
    assert found["accuracy"] == pytest.approx(100 * right / asked)


def test_a_run_that_was_cut_ends_with_the_same_weights(task, tmp_path):
    whole = Trainer("reader", task, PLAN, Budget(6), tmp_path / "whole").run()

    class Cut(ReaderTask):
        def batch(self, step):
            if step == 4:
                raise KeyboardInterrupt
            return super().batch(step)

    cut = Cut(CONFIG, "unigram-1000", task.data, 0, batch_tokens=400)
    with pytest.raises(KeyboardInterrupt):
        Trainer("reader", cut, replace(PLAN, save_minutes=0.0), Budget(6), tmp_path / "cut").run()
    resumed = Trainer("reader", replace(task), PLAN, Budget(6), tmp_path / "cut")
    assert resumed.progress.step == 4
    assert same(weights(whole), weights(resumed.run()))


def test_the_recipes_sizes():
    config = reader_config(0)
    assert (config.architecture, config.positions, config.max_length, config.tied) == ("encoder", "learned", 128, True)
    assert 7.5e6 <= parameter_count(config) <= 8.5e6
    task = READER.task(Path(), Path(), 3)
    assert isinstance(task, ReaderTask) and task.config == replace(config, seed=3)
