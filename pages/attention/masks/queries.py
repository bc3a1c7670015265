"""The records of the page Masks, kept by plain values, and about how long they take."""

from dataclasses import replace

from core.device import processors
from core.explorer.masks import batch, experiments
from core.explorer.masks.records import Painted
from core.explorer.shared.loading import estimate_seconds, layers_below
from core.explorer.shared.places import Place
from core.tracing.run import Run, TokenRow
from pages.queries.models import check, kept, reader, small_record

ROUND_IT = 1.35  # measured: what the page takes beside the model


@small_record
def painted(run: Run, painting: str) -> Painted:
    check(run)
    return experiments.painted(reader(run), run, painting)


masked, ways, emptied = kept(experiments.masked), kept(experiments.ways), kept(experiments.emptied)
leak = kept(experiments.leak, small_record)
batched = kept(batch.batched)


@small_record
def texts(run: Run, second: str) -> tuple[TokenRow, TokenRow]:
    check(run)
    return batch.both(reader(run), run, second)[0]


def estimated_seconds(run: Run, length: int, passes: float, up_to: Place | None = None) -> float:
    """About how long so many forward passes over `length` tokens take here. up_to: they end at this place's layer."""
    layers = layers_below(run, up_to) if up_to else run.config.layers
    return ROUND_IT * estimate_seconds(replace(run.config, layers=layers), length, passes) / processors()
