"""The page Depth: each view on its own numbers, with every kind of model, and with texts that are too short."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.checkpoints import shipped
from core.topics.depth.stacks import StackShape
from core.tracing.run import Run
from pages.canvas import TokenButtons
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.view import Shown
from pages.transformer.depth import queries, settings
from pages.transformer.depth.page import PAGE
from pages.widgets import Chart, Columns, Message, Values

TEXT = "the wolf and the ship went home"


def run_of(model: str = "", text: str = TEXT, **chosen: Any) -> Run:
    trained = shipped.read(model) if model else None
    return make_run(DEFAULTS | chosen, text, text, trained)


def shown(run: Run, view: str, values: dict[Any, Any] | None = None) -> Shown:
    chosen = Values({settings.LAYERS: 3, settings.SEEDS: 2} | (values or {}))
    found: Shown = PAGE.view(view).show(run, chosen)
    return found


def data_of(found: Shown) -> list[pd.DataFrame]:
    """The data of every chart, those that stand side by side too."""
    rows = [[[part]] if not isinstance(part, Columns) else part.columns for part in found.pictures]
    parts = [part for columns in rows for column in columns for part in column]
    return [part.data for part in parts if isinstance(part, Chart)]


@pytest.mark.parametrize("view", ["what is left", "signal and gradient", "tokens grow alike", "recurrent net"])
def test_one_token_is_answered_in_words(view: str) -> None:
    (message,) = shown(run_of(text="a", tok="unigram-8000"), view).pictures
    assert isinstance(message, Message) and "write two words" in message.text


def test_the_trained_model_stands_beside_the_random_ones_where_there_is_one() -> None:
    run = run_of("storyteller")
    (frame,) = data_of(shown(run, "signal and gradient"))
    own = frame[frame["group"] == "this model, trained"]
    found = queries.trained_norms(run)
    assert found is not None and len(own) == run.config.layers + 1
    np.testing.assert_allclose(own["middle"], found.gradient[0])
    (bare,) = data_of(shown(run_of(), "signal and gradient"))
    assert set(bare["group"]) == {"pre-norm", "post-norm", "no norm"}


def test_what_is_drawn_is_the_mean_of_the_seeds() -> None:
    run = run_of()
    chosen = {settings.SHOWN_QUANTITY: "activations", settings.SEED: 5, settings.GAIN: "1.4"}
    (frame,) = data_of(shown(run, "signal and gradient", chosen))
    each = [queries.norms(run, StackShape(32, 3, seed, 1.4)).signal[1] for seed in (5, 6)]
    line = frame[frame["name"] == "pre-norm, without residual"]
    np.testing.assert_allclose(line["middle"], np.sqrt(each[0] * each[1]))
    np.testing.assert_allclose(line["low"], np.minimum(*each))


def test_a_classifier_has_activations_and_no_gradient() -> None:
    run = run_of("sentiment")
    gradient = shown(run, "signal and gradient")
    assert any(note and "did not learn to guess" in note for note in gradient.notes)
    (frame,) = data_of(shown(run, "signal and gradient", {settings.SHOWN_QUANTITY: "activations"}))
    assert "this model, trained" in set(frame["group"])


def test_a_stack_is_as_deep_as_asked_though_a_deeper_one_is_kept() -> None:
    run = run_of()
    shallow, deep = (queries.norms(run, StackShape(16, layers, 0)) for layers in (2, queries.SHALLOW_LAYERS + 1))
    assert shallow.signal.shape == (6, 3) and deep.signal.shape == (6, queries.SHALLOW_LAYERS + 2)
    np.testing.assert_allclose(shallow.signal, deep.signal[:, :3], rtol=1e-5)


@pytest.mark.parametrize(
    ("pair", "ratio", "said"),
    [
        ("real", "0.6", "turns to one line"),
        ("real", "-1.0", "keeps flipping"),
        ("real", "1.0", "settles on one"),
        ("complex pair", "0.6", "never stops turning"),
    ],
)
def test_the_power_method_tells_the_truth(pair: str, ratio: str, said: str) -> None:
    chosen = {settings.PAIR: pair, settings.RATIO: ratio, settings.STEP: 9}
    found = shown(run_of(), "power method", chosen)
    assert said in found.said[0]
    plane, angles = data_of(found)
    assert len(plane) == 10 and angles["now"].dropna().tolist() == [9]


def test_powers_are_drawn_below_at_and_above_1() -> None:
    (frame,) = data_of(shown(run_of(), "powers of a matrix", {settings.TOP: "0.50"}))
    assert frame["group"].nunique() == 4 and np.isclose(frame[frame["group"] == "A"]["middle"].iloc[0], 1)


def test_the_gate_lets_more_of_the_gradient_through() -> None:
    found = shown(run_of(), "recurrent net", {settings.STEPS: 12})
    bars, frame = data_of(found)
    first = frame[frame["x"] == 0].set_index("group")["middle"]
    assert first["with a gate (GRU)"] > first["plain net, tanh"] > 0
    ends = [100 * first["plain net, tanh"], 100 * first["with a gate (GRU)"]]
    assert bars["value"].tolist() == pytest.approx(ends)
    assert bars["text"].tolist() == [f"{end:.0f}%" for end in ends]
    assert found.notes[0] is not None and "read again from the first" in found.notes[0]


def test_a_word_is_shown_after_each_layer_as_its_vector_is_left() -> None:
    run = run_of("storyteller")
    found = shown(run, "what is left", {settings.TOKEN: 2})
    choice, added, bare = [part for part in found.pictures if isinstance(part, TokenButtons)]
    remains = np.mean([queries.remains(run, StackShape(32, 3, seed)) for seed in (0, 1)], axis=0)
    assert choice.selected == 2 and choice.sets is not None and choice.sets(4) == {"depth-token": 4}
    for line, row in ((added, 0), (bare, 1)):
        assert {tile.piece for tile in line.tokens} == {choice.tokens[2].piece}
        assert [tile.note for tile in line.tokens] == [f"cosine {cosine:.3f}" for cosine in remains[row, :, 2]]
        np.testing.assert_allclose([tile.shade for tile in line.tokens], remains[row, :, 2].clip(0))
    own = queries.trained_remains(run)
    assert own is not None and len(own) == run.config.layers + 1
    (frame,) = data_of(found)
    np.testing.assert_allclose(frame[frame["group"] == "this model, trained"]["middle"], own.mean(-1))


def test_a_token_beyond_a_shorter_text_is_its_last_and_a_deep_stack_shows_some_layers() -> None:
    found = shown(run_of(text="the cat"), "what is left", {settings.TOKEN: 31, settings.LAYERS: 40})
    choice, added, _ = [part for part in found.pictures if isinstance(part, TokenButtons)]
    assert choice.selected == len(choice.tokens) - 1
    assert len(added.tokens) == 13 and added.tokens[-1].under.startswith("layer 40")
