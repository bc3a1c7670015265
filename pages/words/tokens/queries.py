"""Tokenizers by name, the one that this visitor trained, and numbers that are cached for all visitors."""

from dataclasses import dataclass
from typing import Any

from core.text.hub import THE_MODELS, HubTokenizer
from core.text.tokenizer import TOKENIZERS, Tokenizer
from core.topics.tokens import languages
from core.topics.tokens.languages import Costs
from core.topics.tokens.one_hot import one_hot
from core.topics.tokens.own import OWN_NAME, Own, train_own
from core.topics.tokens.words import Looked
from core.tracing.run import Run
from pages.compute.cache import cached, reader, small_record, title_of, tokenizer
from pages.compute.calls import core_call, helper
from pages.session.visit import visit_part
from pages.widgets import Values

one_hot_row = cached(one_hot, small_record)


@dataclass
class TrainedTokenizer:
    """The tokenizer that this visitor trained, and the text, the kind and the size that it was trained with."""

    own: Own | None = None
    asked: tuple[Any, ...] = ()


def looked(run: Run, values: Values) -> Looked:
    """Return the run's text with the tokenizers that belong to it: the visitor's own, and the model's."""
    trained, model_tokenizer = visit_part(TrainedTokenizer), reader(run)
    own = trained.own
    if own:
        helper(own, train_own, *trained.asked)
    if not isinstance(model_tokenizer, Tokenizer | HubTokenizer):
        return Looked(run, own)
    shipped = _shipped_as(model_tokenizer) if isinstance(model_tokenizer, Tokenizer) else ""
    return Looked(run, own, None if shipped else model_tokenizer, title_of(run), shipped)


def _shipped_as(model_tokenizer: Tokenizer) -> str:
    """Return the name of the shipped tokenizer with the same pieces; "" if there is none."""
    return model_tokenizer.name if model_tokenizer.scores == tokenizer(model_tokenizer.name).scores else ""


def named(name: str, looked: Looked) -> Tokenizer:
    """Return a tokenizer by its name on this page.

    For the name of a model made elsewhere, return the first shipped one.
    """
    own = looked.own
    if name == THE_MODELS and isinstance(looked.model, Tokenizer):
        return looked.model
    return own.tokenizer if name == OWN_NAME and own else tokenizer(name if name in TOKENIZERS else TOKENIZERS[0])


def any_named(name: str, looked: Looked) -> Tokenizer | HubTokenizer:
    """Return a tokenizer by its name on this page, including that of a model made elsewhere."""
    return looked.model if name == THE_MODELS and looked.model else named(name, looked)


def every(own: Own | None) -> list[Tokenizer]:
    """Return all shipped tokenizers, then the one that the visitor trained, if any."""
    return [*map(tokenizer, TOKENIZERS), *([own.tokenizer] if own else [])]


def every_here(looked: Looked) -> list[Tokenizer | HubTokenizer]:
    """Return the model's own tokenizer if it has one, then all shipped ones, then the visitor's."""
    return [*([looked.model] if looked.model else []), *every(looked.own)]


@small_record
def shipped_costs() -> Costs:
    return core_call(languages.language_costs, every(None))


def costs(own: Own | None) -> Costs:
    """Return the costs of the sentence in all languages under all tokenizers."""
    return core_call(languages.language_costs, every(own)) if own else shipped_costs()
