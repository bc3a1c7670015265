"""What the views of a written text show is what the core computes: each view is called by itself."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.checkpoints import shipped
from core.decoding.sampling import Sampling
from core.readings.words import percent
from core.topics.generate import texts
from core.topics.generate.along import window
from core.topics.generate.records import GenerationStep
from core.topics.generate.samples import samples
from core.topics.generate.story import Story, read_branches
from core.topics.generate.texts import per_token
from core.topics.generate.views import lens, look
from core.tracing.run import Run
from pages.canvas.candidates.candidates import Candidates
from pages.canvas.matrices.matrices import Matrices
from pages.canvas.token_buttons.token_buttons import TokenButtons
from pages.compute.cache import trained
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.view import Shown, View
from pages.transformer.generate.page import PAGE
from pages.transformer.generate.settings import (
    BRANCHES,
    COUNT,
    LOOKED_AT_TOKEN,
    MIN_P,
    PENALTY,
    SAMPLES,
    SAMPLING,
    SEED,
    TEMPERATURE,
    TOP_K,
    TOP_P,
)
from pages.transformer.generate.story import story_parts
from pages.widgets.chart import Chart
from pages.widgets.parts import Choices, Message
from pages.widgets.place import HEAD, LAYER
from pages.widgets.setting import Setting, Values
from pages.widgets.table import Table

TEXT = "Once upon a time there was a little"
DEFAULT = Sampling(*(each.default for each in SAMPLING))
Chosen = dict[Setting, Any]


def run_of(text: str = TEXT, **settings: Any) -> Run:
    return make_run(DEFAULTS | settings, text, "", trained("storyteller"))


def story_of(chosen: Chosen, **run: Any) -> tuple[Story, Values]:
    values = Values(chosen)
    return PAGE.subject(run_of(**run), values), values


def shown(view: str, chosen: Chosen, **run: Any) -> Shown:
    return PAGE.view(view).show(*story_of(chosen, **run))


def steps(count: int, sampling: Sampling = DEFAULT, forced: tuple[tuple[int, int], ...] = ()) -> list[GenerationStep]:
    """What the model itself writes, past every cache."""
    run = run_of()
    model, tokenizer = shipped.load("storyteller", run.placement), shipped.tokenizer("storyteller")
    return list(texts.generate(model, tokenizer, run, sampling, forced, count))


def behind() -> tuple[Any, Any, Run]:
    run = run_of()
    return shipped.load("storyteller", run.placement), shipped.tokenizer("storyteller"), run


def data_of(view: Shown, place: int = 0) -> pd.DataFrame:
    charts = [part for part in view.pictures if isinstance(part, Chart)]
    return charts[place].data


def table_of(view: Shown) -> Table:
    assert isinstance(view.table, Table)
    return view.table


def test_the_stages_are_the_core_s() -> None:
    made, view = steps(6), shown("next word", {COUNT: 6, LOOKED_AT_TOKEN: 2})
    bars, ids = data_of(view), [token for token, _ in made[2].likely[:10]]
    for column, stage in (("chances", 0), ("penalty", 1), ("temperature", 2), ("top-k", 3), ("top-p", 4)):
        rows = bars[(bars.stage == column) & (bars.token != "all others")]
        probabilities = made[2].stages[stage].probabilities[ids]
        np.testing.assert_array_equal(rows.gone, np.isneginf(made[2].stages[stage].logits[ids]))
        longest = max(step.probabilities[ids].max() for step in made[2].stages)
        np.testing.assert_allclose((rows.right - rows.left) / 0.1, probabilities / longest, atol=1e-5)
        (head,) = bars[(bars.line == 2) & np.isclose(bars.left, rows.left.iloc[0])].said
        assert head == f"{made[2].stages[stage].kept:,}"
    assert view.said[0].startswith("A random draw picked “") and f"({made[2].draw:.2f})" in view.said[1]
    first = table_of(view).values[0]
    np.testing.assert_allclose(first, [made[2].stages[0].logits[ids[0]], *_probabilities(made[2], ids[0])], rtol=1e-5)


def _probabilities(step: GenerationStep, token: int) -> tuple[float, float]:
    return float(step.stages[0].probabilities[token]), float(step.stages[-1].probabilities[token])


def test_the_number_falls_on_the_segment_of_the_written_token() -> None:
    made = steps(4, Sampling(5.0, 0, 1.0, 0.0, PENALTY.default, SEED.default))[3]
    bar = data_of(shown("next word", {COUNT: 4, TEMPERATURE: 5.0, TOP_K: 0, TOP_P: 1.0, MIN_P: 0.0}), 1)
    (number,) = bar[bar.kind == "draw"].start
    assert number == made.draw
    (under,) = bar[(bar.kind == "token") & (bar.start <= number) & (number < bar.end)].itertuples()
    assert under.piece == made.piece and under.strength == 0.9
    np.testing.assert_allclose(under.end - under.start, made.probability, rtol=1e-3)
    assert bar[bar.kind != "draw"].end.max() == pytest.approx(1)


@pytest.mark.parametrize("chosen", [{TEMPERATURE: 0.0}, {BRANCHES: "1:512"}])
def test_nothing_is_drawn_at_temperature_0_and_in_a_branch(chosen: Chosen) -> None:
    view = shown("next word", {COUNT: 2} | chosen)
    assert "draw" not in set(data_of(view, 1).kind)
    assert bool(view.formula) == (TEMPERATURE not in chosen)


def test_surprisal_and_entropy_are_the_core_s() -> None:
    made, view = steps(5), shown("along the text", {COUNT: 5, LOOKED_AT_TOKEN: 3})
    bits = data_of(view)
    np.testing.assert_allclose(bits.surprisal, [step.surprisal for step in made], rtol=1e-5)
    np.testing.assert_allclose(bits.entropy, [step.entropy for step in made], rtol=1e-5)
    np.testing.assert_allclose(table_of(view).values[:, 2], [step.own for step in made], rtol=1e-5)
    assert bits.here.tolist() == [False, False, False, True, False]


def test_the_token_of_the_headline_has_the_strongest_colour_and_the_chance_that_the_model_gave_it() -> None:
    made, view = steps(5), shown("along the text", {COUNT: 5})
    line = view.pictures[0]
    assert isinstance(line, TokenButtons)
    most = int(np.argmin([step.own for step in made]))
    assert line.tokens[most].shade == 1 == max(token.shade for token in line.tokens)
    assert line.tokens[most].under == percent(made[most].own)
    assert view.said[0] == (
        f"“{made[most].piece}” surprised the model most: it had a chance of {percent(made[most].own)}."
    )


def test_the_guesses_of_the_layers_are_those_of_the_last_row() -> None:
    made, view = steps(4), shown("layer by layer", {COUNT: 5, LOOKED_AT_TOKEN: 3})
    found, line = lens(*behind(), made[3].ids, 3, made[3].chosen), view.pictures[0]
    assert isinstance(line, TokenButtons)
    assert [token.piece for token in line.tokens] == [best[-1] for best in found.best]
    np.testing.assert_allclose([token.shade for token in line.tokens], found.probability[:, -1], atol=1e-6)
    assert f"best guess is “{found.best[-1][-1]}”" in view.said[0]


def test_what_an_earlier_token_cannot_look_at_is_pale() -> None:
    (story, _), view = story_of({COUNT: 4}), shown("mask", {COUNT: 4})
    earlier, newest, _ = view.pictures
    assert isinstance(earlier, TokenButtons) and isinstance(newest, TokenButtons)
    row = len(story.start) - 1
    assert [token.dim for token in earlier.tokens] == [place > row for place in range(len(story.ids))]
    assert not any(token.dim for token in newest.tokens) and earlier.selected == row
    assert view.said[0] == f"“{earlier.tokens[row].piece}” cannot look at the 3 tokens after it."
    first = shown("mask", {COUNT: 4, LOOKED_AT_TOKEN: 0})  # only the beginning was read, so its middle is shown
    assert first.said[0].endswith(f"the {row - (row - 1) // 2} tokens after it.")
    assert [part.selected for part in first.pictures[:2] if isinstance(part, TokenButtons)] == [(row - 1) // 2, row]


def test_a_long_text_is_cut_to_a_window_whose_bars_open_their_own_tokens() -> None:
    view = shown("along the text", {COUNT: 60, LOOKED_AT_TOKEN: 50})
    assert len(data_of(view)) == 40 and any("These are tokens 20 to 59 of 60" in note for note in view.notes if note)
    line, chart = view.pictures
    assert isinstance(chart, Chart) and chart.sets is not None and chart.sets(1) == {LOOKED_AT_TOKEN.key: 21}
    assert isinstance(line, TokenButtons) and line.sets is not None and line.sets(1) == {LOOKED_AT_TOKEN.key: 1}
    assert len(line.tokens) == 60 and line.selected == 50
    assert len(table_of(view).values) == 60
    assert [window(60, at) for at in (0, 25, 59)] == [(0, 40), (5, 40), (20, 40)] and window(3, 2) == (0, 3)


def test_what_the_layers_say_is_the_core_s() -> None:
    made, view = steps(4), shown("layer by layer", {COUNT: 5, LOOKED_AT_TOKEN: 3})
    cells, found = data_of(view), lens(*behind(), made[3].ids, 3, made[3].chosen)
    drawn = cells[cells.layer != "next"].chance.to_numpy().reshape(-1, len(found.best)).T
    np.testing.assert_allclose(drawn, found.probability[:, -drawn.shape[1] :], atol=1e-6)
    assert cells[cells.layer == "next"].says.iloc[-1] == made[3].piece
    assert table_of(view).values.shape == (len(made[3].ids), len(found.best))


def test_a_row_of_the_lens_opens_the_token_that_was_chosen_there() -> None:
    story, values = story_of({COUNT: 5, LOOKED_AT_TOKEN: 3})
    _, chart = PAGE.view("layer by layer").show(story, values).pictures
    assert isinstance(chart, Chart) and chart.sets is not None
    rows = len(chart.data) // chart.data.layer.nunique()
    assert chart.sets(rows - 1) == {LOOKED_AT_TOKEN.key: 3}
    assert chart.sets(rows - 4) == {LOOKED_AT_TOKEN.key: 0} and chart.sets(0) == {}


def test_every_head_s_weights_are_the_core_s() -> None:
    made, view = steps(4), shown("attention", {COUNT: 5, LOOKED_AT_TOKEN: 3, LAYER: "2", HEAD: "3"})
    one, every, _ = view.pictures
    assert isinstance(one, TokenButtons) and isinstance(every, Matrices)
    rows = look(*behind(), made[3].ids).self_pattern  # (N, H, K)
    np.testing.assert_allclose(every.panels[0].values, rows.reshape(-1, rows.shape[-1]), atol=1e-6)
    shades = np.array([token.shade for token in one.tokens])
    np.testing.assert_allclose(shades, rows[1, 2] / rows[1, 2].max(), atol=1e-5)
    heads = run_of().config.heads
    assert every.sets is not None and every.sets("heads", heads + 4, 0) == {LAYER.key: "2", HEAD.key: "5"}


def test_the_last_token_that_was_read_is_outlined_as_the_query() -> None:
    made, chosen = steps(4), {COUNT: 5, LOOKED_AT_TOKEN: 3, LAYER: "2", HEAD: "3"}
    one, every, _ = shown("attention", chosen).pictures
    mask = shown("mask", chosen).pictures[-1]
    assert isinstance(one, TokenButtons) and isinstance(every, Matrices) and isinstance(mask, Matrices)
    last = len(made[3].ids) - 1
    assert len(one.tokens) == last + 1 and one.selected == last and one.tokens[last].piece == made[2].piece
    assert list(every.panels[0].outlines) == [(run_of().config.heads + 2, None)]
    assert len(mask.panels[0].values) == last + 1 and list(mask.panels[0].outlines) == [(last, None)]


def test_what_a_sliding_window_hides_is_crossed_out() -> None:
    view = shown("mask", {COUNT: 4}, mask=("as built", "sliding window"), window=1)
    picture = view.pictures[-1]
    assert isinstance(picture, Matrices)
    drawn = picture.panels[0].values
    expected = np.tri(len(drawn), dtype=bool) & ~np.tri(len(drawn), k=-2, dtype=bool)
    np.testing.assert_array_equal(np.isfinite(drawn), expected)
    assert f"hides {(~expected).sum():,} of {drawn.size:,} pairs" in view.said[1]


def test_samples_are_the_core_s() -> None:
    view = shown("many texts", {COUNT: 5, SAMPLES: 4})
    for picture, sample in zip(view.pictures, samples(*behind(), DEFAULT, 4, 8), strict=True):
        assert isinstance(picture, TokenButtons)
        assert [token.piece for token in picture.tokens] == list(sample.pieces)
        assert f"{-per_token(sample.log_probability, len(sample.ids)):.2f} bits" in picture.caption


def test_a_seed_writes_another_text_and_greedy_draws_nothing() -> None:
    drawn, other = (story_of({COUNT: 8, SEED: seed})[0].written for seed in (0, 1))
    assert [each.chosen for each in drawn] != [each.chosen for each in other]
    greedy, values = story_of({COUNT: 8, TEMPERATURE: 0.0})
    assert [each.piece for each in greedy.written] == [
        step.piece for step in steps(8, replace(DEFAULT, temperature=0.0))
    ]
    headline, said = PAGE.view("next word").show(greedy, values).said
    assert headline.endswith(" and took it.") and "the likeliest after the filters is taken" in said


def test_a_candidate_begins_a_branch_and_forgets_what_came_after_it() -> None:
    story, values = story_of({COUNT: 6, LOOKED_AT_TOKEN: 2, BRANCHES: "1:512, 4:99"})
    *_, others = PAGE.view("next word").show(story, values).pictures
    assert isinstance(others, Choices)
    _, candidates = others.parts
    assert isinstance(candidates, Candidates) and candidates.sets is not None
    assert candidates.chosen == story.written[2].chosen
    assert candidates.sets(77) == {
        BRANCHES.key: "1:512,2:77",
        LOOKED_AT_TOKEN.key: None,
        COUNT.key: 3,
    }


def test_branches_are_read_as_far_as_they_can_be_used() -> None:
    assert read_branches("3:512, 7:88", 1000) == (((3, 512), (7, 88)), [])
    assert read_branches("7:88,3:512,,7:9", 1000) == (((3, 512), (7, 9)), [])
    assert read_branches("200:5, 1:1000, 2:999", 1000) == (((2, 999),), ["200:5", "1:1000"])
    assert read_branches(None, 1000) == ((), [])
    pairs = [f"{place}:{place + 100}" for place in range(70)]
    found, wrong = read_branches(",".join(pairs), 1000)
    assert (found, wrong) == (tuple((place, place + 100) for place in range(58)), pairs[58:]), "no pair is cut in two"
    assert read_branches("1" * 401, 1000) == ((), ["1" * 401])


@pytest.mark.parametrize("view", PAGE.views, ids=lambda view: view.name)
def test_a_view_of_no_token_says_so(view: View) -> None:
    story, values = story_of({COUNT: 0})
    (message,) = view.show(story, values).pictures
    assert story.at == -1 and isinstance(message, Message) and "Nothing is written yet" in message.text


def test_a_click_on_the_beginning_changes_nothing() -> None:
    story, values = story_of({COUNT: 3})
    (text,) = [part for part in story_parts(story, values) if isinstance(part, TokenButtons)]
    first = len(story.start)
    assert text.sets is not None and text.sets(first - 1) == {} and text.sets(first + 1) == {LOOKED_AT_TOKEN.key: 1}
    assert text.selected == first + 2
