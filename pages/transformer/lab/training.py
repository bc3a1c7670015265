"""A small transformer that is trained while the visitor watches."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from core.charts.positions_lines import Line, lines_data, lines_spec
from core.lab.baselines import Baselines
from core.lab.happened import axis_end, happened
from core.lab.live import LiveRun, shades
from core.lab.measured import Measured
from core.lab.recipe import Recipe
from core.readings.words import number
from core.tracing.run import Run
from pages.canvas import HeadGrid
from pages.shell import Shown, View
from pages.transformer.lab import queries
from pages.transformer.lab.failing import diagnosed, failure_buttons
from pages.transformer.lab.kept_run import kept_history, kept_line, kept_recipe, kept_row
from pages.transformer.lab.parts import PLAYER, recipe_of, run_controls
from pages.transformer.lab.settings import SPEED, STEP
from pages.widgets import (
    Button,
    Caption,
    Chart,
    Columns,
    Control,
    Download,
    Listing,
    Message,
    Numbers,
    Part,
    Player,
    Row,
    Values,
    control,
    plain,
    spec,
)

SECONDS, ONE_STEP_SECONDS = 0.2, 0.6  # between two drawings while it plays
SLOW_STRIDE = 5  # steps
STRIDE_SECONDS, LONGEST_STRIDE = 1.0, 400  # a tick asks for so much more, so that the training never waits for one
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
    "token that is looked at. Right and wrong are counted on rows that are never in training, and on longer ones. "
    "Counting pairs predicts each token from the one before it alone; a model that is below it uses more."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from run_controls(run, values)
    yield control(SPEED)


def _show(run: Run, values: Values) -> Shown:
    """Show the player, all heads on the probe, the losses, and the answers."""
    try:
        recipe = recipe_of(values)
    except ValueError as mistake:
        return Shown(lead=LEAD, pictures=[Message(plain(str(mistake)))])
    asked = min(int(values[STEP] or 0), recipe.steps)
    now = queries.trained(recipe, asked)
    live, history = queries.live_run(recipe), queries.history(recipe, now.step)
    over = live.diverged is not None and now.step >= live.last
    stopped = [Message(plain(str(live.diverged)), ":material/error:")] if over and live.diverged else []
    guessing = queries.lines_of_guessing(recipe)
    kept = _kept_history(recipe, values, now.step)
    pictures: list[Part] = [
        _player(live, values, now.step, over, asked),
        *stopped,
        Columns([[_heads(recipe, now)], [_losses(history, guessing, kept)]]),
        Columns([[_answers(now)], [_exact(history, kept)]]),
        *(diagnosed(recipe, now.step) if now.step == asked or over else ()),
        _kept_steps(live, now.step),
        *kept_row(recipe, values),
        Row(
            [
                failure_buttons(),
                Download("Download this step", "lab-download", _file_name(recipe, now.step), _file(recipe, now.step)),
            ]
        ),
        Columns([[_by_place(now)], [_speed(recipe, live)]]),
    ]
    return Shown(
        pictures=pictures,
        lead=f"{LEAD} {recipe.of.about}",
        takeaway=[happened(recipe.of, history), f"What should be seen: {recipe.of.expects}"],
        formula=FORMULA,
        about=ABOUT,
        table=Listing("training", _numbers(history)),
        source=("core.lab.run.LabRun.step", "core.training.step.train_step", "core.lab.measured.measure"),
    )


def _player(live: LiveRun, values: Values, step: int, over: bool, asked: int) -> Player:
    stride = {"one step at a time": 1, "slow": SLOW_STRIDE}.get(values[SPEED], _stride(live))
    seconds = ONE_STEP_SECONDS if stride == 1 else SECONDS
    return Player(
        PLAYER,
        STEP,
        live.recipe.steps,
        step,
        over,
        stride=stride,
        leaps=(10,),
        seconds=seconds,
        asked=0 if over else asked,
    )


def _stride(live: LiveRun) -> int:
    return int(np.clip(STRIDE_SECONDS / live.seconds if live.seconds else 1, 1, LONGEST_STRIDE))


def _kept_history(recipe: Recipe, values: Values, step: int) -> Sequence[Measured]:
    """Return what was measured of the kept run; nothing if none is kept, or if it cannot be used."""
    try:
        return kept_history(kept_recipe(values, recipe), step)
    except ValueError:  # `kept_row` says why
        return ()


def _file_name(recipe: Recipe, step: int) -> str:
    return f"lab-{recipe.task}-{step}.zip"


def _file(recipe: Recipe, step: int) -> Callable[[], bytes]:
    return partial(queries.step_file, recipe, step)


def _speed(recipe: Recipe, live: LiveRun) -> Part:
    """Return how fast the run is trained, and who else trains."""
    if not live.seconds:
        return Caption("Nothing was trained yet.")
    steps, others = 1 / live.seconds, queries.others_training()
    tokens = steps * recipe.batch * recipe.of.length
    words = f"One step takes {number(1000 * live.seconds, 2)} ms: {steps:,.0f} steps or {tokens:,.0f} tokens a second."
    if others:
        counted = f"{others} other run{'s are' if others > 1 else ' is'}"
        words += f" {counted} trained here now; they take turns, so each is slower than this."
    return Caption(words)


def _by_place(now: Measured) -> Chart:
    """Return the share of right tokens by their place in the answer."""
    lines = [_line("rows it never saw", np.arange(1, len(now.by_place) + 1), now.by_place)]
    if now.longer_by_place is not None:
        lines.append(_line("longer rows", np.arange(1, len(now.longer_by_place) + 1), now.longer_by_place))
    picture = spec(lines_spec, "Which part of the answer is right?", "place in the answer", "share right", most=1.05)
    return Chart(lines_data(lines), picture, "lab-places", "right tokens by their place in the answer")


def _heads(recipe: Recipe, now: Measured) -> HeadGrid:
    return HeadGrid(
        shades(now.patterns),
        key="lab-heads-grid",
        name="all heads on the probe",
        selected=None,
        caption=f"All heads on the row {recipe.of.probe}, at step {now.step:,}.",
    )


def _losses(history: Sequence[Measured], guessing: Baselines, kept: Sequence[Measured]) -> Chart:
    steps, end = np.array([measured.step for measured in history]), axis_end(history[-1].step)
    lines = [
        _line("rows of training", steps, [measured.loss for measured in history]),
        _line("rows it never saw", steps, [measured.held_out_loss for measured in history]),
        *kept_line(kept, "held_out_loss"),
        Line(
            f"guessing, ln V = {guessing.guessing:.2f}", np.array([0, end]), np.full(2, guessing.guessing), theory=True
        ),
        Line(f"counting pairs, {guessing.pairs:.2f}", np.array([0, end]), np.full(2, guessing.pairs), theory=True),
    ]
    picture = spec(lines_spec, "Does the loss fall?", "step", "loss, nats")
    return Chart(lines_data(lines), picture, "lab-loss", "the loss by step")


def _exact(history: Sequence[Measured], kept: Sequence[Measured]) -> Chart:
    steps = np.array([measured.step for measured in history])
    lines = [
        _line("rows it never saw", steps, [measured.held_out_exact for measured in history]),
        _line(
            "longer rows",
            steps,
            [np.nan if measured.longer_exact is None else measured.longer_exact for measured in history],
        ),
        *kept_line(kept, "held_out_exact"),
        Line("all", np.array([0, axis_end(history[-1].step)]), np.ones(2), theory=True),
    ]
    picture = spec(lines_spec, "How many rows are all right?", "step", "share of rows", most=1.05)
    return Chart(lines_data([line for line in lines if len(line.x)]), picture, "lab-exact", "right rows by step")


def _line(name: str, steps: np.ndarray, values: Sequence[float] | np.ndarray) -> Line:
    numbers = np.array(values, dtype=float)
    there = np.isfinite(numbers)
    return Line(name, steps[there], numbers[there])


def _answers(now: Measured) -> Numbers:
    rows = now.answers
    cells = {
        "question": [" ".join(answer.question) for answer in rows],
        "it writes": [" ".join(answer.given) for answer in rows],
        "right is": [" ".join(answer.right) for answer in rows],
        " ": ["✓" if answer.is_right else "✗" for answer in rows],
    }
    return Numbers(Listing("answers", cells, unfolded=True), "lab-answers")


def _kept_steps(live: LiveRun, step: int) -> Part:
    """Return buttons to the measured steps before and after this one."""
    steps = live.steps
    before = [kept_step for kept_step in steps if kept_step < step][-1:]
    after = [kept_step for kept_step in steps if kept_step > step][:1]
    buttons: list[Part] = [
        Button(f"{word} {to:,}", f"lab-kept-{word.split()[0].lower()}", partial(_goes, to), icon)
        for word, icon, targets in (
            ("Back to kept step", ":material/undo:", before),
            ("Forward to kept step", ":material/redo:", after),
        )
        for to in targets
    ]
    counted = f"{len(steps)} measured step{'s' * (len(steps) != 1)}"
    return Row(
        [*buttons, Caption(f"{counted} kept: {steps[0]:,} to {steps[-1]:,}." if len(steps) > 1 else "One step.")]
    )


def _goes(step: int) -> Mapping[str, Any]:
    return {STEP.key: step}


def _numbers(history: Sequence[Measured]) -> dict[str, list[float]]:
    columns = {
        "step": "step",
        "loss": "loss",
        "held-out loss": "held_out_loss",
        "right rows": "exact",
        "held-out right rows": "held_out_exact",
        "longer right rows": "longer_exact",
    }
    named = {title: [getattr(measured, name) for measured in history] for title, name in columns.items()}
    return {title: values for title, values in named.items() if None not in values}


VIEW = View("train one", _show, _controls, player=PLAYER, reads_text=False, uses_model=False, reads_mask=False)
