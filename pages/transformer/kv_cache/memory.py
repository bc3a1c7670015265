"""The view of the cache's bytes, as the text and the number of texts grow, beside those of the weights."""

from collections.abc import Iterator

from core.charts.kv_lines import PLAIN_NUMBER, kv_lines_data, kv_lines_spec
from core.readings.kv_cache import read_bytes, write_cache_bytes
from core.topics.kv_cache.costs import memory_along
from core.topics.kv_cache.moment import Moment
from core.topics.kv_cache.records import STORED
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.transformer.kv_cache.settings import BATCH
from pages.widgets import Chart, Control, Table, Values, control, spec


def _controls(moment: Moment, values: Values) -> Iterator[Control]:
    yield control(BATCH, width=320)


def _show(moment: Moment, values: Values) -> Shown:
    """Show the bytes that are kept at every length of the text."""
    config, length, limit, batch = moment.run.config, moment.length, moment.limit, values[BATCH]
    memory = core_call(memory_along, config, length, limit, moment.source, batch, moment.run.placement.dtype)
    data = kv_lines_data(memory.lengths, memory.lines, length)
    lines = spec(kv_lines_spec, "How large is what is kept?", "memory, in MiB", (STORED,), PLAIN_NUMBER)
    sizes = (config.depth("decoder"), config.n_kv_heads, config.key_width, config.value_width)
    crossed = "L counts the source's tokens too: cross-attention keeps their keys and values, made once."
    return Shown(
        pictures=[Chart(data, lines, key="kv-cache-bytes", name="Bytes of the cache")],
        takeaway=read_bytes(length, batch, limit, memory.now, memory.token, int(memory.kept[-1]), memory.weights),
        formula=write_cache_bytes(*sizes, length + moment.source, batch, memory.number),
        about=[
            crossed if moment.source else "",
            "The cache costs memory to save operations: long texts, and many of them at once, fill it.",
        ],
        table=Table("memory", *memory.table, corner="tokens"),
        source=("core.analysis.kv_costs.cache_bytes",),
    )


VIEW = View("memory", _show, _controls)
