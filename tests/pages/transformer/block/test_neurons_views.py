"""The views of a block's neurons, called as functions: they show the core's numbers, and a click opens others."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.checkpoints.measured import MEASURED_FOLDER
from core.topics.block import neurons as core
from core.topics.block.corpus_texts import found_texts
from core.tracing.run import Run
from pages.canvas import Matrices, TokenButtons
from pages.compute import cache
from pages.shell.run_plan import DEFAULTS, make_run
from pages.transformer.block import queries
from pages.transformer.block.page import PAGE
from pages.transformer.block.settings import NEURON, ORDER_SEED, TOKEN
from pages.widgets import Chart, Columns, Markdown, Message, Part, Values, plain
from pages.widgets.place import LAYER

show_neurons = PAGE.view("neurons").show
show_any_order = PAGE.view("any order").show

TEXT = "Once upon a time there was a little girl"


def parts(pictures: Sequence[Part]) -> Iterator[Part]:
    for part in pictures:
        yield from (each for column in part.columns for each in parts(column)) if isinstance(part, Columns) else [part]


def of_kind(pictures: Sequence[Part], kind: Any) -> list[Any]:
    return [part for part in parts(pictures) if isinstance(part, kind)]


def run_of(name: str = "storyteller") -> Run:
    return make_run(DEFAULTS, TEXT, "Il était une fois", cache.trained(name))


def fresh(**more: Any) -> Run:
    return make_run(DEFAULTS | more, TEXT, "")


def test_it_opens_at_the_strongest_neuron_of_the_last_token() -> None:
    run = run_of()
    shown = show_neurons(run, Values({LAYER: "3"}))
    read = cache.compute(core.block_inputs, run, "decoder", 2)
    last = len(read.labels) - 1
    found = cache.compute(core.neurons, run, "decoder", 2, last, None, read)
    heat, pieces, lengths = of_kind(shown.pictures, Matrices)[0], *of_kind(shown.pictures, Chart)
    np.testing.assert_array_equal(heat.panels[0].values, found.activations)
    assert heat.panels[0].selected == (last, 0)
    np.testing.assert_allclose(lengths.data.value, found.lengths, rtol=1e-6)
    assert heat.sets("neurons", 3, 2) == {TOKEN.key: 3, NEURON.key: found.numbers[2]}
    assert lengths.sets(4) == {NEURON.key: found.numbers[4]}
    writes = cache.compute(core.written, run, "decoder", 2, found.neuron)
    assert writes is not None
    assert pieces.data.label.tolist() == [piece for piece, _ in (*writes.raised, *reversed(writes.lowered))]
    assert f"neuron {found.neuron:,} adds most" in shown.said[0] and f"“{writes.raised[0][0]}”" in shown.said[3]


def test_the_texts_of_a_neuron_are_shaded_by_what_the_model_computes_on_them() -> None:
    run = run_of()
    shown = show_neurons(run, Values({LAYER: "2", NEURON: 7}))
    firing = queries.firing(run)
    assert firing is not None
    lit = queries.lit_texts(run, "decoder", 1, 7, found_texts(firing, "decoder", 1, 7))
    rows = of_kind(shown.pictures, TokenButtons)[1:]
    assert len(rows) == len(lit) == 4
    most = max(each.activations.max() for each in lit)
    for row, each in zip(rows, lit, strict=True):
        assert [token.piece for token in row.tokens] == list(each.pieces) and row.selected == each.token
        assert row.sets is None
        np.testing.assert_allclose([token.shade for token in row.tokens], np.clip(each.activations / most, 0, 1))
    assert rows[0].tokens[lit[0].token].shade == 1
    assert "In 3,000 texts that the model was not trained on, neuron 7 fires most at" in shown.said[0]


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (fresh(kind="encoder"), "never compared with the pieces"),
        (fresh(kind="decoder"), ""),
        (run_of("translator"), ""),
    ],
)
def test_what_cannot_be_shown_is_said(run: Run, words: str) -> None:
    shown = show_neurons(run, Values({NEURON: 4095}))
    said = [part.text.replace("\\", "") for part in of_kind(shown.pictures, Message)]
    if run.is_trained:  # of this neuron there are no texts
        assert not said and len(of_kind(shown.pictures, TokenButtons)) == 1
        assert "never fires on any token of 1,500 texts" in shown.said[0]
        assert of_kind(shown.pictures, Markdown)[0].text == plain(shown.said[0])
    else:
        assert len(said) == 1 and "found for these trained models: Reader" in said[0]
    assert words in (shown.notes[0] or "") and bool(shown.notes[0]) == bool(words)
    assert len(of_kind(shown.pictures, Chart)) == (2 if run.config.architecture == "decoder" else 1)
    assert of_kind(shown.pictures, Matrices)[0].panels[0].cols[-1] == str(run.config.hidden_width - 1)


def test_a_damaged_file_of_texts_is_a_sentence_and_the_rest_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(run: Run) -> None:
        raise ValueError("The file neurons-storyteller.safetensors cannot be read.")

    monkeypatch.setattr(queries, "firing", damaged)
    shown = show_neurons(run_of(), Values())
    assert "cannot be read" in of_kind(shown.pictures, Message)[0].text and len(of_kind(shown.pictures, Chart)) == 2


def test_a_file_of_texts_that_is_lost_is_named_with_its_command_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [MEASURED_FOLDER / name for name in ("neuron-texts.json", "neurons-storyteller.safetensors")]
    (tmp_path / files[0].name).symlink_to(files[0])
    monkeypatch.setattr(queries, "MEASURED_FOLDER", tmp_path)
    (said,) = of_kind(show_neurons(run_of(), Values()).pictures, Message)
    assert "neurons-storyteller.safetensors is missing" in said.text.replace("\\", "")
    assert "python -m core.training neurons --data DIR --model storyteller" in said.text.replace("\\", "")
    (tmp_path / files[1].name).symlink_to(files[1])
    assert not of_kind(show_neurons(run_of(), Values()).pictures, Message)


def test_another_order_moves_the_rows_and_no_number() -> None:
    run = run_of()
    shown = show_any_order(run, Values({ORDER_SEED: 5}))
    before, after = of_kind(shown.pictures, Matrices)[0].panels
    places = [before.rows.index(label) for label in after.rows]
    assert sorted(places) == list(range(len(before.rows))) != places
    np.testing.assert_allclose(after.values, before.values[places], atol=1e-5)
    assert before.limit == after.limit == np.abs(before.values).max()
    other = of_kind(show_any_order(run, Values({ORDER_SEED: 6})).pictures, Matrices)[0].panels[1]
    assert other.rows != after.rows
    ((row, _),), ((moved_to, _),) = before.outlines, after.outlines
    assert before.rows[row] == after.rows[moved_to]
    assert "gives each word exactly the same" in shown.said[0] and "its mask and the rotation" in shown.said[1]


def test_one_token_has_one_order() -> None:
    shown = show_any_order(make_run(DEFAULTS | {"kind": "encoder"}, "a", ""), Values())
    assert "only one order" in of_kind(shown.pictures, Message)[0].text
