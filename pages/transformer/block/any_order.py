"""The view of the feed-forward layer with the tokens in another order: the same function at every position."""

from collections.abc import Iterator

import numpy as np

from core.topics.block.neurons import Neurons
from core.topics.block.permutation_equivariance import AnyOrder
from core.topics.block.readings import neurons as say
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.transformer.block import queries
from pages.transformer.block.parts import block_controls, stack_of, token_at, without_neurons
from pages.transformer.block.settings import ORDER_SEED
from pages.widgets import Columns, Control, Markdown, Message, Table, Values, control, layer_of

LEAD = (
    "The **feed-forward layer** is one function, and it works on each token's vector alone. Here it is fed with the "
    "same vectors in another order: each neuron fires as before, wherever the token now stands."
)
ABOUT = (
    "The vectors are what the layer reads in your text; only their order changes, not the vectors. The table "
    "compares the outputs, put back into the text's order. Fed one token at a time, a part reads each token as a text "
    "of its own. Attention is fed with what it reads in this block, under the same mask. All of it in float32."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    if not run.config.hidden_width:
        return
    yield from block_controls(run, values)
    yield control(ORDER_SEED, width=180)


def _show(run: Run, values: Values) -> Shown:
    """Show the strongest neurons in both orders of the tokens, and how far the outputs of both parts move."""
    if not run.config.hidden_width:
        return without_neurons(LEAD)
    stack = stack_of(run, values)
    layer = layer_of(run, values, stack)
    strongest = queries.neurons(run, stack, layer, token_at(run, values), None)
    if len(strongest.labels) < 2:
        return Shown(lead=LEAD, pictures=[Message("One token has only one order. Type two words or more.")])
    comparison = queries.any_order(run, stack, layer, values[ORDER_SEED], strongest.numbers)
    moved = {"feed-forward": comparison.ffn, "attention": comparison.attention}
    changes = [change.order for change in moved.values()], [change.alone for change in moved.values()]
    return Shown(
        lead=LEAD,
        pictures=[
            Columns(
                [
                    [_heatmaps(comparison, strongest, run.config.activation)],
                    [Markdown(say.write_moved_parts(tuple(moved), *changes))],
                ],
                (2, 1),
            )
        ],
        takeaway=[
            *say.read_same_function(comparison.ffn.order, comparison.ffn.size, comparison.ffn.keeps_order),
            say.read_attention_moved(
                comparison.attention.keeps_order, comparison.attention.keeps_alone, comparison.told_by
            ),
        ],
        formula=say.write_order(),
        about=ABOUT,
        table=Table(
            "in another order",
            np.array([list(vars(change).values()) for change in moved.values()]),
            tuple(moved),
            ("in another order", "by itself", "largest output"),
            corner="part",
        ),
        source=("core.topics.block.permutation_equivariance.any_order", "core.model.layers.FeedForward"),
    )


def _heatmaps(comparison: AnyOrder, strongest: Neurons, activation: str) -> Matrices:
    """Show the activations of the same neurons in both orders, on one scale, one token framed in both."""
    limit = float(max(np.abs(comparison.before).max(), np.abs(comparison.after).max()))

    def panel(name: str, title: str, values: np.ndarray, labels: tuple[str, ...], row: int) -> Panel:
        return Panel(
            name,
            title,
            values,
            labels,
            tuple(map(str, strongest.numbers)),
            "tokens",
            "neurons",
            "size" if activation == "relu" else "signed",
            limit or None,
            outlines=[(row, None)],
            unit="activation",
        )

    moved_to = int(np.flatnonzero(comparison.order == strongest.token)[0])
    panels = [
        panel("before", "in the text's order", comparison.before, comparison.labels, strongest.token),
        panel("after", "fed in another order", comparison.after, comparison.new_labels, moved_to),
    ]
    return Matrices(panels, key="block-any-order", name="activations in both orders", height=340)


VIEW = View("any order", _show, _controls)
