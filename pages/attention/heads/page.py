"""The page Heads: all heads at a glance, one of them large, and the work of each."""

from pages.attention.heads import (
    ablation,
    behaviour,
    by_name,
    contributions,
    layers,
    lines,
    matrix,
    over_texts,
    projections,
)
from pages.attention.heads.queries import opening_place
from pages.attention.heads.settings import SETTINGS
from pages.attention.heads.training import at_step, step_words, training_controls
from pages.shell import Page
from pages.widgets import ATTENTION

TEXT = "The green bird sang in the old tree and the green bird sang in the old tree"  # a text that repeats

PAGE = Page(
    file=__file__,
    title="Heads",
    address="heads",
    icon=":material/grid_view:",
    question="What does each head look at?",
    definition="A model looks at a text in several ways at once, because one way cannot follow everything. Each way "
    "is a **head**, with its own queries, keys and values.",
    introduction="What a head looks at is a table of weights: its rows are the tokens that look (queries), its columns "
    "the tokens looked at (keys). Every row sums to 1 (less with a sink logit), or "
    "is all zeros where the query may attend to nothing.",
    views=(
        matrix.VIEW,
        by_name.VIEW,
        lines.VIEW,
        projections.VIEW,
        contributions.VIEW,
        behaviour.VIEW,
        over_texts.VIEW,
        layers.VIEW,
        ablation.VIEW,
    ),
    settings=SETTINGS,
    model="storyteller",
    text=TEXT,
    finds_head=opening_place,
    controls=training_controls,
    subject=at_step,
    above=step_words,
    reads_target=ATTENTION,
)
