"""One head, every step of it, kept for all pages that look at one."""

from core.explorer.head import asymmetry as parts
from core.explorer.head import one_head
from core.explorer.head.asymmetry import Asymmetry
from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.queries.models import kept

head = kept(one_head.head)


def asymmetry(run: Run, place: Place) -> Asymmetry:
    return parts.asymmetry(head(run, place))
