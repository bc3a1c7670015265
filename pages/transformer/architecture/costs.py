"""The view of each part's cost: parameters and work of one pass, memory of training, memory of writing."""

from collections.abc import Iterator

import numpy as np

from core.charts.kv_pairs import kv_pairs_data, kv_pairs_spec
from core.charts.style import KEY, NEGATIVE, POSITIVE, SIZE, VALUE
from core.readings.kv_cache import stored
from core.readings.words import percent
from core.topics.architecture.charts.stacked_bars import stacked_bars_data, stacked_bars_spec
from core.topics.architecture.counts import WORK, PartTotals
from core.topics.architecture.memory import TRAINING_PARTS, WRITING_PARTS
from core.topics.architecture.readings import counts as say
from core.topics.architecture.whole import WholeModel
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.transformer.architecture.settings import BATCH, COSTS_OF, ONE_PASS, TRAINING
from pages.widgets import Chart, Control, Link, Listing, Message, Table, Values, control, spec

SHARE_FORMAT, SHARE_PIXELS = "format(datum.value, '.0%')", 36  # SHARE_PIXELS: pixels for the text of a share
HELD_COLOURS = (SIZE, NEGATIVE, "#b8a2e3", POSITIVE)
STORED_COLOURS = (SIZE, KEY, VALUE)  # keys and values in the colours that they have everywhere
COUNTED_NOTE = (
    "Counted: matrix products. Not counted: softmax, norms, activations, sums and looking up embeddings. Cells that a "
    "mask hides are computed, and counted, all the same."
)


def _controls(model: WholeModel, values: Values) -> Iterator[Control]:
    yield control(COSTS_OF)
    if values[COSTS_OF] != ONE_PASS:
        yield control(BATCH, width=150)


def _show(model: WholeModel, values: Values) -> Shown:
    """Show the cost of every kind of part, for the chosen way to use the model."""
    if values[COSTS_OF] == ONE_PASS:
        return _one_pass(model)
    return _training(model, values[BATCH]) if values[COSTS_OF] == TRAINING else _writing(model, values[BATCH])


def shares_chart(counts: PartTotals, key: str) -> Chart:
    """Return a chart of each kind of part by its share of the parameters and of the multiply-adds."""
    data = kv_pairs_data([cost.name for cost in counts.kinds], WORK, *counts.shares, percent)
    bars = spec(
        kv_pairs_spec, "Where are parameters and work?", "share of all", "part", WORK, SHARE_FORMAT, SHARE_PIXELS
    )
    return Chart(data, bars, key=key, name="What each part costs")


def _one_pass(model: WholeModel) -> Shown:
    counts = model.counts
    (held, worked), names = counts.shares, [cost.name for cost in counts.kinds]
    ends = "" if "decoder" in model.rows else "An encoder's pass ends with vectors: no scores for pieces are counted."
    return Shown(
        lead="A **parameter** is a number that training sets. A **multiply-add** is one multiplication and one "
        "addition in a product of matrices. A table that two parts share is counted once, in the first.",
        pictures=[shares_chart(counts, "architecture-shares")],
        takeaway=say.read_costs(names, held, counts.parameters, worked, counts.multiply_adds),
        formula=say.write_costs(model.run.config.gated),
        about=[say.read_check(counts.parameters, model.module_parameters), COUNTED_NOTE, ends],
        table=[Table("kinds", *counts.table, corner="part"), Listing("parts", model.table)],
        source=("core.topics.architecture.analysis.parts.sized_parts", "core.model.transformer.parameter_count"),
    )


def _training(model: WholeModel, batch: int) -> Shown:
    memory, parameters = core_call(WholeModel.training, model, batch), model.counts.parameters
    held, kept = memory.held, sum(memory.kept)
    largest_kind = int(np.argmax(memory.kept))
    return Shown(
        lead="Training holds more than the weights: a **gradient** for each, the two **moments** of **Adam** for each, "
        "and all that the **backward pass** needs again of what each part computed.",
        pictures=[_stacked("What does training hold?", memory.kinds, TRAINING_PARTS, HELD_COLOURS, held, "training")],
        takeaway=say.read_training(
            int(held.sum()),
            kept,
            memory.kinds[largest_kind],
            memory.kept[largest_kind] / max(kept, 1),
            batch,
            parameters,
        ),
        formula=say.write_training_bytes(parameters, kept),
        about="In float32, as this project trains on a processor: attention in the open, its weights kept, with the "
        "mask at a byte a cell. The loss is that of the next token; of an encoder alone, none is counted. What a part "
        "computes and nobody needs again is not held.",
        table=Table("training", *memory.table, corner="part"),
        source=("core.topics.architecture.analysis.training_costs.kept_bytes",),
    )


def _writing(model: WholeModel, batch: int) -> Shown:
    if "decoder" not in model.rows:
        return Shown(pictures=[Message("An encoder reads its text at once and writes none, so it keeps nothing.")])
    memory = core_call(WholeModel.writing, model, batch)
    title = "What is held while a text is written?"
    return Shown(
        lead="A decoder that writes keeps the **keys** and **values** of all tokens so far: its **KV cache**.",
        pictures=[
            _stacked(title, memory.rows, WRITING_PARTS, STORED_COLOURS, memory.stored, "writing", "read so far"),
            Link("How it works, step by step", "kv-cache"),
        ],
        takeaway=say.read_kept_while_writing(memory.lengths, memory.kept, batch, memory.weights, memory.work),
        about=f"In {model.run.placement.dtype}, for your text and for the longest that this model reads. Each token "
        f"more adds {stored(memory.token)}. In an encoder-decoder the source's keys and values are kept too.",
        table=Table("writing", *memory.table, corner="read so far"),
        source=("core.analysis.kv_costs.cache_bytes", "core.analysis.kv_costs.operations"),
    )


def _stacked(
    title: str,
    rows: list[str] | tuple[str, ...],
    kinds: tuple[str, ...],
    colours: tuple[str, ...],
    sizes: np.ndarray,
    name: str,
    what: str = "part",
) -> Chart:
    """Return a chart of the bytes `sizes` (R, K), with one stacked bar for each row."""
    texts = np.array([[stored(size) for size in row] for row in sizes])
    data = stacked_bars_data(rows, kinds, sizes, texts, [stored(total) for total in sizes.sum(1)])
    bars = spec(stacked_bars_spec, title, what, kinds, colours)
    return Chart(data, bars, key=f"architecture-{name}", name=f"Memory of {name}")


VIEW = View("what each part costs", _show, _controls)
