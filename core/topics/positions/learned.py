"""A learned table of positions beside the sinusoids of the same size, and the learned biases of relative positions."""

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from core.analysis.word_maps import alike
from core.checkpoints import shipped
from core.model import positions
from core.model.transformer import Transformer, build
from core.text.pieces import AnyTokenizer
from core.topics.positions.analysis.encodings import by_distance
from core.topics.positions.encodings import own_table
from core.topics.shared.places import to_numpy
from core.tracing.run import Run, text_limit

MAX_DISTANCE = 64  # tokens: the largest distance of relative positions that is shown


@dataclass(frozen=True, eq=False)
class LearnedTable:
    """A model's learned table of positions, beside the sinusoids and its untrained state, (L, D) each.

    learnt: the table after training.
    sinusoids: the sinusoids of the same size.
    start: the table before its first step; None for a model trained elsewhere, whose start is not known.
    longest: the number of tokens that the whole table has rows for.
    """

    learnt: np.ndarray
    sinusoids: np.ndarray
    start: np.ndarray | None
    longest: int

    @property
    def cosines(self) -> dict[str, np.ndarray]:
        """The cosine of every two positions (L, L) of each table, by its name; "before training" only if known."""
        tables = {"learnt": self.learnt, "before training": self.start, "sinusoidal": self.sinusoids}
        return {name: alike(table) for name, table in tables.items() if table is not None}

    @property
    def by_distance(self) -> dict[str, np.ndarray]:
        """The mean of these cosines over all pairs at a distance of 0, 1, 2, …, (L,)."""
        return {name: by_distance(square).mean for name, square in self.cosines.items()}


def learners(folder: Path = shipped.MODELS_FOLDER) -> tuple[str, ...]:
    """Return the names of the trained models with learned positions, without those that cannot be read."""
    names = []
    for name in shipped.names(folder):
        with suppress(ValueError):
            names += [name] * (shipped.read(name, folder).config.positions == "learned")
    return tuple(names)


def beside_sinusoids(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> LearnedTable:
    """Return the table of a model with learned positions, up to the longest text allowed here.

    The tokenizer and the run's text are not used. For models trained here, the table before the first step is made
    again from the seed. Raises ValueError if the model has no learned positions.
    """
    config, most = model.config, text_limit(model.config)
    learnt = own_table(model, most)
    if config.positions != "learned" or learnt is None:
        raise ValueError(f"this model's positions are {config.positions}: it learnt no table of them")
    small = replace(config.first_layers(1), vocab_size=1)  # each parameter has a random stream of its own
    start = None if run.is_made_elsewhere else own_table(build(small), most)
    waves = positions.sinusoidal(most, config.d_model)
    return LearnedTable(learnt, waves.numpy(), start, config.max_length)


@dataclass(frozen=True, eq=False)
class RelativeBiases:
    """The biases that relative positions add to the scores of a stack.

    values (H, n): the number of each head for each distance.
    steps (n,): the distances in tokens, key minus query: negative if the key comes before its query.
    """

    stack: str
    values: np.ndarray
    steps: tuple[int, ...]

    @property
    def strongest(self) -> tuple[int, int, float]:
        """The head, the distance and the number that is furthest from 0."""
        head, column = np.unravel_index(int(np.abs(self.values).argmax()), self.values.shape)
        return int(head), self.steps[column], float(self.values[head, column])


def relative_biases(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> tuple[RelativeBiases, ...]:
    """Return the relative biases of each stack (T5; Raffel et al. 2020, section 2.1), up to `MAX_DISTANCE` tokens away.

    The run's text is not used. Raises ValueError for a model without relative positions.
    """
    if run.config.positions != "relative":
        raise ValueError(f"this model's positions are {run.config.positions}, not relative")
    biases = []
    for stack in run.config.stacks:
        last = 2 * MAX_DISTANCE if stack == "encoder" else MAX_DISTANCE  # in a decoder no key comes after its query
        with torch.inference_mode():
            bias = model.inner_positions(stack, 0, last + 1, model.embed.weight).bias
        assert bias is not None
        biases.append(
            RelativeBiases(stack, to_numpy(bias[:, MAX_DISTANCE]), tuple(range(-MAX_DISTANCE, last - MAX_DISTANCE + 1)))
        )
    return tuple(biases)
