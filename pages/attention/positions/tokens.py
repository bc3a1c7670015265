"""Which query and which key of the visitor's text, and which head of the first layer."""

from collections.abc import Iterator
from dataclasses import replace

from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.attention.positions.settings import KEY, QUERY
from pages.queries.models import check
from pages.widgets import Control, Values, control, place_controls, place_of


def token_controls(run: Run, values: Values) -> Iterator[Control]:
    """The numbers of the query token and the key token."""
    last = len(check(run)[place_of(run, values).stack]) - 1
    for setting in (QUERY, KEY):
        yield control(setting, high=last, width=130)


def first_layer_controls(run: Run) -> Iterator[Control]:
    """A head of the first layer, where a query follows from its token and position alone."""
    return place_controls(run, layer=False)


def first_layer(run: Run, values: Values) -> Place:
    """The head that they name."""
    return replace(place_of(run, values), layer=0)
