"""A small transformer that is trained while the visitor watches."""

from collections.abc import Iterator, Sequence
from functools import partial

from core.lab.findings import MIN_RIGHT_SHARE
from core.lab.happened import percent
from core.lab.live import LiveRun, shades
from core.lab.measured import Measured
from core.lab.recipe import Recipe
from core.lab.step_source import LabStep
from core.lab.task import Task
from core.readings.words import number
from core.text.special import SPECIAL, SPECIAL_LABELS
from core.text.words import SPACE
from core.tracing.run import Run
from pages.canvas import HeadGrid
from pages.shell import Shown, View
from pages.shell.lab_step import ANY_STEP
from pages.transformer.lab import queries
from pages.transformer.lab.curves import by_place, losses, right_share
from pages.transformer.lab.failing import diagnosed, failure_buttons, said
from pages.transformer.lab.kept_run import kept_history, kept_recipe, kept_row
from pages.transformer.lab.parts import (
    PLAYER,
    asked_step,
    is_over,
    on_a_run,
    open_elsewhere,
    own_text_box,
    player_of,
    run_controls,
    shown_step,
    unseen_of,
)
from pages.transformer.lab.settings import SPEED
from pages.widgets import (
    Caption,
    Columns,
    Control,
    Download,
    DrawAgain,
    Listing,
    Message,
    Numbers,
    Part,
    Row,
    Values,
    control,
    plain,
    playing,
)

