"""A sentence as a model reads it, word by word."""

from core.analysis.word_states import ReadSentence, layer_name, trace_words
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run, prepare

__all__ = ["ReadSentence", "layer_name", "read_sentence"]


def read_sentence(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> ReadSentence:
    """Return the words of the run's text after the first stack of its model, with their states."""
    return trace_words(model, run, prepare(run, tokenizer))
