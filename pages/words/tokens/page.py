"""The page Tokens: how a text becomes tokens, and how an id selects a vector."""

from pages.shell import Page
from pages.words.tokens import languages, merging, one_hot, side_by_side, training, unigram
from pages.words.tokens.queries import looked
from pages.words.tokens.settings import SETTINGS

PAGE = Page(
    file=__file__,
    title="Tokens",
    address="tokens",
    icon=":material/content_cut:",
    question="What are the pieces that a model reads?",
    definition="A model reads neither letters nor words but **tokens**: **pieces** of text out of a fixed list, its "
    "**vocabulary**, each with a number.",
    introduction="A frequent word is one piece; a rare word falls into several. Which ones, a **tokenizer** has "
    "learned from counts of text, before the model was trained.",
    views=(side_by_side.VIEW, merging.VIEW, unigram.VIEW, training.VIEW, one_hot.VIEW, languages.VIEW),
    settings=SETTINGS,
    runs_model=False,
    model="translator",
    text="It was a misunderstanding of international proportions.",
    subject=looked,
    shows_model=False,
    reads_target=False,
    owns=frozenset({"tok"}),
)
