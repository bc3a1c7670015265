"""A painted mask as a text: nothing is lost, nothing else is taken, a stroke does what it says."""

import base64
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.limits import LIMITS, PAINTING_LETTERS
from core.topics.masks.analysis.painting import (
    CLOSED_CELL,
    MAX_TOKENS,
    OPEN_CELL,
    decode_painting,
    encode_painting,
    paint,
    stroke,
)

CAUSAL = np.tri(4, dtype=bool)


@st.composite
def paintings(draw: st.DrawFn) -> np.ndarray:
    """(2, S, S) planes: cells that are closed (1), opened (2) or as they were (0)."""
    size = draw(st.integers(1, 12))
    cells = draw(arrays.arrays(np.uint8, (size, size), elements=st.integers(0, 2)))
    return np.stack([cells == 1, cells == 2])


def drawn(mask: np.ndarray) -> str:
    return " ".join("".join("#" if cell else "." for cell in row) for row in mask)


@given(paintings())
def test_every_painting_comes_back_as_it_was(planes: np.ndarray) -> None:
    text = encode_painting(planes)
    found = decode_painting(text)
    size = found.shape[1]
    np.testing.assert_array_equal(found, planes[:, :size, :size])
    assert planes.sum() == found.sum(), "what lies outside the size is unpainted"
    assert encode_painting(found) == text, "one painting has one text"
    assert (text == "") == (not planes.any())


@given(paintings(), arrays.arrays(bool, st.integers(1, 9).map(lambda size: (size, size))))
def test_a_painting_acts_where_it_fits_and_nowhere_else(planes: np.ndarray, mask: np.ndarray) -> None:
    painted = paint(mask, encode_painting(planes))
    for i, j in np.ndindex(*mask.shape):
        inside = max(i, j) < planes.shape[1]
        closed, opened = (bool(inside and plane[i, j]) for plane in planes)
        assert painted[i, j] == ((mask[i, j] or opened) and not closed)


cells = st.lists(st.integers(0, 15), min_size=1, max_size=16)


@given(st.lists(st.tuples(cells, st.booleans()), max_size=5), arrays.arrays(bool, (4, 4)))
def test_strokes_set_their_cells_and_leave_the_rest(strokes: list[tuple[list[int], bool]], base: np.ndarray) -> None:
    text, expected = "", base.copy()
    for where, may in strokes:
        text = stroke(text, base, where, may)
        expected.flat[where] = may
        np.testing.assert_array_equal(paint(base, text), expected)
    closed, opened = decode_painting(text)
    assert closed.sum() + opened.sum() == (expected != base).sum(), "only what differs is kept"


def test_a_stroke_by_hand() -> None:
    text = stroke("", CAUSAL, [4, 5, 6, 7], False)
    assert drawn(paint(CAUSAL, text)) == "#... .... ###. ####"
    text = stroke(text, CAUSAL, [3, 4], True)
    assert drawn(paint(CAUSAL, text)) == "#..# #... ###. ####"
    planes = decode_painting(text)
    assert list(zip(*np.nonzero(planes[CLOSED_CELL]), strict=True)) == [(1, 1)]
    assert list(zip(*np.nonzero(planes[OPEN_CELL]), strict=True)) == [(0, 3)]
    assert stroke(stroke(text, CAUSAL, [3], False), CAUSAL, [5], True) == "", "painted back: nothing is painted"


def test_a_longer_texts_painting_waits_for_it() -> None:
    """Cells that a shorter text has no place for are kept through strokes on it."""
    text = stroke("", np.ones((6, 6), bool), [35, 0], False)
    short = stroke(text, np.ones((2, 2), bool), [3], False)
    assert drawn(paint(np.ones((2, 2), bool), short)) == ".# #."
    assert drawn(paint(np.ones((6, 6), bool), short)).split()[5] == "#####."


def test_the_largest_painting_that_people_make_fits_an_address() -> None:
    base = np.tri(MAX_TOKENS, dtype=bool)
    rows = np.arange(100, 160)
    block = (rows[:, None] * MAX_TOKENS + np.arange(200, 480)).ravel().tolist()
    text = stroke("", base, block, True)
    assert len(text) < 1000
    assert paint(base, text)[100:160, 200:480].all()


def test_what_no_address_can_carry_is_refused_and_says_its_size() -> None:
    noise = np.random.default_rng(0).random((200, 200)) < 0.5
    with pytest.raises(ValueError, match=rf"letters and an address carries {PAINTING_LETTERS:,}: the last stroke"):
        encode_painting(np.stack([noise, np.zeros_like(noise)]))


def letters(content: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(content)).decode().rstrip("=")


BROKEN = {
    "not a painting": "size, a dash",
    "0-abc": "size, a dash",
    "4-": "size, a dash",
    "4-a b": "size, a dash",
    "4-<script>": "size, a dash",
    "4-abcd": "damaged",
    "4-A": "damaged",
    "1999-abcd": "1999 tokens, more than 1024",
    "4-" + "a" * PAINTING_LETTERS: "4,002 letters",
    "4-" + letters(bytes(3)): "4 bytes",
    "4-" + letters(bytes(5)): "4 bytes",
    "4-" + letters(bytes(4))[:-4]: "damaged|4 bytes",
    "4-" + letters(bytes(10**7))[:3000]: "4 bytes|damaged",
    "4-" + letters(b"\xff" * 4): "both opened and closed",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_text_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(ValueError, match=BROKEN[text]) as refusal:
        decode_painting(text)
    assert "Nothing is painted" in str(refusal.value)


@given(st.text(st.sampled_from("0123456789-_ABCxyz"), max_size=30))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        planes = decode_painting(text)
    except ValueError as refusal:
        assert "cannot be used" in str(refusal)
    else:
        assert planes.shape[0] == 2 and not planes.all(0).any()


def test_a_text_of_any_length_that_may_be_typed_can_be_painted() -> None:
    assert LIMITS["TOKENS"].max_value <= MAX_TOKENS
