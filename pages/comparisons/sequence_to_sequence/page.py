"""The page Sequence to sequence: a GRU with one vector, a GRU with additive attention, and the transformer."""

from core.tracing.run import Run
from pages.comparisons.sequence_to_sequence.additive_attention import cell_controls, show_additive
from pages.comparisons.sequence_to_sequence.both_directions import direction_controls, show_directions
from pages.comparisons.sequence_to_sequence.bottleneck import bottleneck_controls, show_bottleneck
from pages.comparisons.sequence_to_sequence.force import forced_controls, show_forced
from pages.comparisons.sequence_to_sequence.gates import gate_controls, show_gates
from pages.comparisons.sequence_to_sequence.hidden_states import show_states
from pages.comparisons.sequence_to_sequence.length import show_length
from pages.comparisons.sequence_to_sequence.parts import BENCH, PLAYER, STEPS
from pages.comparisons.sequence_to_sequence.settings import SETTINGS
from pages.comparisons.sequence_to_sequence.three import show_three_translations
from pages.comparisons.sequence_to_sequence.timing import show_timing
from pages.shell import Page, View
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
    introduction="The first ones were **GRUs**, which go word by word and keep one **hidden state**; attention came "
    "in 2015 so that a **decoder** need not live on one vector; the **transformer** kept the attention and dropped "
    "the GRU.",
    views=(
        View("three translations", show_three_translations, player=PLAYER),
        View("hidden states", show_states, player=STEPS),
        View("the bottleneck", show_bottleneck, bottleneck_controls),
        View("additive attention", show_additive, cell_controls),
        View("force it", show_forced, forced_controls),
        View("gates", show_gates, gate_controls),
        View("both directions", show_directions, direction_controls),
        View("length", show_length),
        View("time", show_timing, player=BENCH, reads_text=False),
    ),
    settings=SETTINGS,
    model="translator",
    text="A young woman in a red dress is reading a book while two dogs are playing on the beach.",
    subject=_sentence,
    shows_model=False,
    uses_model=False,
    reads_target=False,
)
