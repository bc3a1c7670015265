"""The page Translate: a translation, token by token."""

from pages.shell import Page
from pages.transformer.translate import alignment, beam, compare, force, french, step_by_step
from pages.transformer.translate.settings import SETTINGS
from pages.transformer.translate.translation import mask_parts, translation

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
    views=(step_by_step.VIEW, alignment.VIEW, french.VIEW, force.VIEW, beam.VIEW, compare.VIEW),
    settings=SETTINGS,
    architectures=("encoder-decoder",),
    model="translator",
    text="The boy throws the ball and the girl reads a book.",
    subject=translation,
    above=mask_parts,
    reads_target=False,
)
