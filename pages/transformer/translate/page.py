"""The page Translate: a translation, token by token."""

from functools import partial

from pages.shell import Page, View
from pages.transformer.translate.alignment import alignment_controls, show_alignment
from pages.transformer.translate.beam import beam_controls, show_beam
from pages.transformer.translate.compare import compare_controls, show_comparison
from pages.transformer.translate.force import force_controls, force_seconds, show_force
from pages.transformer.translate.french import show_french
from pages.transformer.translate.settings import OVER, SETTINGS
from pages.transformer.translate.step_by_step import PLAYER, show_step_by_step
from pages.transformer.translate.translation import heads_controls, mask_parts, translation

PAGE = Page(
    file=__file__,
    title="Translate",
    address="translate",
    icon=":material/translate:",
    question="How does a sentence become another?",
    definition="An **encoder** reads the sentence; a **decoder** writes its translation, one **token** (a word or a "
    "piece of one) after the other.",
    introduction="For each token it looks back at what it has written (masked self-attention) and over at the source "
    "(**cross-attention**: queries from the translation, keys and values from the source).",
    views=(
        View("step by step", show_step_by_step, partial(heads_controls, which=OVER), player=PLAYER),
        View("alignment", show_alignment, alignment_controls),
        View("your French", show_french, reads_target=True),
        View("force it", show_force, force_controls, force_seconds),
        View("beam", show_beam, beam_controls),
        View("ways to write", show_comparison, compare_controls),
    ),
    settings=SETTINGS,
    architectures=("encoder-decoder",),
    model="translator",
    text="The boy throws the ball and the girl reads a book.",
    subject=translation,
    above=mask_parts,
    reads_target=False,
)
