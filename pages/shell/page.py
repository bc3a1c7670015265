"""Everything that the app needs to know of a page."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from core.explorer.shared.places import Place
from core.explorer.shared.run_from_choices import ARCHITECTURES
from core.tracing.run import Run
from pages.shell.view import Reads, View, no_controls
from pages.widgets import Control, Part, Setting, Values


def the_run(run: Run, values: Values) -> Any:
    """A page that looks at its run as it stands."""
    return run


def nothing_above(subject: Any, values: Values) -> Sequence[Part]:
    """A page whose views begin at once."""
    return ()


@dataclass(frozen=True)
class Page:
    """A topic as a page of the app.

    file: the topic's page.py, by which Streamlit knows the page. address: its name in the URL, and with a hyphen the
    prefix of its settings. question: what it answers; definition: one or two short sentences of markdown under the
    question, which say what the subject is; introduction: more about it, below the pictures. views: what
    its "Look at" pills choose between, the first to begin with. settings: what a visitor can set here. architectures:
    what it can show; model: the trained model that it brings for a visitor who comes with another kind. controls,
    subject and above: what all views share; the controls, what the views look at, made of the run, and the parts
    above the pills. text: what it opens with, where no model's example shows its subject as well. shows_model: whether
    it says which model is looked at; uses_model: whether one has any part in it;
    runs_model: whether its views run it as soon as they are opened. reads_text: whether the visitor's
    text has any part in it; reads_target: whether what an encoder-decoder's decoder reads has any
    part in it; a setting: only where that is not at its default, the encoder.
    finds_head: the head that the page opens with, of a trained model's run and the page's settings. owns: the keys of
    the settings of which the page has its own, so that the drawer does not show them. reference: a page to look things
    up in, outside the reading order.
    """

    file: str
    title: str
    address: str
    icon: str
    question: str
    definition: str
    introduction: str
    views: tuple[View, ...]
    settings: tuple[Setting, ...] = ()
    architectures: tuple[str, ...] = ARCHITECTURES
    model: str = ""
    text: str = ""
    controls: Callable[[Run, Values], Iterable[Control]] = no_controls
    subject: Callable[[Run, Values], Any] = the_run
    above: Callable[[Any, Values], Sequence[Part]] = nothing_above
    shows_model: bool = True
    uses_model: bool = True
    runs_model: bool = True
    reads_text: bool = True
    reads_target: Reads = True
    finds_head: Callable[[Run, Values], Place] | None = None
    reference: bool = False
    owns: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for setting in self.settings:
            if not setting.key.startswith(f"{self.address}-"):
                raise ValueError(f"setting {setting.key!r} of the page {self.address!r} lacks its prefix")

    @cached_property
    def look_at(self) -> Setting:
        """The setting that names the view."""
        names = tuple(view.name for view in self.views)
        return Setting(f"{self.address}-view", "Look at", "pick", names[0], options=names)

    @property
    def can_pin(self) -> bool:
        """Whether what it shows can be laid beside what it showed before."""
        return bool(self.settings) and not self.reference

    @cached_property
    def all_settings(self) -> tuple[Setting, ...]:
        """The topic's own, and the view where there are several."""
        return (self.look_at, *self.settings) if len(self.views) > 1 else self.settings

    @property
    def kinds(self) -> str:
        """What it can show: "an encoder or a decoder"."""
        return " or ".join(f"{'an' if kind[0] == 'e' else 'a'} {kind}" for kind in self.architectures)

    @property
    def asks_target(self) -> bool:
        """Whether a view of it reads what an encoder-decoder's decoder reads."""
        return any(self.view(each.name).reads_target is not False for each in self.views)

    def view(self, name: str) -> View:
        """The view of this name, which reads no text and uses no model where none of the page's views does."""
        found = next(view for view in self.views if view.name == name)
        return replace(
            found,
            reads_text=self.reads_text and found.reads_text,
            uses_model=found.uses_model and self.uses_model,
            reads_target=self.reads_target if found.reads_target is None else found.reads_target,
        )
