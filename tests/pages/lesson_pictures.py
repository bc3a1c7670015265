"""The picture below a lesson's question, made by calling its view."""

from collections.abc import Mapping

from core.lessons.lesson import Screen
from core.tracing.run import Run
from pages.shell.url_params import parsed
from pages.shell.view import Shown
from pages.widgets import PLACE
from tests.pages.house import BY_ADDRESS
from tests.pages.sentences import show


def picture_of(screen: Screen, run: Run, picked: Mapping[str, str]) -> Shown:
    """What the screen's page shows of a run, with the screen's settings and with what is picked out."""
    page, wanted = BY_ADDRESS[screen.page], {**screen.settings, **picked}
    settings = [setting for setting in (*PLACE, *page.all_settings) if wanted.get(setting.key)]
    chosen = {setting: parsed(setting, [wanted[setting.key]]) for setting in settings}
    return show(page, page.view(chosen.get(page.look_at, page.views[0].name)), run, chosen)
