"""What is measured of a run, on cases worked by hand."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

from core.analysis.heads import head_table
from core.lab.baselines import baselines
from core.lab.happened import SENTENCES, happened, percent
from core.lab.head_scores import SCORES, HeadScores, anti_diagonal, diagonal, head_scores, score_cells
from core.lab.measured import (
    Measured,
    answers,
    gradient_norms,
    measure,
    probe,
    row_scores,
    share_right,
)
from core.lab.recipe import starting_recipe
from core.lab.run import LabRun
from core.lab.task import FIRST_TOKEN_ID, Rows
from core.lab.tasks import TASKS
from core.model.config import TransformerConfig
from core.model.transformer import build
from tests.fuzz.mode import NIGHTLY


class Says:
    """A model that says the same tokens at each position, whatever it reads."""

    config = TransformerConfig(architecture="decoder")

    def __init__(self, tokens: list[int], vocabulary: int = 10) -> None:
        self.logits = torch.full((len(tokens), vocabulary), 0.0)
        self.logits[range(len(tokens)), tokens] = 50.0

    def __call__(self, source: None, given: torch.Tensor) -> torch.Tensor:
        return self.logits.expand(len(given), *self.logits.shape)


def test_exact_rows_and_places_by_hand() -> None:
    ids = np.array([[4, 5, 6, 7], [4, 5, 6, 8], [4, 5, 9, 7]])
    asked = np.array([[False, False, True, True]] * 3)
    scores = row_scores(Says([9, 6, 7]), Rows(ids, asked))  # type: ignore[arg-type]
    assert scores.exact == pytest.approx(1 / 3)
    assert scores.by_place == pytest.approx([2 / 3, 2 / 3])
    assert scores.loss == pytest.approx(2 * 50 / 6, abs=1e-4)


def test_a_place_that_few_answers_have_counts_little() -> None:
    asked = np.array([[False, True, False, False], [False, True, True, False], [False, False, True, True]])
    rows = Rows(np.full(asked.shape, 4), asked)
    assert share_right(np.array([1.0, 0.0]), rows) == pytest.approx(3 / 5)
    assert share_right(np.array([[1.0, 1.0], [0.0, np.nan]]), rows) == pytest.approx([1.0, 0.0])


def test_places_count_from_the_first_asked_token_of_each_row() -> None:
    ids = np.array([[4, 6, 7, 0], [4, 5, 6, 8]])
    asked = np.array([[False, True, True, False], [False, False, True, True]])
    scores = row_scores(Says([6, 7, 8]), Rows(ids, asked))  # type: ignore[arg-type]
    assert scores.by_place == pytest.approx([0.5, 1.0])
    assert scores.exact == pytest.approx(0.5)


@pytest.mark.parametrize("task", TASKS)
def test_the_probe_asks_for_its_answer(task: str) -> None:
    ids, answering = probe(TASKS[task])
    rows = TASKS[task].draw(np.random.default_rng(0), 1)
    assert len(ids) == len(answering) and not answering[-1] and answering.any()
    if "→" in TASKS[task].tokens or "=" in TASKS[task].tokens:
        assert answering.sum() == rows.asked.sum()
        assert len(ids) == rows.ids.shape[1]


def test_the_probe_of_copies_asks_for_the_second_time() -> None:
    ids, answering = probe(TASKS["induction"])
    assert answering.tolist() == [False] * 6 + [True] * 5 + [False]
    assert ids[:6].tolist() == ids[6:].tolist()


def test_answers_are_written_one_token_after_another() -> None:
    task = TASKS["sort"]
    model = build(starting_recipe("sort", layers=1, heads=1, d_model=8).config)
    rows = task.held_out_rows().first(3)
    found = answers(model, task, rows)
    text = torch.from_numpy(rows.ids[:, :7])
    for _ in range(6):
        text = torch.cat([text, model(None, text)[:, -1:].argmax(-1)], 1)
    assert [task.encode(" ".join(answer.question)) for answer in found] == rows.ids[:, :7].tolist()
    assert [answer.right for answer in found] == [tuple(task.decode(list(row[7:]))) for row in rows.ids]
    assert [answer.given for answer in found] == [tuple(task.decode(row[7:].tolist())) for row in text]


def test_lines_are_found() -> None:
    answering = np.array([False, False, False, True, True, True, False])
    back = np.zeros((1, 2, 7, 7))
    for row in range(7):
        back[0, 0, row, max(row - 2, 0)] = 1
        back[0, 1, row, min(max(6 - row, 0), row)] = 1
    share, offset = diagonal(back, answering)
    assert share[0, 0] == 1 and offset[0, 0] == 2
    share, mirror = anti_diagonal(back, answering)
    assert share[0, 1] == 1 and mirror[0, 1] == 6


def test_next_copy_by_hand() -> None:
    ids = np.array([4, 5, 6, 5, 4])
    answering = np.array([False, False, True, True, False])
    pattern = np.tril(np.ones((5, 5)))
    pattern /= pattern.sum(1, keepdims=True)
    found = head_scores(pattern[None, None], ids, answering).scores["next_copy"]
    assert found[0, 0] == pytest.approx((1 / 3 + 1 / 4) / 2)  # row 2 looks for 5 at place 1, row 3 for 4 at place 0


def test_named_scores_are_those_of_the_heads_page() -> None:
    rng = np.random.default_rng(0)
    patterns = np.tril(rng.random((2, 3, 6, 6)))
    patterns /= patterns.sum(-1, keepdims=True)
    ids = np.array([4, 5, 4, 5, 6, 4])
    found = head_scores(patterns, ids, np.ones(6, dtype=bool))
    table = head_table(patterns, ids)
    assert list(found.scores) == list(SCORES)
    for name in ("previous_token", "duplicate_token", "first_token", "induction"):
        assert np.allclose(found.scores[name], table.column(name))


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("task", TASKS)
def test_each_score_is_the_mean_of_its_cells(name: str, task: str) -> None:
    ids, answering = probe(TASKS[task])
    patterns = np.tril(np.random.default_rng(1).random((2, 2, len(ids), len(ids))))
    patterns /= patterns.sum(-1, keepdims=True)
    found = head_scores(patterns, ids, answering).scores[name]
    for layer in range(2):
        cells = score_cells(name, patterns[layer, 1], ids, answering)
        assert cells.score == pytest.approx(found[layer, 1], nan_ok=True)


def test_measuring_changes_nothing() -> None:
    recipe = starting_recipe("sort", layers=2, heads=2, d_model=8, batch=4)
    one, other = LabRun(recipe), LabRun(recipe)
    for _ in range(3):
        one.step()
        measured = measure(one)
        other.step()
    assert all(torch.equal(a, b) for a, b in zip(one.model.parameters(), other.model.parameters(), strict=True))
    assert measured.step == 3 and measured.patterns.shape == (2, 2, 13, 13)
    assert measured.by_place.shape == (6,) and measured.longer_by_place is not None
    assert measured.longer_by_place.shape == (9,)
    assert measured.loss == pytest.approx(one.step(), rel=1e-5)  # of the next step's rows


def test_gradient_norms_add_up() -> None:
    run = LabRun(starting_recipe("sort", layers=2, heads=2, d_model=8, batch=4))
    gradients = run.gradients()
    norms = gradient_norms(gradients)
    total = sum(float(value.square().sum()) for value in gradients.values())
    assert np.nansum(norms.norms**2) == pytest.approx(total)
    assert norms.layers == ("embedding", "layer 1", "layer 2", "output")
    w_q = norms.norms[norms.layers.index("layer 2"), norms.kinds.index("W_Q")]
    assert w_q == pytest.approx(float(gradients["decoder.1.attn.w_q.weight"].norm()))


def test_baselines_of_copies_are_no_better_than_guessing() -> None:
    found = baselines("induction-fixed")
    assert found.guessing == pytest.approx(np.log(20))
    assert found.pairs == pytest.approx(np.log(20), abs=0.05) and found.pairs_right < 0.1


def test_counting_pairs_helps_to_sort() -> None:
    found = baselines("sort")
    assert found.pairs < 0.7 * found.guessing and 0.3 < found.pairs_right < 0.5


def test_the_first_own_token_follows_the_special_ones() -> None:
    assert TASKS["sort"].encode("0") == [FIRST_TOKEN_ID]


@cache
def any_measurements() -> Measured:
    return measure(LabRun(starting_recipe("repeat", layers=2, heads=2, d_model=8, batch=2)))


def seen(step: int, right: float = 0.0, longer: float = 0.0, loss: float = 9.0, training: float = 0.1) -> Measured:
    """Measurements with these shares of right rows and tokens, on held-out and on longer rows, and these losses."""
    return replace(
        any_measurements(),
        step=step,
        held_out_exact=right,
        held_out_loss=loss,
        loss=training,
        by_place=np.array([right, np.nan]),
        longer_by_place=np.array([longer]),
    )


def with_head(measured: Measured, score: str, value: float, back: int = 0) -> Measured:
    """Measurements in which head 1 of layer 2 has this score."""
    values, offsets = np.zeros((2, 2)), np.zeros((2, 2), dtype=int)
    values[1, 0], offsets[1, 0] = value, back
    scores = HeadScores({**measured.scores.scores, score: values}, offsets, measured.scores.mirror)
    return replace(measured, scores=scores)


ONLY_BEFORE = "a model that sees only the letter before"


@pytest.mark.parametrize("task", TASKS)
def test_each_task_says_what_counts_as_its_success(task: str) -> None:
    assert TASKS[task].success in SENTENCES
    assert happened(TASKS[task], [seen(0)]) == ("Nothing has been learned yet: press Play.",)
    length = len(TASKS[task].probe.split())
    history = [replace(each, patterns=np.zeros((2, 2, length, length))) for each in (seen(0), seen(10, right=0.5))]
    assert "at step 10" in happened(TASKS[task], history)[0]


def test_a_share_is_rounded_down() -> None:
    assert [percent(share) for share in (0.0, 0.29, 0.945, 0.9499, 0.95, 0.996, 1.0)] == [
        *("0%", "29%", "94%", "94%", "95%", "99%", "100%"),
    ]


@pytest.mark.parametrize(
    ("task", "history", "sentences"),
    [
        (
            "sort",
            [seen(5, 0.5), seen(10, 0.945)],
            ["Not yet: at step 10, 94% of the rows that it never saw are answered right."],
        ),
        (
            "sort",
            [seen(5, 0.5), seen(1000, 0.96), seen(1050, 1.0)],
            ["Learned: at step 1,000, 96% of the rows that it never saw are answered right."],
        ),
        (
            "induction",
            [with_head(seen(10), "induction", 0.499)],
            [
                "Not yet: at step 10 no head looks at the token after the earlier copy with half of its weight.",
                "The highest score of a head as an induction head is 0.49, of layer 2 · head 1; 0.5 counts.",
            ],
        ),
        (
            "induction",
            [seen(10), with_head(seen(20), "induction", 0.6), with_head(seen(30), "induction", 0.9)],
            [
                "Learned: from step 20 on, layer 2 · head 1 looks at the token after the earlier copy.",
                "At that step it does so with 60% of its weight: it is an induction head.",
            ],
        ),
        (
            "induction-fixed",
            [seen(10, 0.945, 0.05)],
            [
                "Not yet: at step 10, 94% of the letters asked for are right in rows that it never saw.",
                "In longer rows 5% are right.",
            ],
        ),
        (
            "induction-fixed",
            [seen(100, 0.96, 0.2), with_head(seen(200, 1.0, 0.05), "diagonal", 0.99, back=11)],
            [
                "Learned: at step 100, 96% of the letters asked for are right in rows that it never saw.",
                "At step 200 these are 100%, but only 5% in longer rows; head 1 of layer 2 looks 11 tokens back with "
                "99% of its weight.",
            ],
        ),
        (
            "parity",
            [seen(3000, 0.525)],
            [
                "As expected: at step 3,000 it still guesses.",
                "Of the rows that it never saw 52% are answered right, and guessing gets 50%.",
            ],
        ),
        (
            "parity",
            [seen(3000, 0.99)],
            [
                "Better than expected: at step 3,000 it does more than guess.",
                "Of the rows that it never saw 99% are answered right, and guessing gets 50%.",
            ],
        ),
        (
            "stories",
            [seen(10, loss=2.5)],
            [
                f"Not yet: at step 10 it does no better than {ONLY_BEFORE}.",
                "The loss on rows that it never saw is 2.50 nats, and that of such a model 2.38.",
            ],
        ),
        (
            "stories",
            [seen(10, loss=2.5), seen(20, loss=2.3), seen(30, 0.517, loss=1.6)],
            [
                f"Learned: at step 20 it does better than {ONLY_BEFORE}.",
                "The loss on rows that it never saw is then below the 2.38 nats of such a model: this one uses more "
                "than one letter. At step 30 the loss is 1.60, and 51% of the characters are right.",
            ],
        ),
        (
            "stories",
            [seen(20, loss=2.6), seen(1000, loss=5.0)],
            [
                f"It did not do better than {ONLY_BEFORE}.",
                "The loss on rows that it never saw did not fall below the 2.38 nats of such a model. It was lowest at "
                "step 20, 2.60. At step 1,000 it is 5.00, and that of training is 0.10: the model learns the text by "
                "heart.",
            ],
        ),
        (
            "stories",
            [seen(20, loss=2.2), seen(1000, loss=5.0)],
            [
                f"Learned: at step 20 it does better than {ONLY_BEFORE}.",
                "The loss on rows that it never saw is then below the 2.38 nats of such a model: this one uses more "
                "than one letter. It was lowest at step 20, 2.20. At step 1,000 it is 5.00, and that of training is "
                "0.10: the model learns the text by heart.",
            ],
        ),
    ],
)
def test_what_has_happened(task: str, history: list[Measured], sentences: list[str]) -> None:
    assert list(happened(TASKS[task], history)) == sentences


@pytest.mark.skipif(not NIGHTLY, reason="trains six runs, a minute")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("task", "step", "words"),
    [
        ("parity", 3000, "As expected: at step 3,000 it still guesses"),
        ("induction-fixed", 100, "but only 5% in longer rows; head"),
    ],
)
def test_what_is_expected_to_fail_fails(task: str, step: int, words: str, seed: int) -> None:
    run = LabRun(starting_recipe(task, seed=seed))
    while run.steps < step:
        run.step()
    sentence = " ".join(happened(run.task, [measure(run)]))
    assert words in sentence and (task == "parity" or "looks 11 tokens back" in sentence)


def test_a_head_that_looks_there_for_a_moment_has_not_formed() -> None:
    history = [seen(10), with_head(seen(20), "induction", 0.6), *(seen(step) for step in (30, 40))]
    assert happened(TASKS["induction"], history)[0].startswith("Not yet: at step 40")
