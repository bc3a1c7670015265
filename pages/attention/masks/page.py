"""The page Masks: keys that a query may not look at, and the effects of looking at them anyway."""

from core.topics.masks.readings import read_windows
from core.tracing.run import Run
from pages.attention.masks import batch, leak, weights
from pages.attention.masks.queries import masked_place
from pages.attention.masks.settings import SETTINGS
from pages.shell import MASK, MASK_SIZES, Page
from pages.widgets import Caption, Part, Values


def _which_mask(run: Run, values: Values) -> list[Part]:
    """Return captions on which attention this page masks, and on the windows that the model has itself."""
    stack_notes = ["In an encoder-decoder, this page masks the decoder's self-attention."] * (run.config.has_two_stacks)
    return [Caption(sentence) for sentence in (*stack_notes, *read_windows(run.config.windows))]


PAGE = Page(
    file=__file__,
    title="Masks",
    address="masks",
    icon=":material/visibility_off:",
    question="Who may look at whom?",
    definition="A **mask** says which words each word of a text may look at. All others get a weight of exactly 0.",
    introduction="In attention each token (a row, a **query**) gathers from the tokens that it looks at (columns, "
    "**keys**). Where the mask forbids it, the score is −∞, and so the weight is 0. A mask can be chosen "
    "or painted by hand.",
    views=(weights.EFFECT_VIEW, weights.WAYS_VIEW, leak.VIEW, weights.EMPTY_VIEW, batch.VIEW),
    settings=SETTINGS,
    model="storyteller",
    above=_which_mask,
    finds_head=masked_place,
    owns=frozenset({MASK.key, *(size.key for _, size in MASK_SIZES)}),
)
