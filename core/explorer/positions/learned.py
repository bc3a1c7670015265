"""A table of positions that a model learnt, beside the sinusoids of the same size."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.analysis.positions import by_distance
from core.analysis.word_maps import alike
from core.checkpoints import shipped
from core.explorer.positions.encodings import own_table
from core.model import positions
from core.model.transformer import Transformer, build
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run


@dataclass(frozen=True, eq=False)
class LearnedTable:
    """learnt, sinusoids, start: (L, D) each: the table after training, the sinusoids, and the table before its first
    step. ValueError of `beside_sinusoids` where a model learnt none."""

    learnt: np.ndarray
    sinusoids: np.ndarray
    start: np.ndarray

    @property
    def cosines(self) -> dict[str, np.ndarray]:
        """(L, L) the cosine of every two positions of each table, by its name."""
        tables = {"learnt": self.learnt, "before training": self.start, "sinusoidal": self.sinusoids}
        return {name: alike(table) for name, table in tables.items()}

    @property
    def by_distance(self) -> dict[str, np.ndarray]:
        """(L,) the mean of these over all pairs at a distance of 0, 1, 2, …."""
        return {name: by_distance(square).mean for name, square in self.cosines.items()}


def learners(folder: Path = shipped.MODELS_FOLDER) -> tuple[str, ...]:
    """The trained models with learned positions, by name; those that cannot be read are left out."""
    found = []
    for name in shipped.names(folder):
        with suppress(ValueError):
            found += [name] * (shipped.read(name, folder).config.positions == "learned")
    return tuple(found)


def beside_sinusoids(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> LearnedTable:
    """The whole table of a model with learned positions; tokenizer and text have no part in it."""
    config = model.config
    learnt, start = (own_table(each, config.max_length) for each in (model, build(config)))
    if config.positions != "learned" or learnt is None or start is None:
        raise ValueError(f"this model's positions are {config.positions}: it learnt no table of them")
    waves = positions.sinusoidal(config.max_length, config.d_model)
    return LearnedTable(learnt, waves.numpy(), start)
