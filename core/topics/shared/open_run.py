"""Opening a run: its model and its tokenizer, which most functions of the explorer take as arguments before the run."""

import os

from core.checkpoints.class_layer import ClassLayer
from core.checkpoints.real.places import PLACE_VARIABLE, place_named
from core.model.config import TransformerConfig
from core.model.transformer import Transformer
from core.registry import ModelRegistry
from core.text.pieces import AnyTokenizer
from core.text.tokenizer import Tokenizer
from core.topics.shared.loading import fresh_model
from core.tracing.run import Run


def trained_config(name: str, shelf: ModelRegistry | None = None) -> TransformerConfig:
    """Return the sizes of a trained model by its name or that of one of its checkpoints.

    Raises ValueError if there is no such model or its card cannot be used.
    """
    return (shelf or _shelf()).open(name.partition("/")[0])[0].config


def open_run(run: Run, shelf: ModelRegistry | None = None) -> tuple[Transformer, AnyTokenizer]:
    """Return the model of a run, trained or with fresh weights, and the tokenizer that reads its texts.

    shelf: where trained models are; None for the shipped ones and those that the environment names.
    Raises ValueError if one of their files is missing or cannot be used.
    """
    shelf = shelf or _shelf()
    name = run.model_name
    model = shelf.load(run.checkpoint, run.placement) if name else fresh_model(run.config, run.placement)
    if name or shelf.has(run.tokenizer):
        return model, shelf.open(name or run.tokenizer)[1]
    return model, Tokenizer.load(run.tokenizer)


def class_layer(run: Run, shelf: ModelRegistry | None = None) -> ClassLayer | None:
    """Return the last layer of a run's classifier, float32 on the CPU; None for any other model.

    shelf: as in `open_run`, which raises the same errors.
    """
    name = run.model_name
    return (shelf or _shelf()).class_layer(name) if name else None


def _shelf() -> ModelRegistry:
    return ModelRegistry(place=place_named(os.environ.get(PLACE_VARIABLE)))
