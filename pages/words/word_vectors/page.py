"""The page Word vectors: words as rows of numbers, before there was attention."""

from pages.shell import Page, View
from pages.words.word_vectors.analogies import analogy_controls, show_analogies
from pages.words.word_vectors.bias import bias_controls, show_bias
from pages.words.word_vectors.nearest import neighbour_controls, show_neighbours
from pages.words.word_vectors.parts import PLAYER
from pages.words.word_vectors.settings import SETTINGS
from pages.words.word_vectors.similarity import show_similarity, similarity_controls
from pages.words.word_vectors.training import live_controls, show_training
from pages.words.word_vectors.words_map import show_word_map, word_map_controls

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
    views=(
        View("map", show_word_map, word_map_controls),
        View("neighbours", show_neighbours, neighbour_controls),
        View("analogies", show_analogies, analogy_controls),
        View("similarity", show_similarity, similarity_controls),
        View("bias", show_bias, bias_controls),
        View("train one", show_training, live_controls, player=PLAYER),
    ),
    settings=SETTINGS,
    model="storyteller",
    shows_model=False,
    uses_model=False,
    reads_text=False,
    reads_target=False,
)
