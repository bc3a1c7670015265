"""The view "between heads": what it draws and says against the core, and the button that cuts every path."""

from dataclasses import replace

import numpy as np
import pytest

from core.model.config import TransformerConfig
from core.topics.circuits.cut_paths import cut_into, estimated_cuts
from core.topics.circuits.edges import INPUTS, head_paths
from core.topics.shared.open_run import open_run, run_of_model
from pages.canvas import Matrices
from pages.transformer.circuits import queries
from pages.transformer.circuits.between_heads import VIEW
from pages.transformer.circuits.page import PAGE
from pages.transformer.circuits.path_subject import DRAWN_PATHS, word_paths
from pages.transformer.circuits.settings import EARLIER, INTO, LATER, STRONGEST
from pages.widgets import Caption, Chart, Columns, JobButton, Takeaway, Values
from tests.pages.views import called_view, opened_run

NAME = VIEW.name
SMALL = "storyteller-small"


def test_it_opens_with_the_path_that_a_copied_name_needs() -> None:
    """The head that reads “Brown” finds it by keys that an earlier head wrote, which looks at the token before."""
    said = called_view(PAGE, NAME, opened_run(PAGE)).shown.said
    assert said[0] == (
        "For “Brown”, what head 1 of layer 4 hands to head 6 of layer 5 matters most: it marks the tokens to be found."
    )
    assert "head 1 of layer 4" in said[1] and "falls by 3.39" in said[2]


def test_numbers_are_the_cores() -> None:
    run = opened_run(PAGE, SMALL)
    model, tokenizer = open_run(run)
    found = word_paths(run, Values())
    assert found is not None
    candidates = found.word.attribution.candidates
    token, piece = found.word.attribution.token, candidates.ids[found.word.candidate]
    estimates = estimated_cuts(model, tokenizer, run, "decoder", token, piece, None)
    np.testing.assert_allclose(found.estimates, estimates, atol=1e-6)
    entry, later, earlier = found.chosen
    assert abs(estimates[found.chosen]) == np.abs(estimates).max() and found.exists[found.chosen]
    shown = called_view(PAGE, NAME, run).shown
    columns = shown.pictures[1]
    assert isinstance(columns, Columns)
    graph, reads = columns.columns[0][0], columns.columns[1][0]
    assert isinstance(graph, Chart) and isinstance(reads, Matrices) and graph.sets and reads.sets
    assert graph.sets(0) == {INTO.key: INPUTS[entry], LATER.key: later, EARLIER.key: earlier}
    assert graph.sets(DRAWN_PATHS) == {}
    shares = head_paths(model, tokenizer, run, "decoder").shares
    head = found.paths.heads[earlier]
    panel = reads.panels[entry]
    assert panel.selected == (head.layer, head.head)
    assert panel.values[head.layer, head.head] == pytest.approx(shares[found.chosen])
    assert reads.sets(panel.name, head.layer, head.head) == graph.sets(0)
    cut = cut_into(
        model,
        tokenizer,
        run,
        "decoder",
        token,
        candidates.ids,
        replace(found.paths.heads[later], head=0),
        INPUTS[entry],
    )
    change = found.word.compared(cut[found.paths.heads[later].head, earlier])
    assert f"{abs(float(change)):.3g}" in shown.said[2]


def test_every_path_is_cut_bit_by_bit() -> None:
    run = opened_run(PAGE, SMALL)
    found = word_paths(run, Values())
    assert found is not None
    word = found.word
    where = run, word.stack, word.attribution.token, word.attribution.candidates.ids
    steps = list(queries.cut_all(*where, None))
    assert len(steps[-1]) == len(steps) == len(queries.cuts(run, word.stack))
    assert list(queries.cut_all(*where, steps[-1])) == []
    button = called_view(PAGE, NAME, run).shown.pictures[2]
    assert isinstance(button, JobButton) and button.tell(steps[0])[0] < button.tell(steps[-1])[0] == 1
    said, chart, furthest = button.found(steps[-1])
    assert isinstance(said, Takeaway) and isinstance(chart, Chart) and isinstance(furthest, Caption)
    assert len(chart.data) == found.exists.sum() and f"Over all {len(chart.data)} paths" in str(said)
    place = found.chosen
    drawn = chart.data[chart.data["path"] == found.title(place)].iloc[0]
    assert drawn["estimate"] == pytest.approx(found.estimates[place], rel=1e-5)
    worst = int((chart.data["estimate"] - chart.data["truth"]).abs().to_numpy().argmax())
    assert chart.data["path"][worst] in furthest.text and chart.sets is not None
    opened = {setting: chart.sets(worst)[setting.key] for setting in (INTO, LATER, EARLIER)}
    chosen = word_paths(run, Values(opened))
    assert chosen is not None and chosen.title(chosen.chosen) == chart.data["path"][worst]
    assert chart.sets(len(chart.data)) == {}


def test_settings_out_of_range_open_a_path_that_exists() -> None:
    run = opened_run(PAGE, SMALL)
    for chosen in (
        {LATER: 0},
        {LATER: 10_000},
        {EARLIER: 10_000},
        {INTO: "value"},
        {LATER: 1, EARLIER: 1, INTO: STRONGEST},
    ):
        found = word_paths(run, Values(chosen))
        assert found is not None and found.exists[found.chosen]


def test_models_without_a_path_say_so() -> None:
    config = TransformerConfig("decoder", vocab_size=8_000, d_model=8, heads=2, layers=1)
    shown = called_view(PAGE, NAME, replace(run_of_model(SMALL, "A cat."), config=config, source=None)).shown
    assert len(shown.pictures) == 1 and "No head of this model comes after another" in str(shown.pictures[0])
    config = replace(config, layers=2, score="additive")
    shown = called_view(PAGE, NAME, replace(run_of_model(SMALL, "A cat."), config=config, source=None)).shown
    assert len(shown.pictures) == 1 and "Additive scores are no sum" in str(shown.pictures[0])


@pytest.mark.parametrize("model", ["translator", "reader"])
def test_other_stacks_have_paths(model: str) -> None:
    found = word_paths(opened_run(PAGE, model), Values())
    assert found is not None and found.exists[found.chosen]
    crossing = [head.cross for head in found.paths.heads]
    assert any(crossing) == (model == "translator") and not found.exists[1:, crossing].any()
