"""The view of the whole model as a drawing, with the tokens of the text on their way through it."""

from collections.abc import Iterator
from dataclasses import replace

from core.checkpoints.class_layer import ClassLayer
from core.limits import UNASKED_SECONDS
from core.readings.words import quoted
from core.topics.architecture.drawn import drawn_model
from core.topics.architecture.flow import Flow
from core.topics.architecture.plan import DrawingPlan
from core.topics.architecture.readings.drawing import read_drawing
from core.topics.architecture.whole import WholeModel
from core.topics.shared.loading import estimate_seconds
from core.tracing.run import Run
from pages.canvas import ModelDrawing
from pages.compute.calls import core_call
from pages.session.visit import visit_state
from pages.shell import RUN_ANYWAY, Shown, View
from pages.transformer.architecture import queries
from pages.transformer.architecture.openings import Doorway, doorway
from pages.transformer.architecture.settings import STEP
from pages.widgets import Control, Listing, Values, control, head_of, layer_of, place_controls

HEAVY_SECONDS = UNASKED_SECONDS / 2  # seconds: a longer run starts only if the visitor asks for it


def _controls(model: WholeModel, values: Values) -> Iterator[Control]:
    yield from place_controls(model.run, attention=False)
    if _seconds(model) > HEAVY_SECONDS:
        yield control(RUN_ANYWAY, label="Let the tokens flow, though it takes a while")
    yield control(STEP, "below", width=150)


def _show(model: WholeModel, values: Values) -> Shown:
    """Show every box with its shape and its parameters, one layer open, and the tokens at each box."""
    run, opened = model.run, layer_of(model.run, values)
    plan = core_call(drawn_model, model, opened, queries.use_of(run))
    doors = {key: door for key, box in plan.named.items() if (door := doorway(run, box)) and _there_is(door)}
    flow, note = _flow(model, values, opened)
    picture = ModelDrawing(
        plan,
        key="architecture-drawing",
        name="drawing of the model",
        does={key: door.does for key, door in doors.items()},
        sets=lambda key: doors[key].clicked(),
        flow=flow,
        after=_after(run, flow),
        step=values[STEP],
        sets_step=lambda step: {STEP.key: step},
    )
    return Shown(
        lead="Each box shows its **parameters** and the shape of what it hands on.",
        click="Click a box to open it on its own page, or a folded layer to open it here. Press Play and your tokens "
        "go through.",
        pictures=[picture],
        takeaway=_takeaway(model),
        notes=[note],
        about="The thick line is the **residual stream**; a thin line reads from it, and ⊕ adds what was computed. "
        "Norms stand where this model has them. The dashed line joins two uses of one table, which is counted once. "
        "In the original paper the same figure is drawn from bottom to top.",
        table=_listed(plan),
        source=("core.topics.architecture.drawn.drawn_model", "core.model.transformer.Transformer.forward"),
    )


def _there_is(door: Doorway) -> bool:
    """Return whether this app has the page to which a box leads."""
    return not door.address or door.address in visit_state().entries


def _flow(model: WholeModel, values: Values, opened: int) -> tuple[Flow | None, str | None]:
    """Return the numbers at each box, or why they are not shown."""
    if _seconds(model) > HEAVY_SECONDS and not values[RUN_ANYWAY]:
        return None, f"The tokens do not flow yet: this model needs about {_seconds(model):.0f} seconds for them here."
    try:
        flow = queries.flow(model.run, opened, head_of(model.run, values))
    except ValueError as mistake:
        return None, f"The tokens do not flow: {mistake}"
    return replace(flow, answer=flow.answer or queries.answer_of(model.run)), None


def _seconds(model: WholeModel) -> float:
    """Estimate how many seconds one pass takes."""
    return estimate_seconds(model.run.config, model.source + model.target, 1)


def _after(run: Run, flow: Flow | None) -> str:
    """Return the heading above the answer; "" if the tokens do not flow."""
    if flow is None:
        return ""
    if flow.last:
        return f"What comes after {quoted(flow.last)}?"
    return "The verdict" if isinstance(queries.use_of(run), ClassLayer) else "What is hidden there?"


def _takeaway(model: WholeModel) -> list[str]:
    layers = sum(part.parameters for part in model.parts if part.layer is not None)
    tables = sum(part.parameters for part in model.parts if part.kind in ("embedding", "unembedding"))
    return read_drawing(
        model.parameters, [model.run.config.depth(stack) for stack in model.run.config.stacks], layers, tables
    )


def _listed(plan: DrawingPlan) -> Listing:
    """Return a list of every box, with its shape and its parameters."""
    rows = [(pile.stack, box) for pile in plan.piles for box in pile.boxes]
    return Listing(
        "boxes",
        {
            "stack": [stack for stack, _ in rows],
            "layer": ["" if box.layer is None else str(box.layer + 1) for _, box in rows],
            "box": [box.title for _, box in rows],
            "shape": [box.shape for _, box in rows],
            "parameters": [box.parameters for _, box in rows],
        },
    )


VIEW = View("drawing", _show, _controls)
