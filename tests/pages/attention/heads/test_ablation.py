"""What switching heads off shows is what the core computed, and what it says of it is true."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.topics.heads import ablation, all_heads
from core.topics.shared.places import HeadAddress
from core.tracing.edits import ablate_head
from pages.attention.heads.page import PAGE
from pages.attention.heads.settings import (
    EFFECT,
    HEADS_OFF,
)
from pages.canvas import TokenButtons
from pages.canvas.head_grid.head_grid import HeadGrid
from pages.canvas.matrices.matrices import Matrices
from pages.shell.view import Shown
from pages.widgets.chart import Chart
from pages.widgets.parts import Message
from pages.widgets.place import ATTENTION, HEAD, LAYER
from pages.widgets.setting import Values
from pages.widgets.table import Table
from tests.pages.attention.heads.looking import every, made, only, run_with, takeaways

show_ablation = PAGE.view("switch off").show

CAT = "the cat sat on the mat"
TWO: dict[str, Any] = {"kind": "encoder-decoder"}
CROSS = HeadAddress("decoder", cross=True)


def panel(shown: Shown) -> Any:
    (found,) = only(shown, Matrices, "heads-matrix").panels
    return found


def test_ablation_shows_the_pattern_of_both_runs() -> None:
    run, place = run_with(), HeadAddress("encoder", 1)
    values = Values({EFFECT: "this pattern", HEADS_OFF: ("L1H2", "L1H4"), LAYER: "2", HEAD: "3"})
    shown = show_ablation(run, values)
    silent = replace(run, edits=(ablate_head(run.config, 0, 1), ablate_head(run.config, 0, 3)))
    before, after = (made(each, all_heads.patterns, place).pattern[2] for each in (run, silent))
    drawn = [each.values for each in only(shown, Matrices).panels]
    np.testing.assert_array_equal(drawn, [before, after, after - before])
    causal = only(show_ablation(run_with(kind="decoder"), values), Matrices).panels
    later = np.triu(np.ones_like(causal[0].values, dtype=bool), 1)
    assert all((np.isneginf(panel.values) == later).all() for panel in causal[:2])
    grid = only(shown, HeadGrid)
    assert grid.hidden == [(0, 1), (0, 3)] and grid.sets is not None
    assert grid.sets(0, 1) == {HEADS_OFF.key: ["L1H4"]}
    assert grid.sets(2, 0) == {HEADS_OFF.key: ["L1H2", "L1H4", "L3H1"]}
    assert not any("No head is switched off" in sentence for sentence in takeaways(shown))


def test_a_head_that_comes_later_changes_no_pattern() -> None:
    shown = show_ablation(run_with(), Values({EFFECT: "this pattern", HEADS_OFF: ("L3H1",)}))
    assert takeaways(shown) == ["Layer 1 · head 1 looks where it looked: none of its weights changed."]


def test_without_a_choice_the_head_is_silenced_without_which_a_guess_changes_most() -> None:
    run, place = run_with(kind="decoder"), HeadAddress("decoder")
    shown = show_ablation(run, Values({HEAD: "2", EFFECT: "next token", HEADS_OFF: ("L9H9",)}))
    layers, heads = run.config.layers, run.config.heads
    each = {
        (layer, head): made(run, ablation.ablate, place, (ablate_head(run.config, layer, head),))
        for layer in range(layers)
        for head in range(heads)
    }
    layer, head = max(each, key=lambda found: each[found].surprise.max())
    expected, name = each[layer, head], f"layer {layer + 1} · head {head + 1}"
    assert isinstance(shown.table, list)
    likeliest, guesses, effects = shown.table
    np.testing.assert_allclose(likeliest.values[:, 1], [after for _, _, after in expected.next_pieces], rtol=1e-5)
    np.testing.assert_allclose(guesses.values[:, 0], expected.surprise, rtol=1e-5)
    at = int(expected.surprise.argmax())
    found = [[each[row, column].surprise[at] for column in range(heads)] for row in range(layers)]
    np.testing.assert_allclose(effects.values, found, rtol=1e-3, atol=1e-6)
    before, after = every(shown, TokenButtons)
    for line, run_of_two in ((before, 1), (after, 2)):
        chances = sorted((piece[run_of_two] for piece in expected.next_pieces), reverse=True)[:6]
        np.testing.assert_allclose([tile.shade for tile in line.tokens], chances, rtol=1e-4)
    headline, trial, *_ = takeaways(shown)
    assert headline.startswith(f"Without {name}, after “")
    assert trial.startswith("No head is switched off yet: this is a trial. We switched off each head by itself")
    assert name in trial
    grid = only(shown, HeadGrid)
    assert list(grid.hidden) == [] and grid.selected == (0, 1), "nothing is crossed out that is not switched off"


def test_in_the_trial_of_another_effect_the_chosen_head_is_silenced() -> None:
    run = run_with(kind="decoder")
    own, note = takeaways(show_ablation(run, Values({HEAD: "2", EFFECT: "this pattern"})))
    assert own == "Layer 1 · head 2 looks where it looked: none of its weights changed."
    assert note == "No head is switched off yet: this is a trial without layer 1 · head 2."


def test_a_decoder_opens_with_the_next_token_and_an_encoder_with_patterns() -> None:
    for kind, opened in (("decoder", "next token"), ("encoder", "every pattern")):
        values = Values({})
        for each in PAGE.view("switch off").controls(run_with(kind=kind), values):
            each.fit(values)
        assert values[EFFECT] == opened


@pytest.mark.parametrize("effect", ["layers", "tokens"])
def test_bars_are_the_changes_of_every_stack(effect: str) -> None:
    run = run_with(**TWO)
    shown = show_ablation(run, Values({EFFECT: effect, HEADS_OFF: ("L1H1",)}))
    stacks = made(run, ablation.ablate, HeadAddress("encoder"), (ablate_head(run.config, 0, 0, "encoder"),)).stacks
    values = np.concatenate([each.per_layer if effect == "layers" else each.per_token for each in stacks])
    np.testing.assert_allclose(only(shown, Chart).data["value"], values, rtol=1e-6)
    assert isinstance(shown.table, Table) and shown.table.rows[0].startswith("encoder ")
    np.testing.assert_array_equal(shown.table.values[:, 0], values)


def test_every_pattern_downstream_is_in_the_table() -> None:
    run = run_with(**TWO)
    shown = show_ablation(run, Values({HEADS_OFF: ("L1H1",)}))
    per_head = made(run, ablation.ablate, HeadAddress("encoder"), (ablate_head(run.config, 0, 0, "encoder"),)).per_head
    assert isinstance(shown.table, Table) and list(per_head) == ["encoder", "decoder", "cross"]
    np.testing.assert_array_equal(
        shown.table.values, np.concatenate([each.filled(np.nan) for each in per_head.values()])
    )
    assert shown.table.rows[0] == "encoder layer 1" and shown.table.rows[-1] == "cross layer 3"
    for chart, values in zip(every(shown, Chart), per_head.values(), strict=True):
        np.testing.assert_allclose(chart.data["value"], values.filled(np.nan).ravel(), rtol=1e-6)


def test_of_many_tokens_those_that_moved_most_are_shown() -> None:
    shown = show_ablation(run_with("cat and dog " * 30), Values({EFFECT: "tokens", HEADS_OFF: ("L1H1",)}))
    assert isinstance(shown.table, Table)
    values = shown.table.values[:, 0]
    assert shown.notes == [f"Of {len(values)} tokens these are the 48 that moved most."]
    np.testing.assert_allclose(sorted(only(shown, Chart).data["value"]), np.sort(values)[-48:], rtol=1e-6)


def test_an_encoder_predicts_no_next_token() -> None:
    assert only(show_ablation(run_with(), Values({EFFECT: "next token"})), Message).text.startswith("An encoder")


def test_silencing_an_encoder_is_followed_into_the_decoder() -> None:
    run = run_with(**TWO)
    shown = show_ablation(run, Values({ATTENTION: "encoder", LAYER: "3", HEADS_OFF: ("L3H1",)}))
    assert re.search("in (cross-attention|the decoder's self-attention) changed most", takeaways(shown)[0])
    assert len(every(shown, Chart)) == 3 and "These are heads of the encoder's self-attention." in shown.lead
    shown = show_ablation(run, Values({ATTENTION: "cross", HEADS_OFF: ("L3H1",)}))
    assert "no attention comes after what was switched off" in takeaways(shown)[0]
    assert shown.notes[0] and "cannot change" in shown.notes[0]


@pytest.mark.parametrize(("effect", "ran"), [("this pattern", "all_heads.patterns"), ("layers", "ablation.ablate")])
def test_the_code_shown_is_what_ran(effect: str, ran: str) -> None:
    shown = show_ablation(run_with(), Values({EFFECT: effect}))
    assert shown.source == ("core.tracing.edits.ablate_head", f"core.topics.heads.{ran}")
