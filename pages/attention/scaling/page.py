"""The page Scores and scaling: ways to compare a query with a key, and why the scores are scaled."""

from pages.attention.scaling import four_scores, random_vectors
from pages.attention.scaling.queries import scaled_place
from pages.attention.scaling.settings import SETTINGS
from pages.shell import Page
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
        four_scores.VIEW,
        random_vectors.VARIANCE_VIEW,
        random_vectors.WEIGHTS_VIEW,
        random_vectors.ENTROPY_VIEW,
        random_vectors.GRADIENT_VIEW,
    ),
    settings=SETTINGS,
    model="storyteller",
    finds_head=scaled_place,
    owns=frozenset({"score"}),
    reads_target=ATTENTION,
)
