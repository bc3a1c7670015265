"""Remember whether the drawings on the screen are to get frames, with which the browser answers clicks by itself.

The browser asks for them when a pointer comes near a drawing. A click on a drawing that has frames asks again, for
those of the clicks that may follow. Any other change, such as another text, ends this until a pointer comes near again.
"""

from dataclasses import dataclass, field
from typing import Any

from pages.session.visit import visit_part


@dataclass
class AskedFrames:
    """What a visitor's browser has asked for, and what was drawn for it.

    asked: whether the next run of the script sends frames.
    were_sent: whether the last run did.
    about: the page, the view and the run that `states` and `are_too_large` belong to.
    states: what was drawn, by the values of all settings.
    are_too_large: whether the frames would take more bytes than may be sent.
    """

    asked: bool = False
    were_sent: bool = False
    about: Any = None
    states: dict[Any, Any] = field(default_factory=dict)
    are_too_large: bool = False


def ask_for_frames() -> None:
    """Ask for frames in the next run of the script."""
    visit_part(AskedFrames).asked = True


def keep_frames() -> None:
    """Ask for frames in the next run of the script if the drawings have some now."""
    held = visit_part(AskedFrames)
    held.asked = held.were_sent


def asked_frames(about: Any) -> AskedFrames:
    """Return what this visitor has asked for; call it once in each run of the script, and read `were_sent` of it.

    about: the page, the view and the run; what was drawn for others is forgotten.
    """
    held = visit_part(AskedFrames)
    held.asked, held.were_sent = False, held.asked
    if held.about != about:
        held.about, held.states, held.are_too_large = about, {}, False
    return held
