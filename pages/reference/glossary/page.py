"""The page Glossary: the meaning of the field's words."""

from pages.reference.glossary import terms
from pages.reference.glossary.settings import SETTINGS
from pages.shell import Page
from pages.widgets import GLOSSARY

PAGE = Page(
    file=__file__,
    title="Glossary",
    address=GLOSSARY,
    icon=":material/menu_book:",
    question="What do the words mean?",
    definition="Each term of the field is explained in one to three sentences, and sorted by the part of a model that "
    "it belongs to.",
    introduction="Choose a term to read what it means, and what it is in the model and the text above. On every other "
    "page an underlined word opens such a card.",
    views=(terms.MAP_VIEW, terms.LIST_VIEW),
    settings=SETTINGS,
    model="storyteller",
    reads_target=False,
    reference=True,
)
