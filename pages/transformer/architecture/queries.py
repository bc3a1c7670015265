"""The parts of a run's model, counted from its config and the lengths of its texts; and its tokens on their way."""

from functools import partial

from core.explorer.architecture import flow as on_the_way
from core.explorer.architecture import whole
from core.explorer.architecture.whole import WholeModel
from core.explorer.journey.guesses import guesses
from core.explorer.journey.verdict import verdict
from core.tracing.run import Run
from pages.queries.models import check, class_layer, compute, kept, small_record, tells_hidden

flow = kept(on_the_way.flow)


def whole_model(run: Run) -> WholeModel:
    """Nothing is built and nothing runs, so nothing is kept."""
    return whole.whole_model(run, check(run))


def use_of(run: Run) -> tuple[str, int]:
    """What is made of an encoder's output, as `drawn_model` takes it, and of how many classes."""
    layer = class_layer(run)
    if layer is not None:
        return "classes", len(layer.labels)
    return ("guesses" if tells_hidden(run) else "rows"), 0


@small_record
def answer_of(run: Run) -> tuple[tuple[str, float], ...]:
    """What a classifier says of the text, or a reader of its first hidden token, each with its chance; else nothing."""
    layer = class_layer(run)
    if layer is not None:
        return compute(partial(verdict, layer), run)
    hidden = compute(guesses, run) if tells_hidden(run) else ()
    return hidden[0].pieces[:5] if hidden else ()
