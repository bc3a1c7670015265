"""Save a lesson as one HTML file: its questions, and below each the right answer with the picture that shows it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from markupsafe import Markup

from core.lessons.lesson import GAP, Lesson, Screen
from core.lessons.words import picked_settings, read_answer, read_explanation
from core.topics.shared.truth import Truth
from core.tracing.run import Run
from pages.canvas.runtime.standalone import UNKNOWN, Facts, SavedPage
from pages.compute.cache import compute
from pages.shell.page import Page
from pages.shell.run_plan import run_of_screen
from pages.shell.saved.document import (
    MAX_FRAMES,
    MAX_PAGE_SECONDS,
    fitting_frames,
    footer,
    quoted,
    section,
    start_of,
)
from pages.shell.saved.frames import ViewFrames, unasked
from pages.shell.saved.view import SavedParts, SavedView
from pages.shell.saved.words import formula
from pages.shell.url_params import parsed
from pages.widgets import PLACE, JobNeeded, Part, Setting, Values, plain

PICTURE_SECONDS = 3.0  # for the frames of one picture, which a class waits for
HOW_TO = "Answer each question on paper or aloud, then open what is right: the picture there answers your clicks."


def save_lesson(
    lesson: Lesson,
    pages: Mapping[str, Page],
    text: str,
    facts: Facts = UNKNOWN,
    max_frames: int = MAX_FRAMES,
    max_seconds: float = MAX_PAGE_SECONDS,
) -> str:
    """Return a lesson as an HTML file, with as many frames of each picture as fit into MAX_SECTION_BYTES.

    A question that does not suit the text is about the lesson's own sentence. A picture that needs a job in the
    background is left out.

    pages: the pages of the app, by their addresses.
    text: the learner's sentence.
    max_frames: the largest number of frames of each picture.
    max_seconds: the most seconds in which all frames are made.

    Raises ValueError if a question can be asked about neither.
    """
    shared, views, sections = SavedParts(), list[SavedView](), list[Markup]()
    for place, screen in enumerate(lesson.screens):
        page = pages[screen.page]
        run, truth = run_and_truth(page, screen, text, lesson.words)
        frames = _frames(page, screen, run, truth, max_frames, max_seconds / len(lesson.screens))
        picture = SavedView(shared, frames, f"{place}/") if frames else None
        views += [picture] if picture else []
        read = quoted(run.text) if page.reads_text else Markup("")
        body = read + _question(shared, screen, truth) + _answer(shared, screen, truth, picture)
        sections.append(section(place, f"{place + 1}. {screen.question}", body))
    parts = [
        shared.words.html(f"{lesson.goal}\n\n{HOW_TO}"),
        *sections,
        shared.words.explanations(),
        footer(facts.address),
    ]
    return SavedPage(lesson.title, Markup("\n").join(parts), shared.drawings, start_of(views), facts).html()


def save_picture(
    page: Page, screen: Screen, text: str, max_frames: int = MAX_FRAMES, max_seconds: float = PICTURE_SECONDS
) -> str:
    """Return the picture that a screen shows as an HTML file to put into another page, with its controls alone.

    It begins with what the right answer is about. It is "" if it needs a job in the background.

    max_frames: the largest number of frames.
    max_seconds: the most seconds in which all frames are made.

    Raises ValueError if the text does not suit the question.
    """
    run, truth = run_and_truth(page, screen, text)
    frames = _frames(page, screen, run, truth, max_frames, max_seconds)
    if frames is None:
        return ""
    shared = SavedParts()
    picture = SavedView(shared, frames, has_numbers=False)
    body = picture.picture() + shared.words.explanations()
    if not shared.drawings:
        return ""
    return SavedPage(screen.question, body, shared.drawings, start_of([picture]), is_bare=True).html()


def pictures_of(page: Page, screen: Screen, text: str, max_seconds: float = PICTURE_SECONDS) -> Sequence[Part]:
    """Return the pictures that a screen shows, at what the right answer is about.

    There are none if they need a job in the background, or say that they take longer than `max_seconds`.

    Raises ValueError if the text does not suit the question.
    """
    run, truth = run_and_truth(page, screen, text)
    values = _values(page, screen, truth)
    shown = unasked(page, page.view(values[page.look_at]), run, values, max_seconds)
    return shown.pictures if shown else ()


def run_and_truth(page: Page, screen: Screen, *texts: str) -> tuple[Run, Truth]:
    """Return the run of a screen and the right answer, for the first of these texts that suits the question.

    Raises ValueError if none does.
    """
    for text in texts:
        with suppress(ValueError):
            run = run_of_screen(page, screen.settings, text)
            return run, compute(partial(screen.function, **screen.arguments), run)
    raise ValueError(f"“{screen.question}” can be asked about none of these sentences.")


def _frames(
    page: Page, screen: Screen, run: Run, truth: Truth, max_frames: int, max_seconds: float
) -> ViewFrames | None:
    """Return the frames of the picture that a screen shows, beginning with what its question is about.

    They are None if the picture needs a job in the background.
    """
    values = _values(page, screen, truth)
    with suppress(JobNeeded):
        return fitting_frames(page, page.view(values[page.look_at]), run, values, max_frames, max_seconds)
    return None


def _values(page: Page, screen: Screen, truth: Truth) -> Values:
    """Return the values of the settings at which a screen shows what its question is about."""
    written = {**screen.settings, **picked_settings(screen, truth)}  # as in the URL; "" stands for the default
    known: tuple[Setting, ...] = (*page.all_settings, *PLACE)
    given: dict[Setting, Any] = {
        setting: parsed(setting, [written[setting.key]]) for setting in known if written.get(setting.key)
    }
    return Values(given)


def _question(shared: SavedParts, screen: Screen, truth: Truth) -> Markup:
    """Return the elements between a question and its answer: the text, and the options to choose from."""
    parts = [shared.words.html(screen.text)]
    if screen.formula:
        parts.append(formula(screen.formula.replace(GAP, r"\square")))
    choices = [option.text for option in screen.options] or [plain(label) for label in truth.labels]
    kind = "choices" if screen.options else "choices words"
    if choices:
        items = Markup("").join(Markup("<li>{}</li>").format(shared.words.inline(choice)) for choice in choices)
        parts.append(Markup('<ul class="{}">{}</ul>').format(kind, items))
    return Markup("").join(parts)


def _answer(shared: SavedParts, screen: Screen, truth: Truth, picture: SavedView | None) -> Markup:
    """Return the right answer, its explanation and the picture, folded away until a reader opens them."""
    words = shared.words
    whose = "Right" if screen.kind in ("choice", "formula") else "The model"
    right = f"**{whose}:** {read_answer(screen, truth, truth.answer, plain)}"
    sentences = [right, *read_explanation(screen, truth, None, plain)]
    if screen.vary:
        sentences.append(f"Vary it in the app: {screen.vary}")
    said = words.html("\n\n".join(sentences))
    shown = picture.html() if picture else words.html("The picture of this question trains a model: see it in the app.")
    return Markup("<details><summary>Show what is right</summary>{}{}</details>").format(said, shown)
