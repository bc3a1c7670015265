"""The parts of a run's model, counted from its config and the lengths of its texts."""

from core.explorer.architecture import whole
from core.explorer.architecture.whole import WholeModel
from core.tracing.run import Run
from pages.queries.models import check


def whole_model(run: Run) -> WholeModel:
    """Nothing is built and nothing runs, so nothing is kept."""
    return whole.whole_model(run, check(run))
