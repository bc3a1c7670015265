"""The end of a classifier's journey: its classes, with their probabilities."""

from core.checkpoints.class_layer import ClassLayer
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.shared.places import unpadded_length
from core.tracing.run import Run, execute, prepare

Verdict = tuple[tuple[str, float], ...]


def verdict(layer: ClassLayer, model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Verdict:
    """Return the classes with their probabilities, the likeliest first.

    They are the softmax of the layer's numbers for the encoder's output, over the tokens before the padding.
    """
    inputs = prepare(run, tokenizer)
    rows = execute(model, run, inputs, ["encoder.final"])["encoder.final"][0]  # (S, D)
    written = unpadded_length(run, inputs, "encoder")
    probabilities = layer.logits(rows[:written]).softmax(-1).tolist()
    return tuple(sorted(zip(layer.labels, probabilities, strict=True), key=lambda outcome: -outcome[1]))
