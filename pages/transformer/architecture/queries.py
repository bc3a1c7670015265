"""The parts of a run's model and of known models, counted without building them, and a text on its way through one."""

from functools import partial

from core.checkpoints.class_layer import ClassLayer
from core.topics.architecture import flow as core_flow
from core.topics.architecture import known, whole
from core.topics.architecture.known import CountedModel, ModelTotal
from core.topics.architecture.whole import WholeModel
from core.topics.journey.guesses import guesses
from core.topics.journey.verdict import verdict
from core.tracing.run import Run
from pages.compute.cache import cached, cards, check, class_layer, compute, small_record, tells_hidden, title_of
from pages.compute.calls import core_call

flow = cached(core_flow.flow)


def whole_model(run: Run) -> WholeModel:
    return core_call(whole.whole_model, run, check(run))


def model_list() -> tuple[ModelTotal, ...]:
    """Return the well-known models, and those that were trained here."""
    return _model_list(tuple(cards()))


@small_record
def _model_list(names: tuple[str, ...]) -> tuple[ModelTotal, ...]:
    return core_call(known.known_models, {name: cards()[name] for name in names})


def counted(title: str, length: int) -> CountedModel:
    """Return the counts of a well-known model, for a text of `length` tokens."""
    return core_call(known.counted_title, title, length)


def counted_run(run: Run, length: int) -> CountedModel:
    """Return the counts of a run's model, for a text of `length` tokens."""
    return core_call(known.counted_config, title_of(run), run.config, length)


def use_of(run: Run) -> str | ClassLayer:
    """Return how an encoder's output is used, in the form that `drawn_model` takes."""
    return class_layer(run) or ("guesses" if tells_hidden(run) else "rows")


@small_record
def answer_of(run: Run) -> tuple[tuple[str, float], ...]:
    """Return the answers to the text, each with its probability; empty if the model gives none.

    A classifier answers with its classes, a model that predicts hidden pieces with the five likeliest pieces for the
    first hidden token.
    """
    layer = class_layer(run)
    if layer is not None:
        return compute(partial(verdict, layer), run)
    hidden = compute(guesses, run) if tells_hidden(run) else ()
    return hidden[0].pieces[:5] if hidden else ()
