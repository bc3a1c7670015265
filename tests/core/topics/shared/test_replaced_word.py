"""The change of a token begins with a word of the text and another one, so that it is plain."""

import pytest

from core.checkpoints import shipped
from core.device import Placement
from core.topics.shared.replaced_word import most_unlike, telling_token
from core.tracing.run import TokenRow, token_row

STORY = "Once upon a time there was a little girl who lived in a wood. The little girl"
TEXTS = [STORY, "the The THE", "The animal did. the animal", "the cat sat on the mat and the cat sat on the mat"]


def story_row(text: str) -> TokenRow:
    return token_row(text, shipped.tokenizer("storyteller-small"), 100)


def test_the_token_is_the_longest_word_near_the_middle() -> None:
    row = story_row(STORY)
    assert row.pieces[telling_token(row)] == "little" and row.pieces.index("little") == telling_token(row)
    assert telling_token(story_row("a, b, c")) == 2, "no word, so the middle"
    assert telling_token(story_row("a")) == 0


@pytest.mark.parametrize("text", TEXTS)
def test_a_token_becomes_another_word_and_not_the_same_one_in_capitals(text: str) -> None:
    row = story_row(text)
    model = shipped.load("storyteller-small", Placement("cpu", "float32"))
    for at in range(len(row)):
        found = most_unlike(model, row, at)
        if len({piece.casefold() for piece in row.pieces}) == 1:
            assert found is None
            continue
        assert found in row.ids
        assert row.pieces[row.ids.index(found)].casefold() != row.pieces[at].casefold()
        others = {row.ids[n] for n, piece in enumerate(row.pieces) if len(piece) >= 4 and piece.isalpha()}
        same = {row.ids[n] for n, piece in enumerate(row.pieces) if piece.casefold() == row.pieces[at].casefold()}
        assert not others - same or found in others


def test_it_is_the_most_unlike_by_its_vector() -> None:
    row = story_row("girl little there")
    model = shipped.load("storyteller-small", Placement("cpu", "float32"))
    first, *others = (model.embed.weight[each].detach() for each in row.ids)
    far = max(range(2), key=lambda n: float((others[n] - first).norm()))
    assert len(row) == 3 and most_unlike(model, row, 0) == row.ids[1 + far]
