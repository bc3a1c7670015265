"""Prepare texts that a run's model reads in addition to the run's own."""

from core.tracing.run import Run
from pages.compute.cache import trained


def match_model_case(run: Run, text: str) -> str:
    """Return a text in lower case if the run's model was trained on lower case, otherwise unchanged."""
    name = run.model_name
    return text.lower() if name and trained(name).lower else text
