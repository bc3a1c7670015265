"""The page The block: the effect of each part of a block on a token's vector."""

from pages.shell import Page
from pages.transformer.block import any_order, neurons, norm, patch, residual_stream, take_away
from pages.transformer.block.settings import SETTINGS, STACK

PAGE = Page(
    file=__file__,
    title="The block",
    address="block",
    icon=":material/layers:",
    question="What does each part of a block do?",
    definition="A transformer is a stack of **blocks** of one form. Each adds to a token's vector what **attention** "
    "brings from other tokens, and what the **feed-forward layer** makes of the vector itself.",
    introduction="What one part adds to a token's vector, all later parts can read.",
    views=(residual_stream.VIEW, norm.VIEW, neurons.VIEW, any_order.VIEW, take_away.VIEW, patch.VIEW),
    settings=SETTINGS,
    model="storyteller",
    text="Once upon a time there was a little girl who lived in a wood. One day",
    reads_target=STACK,
)
