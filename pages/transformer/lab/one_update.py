"""The next update of one weight, step by step: the gradient as a sum over positions, and AdamW number by number."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from core.charts.positions_lines import Line, lines_data, lines_spec
from core.lab.recipe import Recipe
from core.lab.update import WeightUpdate
from core.readings.words import number
from core.tracing.run import Run
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.shell import Shown, View
from pages.transformer.lab import queries
from pages.transformer.lab.parts import (
    PLAYER,
    on_a_run,
    own_text_box,
    player_of,
    recipe_of,
    run_controls,
    shown_step,
    which_run,
)
from pages.transformer.lab.settings import COLUMN, MATRICES, MATRIX, OF_LAYER, ROW
from pages.widgets import Chart, Columns, Control, Table, Values, control, spec

LEAD = (
    "Every position of every row in a step pulls at each weight. Minus the sum of these pulls is its **gradient**; "
    "AdamW keeps running means of it and of its square, and moves the weight against the first over the root of the "
    "second."
)
FORMULA = (
    r"g = \sum_{b,i} \delta_{b,i} \, x_{b,i} \qquad m \leftarrow \beta_1 m + (1 - \beta_1) g \qquad "
    r"v \leftarrow \beta_2 v + (1 - \beta_2) g^2 \qquad \hat m = \frac{m}{1 - \beta_1^t}, \; "
    r"\hat v = \frac{v}{1 - \beta_2^t} \qquad "
    r"w \leftarrow w - \eta \lambda w - \eta \, \frac{\hat m}{\sqrt{\hat v} + \epsilon}"
)
BOTH_TEXTS = "Encoder and decoder share this matrix: the positions are those of the encoder, then those of the decoder."
IN_BLOCK = ("W_Q", "W_K", "W_V", "W_O", "W_1", "W_2")  # each block has its own


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from run_controls(run, values)
    try:
        parameters = _parameters(recipe_of(values), 1)
    except ValueError:  # `_show` says why
        parameters = dict.fromkeys(MATRICES, "")
    yield control(MATRIX, options=tuple(parameters), width=170)
    if values[MATRIX].removeprefix("cross ") in IN_BLOCK:
        yield control(OF_LAYER, width=130)
    yield control(ROW, width=130)
    yield control(COLUMN, width=130)


def _show(recipe: Recipe, values: Values) -> Shown:
    """Show the weights, their gradient, what each position adds to that of the chosen weight, and its new value."""
    now = shown_step(recipe, values)
    layer = min(int(values[OF_LAYER]), recipe.layers)
    name = _parameters(recipe, layer).get(values[MATRIX], f"{values[MATRIX]}, layer {layer}")
    shape = queries.shape_of(recipe, name)
    asked = int(values[ROW]), int(values[COLUMN])
    index = min(asked[0], shape[0] - 1), min(asked[1], shape[1] - 1)
    update = queries.next_update(recipe, now.step, name, index)
    pulls = _pulls_of(update)
    in_both = recipe.architecture == "encoder-decoder" and name in ("embed.weight", "positions.weight")
    note = f"{values[MATRIX]} has {shape[0]} rows and {shape[1]} columns, each counted from 0."
    return Shown(
        pictures=[
            player_of(queries.live_run(recipe), values, now.step),
            *own_text_box(values),
            _directions(pulls),
            Columns([[_matrices(update, values[MATRIX])], [_pulls(pulls)]], widths=(3, 2)),
            which_run(recipe, now.step),
        ],
        lead=LEAD,
        arithmetic=written(update),
        takeaway=_said(update),
        notes=[note if index != asked else None, BOTH_TEXTS if in_both else None],
        formula=FORMULA,
        about="Click a weight to take it apart. The gradient is that of the mean loss of the next step's rows. AdamW: "
        "Loshchilov & Hutter 2019.",
        table=Table(
            "pulls",
            pulls,
            _counted(pulls.shape[0]),
            _counted(pulls.shape[1]),
            "row",
        ),
        source=("core.lab.update.NextUpdate", "core.lab.update.AdamW"),
    )


def _parameters(recipe: Recipe, layer: int) -> dict[str, str]:
    """Return the names of the matrices of a model, by the options of the list of matrices.

    layer: counted from 1.
    """
    block = f"decoder.{layer - 1}."
    named = {matrix: f"{block}attn.{matrix.lower()}.weight" for matrix in IN_BLOCK[:4]}
    if recipe.feed_forward:
        named |= {matrix: f"{block}ffn.{matrix.lower()}.weight" for matrix in IN_BLOCK[4:]}
    if recipe.architecture == "encoder-decoder":
        named |= {f"cross {matrix}": f"{block}cross.{matrix.lower()}.weight" for matrix in IN_BLOCK[:4]}
    named["embedding"] = "embed.weight"
    if recipe.positions == "learned":
        named["positions"] = "positions.weight"
    return named if recipe.tied else named | {"output": "unembed.weight"}


def _matrices(update: WeightUpdate, matrix: str) -> Matrices:
    """Return the parameter and its gradient, with the chosen weight outlined."""
    row, column = update.index
    panels = [
        Panel("weights", f"{matrix} before the step", update.weights, selected=(row, column), unit="weight"),
        Panel("gradient", "its gradient", update.gradients, selected=(row, column), unit="gradient"),
    ]
    return Matrices(panels, key="lab-matrices", name="weights and gradients", height=320, sets=_picked)


def _picked(panel: str, row: int, column: int) -> Mapping[str, Any]:
    return {ROW.key: row, COLUMN.key: column}


def _counted(count: int) -> list[str]:
    """Return the numbers from 1 on, as labels."""
    return [str(place) for place in range(1, count + 1)]


def _directions(pulls: np.ndarray) -> TokenButtons:
    """Return an arrow for each position: whether all rows together pull the weight up or down there, and how much."""
    by_place = pulls.sum(0)
    largest = float(np.abs(by_place).max()) or 1.0
    tiles = [
        Token(
            "↑" if pull > 0 else "↓" if pull < 0 else "·", f"pull {number(pull)}", abs(pull) / largest, under=str(place)
        )
        for place, pull in enumerate(by_place.tolist(), 1)
    ]
    return TokenButtons(
        tiles,
        key="lab-directions",
        name="Which way each position pulls this weight",
        caption="Which way each position of the rows pulls this weight, up or down: the stronger the colour, the more.",
        hue="size",
        item="position",
        large=True,
    )


def _pulls(pulls: np.ndarray) -> Chart:
    """Return how each position pulls at the weight, in all rows together and in the row that pulls most."""
    strongest = int(np.abs(pulls).max(1).argmax())
    by_place, places = pulls.sum(0), np.arange(1, pulls.shape[1] + 1)
    lines = [
        Line("all examples together", places, by_place),
        Line(f"example {strongest + 1} alone", places, pulls[strongest]),
        Line("no pull", places[[0, -1]], np.zeros(2), theory=True),
    ]
    drawn = spec(lines_spec, "Which positions pull at this weight?", "position", "pull: above 0 is up")
    return Chart(lines_data(lines), drawn, "lab-pulls", "the pull of each position at one weight")


def written(update: WeightUpdate) -> str:
    """Return the update of a weight in lines, each step with its numbers."""
    adam, g = update.adam, number
    clipped = [f"g  after clipping = {g(update.gradient)} × {g(update.kept)} = {g(adam.gradient)}"]
    return "\n".join(
        [
            f"g  = sum of {update.contributions.size} parts = {g(update.gradient)}",
            *(clipped if update.kept < 1 else []),
            f"m  = {adam.beta1:g} × {g(adam.m_before)} + {1 - adam.beta1:.3g} × {g(adam.gradient)} = {g(adam.m)}",
            f"v  = {adam.beta2:g} × {g(adam.v_before)} + {1 - adam.beta2:.3g} × {g(adam.gradient)}² = {g(adam.v)}",
            f"m̂  = {g(adam.m)} / (1 − {adam.beta1:g}^{adam.step}) = {g(adam.m_hat)}",
            f"v̂  = {g(adam.v)} / (1 − {adam.beta2:g}^{adam.step}) = {g(adam.v_hat)}",
            f"decay = {g(adam.lr)} × {adam.decay:g} × {g(adam.old)} = {g(adam.decayed)}",
            f"move  = {g(adam.lr)} × {g(adam.m_hat)} / (√{g(adam.v_hat)} + {g(adam.eps)}) = {g(adam.moved)}",
            f"w  = {g(adam.old, 5)} − {g(adam.decayed)} − ({g(adam.moved)}) = {g(adam.new, 5)}",
        ]
    )


def _pulls_of(update: WeightUpdate) -> np.ndarray:
    """Return how each row and position pulls at the weight: up above 0, because a weight goes against its gradient."""
    return -update.contributions


def _said(update: WeightUpdate) -> list[str]:
    """Return which way the weight is pulled and goes; then its new value, and the position that pulls most."""
    pulls = _pulls_of(update)
    row, place = np.unravel_index(np.abs(pulls).argmax(), pulls.shape)
    adam = update.adam
    if not np.abs(pulls).max() > 0:
        return [f"In step {adam.step:,} no position pulls at this weight: its gradient is 0."]
    up, change = adam.gradient < 0, adam.new - adam.old
    verb = "raises it" if change > 0 else "lowers it" if change < 0 else "leaves it as it is"
    follows = change > 0 if up else change < 0
    pulled = f"Together the positions pull this weight {'up' if up else 'down'}"
    return [
        f"{pulled}, so the next step {verb} a little." if follows else f"{pulled}, but the next step still {verb}.",
        f"Step {adam.step:,} takes it from {number(adam.old, 5)} to {number(adam.new, 5)}. The strongest pull, "
        f"{number(float(pulls[row, place]))}, is that of position {place + 1} in example {row + 1}.",
    ]


VIEW = View(
    "one update", on_a_run(LEAD, _show), _controls, player=PLAYER, reads_text=False, uses_model=False, reads_mask=False
)
