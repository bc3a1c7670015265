"""What is kept: bytes, as the text and the number of texts grow, beside those of the weights."""

from collections.abc import Iterator

import numpy as np

from core.charts.kv_lines import PLAIN, kv_lines_data, kv_lines_spec
from core.explorer.kv_cache.costs import memory_along
from core.explorer.kv_cache.records import CacheMemory
from core.readings.kv_cache import read_bytes
from pages.shell import Shown
from pages.transformer.kv_cache.moment import Moment
from pages.transformer.kv_cache.settings import BATCH
from pages.widgets import Chart, Control, Table, Values, control, spec

MIB = 2**20
STORED = ("the cache", "the model's weights")


def memory_controls(moment: Moment, values: Values) -> Iterator[Control]:
    yield control(BATCH, width=320)


def show_memory(moment: Moment, values: Values) -> Shown:
    """The bytes that are kept at every length of the text."""
    batch = values[BATCH]
    dtype = moment.run.placement.dtype
    found = memory_along(moment.run.config, moment.length, moment.limit, moment.source, batch, dtype)
    weights = np.full(len(found.lengths), found.weights)
    lines = list(zip(STORED, (found.kept / MIB, weights / MIB), strict=True))
    crossed = "L counts the source's tokens too: cross-attention keeps their keys and values, made once."
    return Shown(
        pictures=[
            Chart(
                kv_lines_data(found.lengths, lines, moment.length),
                spec(kv_lines_spec, "How large is what is kept?", "MiB", STORED, PLAIN),
                key="kv-cache-bytes",
                name="Bytes of the cache",
            )
        ],
        takeaway=read_bytes(
            moment.length, batch, moment.limit, found.now, found.token, int(found.kept[-1]), found.weights
        ),
        formula=_formula(moment, batch, found),
        about=[
            crossed if moment.source else "",
            "This is the price: the cache trades memory for operations. Long texts and many readers fill it.",
        ],
        table=Table(
            "memory",
            np.stack([found.kept, weights], axis=1),
            [f"{length}" for length in found.lengths],
            ("cache, bytes", "weights, bytes"),
            corner="tokens",
        ),
        source=("core.analysis.kv_costs.cache_bytes",),
    )


def _formula(moment: Moment, batch: int, found: CacheMemory) -> str:
    config, now = moment.run.config, f"{found.now:,}".replace(",", "{,}")
    return (
        r"\text{bytes} = N \cdot H \cdot (d_k + d_v) \cdot L \cdot B \cdot \text{width}"
        rf"\qquad = {config.layers} \cdot {config.heads} \cdot ({config.key_width} + {config.value_width}) \cdot "
        rf"{moment.length + moment.source} \cdot {batch} \cdot {found.number} \qquad = {now}"
    )
