"""The page Depth: the effect of depth on a signal and on its gradient, and ways to keep both alive."""

from pages.shell import Page, View
from pages.transformer.depth.alike import alike_controls, show_alike
from pages.transformer.depth.power_method import PLAYER, show_method
from pages.transformer.depth.powers import powers_controls, show_powers, spectrum_controls
from pages.transformer.depth.settings import SETTINGS
from pages.transformer.depth.signal import show_signal, signal_controls
from pages.transformer.depth.through_time import show_time_gradient, time_controls

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
    views=(
        View("signal and gradient", show_signal, signal_controls),
        View("tokens grow alike", show_alike, alike_controls),
        View("powers of a matrix", show_powers, powers_controls, reads_text=False, uses_model=False),
        View("power method", show_method, spectrum_controls, player=PLAYER, reads_text=False, uses_model=False),
        View("recurrent net", show_time_gradient, time_controls, reads_mask=False),
    ),
    settings=SETTINGS,
    runs_model=False,
    model="storyteller",
    owns=frozenset({"n", "d", "h", "dk", "dv", "ff", "norm", "residual", "tied", "seed"}),
)
