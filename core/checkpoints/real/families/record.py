"""The record that describes one family of models."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig


@dataclass(frozen=True)
class ClassHead:
    """The names of a classifier's two layers, and the activation between them.

    The layers read the first token's output.
    """

    dense: str
    out: str
    activation: Callable[[Tensor], Tensor] = torch.tanh


def _no_factors(options: Options, config: TransformerConfig) -> Mapping[str, float]:
    return {}


@dataclass(frozen=True)
class RealFamily:
    """One ``model_type`` of the hub.

    title: its name on screen.
    config: makes a config from the options and the names of the tensors.
    fill: fills a table with their tensors and the parameters of ours that they hold.
    prefix: the beginning of the names of the body's tensors, which some files leave out.
    renamed: endings of names in older files, and the endings used today.
    classes: the head of its classifiers; None if they cannot be read.
    code: the beginning of the names of its classes in transformers; "" for its title.
    aliases: other names of options in its files, and the names under which they are read.
    factors: makes the factors of a table from the options, for multipliers that our model does not have.
    """

    model_type: str
    title: str
    config: Callable[[Options, Collection[str]], TransformerConfig]
    fill: Callable[[WeightTable, TransformerConfig], None]
    prefix: str = ""
    renamed: tuple[tuple[str, str], ...] = ()
    classes: ClassHead | None = None
    code: str = ""
    aliases: tuple[tuple[str, str], ...] = ()
    factors: Callable[[Options, TransformerConfig], Mapping[str, float]] = _no_factors

    def read(self, options: Options, held: Collection[str]) -> TransformerConfig:
        """Return the config of a model.

        held: the names of its tensors.

        Raises ValueError for an option that changes the computation and cannot be carried out.
        """
        options.own_code(self.code or self.title)
        for name, other in self.aliases:
            options.same(name, other)
        config = self.config(options, held)
        if "decoder" in config.stacks:
            options.fixed("is_causal", True)  # false lets every token see all others
            options.unused(("is_decoder",))
        if config.has_two_stacks:
            options.fixed("is_encoder_decoder", True)
        options.finish()
        return config
