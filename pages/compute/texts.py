"""Texts that a run's model is to read beside its own."""

from core.tracing.run import Run
from pages.compute.cache import trained


def match_model_case(run: Run, text: str) -> str:
    """A text as the run's model was trained to read it."""
    name = run.model_name
    return text.lower() if name and trained(name).lower else text
