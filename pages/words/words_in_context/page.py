"""The page Words in context: one word in several sentences, with one vector for the word or one for each occurrence."""

from pages.shell import Page, View
from pages.words.words_in_context.layers import show_word_stages
from pages.words.words_in_context.parts import sentence_controls
from pages.words.words_in_context.pronoun import pronoun_controls, show_pronoun
from pages.words.words_in_context.senses import sense_controls, show_senses
from pages.words.words_in_context.sentences_map import context_map_controls, show_context_map
from pages.words.words_in_context.settings import SETTINGS
from pages.words.words_in_context.sources import show_sources, source_controls

PAGE = Page(
    file=__file__,
    title="Words in context",
    address="words-in-context",
    icon=":material/conversion_path:",
    question="Does a word mean the same in every sentence?",
    definition="To a transformer it does not: a word begins with the same row of numbers in every sentence, and each "
    "layer mixes in what the words around it bring.",
    introduction="A **word vector** is one point, whatever the sentence. In a transformer the point moves from layer "
    "to layer: here you see how far, where to, and what moved it.",
    views=(
        View("layer by layer", show_word_stages, sentence_controls, reads_text=False),
        View("what it drew from", show_sources, source_controls, reads_text=False),
        View("it: tired or wide", show_pronoun, pronoun_controls, reads_text=False, uses_model=False),
        View("map", show_context_map, context_map_controls, reads_text=False),
        View("neighbours by sense", show_senses, sense_controls, reads_text=False, reads_mask=False),
    ),
    settings=SETTINGS,
    model="reader",
    reads_target=False,
)
