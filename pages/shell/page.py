"""The description of a page, as the app needs it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from core.topics.shared.places import HeadAddress
from core.topics.shared.run_from_choices import ARCHITECTURES
from core.tracing.run import Run
from pages.shell.view import Reads, View, no_controls
from pages.widgets import Control, Part, Setting, Values


def the_run(run: Run, values: Values) -> Any:
    """Return the run itself, for a page whose views look at all of it."""
    return run


def nothing_above(subject: Any, values: Values) -> Sequence[Part]:
    """Return no parts, for a page with nothing above its views."""
    return ()


@dataclass(frozen=True)
class Page:
    """A topic as a page of the app.

    Raises ValueError if the key of a setting lacks the page's prefix.

    file: the topic's page.py, by which Streamlit knows the page. Beside it may stand two style sheets for the keys of
        this page alone: style.css, and presenting.css for Present.
    address: its name in the URL; with a hyphen, the prefix of its settings' keys.
    question: the question that the page answers.
    definition: one or two short sentences of markdown below the question, which say what the subject is.
    introduction: more about the subject, below the pictures.
    views: the options of its "Look at" pills; the page opens with the first.
    settings: the settings of this page alone.
    architectures: those that it can show.
    model: the trained model for visitors who have chosen none, or one of an architecture that the page cannot show; ""
        for random weights.
    text: the text that it opens with, if no model's example shows its subject as well.
    controls: the controls that all views share.
    subject: makes what the views look at, from the run.
    above: makes the parts above the pills.
    shows_model: whether it says which model is looked at.
    uses_model: whether a model has any part in it.
    runs_model: whether its views run the model as soon as they are opened.
    reads_text: whether the visitor's text has any part in it.
    reads_target: whether the text that an encoder-decoder's decoder reads has any part in it; see `Reads`.
    finds_head: returns the head that the page opens with, from the run of a trained model and the page's settings.
    continues: whether its model goes on from the visitor's text.
    reference: whether it is a page to look things up in, outside the reading order.
    owns: the keys of shared settings for which the page has controls, so that the sidebar does not show them.
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
    finds_head: Callable[[Run, Values], HeadAddress] | None = None
    continues: bool = False
    reference: bool = False
    owns: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for setting in self.settings:
            if not setting.key.startswith(f"{self.address}-"):
                raise ValueError(f"setting {setting.key!r} of the page {self.address!r} lacks its prefix")

    @cached_property
    def look_at(self) -> Setting:
        """The setting that chooses the view."""
        names = tuple(view.name for view in self.views)
        return Setting(f"{self.address}-view", "Look at", "pills", names[0], options=names)

    @property
    def can_pin(self) -> bool:
        """Whether its views can be pinned and compared with later ones."""
        return bool(self.settings) and not self.reference

    @cached_property
    def all_settings(self) -> tuple[Setting, ...]:
        """The page's own settings, and the choice of a view if it has several."""
        return (self.look_at, *self.settings) if len(self.views) > 1 else self.settings

    @property
    def kinds(self) -> str:
        """The architectures that it can show, in words: "an encoder or a decoder"."""
        return " or ".join(f"{'an' if kind[0] == 'e' else 'a'} {kind}" for kind in self.architectures)

    @property
    def asks_target(self) -> bool:
        """Whether any of its views can read the text of an encoder-decoder's decoder."""
        return any(self.view(view.name).reads_target is not False for view in self.views)

    def view(self, name: str) -> View:
        """Return the view of this name, limited to the texts and the model that the page uses.

        It reads no text and uses no model if the page does not. Its `reads_target` is the page's if it has none.
        """
        full_view = next(view for view in self.views if view.name == name)
        return replace(
            full_view,
            reads_text=self.reads_text and full_view.reads_text,
            uses_model=full_view.uses_model and self.uses_model,
            reads_target=self.reads_target if full_view.reads_target is None else full_view.reads_target,
        )
