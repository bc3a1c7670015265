"""List the recorded runs; a new one is an entry here."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.lab.findings import Find, find_fixed, find_induction, find_modular, find_sums


@dataclass(frozen=True)
class Recording:
    """A run to record.

    recipe: its recipe, as `core.lab.recipe.write_recipe` writes it.
    find: the function that finds the observations in its measurements.
    """

    name: str
    title: str
    recipe: str
    find: Find


RECORDINGS: Mapping[str, Recording] = MappingProxyType(
    {
        recording.name: recording
        for recording in (
            Recording("induction-2-layers", "Induction with two layers", "induction,steps=3000", find_induction),
            Recording("induction-1-layer", "Induction with one layer", "induction,layers=1,steps=3000", find_induction),
            Recording("induction-fixed", "Segments of fixed length", "induction-fixed,steps=1000", find_fixed),
            Recording("modular", "Addition modulo 59", "modular", find_modular),
            Recording("add", "Addition, the first digit first", "add", find_sums),
            Recording("add-reversed", "Addition, the last digit first", "add-reversed", find_sums),
        )
    }
)
