"""The mask as a picture whose cells can be opened and closed by hand, beside the pictures of a view."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from core.topics.masks.painting import painted_on, usable
from core.topics.masks.readings import read_mask
from core.tracing.run import Run
from pages.attention.masks.chosen import chosen
from pages.attention.masks.settings import PAINTING
from pages.canvas import MaskPaint, Stroke
from pages.session.visit import visit_part
from pages.shell.url import current_values
from pages.widgets import Button, Caption, Notes, Part, Popover, Row, SettingPart, Values

AS_LETTERS = "A painting can be written as letters. Copy them to keep it, or paste those of another one here."


@dataclass
class LastStroke:
    """The reason why this visitor's last stroke failed, until it has been shown; "" if the stroke did not fail."""

    refusal: str = ""


def brush(run: Run, values: Values, outlined: bool = False) -> Sequence[Part]:
    """Return the parts for painting on the mask: the mask, a sentence on how much it hides, and the painting as text.

    outlined: whether the row that the view shows is framed.
    """
    mask, last = chosen(run, values), visit_part(LastStroke)
    refused, last.refusal = last.refusal, ""
    painted, label, icon = mask.painted, "Paste a painting", ":material/content_paste:"
    clear = []
    if mask.painting:
        clear = [Button("Clear the painting", "masks-clear", lambda: {PAINTING.key: ""}, ":material/undo:")]
        label, icon = "Copy the painting", ":material/content_copy:"
    picture = MaskPaint(
        painted.mask,
        painted.base,
        painted.tokens.labels,
        key="mask-paint",
        name=f"Mask: {mask.name}",
        title=f"The mask: {mask.name}",
        sets=partial(repainted, painted.base),
        outlined=mask.row if outlined else None,
        refused=refused,
    )
    return [
        picture,
        Caption(read_mask(painted.mask, painted.base)),
        Notes([refused, mask.refusal]),
        Row([*clear, Popover(label, icon, [Caption(AS_LETTERS), SettingPart(PAINTING)])]),
    ]


def repainted(base: np.ndarray, strokes: Sequence[Stroke]) -> dict[str, Any]:
    """Return the settings after these strokes on the painting as it is now.

    The painting on the screen may be older than the stroke before.

    base (L, L): the mask under the painting.
    """
    painting, _ = usable(current_values([PAINTING])[PAINTING] or "")
    return settings_after(*painted_on(painting, base, strokes))


def settings_after(letters: str, refusal: str) -> dict[str, Any]:
    """Return the settings after a stroke.

    letters: the painting after it.
    refusal: why the stroke could not be kept; "" if it was.
    """
    visit_part(LastStroke).refusal = refusal
    return {PAINTING.key: letters}
