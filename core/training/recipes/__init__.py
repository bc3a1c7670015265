"""One file for each kind of model; `ALL` lists what can be trained."""

from core.training.recipe import Recipe
from core.training.recipes.toys import TOYS
from core.training.recipes.translators import TRANSLATORS

ALL: tuple[Recipe, ...] = (*TOYS, *TRANSLATORS)
