"""The page Positions: how a model can know the position of a token."""

from pages.attention.positions import adding, beyond, distance, heatmap, learned, random, shift, shuffle, waves
from pages.attention.positions.parts import own_controls, with_encoding
from pages.attention.positions.settings import SETTINGS
from pages.shell import Page

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
        shuffle.VIEW,
        heatmap.VIEW,
        waves.VIEW,
        distance.VIEW,
        learned.VIEW,
        shift.VIEW,
        beyond.VIEW,
        adding.VIEW,
        random.VIEW,
    ),
    settings=SETTINGS,
    model="translator",
    controls=own_controls,
    subject=with_encoding,
    shows_model=False,
    owns=frozenset({"pos", "base"}),
)
