"""Tell the words that carry a text's content from articles, pronouns and other function words of English and French."""

from collections.abc import Sequence

import numpy as np

_ENGLISH = (
    "a an the this that these those i you he she it we they me him her us them my your his its our their is am are was "
    "were be been being do does did don't doesn't didn't has have had will would can could may might must shall should "
    "not no and or but if because so as than then when while of in on at to from by with for about into over under up "
    "down out off there here what which who whom whose how why where very too there's it's i'm "
    "once upon neither nor ever never"
)
_FRENCH = (
    "le la les un une des du de et ou mais si que qui ce cet cette ces ça je tu il elle on nous vous ils elles me te "
    "se lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos dans en sur sous à au aux par pour avec "
    "sans ne pas plus très trop y est sont était étaient été être suis es sommes êtes ont avait car parce quand comme "
    "aucun aucune jamais rien"
)
FUNCTION_WORDS = frozenset(f"{_ENGLISH} {_FRENCH}".split())


def whole_words(words: Sequence[int], labels: Sequence[str]) -> np.ndarray:
    """Return (L,) booleans: whether each token is a whole word that consists of letters only.

    words: the number of each token's word.
    labels: the words, indexed by that number.
    """
    return np.array([labels[word].isalpha() and words.count(word) == 1 for word in words])


def content_words(words: Sequence[int], labels: Sequence[str]) -> np.ndarray:
    """Return (L,) booleans: whether each token is a whole word and not a function word.

    Parameters as for `whole_words`.
    """
    content = np.array([labels[word].casefold() not in FUNCTION_WORDS for word in words])
    return whole_words(words, labels) & content
