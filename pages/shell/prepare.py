"""Everything that a page is drawn from, worked out before its first widget: the view, the model, the texts, the run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core.checkpoints.examples import Example
from core.checkpoints.shipped import Shipped
from core.device import choose
from core.limits import TEXT_CHARACTERS
from core.topics.shared.run_from_choices import run_of
from core.tracing.run import Run
from pages.compute import cache, generation
from pages.session.visit import visit_state
from pages.shell import own_text, url
from pages.shell.model_choice import ChosenModel, chosen_model, default_example, replace_unreadable_texts
from pages.shell.model_links import follow_link
from pages.shell.page import Page
from pages.shell.settings import (
    HEADER_SETTINGS,
    MASK,
    MASK_SIZES,
    RANDOM_WEIGHTS,
    SIZE_SETTINGS,
    TARGET,
    TEXT,
    TOKENIZER,
)
from pages.shell.view import Reads, View
from pages.widgets import Setting

DEFAULTS = {setting.key: setting.default for setting in HEADER_SETTINGS} | {"placement": choose()}


@dataclass(frozen=True)
class Prepared:
    """What a page is drawn from.

    view: the chosen view, with what it reads at the current settings.
    model: the model that the page shows.
    values: the values of the header's settings by key, and the placement.
    first: the example that the page opens with.
    text, target: the contents of the text box, and of the box for the decoder.
    helped: the model whose training texts are offered below the text box, if any.
    run: without the translation that the model writes itself; None if the settings cannot be run.
    mistake: the reason in that case, else "".
    """

    page: Page
    view: View
    model: ChosenModel
    values: Mapping[str, Any]
    first: Example
    text: str
    target: str
    helped: Shipped | None
    run: Run | None
    mistake: str = ""

    @property
    def trained(self) -> Shipped | None:
        """The trained model; None for random weights."""
        return self.model.trained


def prepare(page: Page, known: Sequence[Setting]) -> Prepared:
    """Return what the page is drawn from, after the URL and the way to this page have changed the session.

    known: every setting that a visitor can have.
    """
    _arrive(page, known)
    model = chosen_model(page)
    view = read_view(page)
    values = header_values(model.trained)
    first = default_example(page, model.trained.name if model.trained else RANDOM_WEIGHTS)
    text, target = _texts(page, values["kind"], first)
    helped = model.trained if view.reads_text and own_text.helps(page, model.trained) else None
    read = own_text.as_read(text) if helped else text
    run, mistake = _checked_run(page, values, read, target, model.trained)
    return Prepared(page, view, model, values, first, text, target, helped, run, mistake)


def _arrive(page: Page, known: Sequence[Setting]) -> None:
    """Apply Back and Forward, or the link that led here; on another page than before, settle texts and players."""
    visit = visit_state()
    if visit.written is None or visit.written[0] != page.address:
        _hold((*url.SHARED, *page.all_settings))
    url.follow_history(page, known)
    keeps_run = follow_link(page)
    if visit.page is not None and visit.page != page.address:
        visit.playing.clear()
        if not keeps_run and TEXT in url.current_settings([TEXT]):
            replace_unreadable_texts(page)
    visit.page = page.address


def _hold(settings: Iterable[Setting]) -> None:
    """Hold the settings' values until this page has been drawn once, and make Streamlit send them with the widgets.

    A browser that leaves pages quickly forgets values that Streamlit takes for known there, and reports the default of
    a widget in their place.
    """
    visit = visit_state()
    for setting, value in url.current_settings(settings).items():
        # Only these: a click that leads to another page may set layer, head and route to their defaults.
        forgotten = setting in HEADER_SETTINGS and value == visit.defaults.get(setting.key, setting.default)
        st.session_state[setting.key] = visit.seen.get(setting.key, value) if forgotten else value


def read_view(page: Page) -> View:
    """Return the chosen view, with whether it reads the texts at the current settings."""
    view = page.view(url.current_values([page.look_at])[page.look_at])
    return replace(view, reads_text=_is_read(view.reads_text), reads_target=_is_read(view.reads_target))


def header_of(view: View) -> tuple[bool, ...]:
    """Return what the header looks like for a view that `read_view` returned: views that agree in it share a header."""
    return bool(view.reads_text), view.uses_model, bool(view.reads_target), view.reads_mask


def _is_read(reads: Reads | None) -> bool:
    if not isinstance(reads, Setting | tuple):
        return reads is not False
    setting, *wanted = reads if isinstance(reads, tuple) else (reads,)
    value = url.current_values([setting])[setting]
    return value in wanted if wanted else value != setting.default


def header_values(trained: Shipped | None) -> dict[str, Any]:
    """Return the values of the header's settings by key; those that a trained model fixes have their defaults.

    The architecture is that of the trained model. A size of a mask that is not chosen has its default.
    """
    held = url.current_values(HEADER_SETTINGS)
    values = {setting.key: held[setting] for setting in HEADER_SETTINGS}
    if trained:
        values |= {setting.key: setting.default for setting in SIZE_SETTINGS} | {"kind": trained.config.architecture}
    values[MASK.key] = tuple(values[MASK.key])
    values |= {setting.key: setting.default for kind, setting in MASK_SIZES.items() if kind not in values[MASK.key]}
    return values | {"placement": choose(values["device"], values["dtype"])}


def _texts(page: Page, architecture: str, first: Example) -> tuple[str, str]:
    """Return the text and that of the decoder, each cut to TEXT_CHARACTERS, the most that a link can carry."""
    text, target = first.text, first.target or ""
    if not page.reads_text:  # a run needs a text all the same: one that the model can read
        return text, target or TARGET.default
    held = url.current_settings([TEXT, TARGET])
    text = held.get(TEXT, text) or ""
    if page.asks_target and architecture == "encoder-decoder":
        target = held.get(TARGET, target) or ""
    return text[:TEXT_CHARACTERS], target[:TEXT_CHARACTERS]


def _checked_run(
    page: Page, chosen: Mapping[str, Any], text: str, target: str, trained: Shipped | None
) -> tuple[Run | None, str]:
    """Return the run that the settings describe, and ""; or None, and why it cannot be run.

    A page that uses no model gets a run of the default sizes, with the first tokenizer that can be used.
    """
    mistakes = []
    any_model = [DEFAULTS | {TOKENIZER.key: name} for name in TOKENIZER.options]
    for values in [chosen] if page.uses_model else any_model:
        try:
            run = make_run(values, text, target, trained)
            cache.check(replace(run, target=run.text) if _writes_target(run) else run)
        except ValueError as mistake:
            mistakes.append(str(mistake).rstrip("."))
        else:
            return run, ""
    return None, mistakes[0]


def make_run(chosen: Mapping[str, Any], text: str, target: str, trained: Shipped | None = None) -> Run:
    """Return the run that the values of the widgets describe.

    Raises ValueError if the values do not go together.

    chosen: the values by the settings' keys.
    trained: None for random weights.
    """
    return run_of(chosen, text, target, 0 if trained else cache.tokenizer(chosen["tok"]).vocab_size, trained)


def with_own_target(run: Run) -> Run:
    """Fill an empty decoder text with the translation that a trained encoder-decoder writes itself.

    If that translation is blank, the decoder reads the source text. Any other run is returned unchanged. Raises
    ValueError if the result cannot be run.
    """
    if not _writes_target(run):
        return run
    if not cache.source(run.checkpoint).is_ready():
        return replace(run, target=run.text)  # until it is trained, for which the page waits
    translation = generation.own_translation(run)
    run = replace(run, target=translation if translation.strip() else run.text)
    cache.check(run)
    return run


def _writes_target(run: Run) -> bool:
    """Return whether the model itself writes the decoder's text, because the visitor has left it empty."""
    return bool(run.checkpoint) and run.config.architecture == "encoder-decoder" and not run.target.strip()


def warm_up() -> None:
    """Make and check a run with the default settings."""
    cache.check(make_run(DEFAULTS, TEXT.default, TARGET.default))
