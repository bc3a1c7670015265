"""The records of the page Masks, kept by plain values."""

from core.explorer.masks import batch as mask_batch
from core.explorer.masks import experiments as masks
from core.explorer.masks.records import Batched, Emptied, Leak, MaskedHead, Painted, Ways
from core.explorer.shared.places import Place
from core.tracing.run import Run, TokenRow
from pages.ui.cache import carry_out, check, reader, record, small_record


@small_record
def painted(run: Run, painting: str) -> Painted:
    check(run)
    return masks.painted(reader(run), run, painting)


@record
def masked(run: Run, place: Place, painting: str) -> MaskedHead:
    return carry_out(masks.masked, run, place, painting)


@record
def ways(run: Run, place: Place, painting: str) -> Ways:
    return carry_out(masks.ways, run, place, painting)


@small_record
def leak(run: Run, painting: str, at: int, word: str, way: str) -> Leak:
    return carry_out(masks.leak, run, painting, at, word, way)


@record
def emptied(run: Run, place: Place, painting: str) -> Emptied:
    return carry_out(masks.emptied, run, place, painting)


@small_record
def texts(run: Run, second: str) -> tuple[TokenRow, TokenRow]:
    check(run)
    return mask_batch.both(reader(run), run, second)[0]


@record
def batched(run: Run, place: Place, second: str) -> Batched:
    return carry_out(mask_batch.batched, run, place, second)
