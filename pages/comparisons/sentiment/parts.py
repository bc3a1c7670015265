"""Parts shared by the views of this page."""

from collections.abc import Callable, Iterable

from core.tracing.run import Run
from pages.comparisons.sentiment import queries
from pages.shell import Shown
from pages.widgets import Control, Message, Values, plain

SOURCE = ("core.topics.shared.open_run.class_layer",)
Show = Callable[[Run, Values], Shown]
Controls = Callable[[Run, Values], Iterable[Control]]


def of_classifier(show: Show) -> Show:
    """Wrap a view of a classifier so that, for any other encoder, it says why there is nothing to see."""

    def shown(run: Run, values: Values) -> Shown:
        reason = queries.why_no_verdict(run)
        return Shown(pictures=[Message(plain(reason))], source=SOURCE) if reason else show(run, values)

    return shown


def where_judged(controls: Controls) -> Controls:
    """Wrap controls so that they are shown only if there is a verdict."""

    def drawn(run: Run, values: Values) -> Iterable[Control]:
        return () if queries.why_no_verdict(run) else controls(run, values)

    return drawn
