"""The first page: a sentence, its translation, and the attention between the two."""

from pages.shell import Page
from pages.start.welcome import translation

PAGE = Page(
    file=__file__,
    title="Start",
    address="welcome",
    icon=":material/home:",
    question="What does a model look at while it writes?",
    definition="A **translator** reads your sentence and writes it in another language, one word at a time. For each "
    "word it looks back at your sentence, at some words more than at others: that is **attention**.",
    introduction="Everything here is computed now, from your text.",
    views=(translation.VIEW,),
    architectures=("encoder-decoder",),
    model="translator",
    reads_target=False,
)
