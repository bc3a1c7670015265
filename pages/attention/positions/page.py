"""The page Positions: how a model can know the position of a token."""

from pages.attention.positions.adding import show_adding
from pages.attention.positions.beyond import beyond_controls, show_beyond
from pages.attention.positions.distance import show_distance
from pages.attention.positions.heatmap import heatmap_controls, show_heatmap
from pages.attention.positions.learned import show_learned
from pages.attention.positions.parts import encoding_controls, first_layer_controls, own_controls, with_encoding
from pages.attention.positions.random import random_controls, show_random
from pages.attention.positions.settings import KIND, SETTINGS
from pages.attention.positions.shift import shift_controls, show_shift
from pages.attention.positions.shuffle import show_shuffle, shuffle_controls
from pages.attention.positions.waves import show_waves, waves_controls
from pages.shell import Page, View
from pages.widgets import ATTENTION

PAGE = Page(
    file=__file__,
    title="Positions",
    address="positions",
    icon=":material/pin:",
    question="How does attention know the order of the words?",
    definition="On its own it does not: attention compares every token with every other, wherever they stand. So a "
    "model is told each token's **position**.",
    introduction="It is told by numbers added to the token's vector, by a rotation of its queries and keys, or by a "
    "penalty on distance. Compare six ways to do it, and see what your own model does with them.",
    views=(
        View("shuffle", show_shuffle, shuffle_controls, reads_target=False),
        View("heatmap", show_heatmap, heatmap_controls, reads_text=False, reads_mask=False),
        View("waves", show_waves, waves_controls, reads_text=False, reads_mask=False),
        View("how alike", show_distance, encoding_controls, reads_text=False, reads_mask=False),
        View("learned", show_learned, reads_text=False, reads_mask=False),
        View("shift", show_shift, shift_controls, reads_text=(KIND, "rotary"), reads_mask=False),
        View("longer texts", show_beyond, beyond_controls, reads_target=ATTENTION, reads_mask=False),
        View("token and position", show_adding, first_layer_controls, reads_target=ATTENTION),
        View("random vectors", show_random, random_controls, reads_text=False, uses_model=False),
    ),
    settings=SETTINGS,
    model="translator",
    controls=own_controls,
    subject=with_encoding,
    shows_model=False,
    owns=frozenset({"pos", "base"}),
)
