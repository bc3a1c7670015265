"""Remember whether the browser is to get the frames of the drawings on the screen, so that it can answer clicks itself.

A pointer that comes near a drawing asks for them; a click on a drawing that has them asks for those around what it
leads to. After any other change, such as another text, nobody may click, and a pointer has to come near again.
"""

from dataclasses import dataclass, field
from typing import Any

from pages.session.visit import visit_part


@dataclass
class AskedFrames:
    """asked: whether the next run of the script sends frames.

    were_sent: whether the last run did.
    about: what the states are of.
    states: what has been drawn for the frames so far, by the values of all settings.
    """

    asked: bool = False
    were_sent: bool = False
    about: Any = None
    states: dict[Any, Any] = field(default_factory=dict)


def ask_for_frames() -> None:
    """Let the drawings have their frames in the next run of the script."""
    visit_part(AskedFrames).asked = True


def keep_frames() -> None:
    """Let the drawings have frames in the next run of the script if they have some now."""
    held = visit_part(AskedFrames)
    held.asked = held.were_sent


def take_frames_wish() -> bool:
    """Return whether this run of the script sends frames; once for each run."""
    held = visit_part(AskedFrames)
    held.asked, held.were_sent = False, held.asked
    return held.were_sent


def drawn_states(about: Any) -> dict[Any, Any]:
    """Return the states that have been drawn of a view and a run, to look up and to add to; none if they are others."""
    held = visit_part(AskedFrames)
    if held.about != about:
        held.about, held.states = about, {}
    return held.states
