"""A row of cross-attention has one name: Heads and Translate call it by the token read and the one written from it."""

import numpy as np
import pytest

from core.text.labels import bare
from core.tracing.run import Run
from pages.attention.heads.page import PAGE
from pages.attention.heads.settings import UNIT as OF_HEADS
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.compute import cache
from pages.shell.run_plan import DEFAULTS, make_run
from pages.transformer.translate.settings import COUNT, LOOKED_AT_TOKEN, SHOWN_HEADS, UNIT
from pages.widgets.place import ATTENTION
from pages.widgets.setting import Values
from pages.widgets.table import Table
from tests.pages.attention.heads.looking import only
from tests.pages.transformer.translate.looking import part, show

CROSS = {ATTENTION: "cross"}


@pytest.fixture(scope="module")
def run() -> Run:
    """The translator, with its own translation as the decoder's text."""
    texts = "The black cat sleeps on the red chair.", "Le chat noir dort sur la chaise rouge."
    return make_run(DEFAULTS, *texts, cache.trained("translator"))


def on_heads(run: Run, unit: str = "pieces") -> Panel:
    return only(PAGE.view("all heads").show(run, Values(CROSS | {OF_HEADS: unit})), Matrices).panels[0]


def test_both_pages_call_the_rows_alike(run: Run) -> None:
    translate, heads = part(show(run, "alignment", {SHOWN_HEADS: "this head"}), Matrices).panels[0], on_heads(run)
    np.testing.assert_allclose(translate.values, heads.values, atol=1e-5)
    end = translate.rows[-1].removesuffix(" → (end)")
    assert list(heads.rows) == [*translate.rows[:-1], end] and heads.rows[0] == "0:(start) → Le"
    combined = only(PAGE.view("layers combined").show(run, Values(CROSS)), Matrices).panels[0]
    assert list(combined.rows) == list(heads.rows)
    words = part(show(run, "alignment", {SHOWN_HEADS: "this head", UNIT: "words"}), Matrices).panels[0]
    assert list(words.rows) == list(on_heads(run, "words").rows)


def test_step_by_step_names_the_token_that_asks(run: Run) -> None:
    heads = on_heads(run)
    shown = show(run, "step by step", {COUNT: 5, LOOKED_AT_TOKEN: 4})
    table = shown.table
    assert isinstance(table, Table) and list(table.rows) == [heads.rows[4]]
    assert f"last token read: “{bare(heads.rows[4])}” gives " in str(shown.takeaway)
