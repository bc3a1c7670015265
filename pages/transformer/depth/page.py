"""The page Depth: the effect of depth on a signal and on its gradient, and ways to keep both alive."""

from pages.shell import Page
from pages.transformer.depth import alike, left, power_method, powers, signal, through_time
from pages.transformer.depth.settings import SETTINGS

PAGE = Page(
    file=__file__,
    title="Depth",
    address="depth",
    icon=":material/layers:",
    question="What lets a network be deep?",
    definition="A network is deep when it has many layers. Each multiplies what it is given, so the signal, and the "
    "**gradient** that training sends back, may fade away or grow without end.",
    introduction="Many factors below 1 leave nothing, many above 1 leave no end: the **vanishing gradient** and the "
    "**exploding gradient**. Residual connections, norms and gates keep the product near 1.",
    views=(left.VIEW, signal.VIEW, alike.VIEW, powers.VIEW, power_method.VIEW, through_time.VIEW),
    settings=SETTINGS,
    runs_model=False,
    model="storyteller",
    owns=frozenset({"n", "d", "h", "dk", "dv", "ff", "norm", "residual", "tied", "seed"}),
)
