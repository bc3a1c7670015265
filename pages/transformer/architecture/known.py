"""The view of known models: their totals, counted without building them, and one of them taken apart."""

from collections.abc import Iterator, Mapping
from typing import Any

from core.readings.kv_cache import short
from core.topics.architecture.charts.totals import model_totals_data, model_totals_spec
from core.topics.architecture.drawn import drawn_sizes
from core.topics.architecture.known import TITLES, ModelTotal, list_models
from core.topics.architecture.readings import counts as say
from core.topics.architecture.whole import WholeModel
from pages.canvas import ModelDrawing
from pages.shell import Shown, View
from pages.transformer.architecture import queries
from pages.transformer.architecture.costs import COUNTED_NOTE, shares_chart
from pages.transformer.architecture.settings import KNOWN_MODEL, THIS_MODEL, TOKENS
from pages.widgets import Chart, Columns, Control, Listing, Markdown, Part, Table, Values, control, plain, spec

GROUPS = ("known", "trained here", THIS_MODEL)


def _controls(model: WholeModel, values: Values) -> Iterator[Control]:
    yield control(KNOWN_MODEL, width=240)
    yield control(TOKENS, width=130, options=_lengths(model, values[KNOWN_MODEL]))


def _show(model: WholeModel, values: Values) -> Shown:
    """Show all models on one scale, and the chosen one by its parts."""
    title, length = values[KNOWN_MODEL], int(values[TOKENS])
    counted_model = queries.counted_run(model.run, length) if title == THIS_MODEL else queries.counted(title, length)
    known, models = counted_model.known, queries.model_list()
    sentences = say.read_total(known.title, counted_model.parameters, known.published, known.said, known.exact)
    compared = say.read_size(known.title, counted_model.parameters, model.parameters)
    sums = (
        counted_model.counts.multiply_adds,
        counted_model.weights,
        counted_model.cache,
        counted_model.trained,
        counted_model.kept,
    )
    totals = _totals(models, model.parameters, title)
    parts: list[Part] = [
        shares_chart(counted_model.counts, "architecture-known-parts"),
        Markdown(say.read_sized(counted_model.length, *sums)),
    ]
    plan = drawn_sizes(counted_model, model.run.config.residual or title != THIS_MODEL)
    drawing = ModelDrawing(plan, key="architecture-known-drawing", name=f"drawing of {known.title}")
    return Shown(
        lead="The sizes of a model say how many **parameters** it has: nothing is loaded or built here.",
        pictures=[Columns([[totals], parts]), Markdown(f"##### {plain(known.title)}, box by box"), drawing],
        takeaway=sentences if title == THIS_MODEL else [compared, *sentences],
        about=[
            f"{known.title}: {known.source}. {known.note}" if known.published else "",
            say.read_grouped(known.sizes.heads, known.sizes.kv_heads),
            "Weights and KV cache: bfloat16, two bytes a number. Training: float32, four bytes, without dropout, and "
            "with a kernel for attention that computes its weights again in the backward pass (Dao et al. 2022).",
            COUNTED_NOTE,
        ],
        table=[
            Listing("known models", list_models(models)),
            Table(f"parts of {known.title}", *counted_model.counts.table, corner="part"),
        ],
        source=(
            "core.topics.architecture.drawn.drawn_sizes",
            "core.topics.architecture.analysis.known_models.KnownModel",
            "core.topics.architecture.analysis.parts.sized_parts",
        ),
    )


def _lengths(model: WholeModel, title: str) -> tuple[str, ...]:
    """Return the lengths among TOKENS.options that the chosen model can read; the shortest one if it can read none."""
    known = (queries.counted_run(model.run, 1) if title == THIS_MODEL else queries.counted(title, 1)).known
    lengths = tuple(length for length in TOKENS.options if int(length) <= (known.context or int(length)))
    return lengths or TOKENS.options[:1]


def _totals(models: tuple[ModelTotal, ...], parameters: int, title: str) -> Chart:
    """Draw a dot for each model and, last, one for the run's model, which has `parameters` parameters."""
    labels = [*(model.known.title for model in models), THIS_MODEL]
    counts = [*(model.parameters for model in models), parameters]
    data = model_totals_data(
        labels,
        counts,
        [*(model.known.said for model in models), "–"],
        [*(GROUPS[label not in TITLES] for label in labels[:-1]), GROUPS[2]],
        labels.index(title),
        [short(count) for count in counts],
    )

    def pick(index: int) -> Mapping[str, Any]:
        return {KNOWN_MODEL.key: labels[index]} if labels[index] in KNOWN_MODEL.options else {}

    dots = spec(model_totals_spec, "How many parameters do models have?", GROUPS)
    return Chart(data, dots, key="architecture-totals", name="Parameters of known models", sets=pick)


VIEW = View("known models", _show, _controls, reads_text=False, reads_mask=False)
