"""Remember that a visitor clicks on drawings: the next answer brings frames, with which the browser answers by itself.

Any other change, such as another text, ends this until the next click on a drawing.
"""

from dataclasses import dataclass, field
from typing import Any

from pages.session.visit import visit_part


@dataclass
class AskedFrames:
    """What a visitor's next answer is to bring, and what was drawn for it before.

    asked: whether the next run of the script sends frames.
    about: the page, the view and the run that `states` and `are_too_large` belong to.
    states: what was drawn, by the values of all settings.
    are_too_large: whether the frames would take more bytes than may be sent.
    """

    asked: bool = False
    about: Any = None
    states: dict[Any, Any] = field(default_factory=dict)
    are_too_large: bool = False

    def take(self) -> bool:
        """Return whether this run of the script sends frames; once for each run."""
        asked, self.asked = self.asked, False
        return asked

    def look_at(self, about: Any) -> None:
        """Forget what was drawn for another page, view or run."""
        if self.about != about:
            self.about, self.states, self.are_too_large = about, {}, False


def ask_for_frames() -> None:
    """Ask for frames in the next run of the script."""
    visit_part(AskedFrames).asked = True


def asked_frames() -> AskedFrames:
    """Return what this visitor has asked for."""
    return visit_part(AskedFrames)
