"""One head, every step of it, kept for all pages that look at one."""

from core.explorer.head import one_head
from core.explorer.head.asymmetry import Asymmetry
from core.explorer.head.asymmetry import asymmetry as asymmetry_of
from core.explorer.head.records import HeadRecord
from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.queries.models import compute, record


@record
def head(run: Run, place: Place) -> HeadRecord:
    return compute(one_head.head, run, place)


def asymmetry(run: Run, place: Place) -> Asymmetry:
    return asymmetry_of(head(run, place))
