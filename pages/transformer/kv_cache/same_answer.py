"""The view of the same answer: logits with the cache against logits without, at every step."""

import numpy as np

from core.charts.kv_lines import kv_lines_data, kv_lines_spec
from core.readings.kv_cache import read_same, write_logit_difference
from core.topics.kv_cache.moment import Moment
from core.topics.kv_cache.records import CacheCheck
from pages.canvas import Token, TokenButtons
from pages.shell import Shown, View
from pages.transformer.kv_cache import queries
from pages.widgets import Chart, Markdown, Part, Table, Values, spec

LOGITS = "largest difference of a logit"


def _show(moment: Moment, values: Values) -> Shown:
    """Show the largest difference of a logit at every step, and the token that both would choose."""
    run, comparison = moment.run, queries.check_cache(moment.run, moment.ids, moment.start)
    lengths, largest, dtype = comparison.lengths, comparison.largest, run.placement.dtype
    title, value = "How far are the logits apart?", "largest difference"
    lines = spec(kv_lines_spec, title, value, (LOGITS,), measured=True, first=False, max_value=comparison.size)
    data = kv_lines_data(lengths, [(LOGITS, np.array(comparison.difference))], moment.length)
    coarse = f"In {dtype} numbers have few digits, so the order of additions shows."
    return Shown(
        pictures=[*_written(comparison), Chart(data, lines, key="kv-cache-logits", name="Difference of the logits")],
        takeaway=read_same(len(lengths), comparison.agreed, largest, comparison.size),
        notes=[None if dtype == "float32" else coarse],
        formula=write_logit_difference(largest, lengths[0], lengths[-1], run.config.vocab_size),
        about="With: the beginning is read at once, then token by token, keys and values kept. Without: one pass over "
        "the whole text, nothing kept. The same numbers are added up in another order; that is all that differs.",
        table=[
            Table("logits", *comparison.table, corner="tokens read: next with | without"),
            Table("size", *comparison.size_table, corner="of all"),
        ],
        source=("core.topics.kv_cache.steps.check_cache",),
    )


def _written(comparison: CacheCheck) -> list[Part]:
    """Return the tokens that both ways choose, one row above the other; a token is filled where both are the same."""
    same = [cached == plain for cached, plain in zip(comparison.with_cache, comparison.without, strict=True)]
    parts: list[Part] = []
    for name, key, pieces in (
        ("With the cache", "kept", comparison.with_cache),
        ("Without a cache", "anew", comparison.without),
    ):
        tokens = [
            Token(piece, "the same both ways" if both else "another one than the other way", float(both))
            for piece, both in zip(pieces, same, strict=True)
        ]
        parts += [Markdown(f"**{name}** the model chooses, step by step:")]
        parts += [TokenButtons(tokens, key=f"kv-cache-{key}", name=f"Chosen {name.lower()}", hue="k")]
    return parts


VIEW = View("same answer", _show)
