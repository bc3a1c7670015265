"""The page Word vectors: words as rows of numbers, before there was attention."""

from pages.shell import Page
from pages.words.word_vectors import analogies, bias, nearest, similarity, training, words_map
from pages.words.word_vectors.settings import SETTINGS

PAGE = Page(
    file=__file__,
    title="Word vectors",
    address="word-vectors",
    icon=":material/scatter_plot:",
    question="How can a word be a row of numbers?",
    definition="A **word vector** is a row of numbers for a word: words that are used alike get rows that are alike.",
    introduction="A word is known by the words around it: from that alone, over many books, each word gets its "
    "vector. Two small models of 2013 learn them, and you can train one here. Such a vector is the same in every "
    "sentence, whatever the word means there; attention changes that.",
    views=(words_map.VIEW, nearest.VIEW, analogies.VIEW, similarity.VIEW, bias.VIEW, training.VIEW),
    settings=SETTINGS,
    model="storyteller",
    shows_model=False,
    uses_model=False,
    reads_text=False,
    reads_target=False,
)
