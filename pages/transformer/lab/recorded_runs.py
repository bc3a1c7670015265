"""Recorded runs, which took too long to be trained while somebody waits, side by side at any of their kept steps."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from core.lab.comparisons import (
    COMPARISONS,
    DIGITS,
    LAYERS,
    MODULAR,
    SEGMENTS,
    Comparison,
    Curves,
    recorded_findings,
)
from core.lab.findings import Finding
from core.lab.fourier import Spectrum
from core.lab.live import shades
from core.lab.recorded import recorded_run
from core.lab.step_source import recorded_step
from core.tracing.run import Run
from pages.canvas import HeadGrid
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.transformer.lab import queries
from pages.transformer.lab.parts import open_elsewhere
from pages.transformer.lab.recorded_charts import (
    induction_chart,
    longer_chart,
    loss_chart,
    pairs_chart,
    place_chart,
    right_chart,
    waves_chart,
)
from pages.transformer.lab.recorded_words import ABOUT, FORMULAS, LEADS, read_comparison, read_difference
from pages.transformer.lab.settings import RECORDED, RECORDED_STEP
from pages.widgets import Caption, Chart, Columns, Control, Listing, Markdown, Part, Values, control, plain

KEPT_NOTE = "Each run is kept at 34 of its steps, which lie closer together at the start, and measured at about 100."
SOURCE = (
    "core.lab.comparisons.recorded_curves",
    "core.lab.comparisons.recorded_patterns",
    "core.lab.measured.share_right",
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(RECORDED, label_visibility="collapsed")
    comparison = COMPARISONS[values[RECORDED]]
    yield control(
        RECORDED_STEP,
        options=tuple(map(str, comparison.steps)),
        default=str(comparison.opens),
        format_func=lambda step: f"{int(step):,}",
        width=420,
    )


def _show(run: Run, values: Values) -> Shown:
    """Show the runs of a comparison: their heads at a step, their curves, and the findings in them."""
    name, asked = values[RECORDED], int(values[RECORDED_STEP])
    comparison = COMPARISONS[name]
    steps = [recorded_run(recorded).nearest(asked) for recorded in comparison.runs]
    curves = [queries.recorded_curves(recorded) for recorded in comparison.runs]
    waves = queries.recorded_waves(comparison.runs[0], steps[0]) if name == MODULAR else None
    heads = [_heads(recorded, step) for recorded, step in zip(comparison.runs, steps, strict=True)]
    charts = _charts(name, curves, asked, waves)
    if name in (LAYERS, SEGMENTS):
        pictures: list[Part] = [
            Columns([*heads, charts[:1]], widths=(1, 1, 2)),
            Columns([[chart] for chart in charts[1:]]),
        ]
    elif name == MODULAR:
        pictures = [Columns([[chart] for chart in charts[:2]]), Columns([*heads, charts[2:]])]
    else:
        pictures = [Columns([[chart] for chart in charts]), Columns(heads)]
    return Shown(
        pictures=[*pictures, *_differences(comparison), _seen(comparison)],
        lead=LEADS[name],
        takeaway=read_comparison(name, curves, steps, waves),
        notes=[KEPT_NOTE],
        formula=FORMULAS[name],
        about=ABOUT[name],
        table=[_numbers(recorded, curve) for recorded, curve in zip(comparison.runs, curves, strict=True)],
        source=(*SOURCE, "core.lab.fourier.spectrum") if waves is not None else SOURCE,
    )


def _heads(name: str, step: int) -> list[Part]:
    """Return the title of a run, its heads at a step, and the pages that open it."""
    recorded = recorded_run(name)
    last = ", its last" if step == recorded.steps[-1] else ""
    grid = HeadGrid(
        shades(queries.recorded_patterns(name, step)),
        key=f"lab-recorded-{name}",
        name=f"all heads of {name}",
        selected=None,
        caption=f"All heads on the row {recorded.recipe.of.probe}, at step {step:,}{last}.",
    )
    return [Markdown(f"##### {recorded.card.title}"), grid, open_elsewhere(recorded_step(name, step))]


def _charts(name: str, curves: Sequence[Curves], asked: int, waves: Spectrum | None) -> list[Chart]:
    """Return the charts of a comparison, the most informative first."""
    comparison, labels = COMPARISONS[name], COMPARISONS[name].labels
    if waves is not None:
        (curve,) = curves
        losses = {
            "pairs of training": (curve.steps, curve.loss),
            "pairs it never saw": (curve.steps, curve.held_out_loss),
        }
        return [
            pairs_chart(curve, asked),
            waves_chart(waves, asked),
            loss_chart("Does the loss on unseen pairs fall?", losses, asked),
        ]
    if name == DIGITS:
        last = comparison.steps[-1]
        return [place_chart(label, curve, asked, last) for label, curve in zip(labels, curves, strict=True)]
    losses = {label: (curve.steps, curve.held_out_loss) for label, curve in zip(labels, curves, strict=True)}
    if name == LAYERS:
        return [
            right_chart("How many letters are right?", labels, curves, asked),
            loss_chart("Does the loss fall?", losses, asked),
            induction_chart(labels, curves, asked),
        ]
    return [
        longer_chart(labels, curves, asked),
        right_chart("And in rows as long as in training?", labels, curves, asked),
        loss_chart("Do both losses fall?", losses, asked),
    ]


def _differences(comparison: Comparison) -> list[Part]:
    recipes = [recorded_run(name).recipe for name in comparison.runs]
    return [Caption(plain(read_difference(*recipes)))] if len(recipes) > 1 else []


def _seen(comparison: Comparison) -> Columns:
    """Return the findings in each run, each with its step."""
    columns: list[list[Part]] = []
    for name in comparison.runs:
        findings = sorted(core_call(recorded_findings, name), key=lambda finding: finding.step or 0)
        lines = [f"- {_when(finding)}{plain(finding.sentence)}" for finding in findings]
        columns.append([Markdown("\n".join([f"{recorded_run(name).card.title}, and what was seen:", "", *lines]))])
    return Columns(columns)


def _when(finding: Finding) -> str:
    return "" if finding.step is None else f"Step {finding.step:,}: "


def _numbers(name: str, curves: Curves) -> Listing:
    """Return the measurements of a run as a table; those that the task does not have are left out."""
    places = {f"right at place {place + 1}": share for place, share in enumerate(curves.by_place.T)}
    columns: Mapping[str, np.ndarray] = {
        "loss": curves.loss,
        "held-out loss": curves.held_out_loss,
        "right rows": curves.exact,
        "held-out right rows": curves.held_out_exact,
        "held-out right tokens": curves.right,
        "right tokens in longer rows": curves.longer_right,
        "induction score": curves.induction,
        **places,
    }
    known = {title: list(map(float, numbers)) for title, numbers in columns.items() if np.isfinite(numbers).any()}
    return Listing(name, dict(chain([("step", list(map(int, curves.steps)))], known.items())))


VIEW = View("recorded runs", _show, _controls, reads_text=False, uses_model=False, reads_mask=False)
