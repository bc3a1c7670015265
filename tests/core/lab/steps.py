"""Runs of pages on steps of the lab, for tests."""

import re

from core.lab.step_source import StepSource
from core.topics.shared.open_run import run_of_model
from core.tracing.run import Run


def run_of(source: StepSource, text: str | None = None) -> Run:
    """Return the run of a page on a step of the lab.

    text: words of the task with spaces between them; None for its probe.
    """
    probe = source.recipe.of.probe
    question, _, answer = re.split(r" ([→=]) ", probe) if source.recipe.config.has_two_stacks else (probe, "", "")
    return run_of_model(source.address, question if text is None else text, answer)
