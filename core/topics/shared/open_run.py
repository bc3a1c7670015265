"""Opening a run: its model and its tokenizer, which most functions of `core.topics` take before the run."""

import os

from core.checkpoints.class_layer import ClassLayer
from core.checkpoints.real.places import PLACE_VARIABLE, place_named
from core.device import Placement
from core.model.config import TransformerConfig
from core.model.masks import Mask
from core.model.transformer import Transformer
from core.registry import ModelRegistry
from core.text.pieces import AnyTokenizer
from core.text.tokenizer import Tokenizer
from core.topics.shared.loading import fresh_model
from core.tracing.run import AS_BUILT, Run


def trained_config(name: str, registry: ModelRegistry | None = None) -> TransformerConfig:
    """Return the sizes of a trained model by its name or that of one of its checkpoints.

    Raises ValueError if there is no such model or its card cannot be used.
    """
    return (registry or _registry()).open(name)[0].config


def run_of_model(
    name: str,
    text: str,
    target: str = "",
    masks: tuple[Mask, ...] = AS_BUILT,
    placement: Placement | None = None,
    registry: ModelRegistry | None = None,
) -> Run:
    """Return the run of a trained model on a text, which the model reads as it did in training.

    The special pieces around the text, lower case and the masks are the model's.

    name: the name of a shipped model, of a checkpoint saved during its training, of a model made elsewhere
        ("real:NAME"), or of a step in the lab ("lab:induction,seed=3@400").
    target: the text of the decoder in an encoder-decoder.
    masks: other masks than the model's.
    placement: the device and the number format; None: "cpu" and "float32".
    registry: as in `open_run`.

    Raises ValueError if there is no such model, its card cannot be used, or an encoder-decoder gets no target.
    """
    trained = (registry or _registry()).open(name)[0]
    if trained.config.has_two_stacks and not target:
        raise ValueError(f"{name} is an encoder-decoder: give the decoder's text as target.")
    placement = placement or Placement("cpu", "float32")
    return Run(text, trained.config, target, masks=masks, placement=placement, checkpoint=name, format=trained.format)


def open_run(run: Run, registry: ModelRegistry | None = None) -> tuple[Transformer, AnyTokenizer]:
    """Return the model of a run, trained or with fresh weights, and the tokenizer that reads its texts.

    registry: finds the trained models; None for the shipped ones and those in the folder that the environment names.
    Raises ValueError if one of their files is missing or cannot be used.
    """
    registry = registry or _registry()
    name = run.model_name
    model = registry.load(run.checkpoint, run.placement) if name else fresh_model(run.config, run.placement)
    if name or registry.has(run.tokenizer):
        return model, registry.open(name or run.tokenizer)[1]
    return model, Tokenizer.load(run.tokenizer)


def class_layer(run: Run, registry: ModelRegistry | None = None) -> ClassLayer | None:
    """Return the last layer of a run's classifier, float32 on the CPU; None for any other model.

    registry: as in `open_run`, which raises the same errors.
    """
    name = run.model_name
    return (registry or _registry()).class_layer(name) if name else None


def _registry() -> ModelRegistry:
    return ModelRegistry(place=place_named(os.environ.get(PLACE_VARIABLE)))
