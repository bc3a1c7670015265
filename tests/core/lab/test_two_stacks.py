"""Encoder-decoders in the lab: what each stack reads, their answers, scores and gradients, and how they are opened."""

import numpy as np
import pytest
import torch

from core.device import Placement
from core.lab.head_scores import SCORES, cross_score_cells, cross_scores
from core.lab.live import measured_at
from core.lab.measured import answers, probe_patterns, probe_texts
from core.lab.opened import examples, lab_tokenizer, open_step
from core.lab.recipe import read_recipe, starting_recipe, write_recipe
from core.lab.run import LabRun, batch_of
from core.lab.step_source import LabStep
from core.lab.task import Rows
from core.lab.tasks import TASKS
from core.text.special import BOS, EOS, PAD, TextFormat
from core.topics.shared.open_run import open_run
from core.tracing.run import execute, prepare
from tests.core.lab.steps import run_of

REVERSE = starting_recipe("reverse", architecture="encoder-decoder")


def test_the_encoder_reads_the_question_and_the_decoder_the_answer_by_hand() -> None:
    ids = np.array([[4, 5, 14, 5, 4], [6, 7, 14, 7, 6]])
    asked = np.array([[False, False, False, True, True]] * 2)
    batch = batch_of(Rows(ids, asked), two_stacks=True)
    assert batch["source"].tolist() == [[4, 5, EOS], [6, 7, EOS]]
    assert batch["given"].tolist() == [[BOS, 5, 4], [BOS, 7, 6]]
    assert batch["gold"].tolist() == [[5, 4, EOS], [7, 6, EOS]]


def test_an_answer_ends_where_its_row_ends() -> None:
    ids, asked = np.array([[4, 14, 5, 6], [4, 14, 5, PAD]]), np.array([[0, 0, 1, 1], [0, 0, 1, 0]], dtype=bool)
    assert batch_of(Rows(ids, asked), two_stacks=True)["gold"].tolist() == [[5, 6, EOS], [5, EOS, PAD]]


def test_tasks_without_a_question_are_refused() -> None:
    assert [task.name for task in TASKS.values() if not task.has_question and "→" in task.probe] == []
    with pytest.raises(ValueError, match="no question for an encoder"):
        starting_recipe("induction", architecture="encoder-decoder")
    assert read_recipe(write_recipe(REVERSE)) == REVERSE


def test_it_learns_to_reverse_with_an_anti_diagonal_in_cross_attention() -> None:
    first, last = measured_at(REVERSE, 0, 300)
    assert first.held_out_exact == 0.0 and last.held_out_exact > 0.95
    assert np.nanmax(last.scores.scores["anti_diagonal"]) > 0.8
    assert last.patterns.shape == (2, 2, 7, 7)  # <s> and six letters; six letters and </s>
    assert sum(answer.is_right for answer in last.answers) >= 7


def test_the_answers_are_those_written_token_by_token() -> None:
    run = LabRun(REVERSE)
    for _ in range(60):
        run.step()
    rows = REVERSE.of.held_out_rows().first(4)
    batch = batch_of(rows, two_stacks=True)
    for answer, source in zip(answers(run.model, REVERSE.of, rows), batch["source"], strict=True):
        text = [BOS]
        with torch.no_grad():
            for _ in range(6):
                text.append(int(run.model(source[None], torch.tensor([text]))[0, -1].argmax()))
        assert list(answer.given) == REVERSE.of.decode(text[1:])


def test_scores_of_cross_attention_by_hand() -> None:
    mirrored, straight = np.eye(4)[None, None, ::-1], np.eye(4)[None, None]
    patterns = np.concatenate([mirrored, straight], 1)  # one layer, two heads
    scores = cross_scores(patterns)
    assert scores.scores["anti_diagonal"][0, 0] == 1.0 and scores.scores["diagonal"][0, 1] == 1.0
    assert (scores.mirror[0, 0], scores.back[0, 1]) == (3, 0)
    for name in SCORES:
        cells = cross_score_cells(name, patterns[0, 0])
        expected = scores.scores[name][0, 0]
        assert cells.score == expected or (np.isnan(cells.score) and np.isnan(expected))


def test_a_page_sees_what_the_lab_sees() -> None:
    run, recipe = LabRun(REVERSE), REVERSE
    for _ in range(3):
        run.step()
    step = LabStep(recipe, 3)
    page = run_of(step)
    inputs = prepare(page, lab_tokenizer(recipe.of))
    source, given = probe_texts(recipe.of, crosses=True)
    assert source is not None and inputs.rows["encoder"].ids == tuple(source)
    assert inputs.rows["decoder"].ids == tuple(given)
    seen = execute(open_step(recipe, run.weights()), page, inputs, ["pattern"])
    shown = seen.stack("pattern", "decoder", cross=True)[:, 0].numpy()
    assert np.allclose(shown, probe_patterns(run.model, recipe.of), atol=1e-6)
    assert step.open()[0].format == TextFormat(end=True)
    model, _ = open_run(page)
    assert all(torch.equal(value, run.weights()[key]) for key, value in model.state_dict().items())
    assert model.config.architecture == "encoder-decoder" and Placement("cpu", "float32") == page.placement


def test_its_examples_are_questions_without_their_marks() -> None:
    texts = examples(TASKS["add"], two_stacks=True)
    assert texts["the probe"] == TASKS["add"].probe.split(" =")[0]
    assert not any("=" in text for text in texts.values())
