"""Parts shared by the views of a run: its controls, its recipe, and its player."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from core.lab.live import LiveRun
from core.lab.measured import Measured, probe_texts
from core.lab.recipe import KINDS, Recipe, starting_recipe, write_recipe
from core.lab.step_source import StepSource
from core.lab.task import Task
from core.lab.tasks import TASKS
from core.lab.texts import STORIES, text_task
from core.limits import PASTED_CHARACTERS
from core.tracing.run import Run
from pages.shell import MODEL, Shown
from pages.transformer.lab import queries
from pages.transformer.lab.settings import IN_SIGHT, MORE, OWN, OWN_TEXT, SEED, SLOW, SPEED, STEP, TASK
from pages.widgets import (
    Button,
    Caption,
    Control,
    Message,
    Part,
    Player,
    Popover,
    Setting,
    TextArea,
    ToPage,
    Values,
    control,
    plain,
    playing,
)

PLAYER = "lab-player"
FAST_SECONDS, SLOW_SECONDS = 0.08, 0.6  # from one picture to the next while it plays
STRIDE_SECONDS, LONGEST_STRIDE = 1.0, 400  # of training, and steps, that the fast player goes on from one picture

ELSEWHERE: Mapping[str, tuple[str, Mapping[str, str]]] = {  # by the words on a button: a page, and its settings
    "Heads": ("heads", {"heads-view": "all heads"}),
    "Self-attention": ("self-attention", {}),
    "The block": ("block", {}),
    "Patching": ("block", {"block-view": "patch"}),
    "Translate": ("translate", {}),
    "Generate": ("generate", {}),
    "KV cache": ("kv-cache", {}),
    "Why the first token": ("circuits", {"circuits-view": "why the first token"}),
    "Architecture": ("architecture", {}),
    "The journey": ("journey", {}),
}
DECODER_ALONE, TWO_STACKS = ("generate", "kv-cache"), ("translate",)  # pages for one architecture
UNSEEN = "unseen rows"


def run_controls(run: Run, values: Values) -> Iterator[Control]:
    """Yield the controls of a run: its task above the picture, seven below it, the others behind “More”."""
    yield control(TASK, format_func=_title_of, width=280, on_change=queries.restart)
    start = starting_recipe(STORIES.name if values[TASK] == OWN else values[TASK])
    for name, setting in IN_SIGHT.items():
        yield control(
            setting, "below", width=170, on_change=queries.restart, default=_written(getattr(start, name), setting)
        )
    yield control(SEED, "below", width=170, on_change=queries.restart)
    for name, setting in MORE.items():
        width: Mapping[str, Any] = {} if setting.kind == "pills" else {"width": 140}
        yield control(
            setting, "more", on_change=queries.restart, default=_written(getattr(start, name), setting), **width
        )


def recipe_of(values: Values) -> Recipe:
    """Return the recipe that the settings make.

    Raises ValueError, with a sentence, if they do not fit together.
    """
    chosen = {name: _read(values[setting], KINDS[name]) for name, setting in (IN_SIGHT | MORE).items()}
    task = text_task(queries.own_text()).name if values[TASK] == OWN else values[TASK]
    return starting_recipe(task, **chosen, seed=values[SEED])


def _title_of(task: str) -> str:
    return "Go on with a text of your own" if task == OWN else TASKS[task].title


def on_a_run(lead: str, show: Callable[[Recipe, Values], Shown]) -> Callable[[Run, Values], Shown]:
    """Return the function that shows a view of the run that the settings make; if they make none, it says why.

    lead: the sentences above the message in that case.
    show: show(recipe, values) makes the parts.
    """

    def shown(run: Run, values: Values) -> Shown:
        try:
            return show(recipe_of(values), values)
        except ValueError as mistake:
            return Shown(lead=lead, pictures=[Message(plain(str(mistake))), *own_text_box(values)])

    return shown


def own_text_box(values: Values) -> Sequence[Part]:
    """Return the box for the visitor's own text, if the task is to continue it."""
    if values[TASK] != OWN:
        return []
    words = "It is kept in this server's memory while it is trained on, and nowhere else: a reload forgets it."
    box = TextArea(OWN_TEXT.label, OWN_TEXT.key, OWN_TEXT.default, PASTED_CHARACTERS, lambda text: [Caption(words)])
    return [Popover("Your text", ":material/edit_note:", [box])]


