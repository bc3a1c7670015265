"""The parts of a run's model and of known models, counted from their sizes. Nothing is built and nothing runs."""

from core.explorer.architecture import known, whole
from core.explorer.architecture.known import CountedModel, ModelTotal
from core.explorer.architecture.whole import WholeModel
from core.tracing.run import Run
from pages.queries.models import cards, check, small_record, title_of


def whole_model(run: Run) -> WholeModel:
    return whole.whole_model(run, check(run))


def model_list() -> tuple[ModelTotal, ...]:
    """The models that the field knows, and those that were trained here."""
    return _model_list(tuple(cards()))


@small_record
def _model_list(names: tuple[str, ...]) -> tuple[ModelTotal, ...]:
    return known.known_models({name: cards()[name] for name in names})


def counted(title: str, length: int) -> CountedModel:
    """A model that the field knows, at this length of a text."""
    return known.counted_title(title, length)


def counted_run(run: Run, length: int) -> CountedModel:
    """The same of the model of a run."""
    return known.counted_config(title_of(run), run.config, length)
