"""The page Heads: all heads at a glance, one of them large, and the work of each."""

from pages.attention.heads.ablation import ablation_controls, show_ablation
from pages.attention.heads.behaviour import behaviour_controls, show_behaviour
from pages.attention.heads.by_name import names_controls, show_names
from pages.attention.heads.contributions import contributions_controls, show_contributions
from pages.attention.heads.layers import layers_controls, show_layers
from pages.attention.heads.lines import lines_controls, show_lines
from pages.attention.heads.matrix import matrix_controls, show_matrix
from pages.attention.heads.projections import projections_controls, show_projections
from pages.attention.heads.queries import opening_place
from pages.attention.heads.settings import SETTINGS
from pages.attention.heads.training import at_step, step_words, training_controls
from pages.shell import Page, View
from pages.widgets import ATTENTION

TEXT = "The green bird sang in the old tree and the green bird sang in the old tree"  # a text that repeats

PAGE = Page(
    file=__file__,
    title="Heads",
    address="heads",
    icon=":material/grid_view:",
    question="What does each head look at?",
    definition="A layer looks at a text in several ways at once, because one way cannot follow everything. Each way "
    "is a **head**, with its own queries, keys and values.",
    introduction="What a head looks at is a table of weights: its rows are the tokens that look (queries), its columns "
    "the tokens looked at (keys). Every row sums to 1, or is all zeros where the query may attend to nothing.",
    views=(
        View("all heads", show_matrix, matrix_controls),
        View("heads with names", show_names, names_controls),
        View("lines", show_lines, lines_controls),
        View("Q, K, V", show_projections, projections_controls),
        View("what each adds", show_contributions, contributions_controls),
        View("what heads do", show_behaviour, behaviour_controls),
        View("layers combined", show_layers, layers_controls),
        View("switch off", show_ablation, ablation_controls, reads_target=True),
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
