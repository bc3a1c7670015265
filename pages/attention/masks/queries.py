"""Cached records for the page Masks, keyed by plain values."""

from core.topics.masks import batch, experiments
from core.topics.masks.records import Painted
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run, TokenRow
from pages.compute.cache import cached, check, reader, small_record
from pages.compute.calls import core_call

masked, ways = cached(experiments.masked), cached(experiments.ways)
emptied, batched = cached(experiments.emptied), cached(batch.batched)
_masked_place, leak = cached(experiments.masked_place, small_record), cached(experiments.leak, small_record)


def masked_place(run: Run, values: object) -> HeadAddress:
    """Return the head in the last stack's first layer from which a causal mask takes the most weight."""
    return _masked_place(run, HeadAddress(run.config.stacks[-1]))


@small_record
def painted(run: Run, painting: str) -> Painted:
    check(run)
    return core_call(experiments.painted, reader(run), run, painting)


@small_record
def texts(run: Run, second: str) -> tuple[TokenRow, TokenRow]:
    check(run)
    return batch.both(reader(run), run, second)[0]
