"""Name the heads that match a known pattern on this text, and measure the scores that random weights reach."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from torch import Tensor

from core.analysis.costs import MANY_PIECES
from core.analysis.head_names import KINDS, NamedHead, Scores, best_scores, name_scores, named_heads
from core.model.transformer import Transformer
from core.text.labels import head_label
from core.text.pieces import AnyTokenizer
from core.topics.shared.labels import Labelled
from core.topics.shared.loading import fresh_model
from core.topics.shared.places import HeadAddress, layer_keys, mask_of, to_numpy, token_rows, unpadded_length
from core.tracing.run import Inputs, Run, execute, prepare

RANDOM_HEADS = 48  # the least number of heads with random weights from which the chance level is taken


@dataclass(frozen=True, eq=False)
class HeadNames:
    """The names of heads on one text.

    named: the heads with a name, the strongest first.
    scores: the scores (N, H) of each kind.
    reached: the best score of each kind among `random` heads with random weights of the same sizes.
    random: number of these heads.
    """

    named: tuple[NamedHead, ...]
    scores: Scores
    reached: Mapping[str, float]
    random: int

    @property
    def unnamed(self) -> int:
        """The number of heads without a name."""
        return next(iter(self.scores.values())).size - len(self.named)

    def of(self, layer: int, head: int) -> NamedHead | None:
        """Return the name of one head; None if it has none."""
        return next(
            (named_head for named_head in self.named if (named_head.layer, named_head.head) == (layer, head)), None
        )

    @property
    def kinds(self) -> list[tuple[NamedHead, ...]]:
        """The named heads of each kind, starting with the kind of the strongest head."""
        kinds = dict.fromkeys(head.kind for head in self.named)
        return [tuple(head for head in self.named if head.kind == kind) for kind in kinds]

    @property
    def table(self) -> Labelled:
        """All scores of every head, (N · H + 1, kinds), NaN if a head has none; the last row is `reached`."""
        columns = [np.append(values.filled(np.nan), self.reached[kind]) for kind, values in self.scores.items()]
        shape = next(iter(self.scores.values())).shape
        rows = [head_label(layer, head) for layer, head in np.ndindex(shape)]
        return Labelled(
            np.stack(columns, axis=1), [*rows, "best with random weights"], [KINDS[kind] for kind in self.scores]
        )


def head_names(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> HeadNames:
    """Name the heads of the place's stack by their behaviour on the run's text.

    For comparison, random weights of the same sizes read the same text under the same mask: as many models, or as many
    layers of one, as it takes to have 48 heads.
    """
    inputs = prepare(run, tokenizer)
    mine = _scores(model, run, inputs, place)
    short, fewer = _only_as_large(run, inputs, -(-RANDOM_HEADS // run.config.heads))
    heads_drawn = short.config.depth(place.stack) * short.config.heads
    drawn = [
        _scores(_random(model, short, number), short, fewer, place) for number in range(-(-RANDOM_HEADS // heads_drawn))
    ]
    reached = best_scores(drawn)
    return HeadNames(named_heads(mine, reached), mine, reached, heads_drawn * len(drawn))


def _only_as_large(run: Run, inputs: Inputs, layers: int) -> tuple[Run, Inputs]:
    """Return the run with at most `layers` layers and, if its vocabulary is large, with only the pieces of its text."""
    config, rows = run.config.first_layers(layers), inputs.rows
    if config.vocab_size > MANY_PIECES:
        known = {piece: number for number, piece in enumerate(sorted({i for row in rows.values() for i in row.ids}))}
        config = replace(config, vocab_size=len(known))
        rows = {stack: replace(row, ids=tuple(known[i] for i in row.ids)) for stack, row in rows.items()}
    return replace(run, config=config), replace(inputs, rows=rows, windows=config.windows)


def _random(model: Transformer, run: Run, number: int) -> Transformer:
    """Return a model of the run's sizes, with random weights that are not its own, cancelled with `model`."""
    config = replace(run.config, seed=run.config.seed + 1 + number)
    return fresh_model(config, run.placement, model.check).cancelled_by(model.check)


def _scores(model: Transformer, run: Run, inputs: Inputs, place: HeadAddress) -> Scores:
    """Return the scores (N, H) of each kind; the attention of padding tokens is left out."""
    queries, _ = token_rows(inputs, place)
    written, allowed = unpadded_length(run, inputs, place.stack), mask_of(inputs, place)
    layers: list[Scores] = []

    def keep(pattern: Tensor) -> Tensor:
        text = pattern.clone()
        text[:, :, written:] = 0  # a row of zeros is left out of every mean
        layers.append(name_scores(to_numpy(text), allowed, None if place.cross else queries.ids))
        return pattern[:0]

    execute(model, run, inputs, layer_keys(run, place, "pattern"), {"pattern": keep})
    return {kind: np.ma.concatenate([scores[kind] for scores in layers]) for kind in layers[0]}
