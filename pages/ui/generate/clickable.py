"""A chart whose marks can be clicked."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st


def clickable(key: str, data: pd.DataFrame, spec: dict[str, Any], on_pick: Callable[[int], None]) -> None:
    """Draw a chart that has a selection "picked" with the field "place"; `on_pick(place)` runs before the rerun."""

    def picked() -> None:
        chosen = st.session_state[f"{key}-chart"]["selection"].get("picked")
        if chosen:
            on_pick(int(chosen[0]["place"]))

    with st.container(key=key):
        st.vega_lite_chart(data, spec, width="stretch", key=f"{key}-chart", on_select=picked, selection_mode="picked")
