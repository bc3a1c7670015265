"""Which two heads stand beside each other, and the query that shows how they differ."""

import numpy as np

from core.analysis.head_names import NamedHead
from core.analysis.heads import HeadTable
from core.topics.heads.names import HeadNames
from core.topics.heads.records import Behaviours, Patterns
from core.topics.heads.side_by_side import companion, contrast, least_alike, repeating_head
from core.tracing.run import TokenRow

ROW = TokenRow((300, 301, 302, 303), ("The", "cat", "saw", "dogs"), (0, 1, 2, 3), ("The", "cat", "saw", "dogs"))


def names(*heads: tuple[int, int, str]) -> HeadNames:
    named = tuple(NamedHead(layer, head, kind, 0.9, 0.1) for layer, head, kind in heads)
    return HeadNames(named, {}, {}, 48)


def layer(*rows: list[float]) -> Patterns:
    return Patterns(ROW, ROW, np.array([rows]), np.tril(np.ones((4, 4), bool)))


def test_an_induction_head_stands_beside_the_clearest_previous_token_head() -> None:
    found = names((0, 1, "even"), (3, 0, "previous_token"), (1, 2, "previous_token"), (4, 3, "induction"))
    assert repeating_head(found) == (4, 3) and companion(found, (4, 3)) == (3, 0)
    assert companion(found, (3, 0)) == (4, 3) and companion(found, (2, 2)) == (3, 0), "a head without a name"
    assert repeating_head(names((1, 1, "duplicate_token"))) == (1, 1)
    assert repeating_head(names((0, 0, "even"))) is None and companion(names((0, 0, "even")), (0, 0)) is None


def test_the_query_is_that_which_both_send_most_clearly_to_different_words() -> None:
    back: list[list[float]] = [[1, 0, 0, 0], [0.9, 0.1, 0, 0], [0, 1, 0, 0], [0, 0, 0.6, 0.4]]
    far: list[list[float]] = [[1, 0, 0, 0], [0.1, 0.9, 0, 0], [1, 0, 0, 0], [0, 0.9, 0.1, 0]]
    assert contrast(layer(*back), 0, layer(*far), 0) == 2, "“saw” has 1 × 1, “dogs” 0.9 × 0.6, “cat” looks at itself"
    assert contrast(layer(*back), 0, layer(*back), 0) is None


def test_only_whole_words_are_named() -> None:
    pieces = TokenRow((300, 301, 302, 2), ("c", "·at", "saw", "</s>"), (0, 0, 1, 2), ("cat", "saw", "</s>"))
    first: list[list[float]] = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0]]
    second: list[list[float]] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    sides = [Patterns(pieces, pieces, np.array([each]), np.ones((4, 4), bool)) for each in (first, second)]
    assert contrast(sides[0], 0, sides[1], 0) is None, "“saw” looks at itself, and at a piece"
    whole = [Patterns(ROW, ROW, each.pattern, each.allowed) for each in sides]
    assert contrast(whole[0], 0, whole[1], 0) == 2


def test_the_head_that_is_least_like_another_is_never_that_head_itself() -> None:
    alike = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 0.2], [1.0, 0.2, 1.0]])
    each = np.ma.zeros((1, 3))
    table = HeadTable(each, each, each, each, each, each, each, 4, 4)
    found = Behaviours(ROW, ROW, table, ((0, 0), (0, 1), (0, 2)), alike, 4, False)
    assert least_alike(found, (0, 0)) == (0, 1) and least_alike(found, (0, 1)) == (0, 2)
