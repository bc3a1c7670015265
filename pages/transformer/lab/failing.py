"""Runs that fail on purpose: buttons that set them up, and the tensor that shows why they fail."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from core.lab.failures import FAILURES, Failure
from core.lab.happened import happened, percent
from core.lab.measured import Measured
from core.lab.recipe import Recipe, starting_recipe
from core.lab.step_source import LabStep
from pages.session.visit import visit_state
from pages.shell import MODEL
from pages.transformer.lab import queries
from pages.transformer.lab.parts import settings_of
from pages.transformer.lab.settings import KEPT_RUN, MATRIX, STEP
from pages.widgets import Button, Caption, Markdown, Part, Popover, Takeaway, ToPage

VIEW = "lab-view"
# Where each tensor is seen: a page, and the settings that the link gives there.
SEEN_ON: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "decoder.0.k": ("heads", {"heads-view": "Q, K, V", "layer": "1"}),
    "decoder.….pattern": ("heads", {"heads-view": "all heads"}),
    "decoder.7.resid_post": ("block", {"block-view": "residual stream", "layer": "8"}),
    "logits": ("generate", {}),
}


def failure_buttons() -> Part:
    """Return a button that opens the list of runs that fail."""
    buttons = [
        Button(failure.title, f"lab-fails-{name}", partial(_sets_up, failure), ":material/play_circle:", whole=True)
        for name, failure in FAILURES.items()
    ]
    words = Markdown("Each of these runs fails. A healthy run, which differs in one setting, is kept beside it.")
    return Popover("Runs that fail", ":material/healing:", [words, *buttons])


def _sets_up(failure: Failure) -> Mapping[str, Any]:
    settings = settings_of(failure.failing)
    for key in settings:  # a value that was the default of the task before is meant now
        visit_state().defaults.pop(key, None)
    return settings | {KEPT_RUN.key: failure.healthy, STEP.key: 0}


def said(recipe: Recipe, history: Sequence[Measured]) -> list[str]:
    """Return whether a run has learned its task, and what it should show; for a run that is to fail, how it fails."""
    failure, now = _failure_of(recipe), history[-1]
    if failure is None:
        return [*happened(recipe.of, history), _expectation(recipe)]
    words = f"This run is set up to fail: {failure.title[0].lower()}{failure.title[1:]}."
    if now.step == 0:
        return [f"{words} Press Play."]
    return [words, f"At step {now.step:,}, {percent(now.held_out_exact)} of the unseen rows are right."]


def _expectation(recipe: Recipe) -> str:
    if recipe == starting_recipe(recipe.task, seed=recipe.seed):
        return f"What should be seen: {recipe.of.expects}"
    return f"What should be seen with this task's own settings: {recipe.of.expects}"


def _failure_of(recipe: Recipe) -> Failure | None:
    return next((failure for failure in FAILURES.values() if failure.failing == recipe), None)


def diagnosed(recipe: Recipe, step: int) -> Sequence[Part]:
    """Return why a run that is meant to fail does so, with a link to its tensor; nothing for other runs."""
    failure = _failure_of(recipe)
    if failure is None or step == 0:
        return []
    diagnosis = queries.diagnosis(recipe, step, failure.name)
    if not diagnosis.is_shown:
        return [Caption(f"Step {step:,} does not show yet why it fails.")]
    return [Takeaway(f"Why it fails: {diagnosis.sentence}"), _link(failure, LabStep(recipe, step).address)]


def _link(failure: Failure, name: str) -> Part:
    """Return a button that leads to the tensor of a failure."""
    if failure.tensor not in SEEN_ON:
        update = {VIEW: "one update", MATRIX.key: "W_Q"}
        return Button("Look at these numbers", "lab-tensor", lambda: update, ":material/arrow_forward:")
    page, where = SEEN_ON[failure.tensor]
    return Button(
        "Look at these numbers", "lab-tensor", ToPage(page, where, {MODEL.key: name}), ":material/arrow_forward:"
    )
