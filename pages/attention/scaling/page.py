"""The page Scores and scaling: ways to compare a query with a key, and why the scores are scaled."""

from pages.attention.scaling import random_vectors as drawn
from pages.attention.scaling.four_scores import scores_controls, show_scores
from pages.attention.scaling.queries import scaled_place
from pages.attention.scaling.settings import SETTINGS
from pages.shell import Page, View
from pages.widgets import ATTENTION

PAGE = Page(
    file=__file__,
    title="Scores and scaling",
    address="scaling",
    icon=":material/balance:",
    question="Why divide by the square root of d_k?",
    definition="A **score** says how well a query fits a key, and d_k is how many numbers each of the two has. The "
    "more numbers, the larger the scores: dividing by √d_k undoes that.",
    introduction="The wider queries and keys are, the more their dot products spread, until the softmax gives nearly "
    "all to one key. Dividing by √d_k keeps the spread the same. See it on your own text, and measure it on random "
    "vectors.",
    views=(
        View("four scores", show_scores, scores_controls),
        View("variance", drawn.show_variance, drawn.variance_controls),
        View("weights", drawn.show_weights, drawn.weights_controls),
        View("entropy", drawn.show_entropy, drawn.softmax_controls),
        View("gradient", drawn.show_gradient, drawn.softmax_controls),
    ),
    settings=SETTINGS,
    model="storyteller",
    finds_head=scaled_place,
    owns=frozenset({"score"}),
    reads_target=ATTENTION,
)
