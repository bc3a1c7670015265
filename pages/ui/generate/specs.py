"""The charts of the page Generate, built once."""

from functools import cache
from typing import Any

from core.charts import along_text, draw_bar, stage_bars


@cache
def along_text_spec() -> dict[str, Any]:
    return along_text.along_text_spec()


@cache
def lens_spec() -> dict[str, Any]:
    return along_text.lens_spec()


@cache
def draw_bar_spec() -> dict[str, Any]:
    return draw_bar.draw_bar_spec()


@cache
def stage_bars_spec() -> dict[str, Any]:
    return stage_bars.stage_bars_spec()
