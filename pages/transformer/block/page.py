"""The page The block: the effect of each part of a block on a token's vector."""

from pages.shell import Page, View
from pages.transformer.block.any_order import order_controls, show_any_order
from pages.transformer.block.neurons import neuron_controls, show_neurons
from pages.transformer.block.norm import norm_controls, show_norm
from pages.transformer.block.patch import patch_controls, show_patch
from pages.transformer.block.residual_stream import show_stream, stream_controls
from pages.transformer.block.settings import SETTINGS, STACK
from pages.transformer.block.take_away import show_take_away, take_away_controls

PAGE = Page(
    file=__file__,
    title="The block",
    address="block",
    icon=":material/layers:",
    question="What does each part of a block do?",
    definition="A transformer is a stack of **blocks** of one form. Each adds to a token's vector what **attention** "
    "brings from other tokens, and what the **feed-forward layer** makes of the vector itself.",
    introduction="**Norms** keep the numbers in range. Follow one token through all parts.",
    views=(
        View("residual stream", show_stream, stream_controls),
        View("norm", show_norm, norm_controls),
        View("neurons", show_neurons, neuron_controls),
        View("any order", show_any_order, order_controls),
        View("take away", show_take_away, take_away_controls),
        View("patch", show_patch, patch_controls, reads_target=True),
    ),
    settings=SETTINGS,
    model="storyteller",
    text="Once upon a time there was a little girl who lived in a wood. One day",
    reads_target=STACK,
)
