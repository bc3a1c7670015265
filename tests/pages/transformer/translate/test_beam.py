"""The beam's tree and the ways to write compared, as their views show them."""

import numpy as np

from core.topics.generate import texts
from core.topics.generate.records import GenerationStep
from core.tracing.run import Run
from pages.compute import cache
from pages.transformer.translate.settings import (
    ALPHA,
    TEMPERATURE,
    WIDTH,
)
from pages.widgets.chart import Chart
from pages.widgets.table import Listing
from tests.pages.transformer.translate.looking import listing, part, show


def test_the_beams_are_the_cores(run: Run) -> None:
    tree = cache.compute(texts.beam, run, 4, 1.0)
    shown = show(run, "beam", {WIDTH: 4, ALPHA: 1.0})
    columns = listing(shown)
    assert list(columns["text"]) == [each.text for each in tree.hypotheses]
    np.testing.assert_allclose(columns["score"], [each.score for each in tree.hypotheses], atol=1e-3)
    data = part(shown, Chart).data
    assert len(data) == len(tree.nodes) + 1
    probabilities = np.exp([node.log_probability for node in tree.nodes])
    np.testing.assert_allclose(data["chance"][1:], probabilities, rtol=1e-5)


def test_ways_that_find_the_same_text_are_both_told(run: Run, steps: list[GenerationStep]) -> None:
    shown = show(run, "ways to write", {WIDTH: 1, TEMPERATURE: 0.0})
    assert isinstance(shown.table, Listing)
    columns = shown.table.frame()
    assert len(set(columns["text"])) == 1 and len(set(columns["surprisal, bits"])) == 1
    total = sum(each.surprisal for each in steps)
    np.testing.assert_allclose(float(columns["surprisal, bits"][1]), total, atol=1e-3)
    assert shown.said[0] == "All five ways write the same text." and "beam of 1, greedy, sample 0" in shown.said[1]
