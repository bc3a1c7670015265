"""One head's pattern, or those of all heads of its layer, as lines between two columns of tokens."""

from collections.abc import Iterator

from core.explorer.heads.treatment import treated
from core.readings.treatments import name_treatment
from core.tracing.run import Run
from pages.attention.heads import pattern, queries
from pages.attention.heads.grid import all_heads_grid, beside, title
from pages.attention.heads.settings import HIDE, LEAST, WHOSE
from pages.canvas import TokenLines
from pages.shell import Shown
from pages.widgets import Control, Table, Values, control, place_controls, place_of


def lines_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(WHOSE)
    yield from pattern.pattern_controls()


def show_lines(run: Run, values: Values) -> Shown:
    """All heads small, and lines from query to key as strong as the weights; the picture itself hides weak lines."""
    place, everyone = place_of(run, values), values[WHOSE] == "all heads"
    record = queries.patterns(run, place.of_layer)
    heads = range(run.config.heads) if everyone else [place.head]
    shown, mine = (treated(record, which, values[HIDE], pattern.merged(values)) for which in (heads, place.head))
    row = pattern.pinned_row(record, values)
    picture = TokenLines(
        shown.pattern,
        shown.queries,
        shown.keys,
        key="heads-lines",
        name=f"{title(place)} lines",
        head_names=[f"head {head + 1}" for head in heads],
        threshold=values[LEAST] / 100,
        pinned=row,
        sets_pin=lambda clicked: pattern.pin(record, values, clicked),
        sets_threshold=lambda weight: {LEAST.key: round(100 * weight, 4)},
        caption=f"{f'Layer {place.layer + 1}' if everyone else title(place)}: {name_treatment(shown)}",
    )
    whose = f"{title(place)}: " if everyone else ""
    return Shown(
        pictures=beside(run, all_heads_grid(run, place, values), [picture]),
        takeaway=[f"{whose}{sentence}" for sentence in pattern.read(record, place, mine, row)],
        notes=pattern.done(record, place, mine),
        formula=pattern.pattern_formula(record),
        table=Table("pattern", mine.pattern, mine.queries, mine.keys),
        source=pattern.SOURCE,
    )
