"""The view of milliseconds and memory of real layers, measured here and now, only when the visitor asks for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.charts.bars import bars_spec
from core.charts.style import SIZE
from core.device import choose
from core.limits import MEASURE_SECONDS
from core.memory import MIB
from core.readings.kv_cache import counted
from core.topics.layer_costs.charts import POWER, CostLine, cost_lines_data, cost_lines_spec, operation_bars_data
from core.topics.layer_costs.costs import LayerSizes
from core.topics.layer_costs.readings import (
    read_counted_layers,
    read_crossing,
    read_layer_times,
    read_slowest,
    write_growth,
)
from core.topics.layer_costs.timing import SIZES, LayerTiming, MeasuredLayers, TimingTask, layer_tasks
from core.tracing.run import Run
from pages.comparisons.layer_costs import queries
from pages.comparisons.layer_costs.settings import DEVICE, GROWING_SIZE, KINDS, D, K, N, R
from pages.compute.calls import noted
from pages.compute.jobs import Job
from pages.shell import Shown, View
from pages.widgets import (
    Caption,
    Chart,
    Columns,
    Control,
    JobButton,
    Markdown,
    Message,
    Numbers,
    Part,
    Table,
    Takeaway,
    Values,
    control,
    job_result,
    plain,
    spec,
)

BENCH = "layer-costs-bench"
LEAD = (
    "Is what takes more operations slower too? “Measure” runs each layer several times at each size, with random "
    f"vectors, for {MEASURE_SECONDS} seconds at most. Other visitors' work goes on meanwhile."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(GROWING_SIZE)
    along = values[GROWING_SIZE]
    if along == "d":
        yield control(N, width=230, options=N.options[: len(SIZES["n"])])
    else:
        yield control(D, width=200)
    yield control(K, "more", width=130)
    yield control(R, "more", width=170)
    if len(queries.devices()) > 1:
        yield control(DEVICE, "more", width=130)
    yield control(KINDS, "below")


def _show(run: Run, values: Values) -> Shown:
    """Show the button, and the curves that were measured last."""
    along, largest_sizes = values[GROWING_SIZE], {name: sizes[-1] for name, sizes in SIZES.items()}
    chosen = {"n": min(int(values[N]), largest_sizes["n"]), "d": int(values[D])} | {along: largest_sizes[along]}
    sizes = LayerSizes(**chosen, k=values[K], r=int(values[R]))
    if not values[KINDS]:
        return Shown(lead=LEAD, pictures=[Message("Choose at least one layer below.")])
    bench = LayerBench(sizes, along, tuple(values[KINDS]), choose(values[DEVICE]).device)
    noted(bench.tasks, layer_tasks, bench.kinds, bench.along, bench.sizes)
    timings = job_result(BENCH, bench)
    together = MeasuredLayers(along, timings).together if timings else None
    counts = read_counted_layers(along, largest_sizes[along], bench.largest_counts)
    return Shown(
        lead=LEAD,
        takeaway=read_slowest(along, *together) if together else counts,
        pictures=[bench.bars(), bench.button()],
        about=ABOUT,
        source=(
            *("core.topics.shared.layer_timing.time_layer", "core.topics.shared.layer_timing.saved_bytes"),
            *("core.model.layer_kinds.windowed_attention", "core.topics.layer_costs.analysis.fit_power"),
        ),
    )


ABOUT = (
    "A pass runs forward and backward, as in training, 3 to 9 times at each size.",
    "Points: the median of the rounds; strokes: from the lower to the upper quartile. An exponent is the slope of the "
    "line through the four largest sizes on logarithmic axes, by least squares, with its 95% interval from Student's "
    "t: how well four points fix a line, on a machine that also does other work.",
    "Memory, on a CPU: the bytes that the forward pass keeps for the backward pass, without weights and input; on a "
    "GPU: the most that a pass held at once. Self-attention makes its n × n weights in the open. Windowed attention "
    "goes in blocks of r queries with 2r − 1 keys each, and makes no n × n matrix.",
    "A layer stops growing where its next size would take more than a second, or more memory than a run may use.",
)


@dataclass(frozen=True)
class LayerBench:
    """A benchmark of layers, started by a button: its settings, and the parts that show its result."""

    sizes: LayerSizes
    along: str
    kinds: tuple[str, ...]
    device: str

    def button(self) -> JobButton:
        """Return the button that measures, above the last measurement with these settings."""
        return JobButton(BENCH, self, self.job, self._tell, found=self._show_measured)

    @property
    def largest_counts(self) -> dict[str, int]:
        """The counted operations of each kind at its largest size."""
        return {task.kind: task.operations for task in self.tasks}  # the largest size of a kind is its last

    def bars(self) -> Chart:
        """Return the operations of each kind at the largest size as bars."""
        kinds, operations = zip(*self.largest_counts.items(), strict=True)
        title = f"Operations at the largest {self.along}, counted"
        drawn = spec(bars_spec, "layer", title, "operations of one forward pass", False, SIZE)
        data = operation_bars_data(kinds, operations, [counted(number) for number in operations])
        return Chart(data, drawn, "layer-costs-largest", title)

    def job(self) -> Job[tuple[LayerTiming, ...]]:
        return Job(partial(queries.measured_layers, self.tasks, self.device, MEASURE_SECONDS), alone=True)

    def _tell(self, done: tuple[LayerTiming, ...]) -> tuple[float, str]:
        latest = done[-1]
        share = sum(timing.spent for timing in done) / MEASURE_SECONDS
        return share, f"{latest.kind}, {self.along} = {latest.at:,}: {len(latest.rounds)} rounds"

    def _show_measured(self, timings: tuple[LayerTiming, ...] | None) -> list[Part]:
        if not timings:
            return [Caption("Not measured yet. Until then, here are the operations at every size:"), self._counted()]
        measured, count = MeasuredLayers(self.along, timings), len(timings)
        quickest = [Takeaway(read_layer_times(self.along, *measured.together))] if measured.together else []
        crossing = [Takeaway(read_crossing(self.along, self._fixed, *measured.crossed))] if measured.crossed else []
        extent = "one layer at one size" if count == 1 else f"{count} pairs of a layer and a size"
        return [
            *quickest,
            Columns([[self._chart(measured, "time")], [self._chart(measured, "memory")]]),
            *crossing,
            Markdown(write_growth(self.along, measured.fits, measured.counted_fits, measured.largest)),
            Caption(f"Measured on this server's {plain(self.device)} in float32: {extent}."),
            Numbers(Table("layers measured", *measured.table, corner="layer"), "layer-costs-measured"),
        ]

    @property
    def tasks(self) -> tuple[TimingTask, ...]:
        return layer_tasks(self.kinds, self.along, self.sizes)

    @property
    def _fixed(self) -> int:
        """The size that stays the same: d if n grows, otherwise n."""
        return self.sizes.d if self.along == "n" else self.sizes.n

    def _chart(self, measured: MeasuredLayers, quantity: str) -> Chart:
        lines = []
        for kind, timings in measured.of_kind.items():
            sizes = np.array([timing.at for timing in timings])
            mebibytes = np.array([timing.bytes / MIB for timing in timings])
            low, middle, high = np.array([timing.milliseconds for timing in timings]).T
            lines.append(
                CostLine(kind, sizes, middle, low, high) if quantity == "time" else CostLine(kind, sizes, mebibytes)
            )
        titles = {
            "time": ("How long does a pass take?", "milliseconds"),
            "memory": ("How much is kept?", "memory, in MiB"),
        }
        picture = spec(cost_lines_spec, titles[quantity][0], AXES[self.along], titles[quantity][1], POWER, points=True)
        rules = [(float(self._fixed), "n = d")]
        return Chart(cost_lines_data(lines, rules), picture, key=f"layer-costs-{quantity}", name=titles[quantity][0])

    def _counted(self) -> Chart:
        """Return a chart of the operations of the same layers over the same sizes."""
        lines = []
        for kind in self.kinds:
            tasks = [task for task in self.tasks if task.kind == kind]
            counts = [task.operations for task in tasks]
            lines.append(CostLine(kind, np.array([task.at for task in tasks]), np.array(counts)))
        picture = spec(cost_lines_spec, "Multiply-adds of one forward pass, counted", AXES[self.along], "operations")
        rules = [(float(self._fixed), "n = d")]
        return Chart(cost_lines_data(lines, rules), picture, key="layer-costs-counted", name="Counted operations")


AXES = {"n": "n: positions", "d": "d: width"}


VIEW = View("measured", _show, _controls, player=BENCH, reads_text=False)
