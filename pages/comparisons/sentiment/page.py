"""The page Sentiment: a classifier's verdict, and its reasons."""

from pages.comparisons.sentiment import negated, pretraining, reasons, shuffled, verdict
from pages.comparisons.sentiment.settings import SETTINGS
from pages.shell import Page

PAGE = Page(
    file=__file__,
    title="Sentiment",
    address="sentiment",
    icon=":material/thumbs_up_down:",
    question="Does attention explain a verdict?",
    definition="A classifier reads a review of a film and says whether it is praise. Its **attention** can be drawn, "
    "and it is tempting to read it as the reason.",
    introduction="This page sets attention beside methods that measure what each word does.",
    views=(verdict.VIEW, reasons.VIEW, shuffled.VIEW, negated.VIEW, pretraining.VIEW),
    settings=SETTINGS,
    architectures=("encoder",),
    model="sentiment-reader",
    text="slow and silly, but warm, funny and deeply moving.",
)
