"""Calling a view as the layout does, without Streamlit: its controls in their order, then its parts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.tracing.run import Run
from pages.compute.cache import trained
from pages.shell.model_choice import default_example
from pages.shell.page import Page
from pages.shell.run_plan import DEFAULTS, make_run, with_own_target
from pages.shell.settings import RANDOM_WEIGHTS
from pages.shell.view import Shown
from pages.widgets import Control, Part, Setting, Values


@dataclass(frozen=True, eq=False)
class CalledView:
    """What a view asked for, what stands above all views of its page, and what it showed."""

    controls: list[Control]
    above: list[Part]
    shown: Shown
    values: Values


def opened_run(page: Page, model: str = "", text: str | None = None) -> Run:
    """The run with which a page opens: of its own model, of another, or of random weights of the last kind that it
    shows; on its own text or on another."""
    name = model or page.model or RANDOM_WEIGHTS
    first = default_example(page, name)
    chosen = DEFAULTS | {"kind": page.architectures[-1], "n": 2}
    known = None if name == RANDOM_WEIGHTS else trained(name)
    return with_own_target(make_run(chosen, first.text if text is None else text, first.target or "", known))


def called_view(page: Page, name: str, run: Run, settings: Mapping[Setting, Any] | None = None) -> CalledView:
    """The view at its defaults, but for these settings."""
    asked = dict(settings or {})
    values = Values(asked)
    found: list[Control] = []

    def ask(controls: Any, subject: Any) -> None:
        for control in controls(subject, values):
            found.append(control)
            default = control.options.get("default", control.setting.default)
            values[control.setting] = asked.get(control.setting, default)

    ask(page.controls, run)
    subject = page.subject(run, values)
    above = list(page.above(subject, values))
    view = page.view(name)
    ask(view.controls, subject)
    above += view.aside(subject, values) if view.aside else []
    return CalledView(found, above, view.show(subject, values), values)
