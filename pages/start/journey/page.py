"""One sentence carried through every stage of a transformer."""

from pages.compute.one_head import last_word_place
from pages.shell import Page
from pages.start.journey import stages
from pages.start.journey.settings import SETTINGS
from pages.widgets import ATTENTION

PAGE = Page(
    file=__file__,
    title="The journey",
    address="journey",
    icon=":material/route:",
    question="What happens to your sentence?",
    definition="A **transformer** turns text into rows of numbers, one row for each piece of text, and lets the rows "
    "look at each other: that looking is **attention**.",
    introduction="Here your own sentence goes through every stage. Each picture is a table of numbers (a **tensor**) "
    "of this run: point at a cell to read it. Where the title has an arrow, click a cell to open it on its own page.",
    views=(stages.VIEW,),
    settings=SETTINGS,
    model="storyteller",
    finds_head=last_word_place,
    reads_target=ATTENTION,
)
