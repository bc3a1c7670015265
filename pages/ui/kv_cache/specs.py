"""The charts of the page KV cache, built once."""

from functools import cache
from typing import Any

from core.charts.kv_lines import PLAIN, TINY, kv_lines_spec
from core.charts.kv_pairs import kv_pairs_spec
from pages.ui.kv_cache.moment import KINDS

MOVES = ("under the causal mask", "without it")
STORED = ("the cache", "the model's weights")
LOGITS = ("largest difference of a logit",)


@cache
def moves() -> dict[str, Any]:
    return kv_pairs_spec("How far do old keys and values move?", "largest difference", "layer", MOVES, PLAIN)


@cache
def terms() -> dict[str, Any]:
    return kv_pairs_spec("What does this step compute?", "multiply-adds", "part", KINDS)


@cache
def operations() -> dict[str, Any]:
    return kv_lines_spec("Operations of one more token, counted", "multiply-adds", KINDS)


@cache
def memory() -> dict[str, Any]:
    return kv_lines_spec("How large is what is kept?", "MiB", STORED, PLAIN)


@cache
def time() -> dict[str, Any]:
    return kv_lines_spec("Time of one more token, measured", "milliseconds", KINDS, PLAIN, measured=True)


@cache
def difference() -> dict[str, Any]:
    return kv_lines_spec(
        "How far are the logits apart?", "largest difference", LOGITS, TINY, measured=True, first=False
    )
