"""What the matrix and the lines of a head have in common: how they are made easier to read, and what they say."""

from collections.abc import Iterator

from core.explorer.heads.records import Patterns
from core.explorer.heads.treatment import Treated, query_of, row_of
from core.explorer.shared.places import Place
from core.readings.heads import read_row
from core.readings.patterns import read_masked_rows, read_pattern
from core.readings.treatments import read_treatment
from pages.attention.heads.settings import HIDE, LEAST, PIN, UNIT, VIVID
from pages.widgets import Control, Values, control

SOURCE = ("core.model.attention.attention", "core.analysis.treatments.treat")


def pattern_controls() -> Iterator[Control]:
    yield control(PIN, width=150, placeholder="none")
    yield control(VIVID)
    yield control(UNIT, "more")
    yield control(HIDE, "more")
    yield control(LEAST, "more", step=0.5, format="%g")


def merged(values: Values) -> bool:
    """Whether pieces are merged into words."""
    return bool(values[UNIT] == "words")


def pinned_row(record: Patterns, values: Values) -> int | None:
    """The row of the pinned query, if the text has it."""
    return row_of(record, values[PIN], merged(values))


def pin(record: Patterns, values: Values, row: int | None) -> dict[str, int | None]:
    """What pins a row's query; None unpins."""
    return {PIN.key: None if row is None else query_of(record, row, merged(values))}


def read(record: Patterns, place: Place, shown: Treated, row: int | None) -> list[str]:
    """What the whole pattern says, and its pinned row. shown: of the one head at the place."""
    if record.pattern[place.head].any() and not shown.pattern.any():
        said = ["Nothing is left to see: every weight is hidden."]
    else:
        said = [read_pattern(shown.whole, shown.queries, shown.keys if place.cross else None)]
    return said if row is None else [*said, read_row(shown.pattern[row], shown.queries[row], shown.keys)]


def done(record: Patterns, place: Place, shown: Treated) -> list[str | None]:
    """What was done to the pattern, and which queries attend to nothing."""
    return [*read_treatment(shown), read_masked_rows(record.pattern[place.head], record.queries.labels)]


def pattern_formula(record: Patterns) -> str:
    queries, keys = record.pattern.shape[1:]
    return (
        rf"\underset{{{queries} \times {keys}}}{{A}} = \mathrm{{softmax}}_{{\text{{keys}}}}"
        rf"\Big(\underset{{{queries} \times {keys}}}{{S}}\Big)"
    )
