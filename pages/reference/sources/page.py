"""The page Sources: whose texts and programs the app was made from."""

from pages.reference.sources import views
from pages.shell import Page

PAGE = Page(
    file=__file__,
    title="Sources",
    address="sources",
    icon=":material/copyright:",
    question="Whose work is this made from?",
    definition="The models learned from texts that other people wrote, translated and gathered, and the app runs on "
    "programs that other people give away.",
    introduction="Whether a licence of texts binds what a model learned from them is not settled; this project goes "
    "the careful way, and passes on what the texts ask.",
    views=(views.TEXTS_VIEW, views.BOOKS_VIEW, views.PACKAGES_VIEW, views.VISITORS_VIEW),
    shows_model=False,
    uses_model=False,
    reads_text=False,
    reference=True,
)
