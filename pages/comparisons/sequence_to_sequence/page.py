"""The page Sequence to sequence: a GRU with one vector, a GRU with additive attention, and the transformer."""

from core.tracing.run import Run
from pages.comparisons.sequence_to_sequence import (
    additive_attention,
    both_directions,
    bottleneck,
    force,
    gates,
    hidden_states,
    length,
    three,
    timing,
)
from pages.comparisons.sequence_to_sequence.settings import SETTINGS
from pages.shell import Page
from pages.widgets import Values


def _sentence(run: Run, values: Values) -> str:
    """Return the text, which every model of this page reads, whatever model the visitor has chosen elsewhere."""
    return run.text


PAGE = Page(
    file=__file__,
    title="Sequence to sequence",
    address="sequence-to-sequence",
    icon=":material/compare_arrows:",
    question="What did attention change?",
    definition="A sequence-to-sequence model reads one text and writes another. Without attention it must keep all it "
    "has read in one vector; with attention it looks back at every word.",
    introduction="The first such models were recurrent, like **GRUs**, which go word by word and keep one **hidden "
    "state**; attention came in 2015 so that a **decoder** need not live on one vector; the **transformer** kept the "
    "attention and dropped the recurrence.",
    views=(
        three.VIEW,
        hidden_states.VIEW,
        bottleneck.VIEW,
        additive_attention.VIEW,
        force.VIEW,
        gates.VIEW,
        both_directions.VIEW,
        length.VIEW,
        timing.VIEW,
    ),
    settings=SETTINGS,
    model="translator",
    text="A young woman in a red dress is reading a book while two dogs are playing on the beach.",
    subject=_sentence,
    shows_model=False,
    uses_model=False,
    reads_target=False,
)
