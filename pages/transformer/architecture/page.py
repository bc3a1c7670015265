"""The page Architecture: the whole model, its parts, and the cost of each."""

from core.topics.architecture.whole import WholeModel
from core.tracing.run import Run
from pages.shell import Page, View
from pages.transformer.architecture import queries
from pages.transformer.architecture.costs import cost_controls, show_costs
from pages.transformer.architecture.drawing import drawing_controls, show_drawing
from pages.transformer.architecture.known import known_controls, show_known
from pages.transformer.architecture.settings import SETTINGS
from pages.transformer.architecture.side_by_side import show_three
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
    views=(
        View("drawing", show_drawing, drawing_controls),
        View("side by side", show_three, reads_text=False, reads_mask=False),
        View("what each part costs", show_costs, cost_controls),
        View("known models", show_known, known_controls, reads_text=False, reads_mask=False),
    ),
    settings=SETTINGS,
    runs_model=False,
    model="translator",
    subject=_whole,
)
