"""Save a view, or all views of a page, as one HTML file that answers by itself."""

from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from core.tracing.run import Run
from pages.canvas.runtime.standalone import UNKNOWN, Facts, SavedPage
from pages.shell.page import Page
from pages.shell.saved.frames import ViewFrames, frames_of, unasked
from pages.shell.saved.view import SavedParts, SavedView
from pages.shell.view import View
from pages.widgets import Values, no_new_jobs

MAX_BYTES, MAX_FRAMES, MAX_SECONDS = 400_000, 64, 10.0  # of a view
MAX_SECTION_BYTES = 200_000  # of one of several views in a file, without the scripts
MAX_PAGE_SECONDS = 30.0  # for all of them
MADE_WITH = "Made with Attention Explorer: every number is a tensor that this model computed from this text."


def save_view(
    page: Page,
    view: View,
    run: Run,
    values: Values,
    facts: Facts = UNKNOWN,
    about_model: str = "",
    max_frames: int = MAX_FRAMES,
    max_seconds: float = MAX_SECONDS,
) -> str:
    """Return a view as an HTML file, with as many frames as fit into MAX_BYTES.

    facts: where it comes from.
    about_model: a description of the model, as markdown; "" to leave it out.
    max_frames: the largest number of frames.
    max_seconds: the most seconds in which they are made.

    Raises ValueError if the view cannot be shown.
    """
    count = max_frames
    while True:
        frames = frames_of(page, view, run, values, count, max_seconds)
        text = _written(page, run, {view.name: frames}, facts, about_model, has_all=False)
        if len(text.encode()) <= MAX_BYTES or len(frames.shown) == 1:
            return text
        count = len(frames.shown) // 2


def save_page(
    page: Page,
    run: Run,
    values: Values,
    facts: Facts = UNKNOWN,
    about_model: str = "",
    max_frames: int = MAX_FRAMES,
    max_seconds: float = MAX_PAGE_SECONDS,
) -> str:
    """Return all views of a page as one HTML file, with as many frames of each as fit into MAX_SECTION_BYTES.

    A view that cannot be shown, or that takes long, is left out, and the file says so.

    facts, about_model: as in `save_view`.
    max_frames: the largest number of frames of each view.
    max_seconds: the most seconds in which all frames are made.

    Raises ValueError if no view can be shown.
    """
    seconds = max_seconds / len(page.views)
    views: dict[str, ViewFrames] = {}
    for view in page.views:
        if unasked(page, view, run, held := values.but({}), seconds):
            views[view.name] = fitting_frames(page, view, run, held, max_frames, seconds)
    if not views:
        raise ValueError("No view of this page can be shown with these settings.")
    return _written(page, run, views, facts, about_model, has_all=len(page.views) > 1)


def fitting_frames(page: Page, view: View, run: Run, values: Values, max_frames: int, max_seconds: float) -> ViewFrames:
    """Return as many frames of a view as fit into MAX_SECTION_BYTES, but at least one.

    Raises ValueError if the view cannot be shown, and JobNeeded if it needs another job in the background.
    """
    count = max_frames
    with no_new_jobs():
        while True:
            frames = frames_of(page, view, run, values, count, max_seconds)
            if len(SavedView(SavedParts(), frames).html()) <= MAX_SECTION_BYTES or len(frames.shown) == 1:
                return frames
            count = len(frames.shown) // 2


def _written(
    page: Page, run: Run, views: Mapping[str, ViewFrames], facts: Facts, about_model: str, has_all: bool
) -> str:
    """Return a file with these views of a page, by their names.

    has_all: whether it is meant to have all views, each below its name.
    """
    shared = SavedParts()
    definition = shared.words.html(page.definition)
    saved = [SavedView(shared, frames, f"{place}/" if place else "") for place, frames in enumerate(views.values())]
    sections = [view.html() for view in saved]
    if has_all:
        sections = [_contents(page, views), *map(section, range(len(views)), views, sections)]
    texts = (run.text, run.target) if page.reads_text else ()
    body = [
        definition,
        *map(quoted, filter(None, texts)),
        *sections,
        shared.words.html(page.introduction),
        shared.words.html(about_model),
        shared.words.explanations(),
        footer(facts.address),
    ]
    return SavedPage(page.question, Markup("\n").join(body), shared.drawings, start_of(saved), facts).html()


def _contents(page: Page, views: Mapping[str, ViewFrames]) -> Markup:
    """Return links to the views, and the names of those that are left out."""
    link = Markup('<a href="#view-{}">{}</a>')
    links = Markup(" · ").join(link.format(place, name) for place, name in enumerate(views))
    missing = ", ".join(view.name for view in page.views if view.name not in views)
    note = Markup('<p class="quiet">Not in this file, because it takes long or cannot be shown: {}.</p>')
    return Markup("<nav>{}</nav>{}").format(links, note.format(missing) if missing else "")


def start_of(views: Iterable[SavedView]) -> dict[str, Any]:
    """Return the values that a file with these views opens with, by the keys of their settings."""
    return {key: value for view in views for key, value in view.start.items()}


def section(place: int, title: str, body: Markup) -> Markup:
    """Return a part of a file below its own headline."""
    return Markup('<section id="view-{}"><h2>{}</h2>{}</section>').format(place, title, body)


def quoted(text: str) -> Markup:
    """Return a text that a model reads, as an HTML quotation."""
    return Markup("<blockquote>{}</blockquote>").format(text)


def footer(address: str) -> Markup:
    """Return the last line of a file, with the app's address if it is known."""
    link = Markup('<a href="{0}">{0}</a>').format(address) if address else ""
    return Markup("<footer>{} {}</footer>").format(MADE_WITH, link)
