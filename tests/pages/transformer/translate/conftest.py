"""The translator on one sentence, for every test of the page."""

from dataclasses import replace

import pytest

from core.checkpoints.examples import examples_of
from core.topics.generate import texts
from core.topics.generate.records import GenerationStep
from core.tracing.run import Run
from pages.compute import cache
from pages.shell.run_plan import DEFAULTS, make_run

FIRST = replace(examples_of("translator")["red chair → chaise rouge"], target="Le chat noir dort sur la chaise rouge.")


@pytest.fixture(scope="module")
def run() -> Run:
    return make_run(DEFAULTS, FIRST.text, (FIRST.target or ""), cache.trained("translator"))


@pytest.fixture(scope="module")
def steps(run: Run) -> list[GenerationStep]:
    return cache.compute(lambda *behind: list(texts.generate(*behind)), run)