LABELS = dict(zip(SPECIAL, SPECIAL_LABELS, strict=True))
LEAD = (
    "Press Play: a **transformer** with random weights learns this task, a few rows in each step. Watch its heads find "
    "what they look at, and its answers turn right."
)
FORMULA = (
    r"L = -\frac{1}{N} \sum_{i \in \text{answer}} \ln p(x_i \mid x_1 \dots x_{i-1}) \qquad "
    r"\text{guessing: } L = \ln V \qquad w \leftarrow w - \eta \, \frac{\hat m}{\sqrt{\hat v} + \epsilon}"
)
ABOUT = (
    "Each small picture is a head on the same row, the probe: a row of the picture is a token that looks, a column a "
    "token that is looked at."
)
UNSEEN_ROWS = "Unseen rows are never in training, whatever the seed."
LONGER_ROWS = "Longer rows are longer than any in training."
LOSSES = (
    "A loss is counted in nats: −ln of the probability of the right token, so that a coin toss loses 0.69. The two "
    "dashed lines are what a model loses that guesses, and one that sees only the letter or token before. A model that "
    "is below both uses more."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from run_controls(run, values)
    yield control(SPEED, "below")


def _show(recipe: Recipe, values: Values) -> Shown:
    """Show the player, all heads on the probe, the losses, and the answers."""
    now = shown_step(recipe, values)
    live, history = queries.live_run(recipe), queries.history(recipe, now.step)
    over = is_over(live, now.step)
    stopped = [Message(plain(str(live.diverged)), ":material/error:")] if over and live.diverged else []
    kept = _kept_history(recipe, values, now.step)
    pictures: list[Part] = [
        player_of(live, values, now.step),
        *own_text_box(values),
        *stopped,
        Columns([[_heads(recipe, now)], [losses(recipe, history, queries.baselines_of(recipe), kept)]]),
        *(diagnosed(recipe, now.step) if now.step == asked_step(live, values) else ()),
        _right_and_wrong(recipe, now, history, kept),
        Row([open_elsewhere(LabStep(recipe, now.step)), _download(recipe, now.step), Caption(_kept_steps(live))]),
        *kept_row(recipe, values, history, kept, failure_buttons()),
        Caption(_speed(recipe, live)),
        DrawAgain("lab-kept-clock", _unfinished(values, recipe, now.step, kept)),
    ]
    return Shown(
        pictures=pictures,
        lead=f"{LEAD} {recipe.of.about}",
        takeaway=[*said(recipe, history), *_on_longer_rows(now)],
        formula=FORMULA,
        about=" ".join([ABOUT, *_about_rows(recipe.of), LOSSES]),
        table=Listing("training", _numbers(unseen_of(recipe.of), history)),
        source=("core.lab.run.LabRun.step", "core.optim.step.train_step", "core.lab.measured.measure"),
    )


def _about_rows(task: Task) -> list[str]:
    """Explain the terms unseen rows and longer rows, if a task has such rows."""
    return [UNSEEN_ROWS] * task.holds_out + [LONGER_ROWS] * (task.longer is not None)


def _kept_history(recipe: Recipe, values: Values, step: int) -> Sequence[Measured]:
    """Return the measurements of the kept run; nothing if none is kept, or if it cannot be used."""
    try:
        return kept_history(kept_recipe(values, recipe), step)
    except ValueError:  # `kept_row` says why
        return ()


def _unfinished(values: Values, recipe: Recipe, step: int, kept: Sequence[Measured]) -> int | None:
    """Return the last step that the kept run has reached, if it is still being trained to `step`; None if it is not."""
    kept_run = kept_recipe(values, recipe) if kept else None
    if kept_run is None or playing(PLAYER):
        return None
    return kept[-1].step if kept[-1].step < queries.live_run(kept_run).stop_before(step) else None


def _download(recipe: Recipe, step: int) -> Part:
    file_name = f"lab-{recipe.task}-{step}.zip"
    return Download("Download this step", "lab-download", file_name, partial(queries.step_file, recipe, step))


def _on_longer_rows(now: Measured) -> list[str]:
    """Return how a run does on rows longer than any in training, if it does well on others."""
    if now.longer_exact is None or now.held_out_exact < MIN_RIGHT_SHARE:
        return []
    return [f"Of rows longer than any in training, {percent(now.longer_exact)} are answered right."]


def _speed(recipe: Recipe, live: LiveRun) -> str:
    """Return how fast the run is trained, and who else trains."""
    if not live.seconds:
        return "Nothing was trained yet."
    steps, others = 1 / live.seconds, queries.others_training()
    tokens = steps * recipe.batch * recipe.of.length
    words = f"One step takes {number(1000 * live.seconds, 2)} ms: {steps:,.0f} steps or {tokens:,.0f} tokens a second."
    if others:
        counted = f"{others} other job{'s run' if others > 1 else ' runs'}"
        words += f" {counted} here for other visitors; they take turns with this one, so it is slower than that."
    return words


def _heads(recipe: Recipe, now: Measured) -> HeadGrid:
    return HeadGrid(
        shades(now.patterns),
        key="lab-heads-grid",
        name="all heads on the probe",
        selected=None,
        caption=f"{_which_heads(recipe)} on the row {_text(recipe.of, recipe.of.probe.split())}, at step {now.step:,}.",
    )


def _which_heads(recipe: Recipe) -> str:
    return "All heads of cross-attention" if recipe.architecture == "encoder-decoder" else "All heads"


def _right_and_wrong(recipe: Recipe, now: Measured, history: Sequence[Measured], kept: Sequence[Measured]) -> Columns:
    """Return the answers and the shares of right ones; by their place in the answer, if it has more than one."""
    places = [[by_place(recipe.of, now)]] if len(now.by_place) > 1 else []
    return Columns(
        [[_answers(recipe.of, now)], [right_share(recipe, history, kept)], *places],
        widths=(3, 2, 2)[: 2 + len(places)],
    )


def _answers(task: Task, now: Measured) -> Numbers:
    rows = now.answers
    cells: dict[str, list[str]] = {}
    if not task.counts_tokens:  # a long answer hides what follows it
        cells[" "] = ["✓" if answer.is_right else "✗" for answer in rows]
    cells |= {
        "it reads" if task.window else "question": [_text(task, answer.question) for answer in rows],
        "right is": [_text(task, answer.right) for answer in rows],
        "it writes": [_text(task, answer.given) for answer in rows],
    }
    return Numbers(Listing("answers", cells, unfolded=True), f"lab-answers-{task.name}")


def _text(task: Task, tokens: Sequence[str]) -> str:
    """Return tokens with spaces between them; the characters of a text are joined, and spaces are spaces again."""
    shown = [LABELS.get(token, token) for token in tokens]
    return " ".join(shown) if task.window is None else "".join(shown).replace(SPACE, " ")


def _kept_steps(live: LiveRun) -> str:
    """Return sentences on how far a run is, how many steps it keeps, and what it takes to open another one."""
    count = len(live.steps)
    return (
        f"The run is at step {live.reached:,} of {live.recipe.steps:,}, and keeps {count} step{'s' * (count != 1)} so "
        f"far. {ANY_STEP}"
    )


def _numbers(unseen: str, history: Sequence[Measured]) -> dict[str, list[float]]:
    """Return the measurements as columns; those that the task does not have are left out.

    unseen: the name for the measured rows.
    """
    columns = {
        "step": "step",
        "loss": "loss",
        f"loss on {unseen}": "held_out_loss",
        "right rows": "exact",
        f"right of {unseen}": "held_out_exact",
        "longer right rows": "longer_exact",
    }
    named = {title: [getattr(measured, name) for measured in history] for title, name in columns.items()}
    return {title: values for title, values in named.items() if None not in values}


VIEW = View(
    "train one", on_a_run(LEAD, _show), _controls, player=PLAYER, reads_text=False, uses_model=False, reads_mask=False
)
