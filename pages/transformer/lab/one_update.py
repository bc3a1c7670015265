"""The next update of one weight, taken apart: the gradient as a sum over positions, and AdamW number by number."""

from collections.abc import Iterator

import numpy as np

from core.charts.positions_lines import Line, lines_data, lines_spec
from core.lab.recipe import Recipe
from core.lab.update import WeightUpdate
from core.readings.words import number
from core.tracing.run import Run
from pages.shell import Shown, View
from pages.transformer.lab import queries
from pages.transformer.lab.parts import recipe_of, run_controls, which_run
from pages.transformer.lab.settings import COLUMN, MATRIX, OF_LAYER, ROW, STEP
from pages.widgets import Chart, Control, Message, Table, Values, control, plain, spec

LEAD = (
    "Every position of every row in a step pulls at each weight. The sum of these pulls is its **gradient**; AdamW "
    "keeps two running means of it, and moves the weight by their ratio."
)
FORMULA = (
    r"g = \sum_{b,i} \delta_{b,i} \, x_{b,i} \qquad m \leftarrow \beta_1 m + (1 - \beta_1) g \qquad "
    r"v \leftarrow \beta_2 v + (1 - \beta_2) g^2 \qquad \hat m = \frac{m}{1 - \beta_1^t}, \; "
    r"\hat v = \frac{v}{1 - \beta_2^t} \qquad "
    r"w \leftarrow w - \eta \lambda w - \eta \, \frac{\hat m}{\sqrt{\hat v} + \epsilon}"
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from run_controls(run, values)
    yield control(MATRIX, width=240)
    if values[MATRIX] != "embedding":
        yield control(OF_LAYER, width=170)
    yield control(ROW, width=160)
    yield control(COLUMN, width=180)


def _show(run: Run, values: Values) -> Shown:
    """Show the pulls of all positions at one weight, and its new value."""
    try:
        recipe = recipe_of(values)
        now = queries.trained(recipe, min(int(values[STEP] or 0), recipe.steps))
        name, index, note = _place(recipe, values)
        update = queries.next_update(recipe, now.step, name, index)
    except ValueError as mistake:
        return Shown(lead=LEAD, pictures=[Message(plain(str(mistake)))])
    pulls = update.contributions
    by_place = pulls.sum(0)
    places = np.arange(1, len(by_place) + 1)
    lines = [Line("all rows together", places, by_place), Line("row 1", places, pulls[0])]
    nothing = Line("no pull", places[[0, -1]], np.zeros(2), theory=True)
    drawn = spec(lines_spec, "Which positions pull at this weight?", "position", "part of the gradient")
    return Shown(
        pictures=[
            Chart(lines_data([*lines, nothing]), drawn, "lab-pulls", "the pull of each position at one weight"),
            which_run(recipe, now.step),
        ],
        lead=LEAD,
        arithmetic=written(update),
        takeaway=_said(update),
        notes=[note],
        formula=FORMULA,
        about="The gradient is that of the mean loss of the next step's rows. AdamW: Loshchilov & Hutter 2019.",
        table=Table(
            "pulls", pulls, [str(row + 1) for row in range(len(pulls))], [str(place) for place in places], "row"
        ),
        source=("core.lab.update.NextUpdate", "core.lab.update.AdamW"),
    )


def _place(recipe: Recipe, values: Values) -> tuple[str, tuple[int, int], str | None]:
    """Return the name of a parameter, a place in it, and a note if the place that was asked for is not in it."""
    config, chosen = recipe.config, values[MATRIX]
    layer = min(int(values[OF_LAYER]), recipe.layers)
    heads = recipe.heads * (recipe.d_k or recipe.d_model // recipe.heads)
    values_wide = recipe.heads * (recipe.d_model // recipe.heads)
    shape = {
        "embedding": (config.vocab_size, recipe.d_model),
        "W_O": (recipe.d_model, values_wide),
        "W_V": (values_wide, recipe.d_model),
    }.get(chosen, (heads, recipe.d_model))
    asked = int(values[ROW]), int(values[COLUMN])
    index = min(asked[0], shape[0] - 1), min(asked[1], shape[1] - 1)
    name = "embed.weight" if chosen == "embedding" else f"decoder.{layer - 1}.attn.{chosen.lower()}.weight"
    note = f"{chosen} has {shape[0]} rows and {shape[1]} columns, each counted from 0." if index != asked else None
    return name, index, note


def written(update: WeightUpdate) -> str:
    """Return the update of a weight in lines, each step with its numbers."""
    adam, g = update.adam, number
    clipped = f" × {g(update.kept)} (clipping) = {g(adam.gradient)}" if update.kept < 1 else ""
    return "\n".join(
        [
            f"g  = sum of {update.contributions.size} parts = {g(update.gradient)}{clipped}",
            f"m  = {adam.beta1:g} × {g(adam.m_before)} + {1 - adam.beta1:.3g} × {g(adam.gradient)} = {g(adam.m)}",
            f"v  = {adam.beta2:g} × {g(adam.v_before)} + {1 - adam.beta2:.3g} × {g(adam.gradient)}² = {g(adam.v)}",
            f"m̂  = {g(adam.m)} / (1 − {adam.beta1:g}^{adam.step}) = {g(adam.m_hat)}",
            f"v̂  = {g(adam.v)} / (1 − {adam.beta2:g}^{adam.step}) = {g(adam.v_hat)}",
            f"decay = {g(adam.lr)} × {adam.decay:g} × {g(adam.old)} = {g(adam.decayed)}",
            f"move  = {g(adam.lr)} × {g(adam.m_hat)} / (√{g(adam.v_hat)} + {g(adam.eps)}) = {g(adam.moved)}",
            f"w  = {g(adam.old, 5)} − {g(adam.decayed)} − ({g(adam.moved)}) = {g(adam.new, 5)}",
        ]
    )


def _said(update: WeightUpdate) -> str:
    pulls = update.contributions
    row, place = np.unravel_index(np.abs(pulls).argmax(), pulls.shape)
    adam = update.adam
    if not np.abs(pulls).max() > 0:
        return f"In step {adam.step:,} no position pulls at this weight: its gradient is 0."
    return (
        f"Step {adam.step:,} takes this weight from {number(adam.old, 5)} to {number(adam.new, 5)}. The strongest "
        f"pull, {number(float(pulls[row, place]))}, is that of position {place + 1} in row {row + 1}."
    )


VIEW = View("one update", _show, _controls, reads_text=False, uses_model=False, reads_mask=False)
