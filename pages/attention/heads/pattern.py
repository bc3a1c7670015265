"""Shared parts of the views that show patterns as a matrix or as lines: controls, treatment, and words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.readings.heads import read_sink
from core.readings.treatments import name_treatment, read_done, read_treated
from core.topics.heads.readings.formulas import write_pattern
from core.topics.heads.records import Patterns
from core.topics.heads.treatment import Treated, hatched, query_of, row_of, treated
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.grid import all_heads_grid, beside, title
from pages.attention.heads.settings import HIDDEN_KEYS, MIN_WEIGHT, QUERY_ROW, UNIT, VIVID
from pages.canvas import Panel
from pages.compute.calls import core_call
from pages.shell import Shown
from pages.widgets import Control, Part, Table, Values, control, place_of


def pattern_controls() -> Iterator[Control]:
    yield control(QUERY_ROW, "more", width=150, placeholder="none")
    yield control(VIVID, "more")
    yield control(UNIT, "more")
    yield control(HIDDEN_KEYS, "more")
    yield control(MIN_WEIGHT, "more", step=0.5, format="%g")


@dataclass(frozen=True, eq=False)
class PatternAt:
    """The patterns of a layer, with the visitor's treatment of them.

    merged: whether the rows and columns are words instead of pieces.
    row: the row of the pinned query; None if none is pinned or the text has no such token.
    """

    run: Run
    values: Values
    place: HeadAddress
    record: Patterns
    merged: bool
    row: int | None

    def treated(self, heads: int | Sequence[int], min_weight: float = 0.0) -> Treated:
        return core_call(treated, self.record, heads, self.values[HIDDEN_KEYS], self.merged, min_weight)

    def pin(self, row: int | None) -> dict[str, int | None]:
        """Return the settings that pin a row's query; None unpins."""
        return {QUERY_ROW.key: None if row is None else query_of(self.record, row, self.merged)}

    def panel(self, treated_pattern: Treated) -> Panel:
        """Return the head's pattern as a panel with its title, on the colour scale that the visitor chose."""
        limit = float(treated_pattern.pattern.max()) or None if self.values[VIVID] else None
        panel_title = f"{title(self.place)}: {name_treatment(treated_pattern, self.run.config.sink_logits)}"
        form = (treated_pattern.queries, treated_pattern.keys, "queries", "keys", "weight", limit)
        outlines = [] if self.row is None else [(self.row, None)]
        return Panel("pattern", panel_title, hatched(self.record, treated_pattern), *form, outlines=outlines)

    def shown(self, pictures: Sequence[Part], treated_pattern: Treated, panel: Panel, whose: str = "") -> Shown:
        """Return the pictures beside the grid of all heads, with the words about the head at the place.

        panel: the pattern of that head.
        whose: a prefix for each sentence about it.
        """
        pattern, place = self.record.pattern[self.place.head], self.place
        queries, keys = pattern.shape
        sentences = read_treated(treated_pattern, pattern, self.row, place.cross)
        return Shown(
            pictures=beside(self.run, all_heads_grid(self.run, place, self.values), pictures),
            takeaway=[f"{whose}{sentence}" for sentence in sentences],
            notes=[*read_done(treated_pattern, pattern, self.record.rows), self._read_sink()],
            formula=write_pattern(queries, keys, self.run.config.sink_logits),
            table=[
                Table("pattern", treated_pattern.pattern, treated_pattern.queries, treated_pattern.keys),
                *self._sink_table(),
            ],
            source=("core.model.attention.attention", "core.analysis.treatments.treat"),
            pattern=panel,
        )

    def _read_sink(self) -> str | None:
        return (
            read_sink(float(self.record.to_no_token(self.place.head).mean())) if self.run.config.sink_logits else None
        )

    def _sink_table(self) -> list[Table]:
        if not self.run.config.sink_logits:
            return []
        return [
            Table("to no token", self.record.to_no_token(self.place.head)[:, None], self.record.rows, ("no token",))
        ]


def pattern_at(run: Run, values: Values) -> PatternAt:
    place, merged = place_of(run, values), values[UNIT] == "words"
    record = queries.patterns(run, place.of_layer)
    return PatternAt(run, values, place, record, merged, row_of(record, values[QUERY_ROW], merged))
