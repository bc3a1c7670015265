"""The page The lab: a small transformer that is trained while somebody watches."""

from pages.shell import Page
from pages.transformer.lab import one_update, over_time, recorded_runs, training
from pages.transformer.lab.settings import SETTINGS

PAGE = Page(
    file=__file__,
    title="The lab",
    address="lab",
    icon=":material/science:",
    question="How does a transformer learn?",
    definition="*Training* changes the weights a little in each step, so that its mistakes on examples get smaller.",
    introduction="A model of some thousand weights learns a small task in a minute, and everything inside can be seen "
    "at every step: what its heads look at, what it answers, and how each weight is changed.",
    views=(training.VIEW, recorded_runs.VIEW, over_time.VIEW, one_update.VIEW),
    settings=SETTINGS,
    model="storyteller",
    shows_model=False,
    uses_model=False,
    reads_text=False,
    reads_target=False,
    owns=frozenset({"n", "d", "h", "dk", "ff", "norm", "residual", "tied", "pos", "seed", "kind"}),
)
