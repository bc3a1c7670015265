"""One thing to look at on a page, and the plain parts that it shows. Nothing here calls Streamlit."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pages.canvas import Panel
from pages.widgets import AnyTable, Control, Part, Setting, Values


@dataclass(frozen=True, eq=False)
class Shown:
    """What a view shows. The layout draws the parts in one order on every page.

    lead: two or three plain sentences above the pictures. pictures: canvas panels, charts, and what stands between
    them. arithmetic: how the number that was opened came about, in lines. takeaway: one sentence made from the data,
    or several. notes: what was cut or left out; None is skipped. formula: LaTeX with the shapes of this run; \\qquad
    parts it. about: how to read the picture, markdown, one paragraph each. table: the numbers. source: the functions
    that ran, by their dotted paths below core. pattern: the attention pattern that the view is about, if there is one;
    a pinned one is subtracted from it. afterwards: what is computed when all this has been drawn, for the next drawing.

    lead and about are the project's own markdown: what people typed goes through `plain` first.
    """

    pictures: Sequence[Part] = ()
    lead: str = ""
    arithmetic: str = ""
    takeaway: str | Sequence[str] = ()
    notes: Sequence[str | None] = ()
    formula: str = ""
    about: str | Sequence[str] = ()
    table: AnyTable | Sequence[AnyTable] = ()
    source: Sequence[str] = ()
    pattern: Panel | None = None
    afterwards: Callable[[], object] | None = None

    @property
    def said(self) -> list[str]:
        """The sentences made from the data; the first stands above the pictures."""
        return [self.takeaway] * bool(self.takeaway) if isinstance(self.takeaway, str) else list(self.takeaway)


def no_controls(subject: Any, values: Values) -> Iterable[Control]:
    """A view without settings."""
    return ()


Reads: TypeAlias = bool | Setting | tuple[Setting, str]


@dataclass(frozen=True)
class View:
    """A view of a page: a name among the "Look at" pills, the controls that it asks for, and what it shows.

    subject is what the page looks at: its run, or what `Page.subject` makes of it. controls(subject, values) yields
    them one by one; the value of each is in `values` before the next is made. show(subject, values) makes the parts.
    seconds(subject, values): about how long that takes on this machine; a view of several seconds is made only when
    the visitor asks for it. aside(subject, values): what stands to the left of the first picture. It is drawn before
    the view is made, and stays where that takes long or fails. player: the name of its player, which does not play on
    beside another view. reads_text, uses_model, reads_mask: whether the visitor's text, the model, and the mask chosen
    in the drawer have any part in it; controls without effect are not shown. reads_target: as `Page.reads_target`,
    where it is not None. What is read only at some settings names the setting, for any value but its default, or the
    setting and one value.
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
