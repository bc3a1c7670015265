"""The mask that a visitor has chosen and painted, and the attention that it acts on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.mask_painting import decode_painting, stroke
from core.device import processors
from core.explorer.masks.experiments import estimate_seconds
from core.explorer.masks.records import Painted
from core.explorer.shared.places import Place
from core.model.config import TransformerConfig
from core.model.masks import MaskSpec
from core.readings.masks import read_mask
from core.tracing.run import Run
from pages.canvas.mask_paint.mask_paint import MaskPaint, Stroke
from pages.ui.address import fits
from pages.ui.choices import VIVID
from pages.ui.masks import cache
from pages.ui.masks.choices import MROW, PAINTED, PATIENT, PRESET, SIZES
from pages.ui.place import HEAD, LAYER
from pages.ui.say import notes
from pages.ui.settings import Setting, ask

REFUSED = "mpaint-refused"
NEAR_ONE = 0.95
WAIT = 3  # seconds
ROUND_IT = 1.35  # measured: what the page takes beside the model
RUNNING = "Running the model…"


@dataclass(frozen=True)
class Chosen:
    """A run with the page's own mask, the attention looked at, and what was painted on the mask."""

    run: Run
    place: Place
    preset: str
    painting: str

    @property
    def name(self) -> str:
        """As it is called on screen: "sliding window 2, painted"."""
        return named(self.preset, self.run) + (", painted" if self.painting else "")

    def under(self, preset: str) -> Run:
        """The same tokens under another preset, with the sizes that the visitor has set."""
        return replace(self.run, mask=replace(self.run.mask, kinds=kinds(preset)))


def named(preset: str, run: Run) -> str:
    sizes = {"sliding window": run.mask.window, "prefix": run.mask.prefix, "block": run.mask.block}
    return f"{preset} {sizes[preset]}" if preset in sizes else preset


def kinds(preset: str) -> tuple[str, ...]:
    """A preset by its name in the core."""
    return () if preset == "none" else (preset.replace(" ", "_"),)


def choose_head(run: Run) -> Place:
    """The head of the last self-attention whose weights are shown."""
    layer = int(ask(LAYER, options=LAYER.options[: run.config.layers]))
    head = int(ask(HEAD, options=HEAD.options[: run.config.heads]))
    return Place(run.config.stacks[-1], layer - 1, head - 1)


def choose(run: Run, place: Place, presets: Setting = PRESET, with_row: bool = False) -> Chosen:
    """The frame's run with this page's mask in place of its own. presets: the setting that names the mask."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        preset = ask(presets)
        if preset in SIZES:
            ask(SIZES[preset], width=150)
        if with_row:
            ask(MROW, width=170, placeholder="middle")
    window, prefix, block = (_size(kind) for kind in ("sliding window", "prefix", "block"))
    mask = MaskSpec(kinds(preset), window, prefix, block)
    own = replace(run, mask=mask, pads=_size("padding") if preset == "padding" else 0)
    return Chosen(own, place, preset, painting() if presets is PRESET else "")


def worth(config: TransformerConfig, length: int, passes: float) -> bool:
    """Whether to run the model so often: asked where that takes longer than anyone waits unasked."""
    seconds = ROUND_IT * estimate_seconds(config, length, passes) / processors()
    if seconds < WAIT:
        return True
    wanted = bool(ask(PATIENT))
    notes([None if wanted else f"This model needs about {seconds:.0f} seconds for it here."])
    return wanted


def chosen_row(length: int) -> int:
    """The query that the visitor looks at."""
    row = st.session_state.get(MROW.key)
    return length // 2 if row is None else min(int(row), length - 1)


def set_row(_: str, row: int, __: int) -> None:
    """Look at this row; for the pictures' on_pick."""
    st.session_state[MROW.key] = row


def ask_scale(place: DeltaGenerator, *patterns: np.ndarray) -> None:
    """Whether to scale the colours of these patterns, asked only where no weight is near 1 already."""
    if max(pattern.max() for pattern in patterns) < NEAR_ONE:
        with place:
            ask(VIVID)


def darkest(*patterns: np.ndarray) -> float | None:
    """The weight that these pictures share as their darkest colour: None, which is 1, unless it is scaled to them."""
    return max(float(pattern.max()) for pattern in patterns) or None if st.session_state.get(VIVID.key) else None


def paintable(chosen: Chosen, outlined: int | None) -> None:
    """The mask to paint on, how much it hides, and the painting's letters."""
    record = cache.painted(chosen.run, chosen.painting)
    refused = st.session_state.pop(REFUSED, "")

    MaskPaint(
        record.mask,
        record.base,
        record.tokens.labels,
        key="mask-paint",
        name=f"Mask: {chosen.name}",
        title=f"The mask: {chosen.name}",
        sets=lambda strokes: repaint(record, strokes),
        outlined=outlined,
        refused=refused,
    ).draw()
    st.caption(read_mask(record.mask, record.base))
    notes([refused])
    with st.container(horizontal=True, gap="small"):
        with st.popover("Painting", icon=":material/brush:"):
            ask(PAINTED)
        if chosen.painting:
            st.button("Clear the painting", on_click=clear, icon=":material/undo:", type="tertiary")


def repaint(record: Painted, strokes: Sequence[Stroke]) -> None:
    """Add strokes to the painting; where one cannot be kept, say so at the next run."""
    text, _ = _written()
    try:
        for cells, may in strokes:
            text = stroke(text, record.base, cells, may)
    except ValueError as mistake:
        st.session_state[REFUSED] = str(mistake)
    st.session_state[PAINTED.key] = text


def clear() -> None:
    st.session_state[PAINTED.key] = ""


def _size(kind: str) -> int:
    """As its widget has it, or as it stands in the address until that is drawn."""
    setting = SIZES[kind]
    asked = st.session_state.get(setting.key, st.query_params.get(setting.key))
    return int(asked) if asked is not None and fits(setting, str(asked)) else int(setting.default)


def painting() -> str:
    """The painting of the address, or none where it cannot be used; then it is said why."""
    text, refusal = _written()
    notes([refusal])
    return text


def _written() -> tuple[str, str]:
    """The painting as it stands and "", or "" and why what is written there is none."""
    text = (st.session_state.get(PAINTED.key, st.query_params.get(PAINTED.key)) or "").strip()
    try:
        decode_painting(text)
    except ValueError as mistake:
        return "", str(mistake)
    return text, ""
