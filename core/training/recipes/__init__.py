"""The recipes of all models, one file for each kind of model; `ALL` lists everything that can be trained."""

from core.training.recipe import TrainingRecipe
from core.training.recipes.reader import READER
from core.training.recipes.sentiment import SENTIMENT, SENTIMENT_READER
from core.training.recipes.storytellers import STORYTELLERS
from core.training.recipes.toys import TOYS
from core.training.recipes.translators import TRANSLATORS
from core.training.recipes.word_vectors import WORD_VECTORS

ALL: tuple[TrainingRecipe, ...] = (
    *TOYS,
    SENTIMENT,
    WORD_VECTORS,
    *TRANSLATORS,
    READER,
    SENTIMENT_READER,
    *STORYTELLERS,
)
