"""The view of heads over many texts: what it draws is the record, and an opened text is what the model computes now."""

from pathlib import Path

import numpy as np
import pytest

from core.checkpoints import head_records
from core.checkpoints.firing import load_pool
from core.checkpoints.head_records import DECILES, STRONGEST, load_heads, scores_of
from core.checkpoints.real.elsewhere import Elsewhere
from core.checkpoints.real.places import PLACE_VARIABLE
from core.model.masks import CausalMask
from core.readings.words import percent
from core.topics.heads.over_texts import context_pattern, contexts, mean_scores, text_scores
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from core.training import heads
from pages.attention.heads.page import PAGE
from pages.attention.heads.settings import ACROSS, CONTEXT, CONTEXTS, UP
from pages.canvas import Matrices, TokenButtons
from pages.shell.view import Shown
from pages.widgets.chart import Chart
from pages.widgets.parts import Message
from pages.widgets.place import HEAD, LAYER
from pages.widgets.table import Table
from pages.widgets.words import plain
from tests.core.checkpoints.real.real_place import fill_place
from tests.pages.attention.heads.looking import every, made, only, run_with, takeaways
from tests.pages.sentences import show

VIEW = PAGE.view("over many texts")
TEXT = "the cat sat on the mat and the cat sat on the mat"


def shown(run: Run, **chosen: object) -> Shown:
    by_name = {each.key: each for each in (ACROSS, UP, CONTEXT, CONTEXTS, LAYER, HEAD)}
    return show(PAGE, VIEW, run, {by_name[key]: value for key, value in chosen.items()})


def at(layer: int, head: int, **other: object) -> dict[str, object]:
    return {LAYER.key: str(layer), HEAD.key: str(head), **other}


def test_points_are_the_means_of_the_record() -> None:
    run = run_with(TEXT, "storyteller")
    scores = mean_scores(load_heads("storyteller", run.config).attentions["decoder"], "decoder")
    view = shown(run, **at(2, 3, **{ACROSS.key: "Previous token", UP.key: "First token"}))
    scatter = next(part for part in every(view, Chart) if part.key == "heads-over-texts")
    across, up = (np.round(scores[score].ravel(), 4) for score in ("previous_token", "first_token"))
    drawn = scatter.data.select_dtypes("number").to_numpy()
    assert any(np.allclose(column, across, atol=1e-3) for column in drawn.T)
    assert any(np.allclose(column, up, atol=1e-3) for column in drawn.T)
    assert scatter.sets is not None and scatter.sets(1 * run.config.heads + 2) == {LAYER.key: "2", HEAD.key: "3"}
    beside = made(run, text_scores, HeadAddress("decoder", 1, 2))
    assert isinstance(view.table, list)
    (table,) = (part for part in view.table if isinstance(part, Table) and part.name == "head here and over texts")
    kinds = scores_of("decoder")
    for column, where in enumerate((beside, scores)):
        expected = [np.ma.filled(where[kind][1, 2], np.nan) for kind in kinds]
        np.testing.assert_allclose(table.values[:, column], expected, atol=1e-5)


@pytest.mark.parametrize(("strongest", "count"), [(True, STRONGEST), (False, DECILES)])
def test_an_opened_text_shows_what_the_model_computes_now(strongest: bool, count: int) -> None:
    run = run_with(TEXT, "storyteller")
    place = HeadAddress("decoder", 2, 1)
    listed = contexts(load_heads("storyteller", run.config), place, strongest)
    which = CONTEXTS.options[0 if strongest else 1]
    view = shown(run, **at(3, 2, **{CONTEXTS.key: which, CONTEXT.key: 3}))
    rows = every(view, TokenButtons, "heads-over-texts-")
    assert len(rows) == len(listed) == count
    assert rows[4].sets is not None and rows[4].sets(0) == {CONTEXT.key: 5}
    found = made(run, context_pattern, place, listed[2])
    live = found.pattern[1]
    (panel,) = only(view, Matrices, "heads-over-texts-pattern").panels
    np.testing.assert_allclose(panel.values, np.where(found.allowed, live, -np.inf), atol=1e-6)
    assert panel.selected == (listed[2].query, listed[2].key)
    assert percent(float(live[listed[2].query, listed[2].key])) in takeaways(view)[-1]


def test_random_weights_have_no_record_and_the_view_says_why() -> None:
    view = shown(run_with(TEXT))
    (message,) = every(view, Message)
    assert "Random weights have learned nothing yet" in message.text


def test_a_model_made_elsewhere_has_a_record_once_it_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = fill_place(tmp_path)
    source = Elsewhere("gpt2", place)
    known, _ = source.open()
    run = Run(TEXT, known.config, "", masks=(CausalMask(),), source=source, format=known.format)
    (message,) = every(shown(run), Message)
    assert plain("python -m core.training heads --model real:gpt2") in message.text
    short = load_pool()[::40]
    for module in (heads, head_records):
        monkeypatch.setattr(module, "load_pool", lambda: short)
    monkeypatch.setenv(PLACE_VARIABLE, str(place))
    heads.main(["--model", "real:gpt2"])
    view = shown(run, **at(2, 4))
    assert not every(view, Message)
    assert "heads-over-texts" in {part.key for part in every(view, Chart)}
    assert "over 75 texts" in " ".join(takeaways(view)).lower()
