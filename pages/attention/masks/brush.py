"""The mask to paint on, beside the pictures of a view."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.topics.masks.painting import painted_on, usable
from core.topics.masks.readings import read_mask
from core.topics.masks.records import Painted
from core.tracing.run import Run
from pages.attention.masks.chosen import chosen
from pages.attention.masks.settings import PAINTED
from pages.canvas import MaskPaint, Stroke
from pages.session.visit import visit_part
from pages.widgets import Button, Part, Values, draw_widget, notes

AS_LETTERS = "A painting can be written as letters. Copy them to keep it, or paste those of another one here."


def brush(run: Run, values: Values, outlined: bool = False) -> Sequence[Part]:
    """Return the mask to paint on.

    outlined: whether the row that the view looks at has a frame.
    """
    mask = chosen(run, values)
    return [Brush(mask.painted, mask.name, mask.painting, mask.refusal, mask.row if outlined else None)]


@dataclass
class LastStroke:
    """Why this visitor's last stroke could not be kept, until that has been shown; "" if it was."""

    refusal: str = ""


@dataclass(frozen=True, eq=False)
class Brush:
    """The mask to paint on, how much it hides, and the painting's letters.

    name: the mask's name on screen.
    painting: the letters that take effect.
    refusal: why the letters in the address take no effect; "" if they do.
    outlined: the row with a frame.
    """

    mask: Painted
    name: str
    painting: str
    refusal: str
    outlined: int | None = None

    def draw(self) -> None:
        mask, last = self.mask, visit_part(LastStroke)
        refused, last.refusal = last.refusal, ""
        MaskPaint(
            mask.mask,
            mask.base,
            mask.tokens.labels,
            key="mask-paint",
            name=f"Mask: {self.name}",
            title=f"The mask: {self.name}",
            sets=self._repainted,
            outlined=self.outlined,
            refused=refused,
        ).draw()
        st.caption(read_mask(mask.mask, mask.base))
        notes([refused, self.refusal])
        with st.container(horizontal=True, gap="small"):
            if self.painting:
                Button("Clear the painting", "masks-clear", lambda: {PAINTED.key: ""}, ":material/undo:").draw()
            label, icon = (
                ("Copy the painting", "content_copy") if self.painting else ("Paste a painting", "content_paste")
            )
            with st.popover(label, icon=f":material/{icon}:"):
                st.caption(AS_LETTERS)
                draw_widget(PAINTED)

    def _repainted(self, strokes: Sequence[Stroke]) -> dict[str, Any]:
        """Return the settings after these strokes on the painting as it is now.

        The painting of this object may be older than the stroke before.
        """
        now, _ = usable(st.session_state.get(PAINTED.key) or "")
        return settings_after(*painted_on(now, self.mask.base, strokes))


def settings_after(letters: str, refusal: str) -> dict[str, Any]:
    """Return the settings after a stroke.

    letters: the painting after it.
    refusal: why the stroke could not be kept; "" if it was.
    """
    visit_part(LastStroke).refusal = refusal
    return {PAINTED.key: letters}
