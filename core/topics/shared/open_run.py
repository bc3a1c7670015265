"""Opening a run: its model and its tokenizer, which most functions of `core.topics` take before the run."""

from core.checkpoints.class_layer import ClassLayer
from core.checkpoints.source import ModelSource
from core.device import Placement
from core.model.config import TransformerConfig
from core.model.masks import Mask
from core.model.transformer import Transformer
from core.registry import parse_source
from core.text.pieces import AnyTokenizer
from core.text.tokenizer import Tokenizer
from core.topics.shared.loading import fresh_model
from core.tracing.run import AS_BUILT, Run


def trained_config(name: str) -> TransformerConfig:
    """Return the sizes of a trained model by its name or that of one of its checkpoints.

    Raises ValueError if there is no such model or its card cannot be used.
    """
    return parse_source(name).open()[0].config


def run_of_model(
    model: str | ModelSource,
    text: str,
    target: str = "",
    masks: tuple[Mask, ...] = AS_BUILT,
    placement: Placement | None = None,
) -> Run:
    """Return the run of a trained model on a text, which the model reads as it did in training.

    The special pieces around the text, lower case and the masks are the model's.

    model: a source, or the name of a shipped model, of a checkpoint saved during its training, of a model made
        elsewhere ("real:NAME"), or of a step in the lab ("lab:induction,seed=3@400").
    target: the text of the decoder in an encoder-decoder.
    masks: other masks than the model's.
    placement: the device and the number format; None: "cpu" and "float32".

    Raises ValueError if there is no such model, its card cannot be used, or an encoder-decoder gets no target.

    >>> run = run_of_model("translator", "A cat.", "Un chat.")
    >>> run.config.architecture, run.config.heads
    ('encoder-decoder', 4)
    """
    source = parse_source(model) if isinstance(model, str) else model
    trained = source.open()[0]
    if trained.config.has_two_stacks and not target:
        raise ValueError(f"{source.address} is an encoder-decoder: give the decoder's text as target.")
    placement = placement or Placement("cpu", "float32")
    return Run(text, trained.config, target, masks=masks, placement=placement, source=source, format=trained.format)


def open_run(run: Run) -> tuple[Transformer, AnyTokenizer]:
    """Return the model of a run, trained or with fresh weights, and the tokenizer that reads its texts.

    Raises ValueError if one of their files is missing or cannot be used.

    >>> model, tokenizer = open_run(run_of_model("storyteller", "Once upon a time"))
    >>> tokenizer.encode("Once upon a time").pieces
    ('▁Once', '▁upon', '▁a', '▁time')
    """
    model = run.source.load(run.placement) if run.source else fresh_model(run.config, run.placement)
    owner = run.reads_with
    return model, Tokenizer.load(owner) if isinstance(owner, str) else owner.open()[1]


def class_layer(run: Run) -> ClassLayer | None:
    """Return the last layer of a run's classifier, float32 on the CPU; None for any other model.

    Raises ValueError if one of its files is missing or cannot be used.
    """
    return run.source.class_layer() if run.source else None
