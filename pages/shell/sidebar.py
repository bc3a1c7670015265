"""The sidebar: the settings of the model and, below the one changed last, the effect of that change."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.checkpoints.shipped import Shipped
from core.device import choose
from core.explorer.shared.glance import Glance
from core.limits import UNASKED_SECONDS
from core.readings.changes import read_setting_change, read_value
from core.readings.words import head_label
from core.tracing.run import Run
from pages.canvas import Strip, Tile
from pages.compute import cache
from pages.compute.model_cache import fit_together
from pages.compute.one_head import glance
from pages.shell import settings
from pages.shell.header_tools import last_changes
from pages.shell.model_choice import ChosenModel, choose_model, effective_model, option_label
from pages.shell.model_links import list_elsewhere
from pages.shell.page import Page
from pages.shell.settings import ARCHITECTURE_SETTINGS, HEADER_SETTINGS, MASK, MASK_SIZES, MODEL
from pages.shell.url import current_values, url_value
from pages.shell.view import View
from pages.widgets import PLACE, Setting, draw_widget, place_of, plain
from pages.widgets.session import visit_state

TOLD = (MODEL, *settings.SIZE_SETTINGS, MASK, *MASK_SIZES.values())  # the settings whose changes are described
DEFAULTS = {setting.key: setting.default for setting in HEADER_SETTINGS} | {"placement": choose()}
Maker = Callable[[Mapping[str, Any], str, str, Shipped | None], Run]


@dataclass(frozen=True)
class LastChange:
    """The last change of a setting in the sidebar.

    setting: the setting that was changed.
    before: the values before each change, the latest change first.
    where: the container in which the change is described.
    new: whether the setting was changed just now.
    """

    setting: Setting
    before: Sequence[Mapping[str, Any]]
    where: DeltaGenerator
    new: bool


def draw_sidebar(page: Page, view: View) -> tuple[ChosenModel, dict[str, Any], LastChange | None]:
    """Draw the sidebar; return the model, the values of all settings, and the last change of a setting drawn here.

    A trained model has fewer settings, because its weights fix the rest. Settings that the page itself asks for are not
    drawn.
    """
    last, *earlier = last_changes()
    told = [before for before in (last, *earlier) if any(each.key in before for each in TOLD)]
    changed = next((each for each in TOLD if told and each.key in told[0]), None)
    places: list[DeltaGenerator] = []

    def asked(setting: Setting) -> Any:
        if setting.key in page.owns:
            return st.session_state.get(setting.key, url_value(setting))
        value = draw_widget(setting)
        if setting is changed:
            places.append(st.container(key="what-changed"))
        return value

    model = choose_model(page)
    if changed is MODEL:
        places.append(st.container(key="what-changed"))
    values = _settings(model.trained, asked, view.reads_mask)
    list_elsewhere(page)
    change = LastChange(changed, told, places[0], changed.key in last) if changed and places else None
    return model, values, change


def _settings(trained: Shipped | None, asked: Callable[[Setting], Any], reads_mask: bool) -> dict[str, Any]:
    """Draw the settings and return the values of all.

    A mask that the view does not read is hidden, not left out, so that the URL keeps it.

    trained: None for random weights.
    asked: draws one setting and returns its value.
    """
    fresh = trained is None
    values = {setting.key: asked(setting) for setting in ARCHITECTURE_SETTINGS} if fresh else dict(DEFAULTS)
    if trained:
        values["kind"] = trained.config.architecture
    with st.container(key="mask-of-run" if reads_mask else "mask-unread"):
        mask = asked(MASK)
        for kind, setting in MASK_SIZES.items():
            values[setting.key] = asked(setting) if kind in mask else setting.default
    if fresh:
        values[settings.SEED.key] = asked(settings.SEED)
    groups = [("Tokenizer and device" if fresh else "Device", (settings.TOKENIZER,) * fresh + settings.DEVICE_SETTINGS)]
    if fresh:
        groups = [("Inside a head", settings.SCORE_SETTINGS), ("The block", settings.BLOCK_SETTINGS), *groups]
    for title, group in groups:
        values |= _folded(title, group, asked)
    placement = choose(values["device"], values["dtype"])
    st.caption(f"Runs on **{placement.device}** in **{placement.dtype}**: {placement.reason}.")
    return values | {"mask": mask, "placement": placement}


def _folded(title: str, group: Sequence[Setting], asked: Callable[[Setting], Any]) -> dict[str, Any]:
    """Return the values of settings behind a fold, drawn only if it is open or one of them is not at its default."""
    panel = st.expander(title, key=f"drawer-{title.lower().replace(' ', '-')}", on_change="rerun")
    held = current_values(group)
    if not panel.open and all(held[setting] == setting.default for setting in group):
        return {setting.key: setting.default for setting in group}
    with panel:
        return {setting.key: asked(setting) for setting in group}


@contextmanager
def telling_change(
    page: Page, change: LastChange | None, run: Run, trained: Shipped | None, make: Maker
) -> Iterator[None]:
    """Draw the page in this context; when it ends, describe the last change in the sidebar.

    The page is drawn by a fragment. The container of the description is claimed at the beginning: a fragment that ended
    before that could never write into it (Streamlit's rule for containers outside of a fragment).
    """
    if change is not None:
        change.where.empty()
    yield
    _tell_change(page, change, run, trained, make)


def _tell_change(page: Page, change: LastChange | None, run: Run, trained: Shipped | None, make: Maker) -> None:
    """Describe the last change beside its setting, with the pattern of the chosen head before and after.

    The text says the old and the new value, and how the shapes and the number of parameters changed. Nothing is drawn
    if nothing was changed, or if another page or text has been chosen since: two models would run for a description
    that nobody reads. Nothing is drawn either if one of the two runs cannot be made or takes UNASKED_SECONDS or more,
    or if one model would push the other out of the cache.

    run: the current run.
    make: the function that made it.
    """
    if change is None:
        return
    visit, here = visit_state(), (page.address, run.text)
    if change.new:
        visit.change_told_for = here
    elif visit.change_told_for != here:
        return
    with suppress(ValueError):
        now = make(_values(run), run.text, run.target, trained)
        if (now.config, now.mask, now.pads) != (run.config, run.mask, run.pads):
            return  # what is asked for cannot be run
        found = _before(page, change, run, trained, make)
        if found is None:
            return
        former, was = found
        if not fit_together(former, run):
            return
        if max(cache.expected_seconds(each) for each in (former, run)) >= UNASKED_SECONDS:
            return
        place = place_of(run, current_values(PLACE))
        is_now = _said(page, change.setting, st.session_state)
        glances = glance(former, place_of(former, current_values(PLACE))), glance(run, place)
        with change.where:
            _draw(f"{was} → {is_now}", change.setting.label, glances, head_label(place.layer, place.head))


def _before(page: Page, change: LastChange, run: Run, trained: Shipped | None, make: Maker) -> tuple[Run, str] | None:
    """Return the last run that had another value of the setting, and that value in words; None if there is none.

    Runs that cannot be made are skipped. The run has the current text.
    """
    values: dict[str, Any] = _values(run)
    for before in change.before:
        if change.setting.key not in before:
            continue
        values |= before
        if values[change.setting.key] == st.session_state[change.setting.key]:
            continue
        with suppress(ValueError):
            former = _former_model(page, values) if change.setting is MODEL else trained
            found = make(values, run.text, run.target, former)
            cache.check(found)
            return found, _said(page, change.setting, values)
    return None


def _draw(said: str, label: str, glances: Sequence[Glance], head: str) -> None:
    before, after = glances
    st.caption(f"**{plain(said)}**. {plain(read_setting_change(label, before, after))} The pattern of {head}:")
    tiles = [
        Tile(
            name,
            name,
            each.pattern,
            str(each.sizes["pattern"]),
            f"tiles of {each.tile} × {each.tile}" if each.tile > 1 else "",
            axes=("query", "key"),
            scale="weight",
        )
        for name, each in (("before", before), ("after", after))
    ]
    Strip(tiles, key="drawer-change", name=f"{head}, before and after").draw()


def _said(page: Page, setting: Setting, values: Any) -> str:
    """Return the value of a setting in words; for the model, the title of the one that is shown."""
    if setting is not MODEL:
        return read_value(values[setting.key])
    return option_label(page, effective_model(page, str(values[MODEL.key]), _kind(values)))


def _kind(values: Any) -> str:
    return str(values.get(ARCHITECTURE_SETTINGS[0].key, ARCHITECTURE_SETTINGS[0].default))


def _values(run: Run) -> dict[str, Any]:
    """Return the current values of all settings, also of those that are not drawn with this model."""
    state = st.session_state
    values = {each.key: state.get(each.key, each.default) for each in HEADER_SETTINGS}
    return values | {"placement": run.placement}


def _former_model(page: Page, values: Mapping[str, Any]) -> Shipped | None:
    """Return the trained model that these values show; None for random weights."""
    name = effective_model(page, str(values[MODEL.key]), _kind(values))
    return None if name == settings.RANDOM_WEIGHTS else cache.trained(name)
