"""The page What a layer costs: the costs of each kind of layer, counted and measured."""

from pages.comparisons.layer_costs import measured, path, table_one, your_text
from pages.comparisons.layer_costs.settings import SETTINGS
from pages.shell import Page

PAGE = Page(
    file=__file__,
    title="What a layer costs",
    address="layer-costs",
    icon=":material/speed:",
    question="What does a layer cost?",
    definition="A layer mixes the vectors of a text. Its cost is how much there is to compute, how many steps must "
    "wait for the one before, and how far apart words can be and still meet.",
    introduction="A recurrent layer mixes one token after the other, a **convolution** a few neighbours at a time, "
    "**self-attention** all tokens at once. Vaswani et al. (2017, table 1) compare them; here the table is worked "
    "out, and the layers themselves are run.",
    views=(your_text.VIEW, table_one.VIEW, measured.VIEW, path.VIEW),
    settings=SETTINGS,
    model="storyteller",
    shows_model=False,
    uses_model=False,
    runs_model=False,
    reads_target=False,
)
