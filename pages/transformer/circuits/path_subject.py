"""What the view of paths between heads looks at: all paths as they matter to a word, and one of them."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.topics.circuits.edges import INPUTS, HeadPaths
from core.topics.circuits.readings import between_heads as say
from core.tracing.run import Run
from pages.transformer.circuits import queries
from pages.transformer.circuits.settings import EARLIER, INTO, LATER, STRONGEST
from pages.transformer.circuits.subject import WrittenWord, written_word
from pages.widgets import Values

DRAWN_PATHS = 10
Place = tuple[int, int, int]  # of a path: what it goes into, the later head, the earlier head


@dataclass(frozen=True, eq=False)
class WordPaths:
    """The paths between heads, as they matter to a word.

    estimates (3, S, S): the estimated change of the word without each path.
    chosen: the path that is looked at.
    """

    word: WrittenWord
    paths: HeadPaths
    estimates: np.ndarray
    chosen: Place

    @cached_property
    def exists(self) -> np.ndarray:
        """Whether there is such a path (3, S, S)."""
        heads = self.paths.heads
        before = np.array([[(a.layer, a.cross) < (b.layer, b.cross) for a in heads] for b in heads])
        keys = before & ~np.array([head.cross for head in heads])[:, None]
        return np.stack([before, keys, keys])

    @cached_property
    def strongest(self) -> list[Place]:
        """The paths that are drawn, the strongest first, and the chosen one if it is not among them."""
        order = np.argsort(-np.abs(self.estimates), axis=None)[:DRAWN_PATHS]
        places = [place_of(self.estimates, index) for index in order if self.estimates.ravel()[index]]
        return places if self.chosen in places else [*places, self.chosen]

    def name(self, number: int) -> str:
        head = self.paths.heads[number]
        return f"head {head.head + 1} of layer {head.layer + 1}" + (" in cross-attention" if head.cross else "")

    def short(self, number: int) -> str:
        head = self.paths.heads[number]
        return f"L{head.layer + 1} · H{head.head + 1}" + (" cross" if head.cross else "")

    def title(self, place: Place) -> str:
        entry, later, earlier = place
        return f"{self.short(earlier)} → {say.INTO[INPUTS[entry]]} of {self.short(later)}"


def place_of(numbers: np.ndarray, index: int) -> Place:
    """Return the place of a flat index into numbers (3, S, S)."""
    entry, later, earlier = (int(axis) for axis in np.unravel_index(index, numbers.shape))
    return entry, later, earlier


def word_paths(run: Run, values: Values) -> WordPaths | None:
    """Return the paths between the heads that write words; None if there is no path or no word."""
    word = written_word(run, values)
    if word is None or not queries.cuts(run, word.stack):
        return None
    paths = queries.head_paths(run, word.stack)
    ids = word.attribution.candidates.ids
    against = word.against if word.against is None or word.against < 0 else ids[word.against]
    estimates = queries.estimated_cuts(run, word.stack, word.attribution.token, ids[word.candidate], against)
    found = WordPaths(word, paths, estimates, (0, 0, 0))
    return replace(found, chosen=_chosen(found, values))


def _chosen(found: WordPaths, values: Values) -> Place:
    """Return the strongest of the paths that the settings allow, or of all if there is none."""
    allowed = found.exists.copy()
    last = len(found.paths.heads) - 1
    if values[INTO] != STRONGEST:
        allowed[[index for index, entry in enumerate(INPUTS) if entry != values[INTO]]] = False
    if values[LATER] is not None:
        allowed[:, np.arange(last + 1) != min(int(values[LATER]), last)] = False
    if values[EARLIER] is not None:
        allowed[:, :, np.arange(last + 1) != min(int(values[EARLIER]), last)] = False
    sizes = np.where(allowed if allowed.any() else found.exists, np.abs(found.estimates), -1.0)
    return place_of(sizes, int(sizes.argmax()))
