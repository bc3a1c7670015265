"""The page Sentiment: a classifier's verdict, and its reasons."""

from pages.comparisons.sentiment import queries
from pages.comparisons.sentiment.negated import negation_controls, show_negations
from pages.comparisons.sentiment.pretraining import show_pretraining
from pages.comparisons.sentiment.reasons import reason_controls, show_reasons
from pages.comparisons.sentiment.settings import SETTINGS
from pages.comparisons.sentiment.shuffled import permuted_controls, show_permuted
from pages.comparisons.sentiment.verdict import show_verdict
from pages.shell import Page, View

PAGE = Page(
    file=__file__,
    title="Sentiment",
    address="sentiment",
    icon=":material/thumbs_up_down:",
    question="Does attention explain a verdict?",
    definition="A classifier reads a review of a film and says whether it is praise. Its **attention** can be drawn, "
    "and it is tempting to read it as the reason.",
    introduction="Here attention stands beside methods that measure what each word does.",
    views=(
        View("verdict", show_verdict),
        View("why", show_reasons, reason_controls, seconds=lambda run, values: queries.seconds_of_reasons(run)),
        View(
            "permuted", show_permuted, permuted_controls, seconds=lambda run, values: queries.seconds_of_permuting(run)
        ),
        View("negations", show_negations, negation_controls, reads_text=False),
        View("pre-training", show_pretraining, reads_text=False, uses_model=False),
    ),
    settings=SETTINGS,
    architectures=("encoder",),
    model="sentiment-reader",
    text="slow and silly, but warm, funny and deeply moving.",
)
