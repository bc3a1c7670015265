"""The same answer: logits with the cache against logits without, at every step."""

import numpy as np

from core.charts.kv_lines import TINY, kv_lines_data, kv_lines_spec
from core.readings.kv_cache import read_same
from pages.shell import Shown
from pages.transformer.kv_cache import queries
from pages.transformer.kv_cache.moment import Moment
from pages.widgets import Chart, Table, Values, spec

LOGITS = ("largest difference of a logit",)


def show_same(moment: Moment, values: Values) -> Shown:
    """The largest difference of a logit at every step, and the token that both would choose."""
    run, found = moment.run, queries.check_cache(moment.run, moment.ids, moment.start)
    differences, steps = np.array(found.difference), len(found.lengths)
    pairs = list(zip(found.lengths, found.with_cache, found.without, strict=True))
    dtype = run.placement.dtype
    coarse = f"In {dtype} numbers have few digits, so the order of additions shows."
    return Shown(
        pictures=[
            Chart(
                kv_lines_data(found.lengths, [(LOGITS[0], differences)], moment.length),
                spec(
                    kv_lines_spec,
                    "How far are the logits apart?",
                    "largest difference",
                    LOGITS,
                    TINY,
                    measured=True,
                    first=False,
                ),
                key="kv-cache-logits",
                name="Difference of the logits",
            )
        ],
        takeaway=read_same(steps, found.agreed, float(differences.max()), found.size),
        notes=[None if dtype == "float32" else coarse],
        formula=r"\max_{t,\,v} \big|\, \ell^{\text{with}}_{t,v} - \ell^{\text{without}}_{t,v} \,\big|"
        rf" = \text{{{differences.max():.2g}}} \qquad t = {found.lengths[0]} \ldots {found.lengths[-1]}"
        rf"\qquad V = {run.config.vocab_size}",
        about="With: the beginning is read at once, then token by token, keys and values kept. Without: one pass over "
        "the whole text, nothing kept. The same numbers are added up in another order; that is all that differs.",
        table=Table(
            "logits",
            np.stack([differences, [float(mine == other) for _, mine, other in pairs]], axis=1),
            [f"{length}: {mine} | {other}" for length, mine, other in pairs],
            ("largest difference", "same token (1: yes)"),
            corner="tokens read: next with | without",
        ),
        source=("core.explorer.kv_cache.steps.check_cache",),
    )
