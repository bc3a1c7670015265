"""The text with which the page Generate opens has no word in pieces, with the settings as they are."""

from dataclasses import replace

import pytest

from core.checkpoints import shipped
from core.checkpoints.examples import examples_of
from core.decoding.sampling import Sampling
from core.device import choose
from core.text.words import JOIN
from core.topics.generate.texts import generate_tokens
from pages.shell.run_plan import DEFAULTS, make_run
from pages.transformer.generate.page import PAGE
from pages.transformer.generate.settings import COUNT, SAMPLING


@pytest.mark.parametrize("name", examples_of(PAGE.model))
def test_the_opening_sample_has_no_broken_words(name: str) -> None:
    text = examples_of(PAGE.model)[name].text
    run = replace(make_run(DEFAULTS, text, "", shipped.read(PAGE.model)), pads=0)
    ready = shipped.load(PAGE.model, choose()), shipped.tokenizer(PAGE.model)
    written = generate_tokens(*ready, run, Sampling(*(each.default for each in SAMPLING)), (), COUNT.default)
    assert len(written) == COUNT.default and not [each.piece for each in written if each.piece.startswith(JOIN)]
