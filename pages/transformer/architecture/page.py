"""The page Architecture: the whole model, its parts, and the cost of each."""

from core.topics.architecture.whole import WholeModel
from core.tracing.run import Run
from pages.shell import Page
from pages.transformer.architecture import costs, drawing, known, queries, side_by_side
from pages.transformer.architecture.settings import SETTINGS
from pages.widgets import Values


def _whole(run: Run, values: Values) -> WholeModel:
    """Return the model that the views look at."""
    return queries.whole_model(run)


PAGE = Page(
    file=__file__,
    title="Architecture",
    address="architecture",
    icon=":material/schema:",
    question="What is a whole transformer made of?",
    definition="A **transformer** is a stack of equal **layers** between two tables: the **embedding** turns tokens "
    "into vectors, the **unembedding** turns vectors into scores for the next token.",
    introduction="Every size follows from a few numbers, such as the number of layers and the width of a vector.",
    views=(drawing.VIEW, side_by_side.VIEW, costs.VIEW, known.VIEW),
    settings=SETTINGS,
    runs_model=False,
    model="translator",
    subject=_whole,
)
