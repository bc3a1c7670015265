"""The records of the page Masks, kept by plain values."""

from core.explorer.masks import batch, experiments
from core.explorer.masks.records import Painted
from core.tracing.run import Run, TokenRow
from pages.queries.models import check, kept, reader, small_record

masked, ways, emptied = kept(experiments.masked), kept(experiments.ways), kept(experiments.emptied)
leak, batched = kept(experiments.leak, small_record), kept(batch.batched)


@small_record
def painted(run: Run, painting: str) -> Painted:
    check(run)
    return experiments.painted(reader(run), run, painting)


@small_record
def texts(run: Run, second: str) -> tuple[TokenRow, TokenRow]:
    check(run)
    return batch.both(reader(run), run, second)[0]
