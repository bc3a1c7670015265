"""Heads by what they do: those that have a plain name on this text, and what random weights reach of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from torch import Tensor

from core.analysis.costs import MANY_PIECES
from core.analysis.head_names import NamedHead, Scores, best_scores, name_scores, named_heads
from core.explorer.heads.records import Labelled
from core.explorer.shared.loading import fresh_model
from core.explorer.shared.places import Place, layer_keys, mask_of, to_numpy, token_rows, unpadded_length
from core.model.transformer import Transformer
from core.readings.head_names import LABELS
from core.readings.words import head_label
from core.text.pieces import AnyTokenizer
from core.tracing.run import Inputs, Run, execute, prepare

RANDOM_HEADS = 48  # at least so many heads with random weights say what chance reaches


@dataclass(frozen=True, eq=False)
class HeadNames:
    """named: heads with a name, the strongest first. scores: (N, H) of each kind. reached: the best score of each kind
    among `random` heads with random weights of the same sizes."""

    named: tuple[NamedHead, ...]
    scores: Scores
    reached: Mapping[str, float]
    random: int

    @property
    def unnamed(self) -> int:
        """How many heads have no name."""
        return next(iter(self.scores.values())).size - len(self.named)

    def of(self, layer: int, head: int) -> NamedHead | None:
        """The name of one head; None where it has none."""
        return next((each for each in self.named if (each.layer, each.head) == (layer, head)), None)

    @property
    def kinds(self) -> list[tuple[NamedHead, ...]]:
        """The named heads of each kind, the kind of the strongest first."""
        kinds = dict.fromkeys(each.kind for each in self.named)
        return [tuple(each for each in self.named if each.kind == kind) for kind in kinds]

    @property
    def table(self) -> Labelled:
        """All scores of every head, (N · H, kinds), NaN where a head has none; the last row is that of `reached`."""
        columns = [np.append(values.filled(np.nan), self.reached[kind]) for kind, values in self.scores.items()]
        shape = next(iter(self.scores.values())).shape
        rows = [head_label(layer, head) for layer, head in np.ndindex(shape)]
        return np.stack(columns, axis=1), [*rows, "best with random weights"], [LABELS[kind] for kind in self.scores]


def head_names(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: Place) -> HeadNames:
    """The heads of the place's stack by what they do with the run's text.

    Random weights of the same sizes read the same text under the same mask: as many models, or as many layers of one,
    as it takes for 48 heads.
    """
    inputs = prepare(run, tokenizer)
    mine = _scores(model, run, inputs, place)
    short, fewer = _only_as_large(run, inputs, -(-RANDOM_HEADS // run.config.heads))
    each = short.config.depth(place.stack) * short.config.heads
    drawn = [_scores(_random(short, number), short, fewer, place) for number in range(-(-RANDOM_HEADS // each))]
    reached = best_scores(drawn)
    return HeadNames(named_heads(mine, reached), mine, reached, each * len(drawn))


def _only_as_large(run: Run, inputs: Inputs, layers: int) -> tuple[Run, Inputs]:
    """The run with at most so many layers and, of a large vocabulary, with the pieces of its text alone."""
    config, rows = run.config.first_layers(layers), inputs.rows
    if config.vocab_size > MANY_PIECES:
        known = {piece: number for number, piece in enumerate(sorted({i for row in rows.values() for i in row.ids}))}
        config = replace(config, vocab_size=len(known))
        rows = {stack: replace(row, ids=tuple(known[i] for i in row.ids)) for stack, row in rows.items()}
    return replace(run, config=config), replace(inputs, rows=rows, windows=config.windows)


def _random(run: Run, number: int) -> Transformer:
    """A model of the same sizes, with random weights that are not the run's own."""
    return fresh_model(replace(run.config, seed=run.config.seed + 1 + number), run.placement)


def _scores(model: Transformer, run: Run, inputs: Inputs, place: Place) -> Scores:
    """(N, H) of each kind; what padding tokens attend to counts nowhere."""
    queries, _ = token_rows(inputs, place)
    written, allowed = unpadded_length(run, inputs, place.stack), mask_of(inputs, place)
    found: list[Scores] = []

    def keep(pattern: Tensor) -> Tensor:
        text = pattern.clone()
        text[:, :, written:] = 0  # a row of zeros is left out of every mean
        found.append(name_scores(to_numpy(text), allowed, None if place.cross else queries.ids))
        return pattern[:0]

    execute(model, run, inputs, layer_keys(run, place, "pattern"), {"pattern": keep})
    return {kind: np.ma.concatenate([each[kind] for each in found]) for kind in found[0]}
