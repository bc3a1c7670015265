"""Cached results for the page Circuits."""

from core.topics.circuits import attribution, head_words
from core.topics.circuits import first_token as core_first_token
from core.tracing.run import Run
from pages.compute.cache import cached, small_record, tells_hidden

attribute = cached(attribution.attribute, small_record)
read_by_head = cached(attribution.read_by_head, small_record)
switch_off = cached(attribution.switch_off, small_record)
first_token = cached(core_first_token.first_token, small_record)
written_words = cached(head_words.written_words, small_record)
copying_score = cached(head_words.copying_score, small_record)
hidden_losses = cached(core_first_token.hidden_losses, small_record)


def writes_words(run: Run) -> bool:
    """Return whether a run's model has a logit for each piece of the vocabulary.

    An encoder that was trained for something else, such as a classifier, has none that mean anything.
    """
    return "decoder" in run.config.stacks or tells_hidden(run) or not run.is_trained
