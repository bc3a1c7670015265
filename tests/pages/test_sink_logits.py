"""Every view of every page with sink logits: it takes them into account, or refuses them with one sentence."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.lab.recipe import starting_recipe, write_recipe
from core.topics.shared.open_run import open_run
from core.topics.shared.places import SINK_LOGITS
from core.tracing.run import Run, execute, prepare
from pages.attention.heads.page import PAGE as HEADS
from pages.attention.heads.settings import COMBINED_BY, SCORE, TASK
from pages.canvas import Matrices
from pages.compute.cache import trained
from pages.shell.page import Page
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.view import Shown
from pages.transformer.circuits.page import PAGE as CIRCUITS
from pages.transformer.circuits.why_first import SINK_ABOUT, strongest_head
from pages.widgets import Values
from pages.widgets.table import Table
from tests.pages.house import PAGES
from tests.pages.sentences import sentences, show
from tests.pages.views import called_view, opened_run

TWO = replace(starting_recipe("sort"), architecture="encoder-decoder", sink_logits=True)
# For each kind of model a step of the lab with drawn weights, a text and a target.
MODELS = {
    "decoder": ("lab:look-back-sink-logits@0", "^ h q f 1 f m c 2 c t e k 3 k b o i d 1 d", ""),
    "encoder-decoder": (f"lab:{write_recipe(TWO)}@0", "3 1 4 2", "1 2 3 4"),
}
REFUSED = {
    "masks": {"before and after", "wrong ways", "leak test", "empty rows"},
    "scaling": {"four scores", "weights", "entropy", "gradient"},
    "self-attention": {"soft dictionary"},
}
TRANSLATING = ("welcome", "translate")  # all views of these
FALSE = re.compile(r"rows sum to 1|row sums? to 1|sums to 1|that sum to 1|average of the values")
GENERAL = {"next word", "many texts", "known models"}  # what they say of sums is about chances and other models
CASES = [
    (kind, page)
    for kind in MODELS
    for page in PAGES
    if page.uses_model and not page.reference and page.shows_model and kind in page.architectures
]


def run_with_sink(kind: str) -> Run:
    name, text, target = MODELS[kind]
    run = make_run(DEFAULTS, text, target, trained(name))
    assert run.config.sink_logits
    return run


@pytest.mark.parametrize(("kind", "page"), CASES, ids=lambda case: case if isinstance(case, str) else case.address)
def test_every_view_takes_sink_logits_into_account_or_refuses_them(kind: str, page: Page) -> None:
    run, refused = run_with_sink(kind), set()
    for view in (page.view(each.name) for each in page.views):
        if not view.uses_model:
            continue
        try:
            shown = show(page, view, run, {})
        except ValueError as mistake:
            assert str(mistake) == SINK_LOGITS, (view.name, str(mistake))
            refused.add(view.name)
            continue
        said = [*sentences(shown), shown.formula]
        if view.name not in GENERAL:
            assert not [each for each in said if FALSE.search(each)], view.name
        softmaxes = [each for each in said if r"\mathrm{softmax}" in each]
        assert all("sink logit" in each for each in softmaxes), (view.name, softmaxes)
    everything = {each.name for each in page.views if page.view(each.name).uses_model}
    expected = everything if page.address in TRANSLATING else REFUSED.get(page.address, set())
    assert refused == expected


def appended(run: Run) -> np.ndarray:
    """The softmax (H, L, L + 1) of the first layer's scores with the heads' logits as one more column, by hand."""
    model, tokenizer = open_run(run)
    scores = execute(model, run, prepare(run, tokenizer), ["decoder.0.masked_scores"])["decoder.0.masked_scores"][0]
    sink = model.get_parameter("decoder.0.attn.sink").detach()
    column = sink[:, None, None].expand(*scores.shape[:2], 1)
    raised = np.exp(torch.cat([scores, column], -1).double().numpy())
    return np.asarray(raised / raised.sum(-1, keepdims=True))


def tables_of(shown: Shown) -> dict[str, np.ndarray]:
    assert isinstance(shown.table, list)
    return {table.name: table.values for table in shown.table if isinstance(table, Table)}


def test_the_first_token_view_shows_what_goes_to_no_token() -> None:
    run = run_with_sink("decoder")
    whole = appended(run)
    shown = called_view(CIRCUITS, "why the first token", run).shown
    grid = shown.pictures[0]
    assert isinstance(grid, Matrices)
    first, nowhere = (panel.values for panel in grid.panels[:2])
    np.testing.assert_allclose(first[0], whole[:, 1:, 0].mean(-1), atol=1e-6)
    np.testing.assert_allclose(nowhere[0], whole[:, 1:, -1].mean(-1), atol=1e-6)
    np.testing.assert_allclose(tables_of(shown)["no token by query"][:, 0], whole[0, :, -1], atol=1e-6)
    assert "sink logit" in shown.lead and SINK_ABOUT in shown.about
    assert SINK_ABOUT not in called_view(CIRCUITS, "why the first token", opened_run(CIRCUITS)).shown.about
    best = strongest_head(run, Values())
    assert nowhere[best.layer, best.head] == nowhere.max() and [*grid.panels[1].rows] == ["layer 1"]
    assert any(
        f"On average {100 * whole[:, 1:, -1].mean():.2g}% of the weight goes to it" in each for each in shown.said
    )


def test_rollout_is_refused() -> None:
    with pytest.raises(ValueError, match=re.escape(SINK_LOGITS)):
        called_view(HEADS, "layers combined", run_with_sink("decoder"), {COMBINED_BY: "rollout"})


def test_an_entropy_says_that_it_is_of_what_the_tokens_get() -> None:
    run = run_with_sink("decoder")
    rows = appended(run)[0, :, :-1]
    shares = rows / rows.sum(1, keepdims=True)
    logs = np.log2(shares, where=shares > 0, out=np.zeros_like(shares))
    shown = called_view(HEADS, "what heads do", run, {TASK: "one score", SCORE: "Entropy"}).shown
    assert r"A_{ij} \leftarrow A_{ij} \Big/ \sum_{k} A_{ik}" in shown.formula
    assert isinstance(shown.table, Table)
    assert shown.table.values[0, 0] == pytest.approx(-(shares * logs).sum(1).mean(), abs=1e-5)


def test_the_heads_page_shows_rows_and_the_rest_that_sum_to_one() -> None:
    run = run_with_sink("decoder")
    whole = appended(run)
    shown = called_view(HEADS, "all heads", run).shown
    tables = tables_of(shown)
    pattern, rest = tables["pattern"], tables["to no token"]
    head = int(np.abs(whole[:, :, :-1] - pattern).sum((1, 2)).argmin())
    np.testing.assert_allclose(pattern, whole[head, :, :-1], atol=1e-6)
    np.testing.assert_allclose(rest[:, 0], whole[head, :, -1], atol=1e-6)
    np.testing.assert_allclose(pattern.sum(1) + rest[:, 0], 1, atol=1e-5)
    assert shown.pattern is not None and shown.pattern.title.endswith("rows sum to less than 1")
