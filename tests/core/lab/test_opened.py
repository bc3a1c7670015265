"""A step of a run as a model for every page: its tokenizer, its address, and its files."""

from pathlib import Path

import numpy as np
import pytest
import torch

from core.analysis.heads import head_table
from core.checkpoints.shipped import ShippedModel
from core.device import Placement
from core.lab.findings import heads_with, share_without
from core.lab.measured import probe, probe_patterns
from core.lab.opened import lab_tokenizer, open_step, save_step
from core.lab.recipe import starting_recipe
from core.lab.recorded import recorded_run
from core.lab.run import LabRun
from core.lab.step_source import LabStep, read_step, recorded_step
from core.lab.tasks import TASKS
from core.registry import parse_source
from core.tracing.edits import Edit
from core.tracing.run import execute, prepare
from tests.core.lab.steps import run_of

CPU = Placement("cpu", "float32")
SMALL = starting_recipe("sort", layers=2, heads=2, d_model=8, batch=4, seed=3)


@pytest.mark.parametrize("task", TASKS)
def test_a_tokenizer_reads_its_task(task: str) -> None:
    tokenizer = lab_tokenizer(TASKS[task])
    ids = TASKS[task].encode(TASKS[task].probe)
    tokens = tokenizer.encode(TASKS[task].probe)
    assert list(tokens.ids) == ids and tokenizer.decode(ids) == TASKS[task].probe
    assert tokenizer.vocab_size == TASKS[task].vocab_size
    described = tokenizer.describe(ids)
    assert described is not None and described.ids == tokens.ids


def test_an_address_is_the_recipe() -> None:
    step = LabStep(SMALL, 400)
    assert read_step(step.address) == parse_source(step.address) == step
    assert run_of(step).source == step and run_of(step).model_name == step.model and not step.listed and step.is_ready()
    assert step.at(7) == LabStep(SMALL, 7) and step.model == step.at(7).model


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lab:sort", "no step"),
        ("lab:sort@99999999", "no step"),
        ("lab:sort,steps=10@11", "no step 11"),
        ("lab:gone@1", "no task"),
        ("lab:sort,heads=99@1", "heads"),
        (f"lab:sort,seed={'9' * 400}@1", "no setting"),
        ("lab:sort,d_model=1,heads=16@1", "."),
        ("recorded:gone@1", "no recorded run"),
        ("toy-copy/steps/000100", "no step"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_with_a_sentence(name: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_step(name)


def test_a_page_sees_what_the_lab_sees() -> None:
    run = LabRun(SMALL)
    for _ in range(3):
        run.step()
    opened, step = open_step(SMALL, run.weights()), LabStep(SMALL, 3)
    page = run_of(step)
    inputs = prepare(page, lab_tokenizer(SMALL.of))
    seen = execute(opened, page, inputs, ["pattern"]).stack("pattern", "decoder")[:, 0].numpy()
    assert np.array_equal(seen, probe_patterns(run.model, SMALL.of))
    shipped, _ = step.open()
    assert shipped.config == page.config and not shipped.format.begin and shipped.steps == ()


def test_the_registry_loads_the_weights_of_the_run_to_the_last_bit() -> None:
    run = LabRun(SMALL)
    for _ in range(5):
        run.step()
    model = parse_source(LabStep(SMALL, 5).address).load(CPU)
    assert not model.training and all(not value.requires_grad for value in model.parameters())
    for name, value in model.named_parameters():
        assert torch.equal(value, run.model.get_parameter(name)), name
    _, tokenizer = parse_source(LabStep(SMALL, 5).address).open()
    assert tokenizer == lab_tokenizer(SMALL.of)


def test_a_recorded_step_is_loaded_as_it_was_kept() -> None:
    kept, name = recorded_run("add").model(4000), recorded_step("add", 4000).address
    for parameter, value in parse_source(name).load(CPU).named_parameters():
        assert torch.equal(value, kept.get_parameter(parameter)), parameter


def test_a_cancelled_training_ends_between_two_steps() -> None:
    seen: list[int] = []

    def check() -> None:
        seen.append(len(seen))
        if len(seen) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        LabStep(SMALL, 400).load(CPU, check)
    assert len(seen) == 3


def test_weights_of_another_run_are_refused() -> None:
    with pytest.raises(ValueError, match="other settings"):
        open_step(starting_recipe("sort", layers=1), LabRun(SMALL).weights())


def test_a_downloaded_step_is_read_by_the_shelf(tmp_path: Path) -> None:
    run = LabRun(SMALL)
    run.step()
    save_step(tmp_path / "lab-sort", SMALL, 1, run.weights())
    shipped, tokenizer = ShippedModel("lab-sort", folder=tmp_path).open()
    assert shipped.config == SMALL.config and not shipped.format.begin and shipped.card.steps == 1
    assert list(tokenizer.encode("3 1 →").ids) == SMALL.of.encode("3 1 →")
    model = shipped.source.load(CPU)
    for name, value in model.named_parameters():
        assert torch.equal(value, run.model.get_parameter(name).half().float())


def test_without_its_induction_heads_a_recorded_run_guesses() -> None:
    """Both heads of the second layer do it: with one of them off, most answers are still right."""
    run = recorded_run("induction-2-layers")
    model, entry = run.model(run.steps[-1]), run.history[-1]
    ids, answering = probe(run.recipe.of)
    page = run_of(recorded_step("induction-2-layers", run.steps[-1]))
    inputs = prepare(page, lab_tokenizer(run.recipe.of))
    seen = execute(model, page, inputs, ["pattern", "logits"])
    shown = head_table(seen.stack("pattern", "decoder")[:, 0].numpy(), ids).column("induction")
    assert np.allclose(shown, entry["scores"]["induction"], atol=5e-3)  # the lab measured before float16
    heads = heads_with(entry, "induction")
    assert heads == ((2, 1), (2, 2))
    off = [Edit(f"decoder.{layer - 1}.z", "zero", head=head - 1) for layer, head in heads]

    def right(edits: list[Edit]) -> float:
        """The mean probability of the right token at the asked positions."""
        rows = np.flatnonzero(answering)
        logits = execute(model, page, inputs, ["logits"], edits=edits)["logits"][0]
        return float(logits.softmax(-1)[rows, ids[rows + 1]].mean())

    assert right([]) > 0.9 and right(off[:1]) > 0.7 and right(off) < 0.1
    assert share_without(model, heads) < 0.1


def test_a_recorded_step_has_an_address() -> None:
    source = recorded_step("modular", 4800)
    assert read_step(source.address) == source and source.address == "recorded:modular@4800"
    assert source.recipe.task == "modular" and source.step == 4800 and 4800 in source.steps()
