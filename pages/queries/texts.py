"""Texts that a run's model is to read beside its own."""

from core.tracing.run import Run
from pages.queries.models import trained


def in_its_case(run: Run, text: str) -> str:
    """A text as the run's model was trained to read it."""
    name = run.checkpoint.partition("/")[0]
    return text.lower() if name and trained(name).lower else text