def settings_of(recipe: Recipe) -> dict[str, Any]:
    """Return the values of the settings that make a recipe, by their keys; a number not offered becomes the nearest."""
    named = {setting.key: _written(getattr(recipe, name), setting) for name, setting in (IN_SIGHT | MORE).items()}
    return {TASK.key: recipe.task, SEED.key: recipe.seed} | named


def which_run(recipe: Recipe, step: int) -> Caption:
    """Return a caption that names a run by its task, and by the settings in which it differs from the task's start."""
    return Caption(plain(f"The run: {write_recipe(recipe)}; step {step:,} of {recipe.steps:,}."))


def open_elsewhere(source: StepSource) -> Part:
    """Return a list of buttons that open a step of a run as the model of other pages."""
    key = re.sub(r"[^a-z0-9]+", "-", source.model.lower())
    two_stacks = source.recipe.config.has_two_stacks
    buttons = [
        Button(
            label,
            f"lab-open-{key}-{label.lower().replace(' ', '-')}",
            ToPage(page, where, {MODEL.key: source.address}),
            ":material/arrow_forward:",
        )
        for label, (page, where) in ELSEWHERE.items()
        if page not in (DECODER_ALONE if two_stacks else TWO_STACKS)
    ]
    return Popover("Open this step in", ":material/open_in_new:", buttons)


def _written(value: Any, setting: Setting) -> str:
    """Return a value of a recipe as one of the options of its setting."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return min(setting.options, key=lambda option: abs(float(option) - value))


def _read(option: str, kind: type) -> Any:
    """Return an option of a setting as a value of a recipe."""
    return option == "yes" if kind is bool else kind(option)


def unseen_of(task: Task) -> str:
    """Return the name for the measured rows of a task; a text too short to hold a part out is measured on itself."""
    return UNSEEN if task.holds_out else "rows of the text"


def probe_words(recipe: Recipe) -> tuple[list[str], list[str]]:
    """Return the labels of the probe's queries, and those of its keys."""
    source, given = probe_texts(recipe.of, recipe.config.has_two_stacks)
    rows = recipe.of.decode(list(given))
    return rows, rows if source is None else recipe.of.decode(list(source))


def player_of(live: LiveRun, values: Values, step: int) -> Player:
    """Return the player of a run.

    step: the step that is shown; it is earlier than the requested one until the run has reached that one.
    """
    slow = values[SPEED] == SLOW
    fastest = int(np.clip(STRIDE_SECONDS / live.seconds if live.seconds else 1, 1, LONGEST_STRIDE))
    return Player(
        PLAYER,
        STEP,
        live.recipe.steps,
        step,
        is_over(live, step),
        stride=1 if slow else fastest,
        stops=live.stops,
        seconds=SLOW_SECONDS if slow else FAST_SECONDS,
        asked=asked_step(live, values),
    )


def asked_step(live: LiveRun, values: Values) -> int:
    """Return the step that the visitor asks for: the last one that the run keeps, up to the step of the player."""
    return live.stop_before(int(values[STEP] or 0))


def shown_step(recipe: Recipe, values: Values) -> Measured:
    """Return the measurements at the step that is shown: the requested one, or the last one reached so far."""
    return queries.trained(recipe, asked_step(queries.live_run(recipe), values), playing(PLAYER))


def is_over(live: LiveRun, step: int) -> bool:
    """Return whether a run diverged and cannot continue from a step."""
    return live.diverged is not None and step >= live.last
