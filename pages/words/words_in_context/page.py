"""The page Words in context: one word in several sentences, with one vector for the word or one for each occurrence."""

from pages.shell import Page
from pages.words.words_in_context import layers, pronoun, senses, sentences_map, sources
from pages.words.words_in_context.settings import SETTINGS

PAGE = Page(
    file=__file__,
    title="Words in context",
    address="words-in-context",
    icon=":material/conversion_path:",
    question="Does a word mean the same in every sentence?",
    definition="In a transformer a word does not: it begins with the same row of numbers in every sentence, and each "
    "layer mixes in what the words around it bring.",
    introduction="A **word vector** is one point, whatever the sentence. In a transformer the point moves from layer "
    "to layer: here you see how far, where to, and what moved it.",
    views=(layers.VIEW, sources.VIEW, pronoun.VIEW, sentences_map.VIEW, senses.VIEW),
    settings=SETTINGS,
    model="reader",
    reads_target=False,
)
