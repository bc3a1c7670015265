"""The description of a view of a page, and of the parts that it shows. Nothing here calls Streamlit."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from core.export.asked import PATTERN
from core.export.script_parts import ScriptParts
from core.tracing.run import Run
from pages.canvas import Panel
from pages.widgets import AnyTable, Control, Part, Setting, Values


@dataclass(frozen=True, eq=False)
class Shown:
    """The parts that a view shows. The layout draws them in the same order on every page.

    pictures: canvas panels, charts, and the parts between them.
    lead: two or three plain sentences above the pictures.
    click: what a click on the pictures does, said after the lead in the app; a saved file has no such sentence.
    arithmetic: the calculation of the number that the visitor opened, in lines.
    takeaway: one sentence made from the data, or several.
    notes: notes about what was cut or left out; None is skipped.
    formula: LaTeX with the shapes of this run; \\qquad separates its parts.
    about: how to read the picture, markdown, one paragraph each.
    table: the numbers.
    source: the functions that ran, by their dotted paths below core.
    pattern: the attention pattern that the view is about, if there is one; a pinned one is subtracted from it.

    lead, click and about are the project's own markdown: text that people typed goes through `plain` first.
    """

    pictures: Sequence[Part] = ()
    lead: str = ""
    click: str = ""
    arithmetic: str = ""
    takeaway: str | Sequence[str] = ()
    notes: Sequence[str | None] = ()
    formula: str = ""
    about: str | Sequence[str] = ()
    table: AnyTable | Sequence[AnyTable] = ()
    source: Sequence[str] = ()
    pattern: Panel | None = None

    @property
    def said(self) -> list[str]:
        """The sentences made from the data; the first is drawn above the pictures."""
        return [self.takeaway] * bool(self.takeaway) if isinstance(self.takeaway, str) else list(self.takeaway)


def no_controls(subject: Any, values: Values) -> Iterable[Control]:
    """Return no controls, for a view without settings."""
    return ()


# Whether something is read: a bool; only if a setting is not at its default; or only if a setting has one value.
Reads: TypeAlias = bool | Setting | tuple[Setting, str]


@dataclass(frozen=True)
class View:
    """A view of a page: a name among the "Look at" pills, its controls, and the function that makes its parts.

    In the functions below, subject is the object that the page looks at: its run, or the result of `Page.subject`.

    show: show(subject, values) makes the parts.
    controls: controls(subject, values) yields the controls one by one; the value of each is in `values` before the next
        is made.
    seconds: seconds(subject, values) estimates how long the parts take on this machine; a view of several seconds is
        made only when the visitor asks for it.
    aside: aside(subject, values) returns parts to the left of the first picture, drawn before the view is made; they
        stay if that takes long or fails.
    player: the name of its player, which stops when another view is shown.
    reads_text, uses_model, reads_mask: whether the visitor's text, the model, and the mask chosen in the sidebar have
        any part in it; controls without effect are not shown.
    reads_target: as `Page.reads_target`, which applies if this is None.
    export: what its script draws, as in `core.export.asked.Asked`, or export(values), which returns that.
    script: script(run, values) makes the script of a view that shows no run of a transformer.
    """

    name: str
    show: Callable[[Any, Values], Shown]
    controls: Callable[[Any, Values], Iterable[Control]] = no_controls
    seconds: Callable[[Any, Values], float] | None = None
    aside: Callable[[Any, Values], Sequence[Part]] | None = None
    player: str = ""
    reads_text: Reads = True
    uses_model: bool = True
    reads_mask: bool = True
    reads_target: Reads | None = None
    export: str | Callable[[Values], str] = PATTERN
    script: Callable[[Run, Values], ScriptParts] | None = None
