"""The view “switch off” of Heads on a step of the lab: without its induction heads a run guesses; the lab agrees."""

import numpy as np
import pytest

from core.lab.findings import MIN_FORMED_SCORE, share_without
from core.lab.measured import measure, probe
from core.lab.opened import lab_tokenizer, open_step
from core.lab.recipe import read_recipe
from core.lab.run import LabRun
from core.lab.step_source import LabStep
from core.lab.task import FIRST_TOKEN_ID
from core.model.transformer import Transformer
from core.text.labels import bare
from core.topics.heads.ablation import ablate
from core.topics.shared.places import HeadAddress
from core.tracing.edits import Edit, ablate_head
from core.tracing.run import execute, prepare
from tests.core.lab.steps import run_of

RECIPE = read_recipe("induction")
TOKENIZER, LAST_LAYER = lab_tokenizer(RECIPE.of), HeadAddress("decoder", 1)
GUESSING = 1 / (RECIPE.of.vocab_size - FIRST_TOKEN_ID)
Step = tuple[Transformer, dict[tuple[int, int], float]]  # a model, and the induction score of each head, from 1


@pytest.fixture(scope="module")
def steps() -> dict[int, Step]:
    """The run at a step at which its heads are just forming, and at one at which they have formed."""
    run, found = LabRun(RECIPE), {}
    for step in (400, 1500):
        while run.steps < step:
            run.step()
        scores = measure(run).scores.scores["induction"]
        named = {(layer + 1, head + 1): float(scores[layer, head]) for layer, head in np.ndindex(scores.shape)}
        found[step] = open_step(RECIPE, run.weights()), named
    return found


def off(model: Transformer, heads: list[tuple[int, int]]) -> tuple[Edit, ...]:
    return tuple(ablate_head(model.config, layer - 1, head - 1) for layer, head in heads)


def right(model: Transformer, edits: tuple[Edit, ...]) -> float:
    """The mean probability of the right token at the asked places of the probe."""
    page = run_of(LabStep(RECIPE, 1500))
    logits = execute(model, page, prepare(page, TOKENIZER), ["logits"], edits=edits)["logits"][0]
    ids, answering = probe(RECIPE.of)
    rows = np.flatnonzero(answering)
    return float(logits.softmax(-1)[rows, ids[rows + 1]].mean())


def test_without_its_induction_heads_a_run_guesses(steps: dict[int, Step]) -> None:
    model, scores = steps[1500]
    heads = [head for head, score in scores.items() if score >= MIN_FORMED_SCORE]
    assert heads == [(2, 1), (2, 2)]
    assert right(model, ()) > 0.8 and right(model, off(model, heads[:1])) > 0.3
    assert right(model, off(model, heads)) < 2 * GUESSING
    page = run_of(LabStep(RECIPE, 1500))
    changes = ablate(model, TOKENIZER, page, LAST_LAYER, off(model, heads))
    [(piece, before, after), *_] = changes.next_pieces
    written = ["c", "a", "f", "e", "b", "d"]  # twice in the probe
    last = bare(changes.stacks[-1].labels[changes.at])
    assert piece == written[(written.index(last) + 1) % len(written)] and before > 0.9 and after < 2 * GUESSING


def test_while_the_heads_form_half_of_it_hangs_on_them(steps: dict[int, Step]) -> None:
    """No head has its name yet, but what is right so far is right through the two that will."""
    model, scores = steps[400]
    forming = sorted(scores, key=scores.__getitem__)[-2:]
    assert max(scores.values()) < MIN_FORMED_SCORE and sorted(forming) == [(2, 1), (2, 2)]
    assert 0.25 < right(model, ()) < 0.7 and right(model, off(model, forming)) < 2 * GUESSING


@pytest.mark.parametrize("step", [400, 1500])
def test_the_page_and_the_lab_count_the_same_right_answers(step: int, steps: dict[int, Step]) -> None:
    """Each held-out row as a text of the page; the lab reads all rows at once, and another sum may break a tie."""
    model, _ = steps[step]
    heads, rows = [(2, 1), (2, 2)], RECIPE.of.held_out_rows()
    before, after, asked = 0, 0, 0
    for given, gold, is_asked in zip(rows.given, rows.gold, rows.asked[:, 1:], strict=True):
        page = run_of(LabStep(RECIPE, step), RECIPE.of.written(given))
        turned = ablate(model, TOKENIZER, page, LAST_LAYER, off(model, heads)).turned
        answers = TOKENIZER.labels(gold[is_asked].tolist())
        here = [turned[place] for place in np.flatnonzero(is_asked)]
        before += sum(change.was == answer for change, answer in zip(here, answers, strict=True))
        after += sum(change.now == answer for change, answer in zip(here, answers, strict=True))
        asked += len(answers)
    assert before / asked == pytest.approx(share_without(model, []), abs=1.5 / asked)
    assert after / asked == pytest.approx(share_without(model, heads), abs=1.5 / asked)
    assert after / asked < 0.1 < before / asked
