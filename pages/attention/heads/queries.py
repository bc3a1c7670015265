"""What the views of heads look at, kept for all visitors."""

from dataclasses import replace

from core.explorer.heads import ablation, all_heads
from core.explorer.heads.records import (
    Ablation,
    Behaviours,
    Contributions,
    Mixing,
    Overview,
    Patterns,
    Projections,
)
from core.explorer.shared.places import Place
from core.tracing.edits import Edit
from core.tracing.run import Run
from pages.queries.models import compute, record


def patterns(run: Run, place: Place) -> Patterns:
    return _patterns(run, replace(place, head=0))


def projections(run: Run, place: Place) -> Projections:
    return _projections(run, replace(place, head=0))


@record
def contributions(run: Run, place: Place) -> Contributions:
    return compute(all_heads.contributions, run, place)


def overview(run: Run, place: Place) -> Overview:
    return _overview(run, replace(place, layer=0, head=0))


def behaviours(run: Run, place: Place) -> Behaviours:
    return _behaviours(run, replace(place, layer=all_heads.compared_layer(run, place), head=0))


def mixing(run: Run, place: Place, rolled: bool) -> Mixing:
    return _mixing(run, replace(place, layer=0, head=0), rolled)


def ablate(run: Run, place: Place, edits: tuple[Edit, ...]) -> Ablation:
    return _ablate(run, replace(place, layer=0, head=0), edits)


# Each is kept under the first layer and head of what it depends on, so that all of them share it.
@record
def _patterns(run: Run, place: Place) -> Patterns:
    return compute(all_heads.patterns, run, place)


@record
def _projections(run: Run, place: Place) -> Projections:
    return compute(all_heads.projections, run, place)


@record
def _overview(run: Run, place: Place) -> Overview:
    return compute(all_heads.overview, run, place)


@record
def _behaviours(run: Run, place: Place) -> Behaviours:
    return compute(all_heads.behaviours, run, place)


@record
def _mixing(run: Run, place: Place, rolled: bool) -> Mixing:
    return compute(all_heads.mixing, run, place, rolled)


@record
def _ablate(run: Run, place: Place, edits: tuple[Edit, ...]) -> Ablation:
    return compute(ablation.ablate, run, place, edits)
