"""The map of words: a spec that no data can change, and words that are written only where they have room."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.charts.word_map import (
    HEIGHT,
    LETTER,
    LOW_HEIGHT,
    LOW_LETTER,
    ZOOM_WIDTHS,
    rooms,
    word_map_data,
    word_map_spec,
)
from core.topics.word_vectors.maps import GROUPED_WORDS, groups_of
from tests.core.chart_specs import assert_sound

PLACES = st.lists(st.tuples(st.floats(-3, 3, width=32), st.floats(-3, 3, width=32)), min_size=1, max_size=30)


def test_the_spec_is_sound_with_and_without_groups() -> None:
    frame = word_map_data(np.array([[0.0, 1.0], [2.0, 3.0]]), ["a", "b"], ["one", "two"])
    assert_sound(lambda: word_map_spec("t", "x", "y", groups=("one", "two")), frame)
    assert frame["span"].tolist() == [2, 2]


def test_of_two_words_on_one_place_the_first_is_written() -> None:
    places = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]])
    assert rooms(places, ["king", "queen", "tree"], 420).tolist() == [ZOOM_WIDTHS[0], np.inf, ZOOM_WIDTHS[0]]
    assert rooms(places, ["king", "queen", "tree"], 420, always=2).tolist() == [ZOOM_WIDTHS[0]] * 3


def test_a_word_beside_another_is_written_as_soon_as_it_stands_clear() -> None:
    words = ["kingdom", "of", "far"]
    (first, second, _) = rooms(np.array([[0.0, 0.0], [0.25, 0.0], [1.0, 1.0]]), words, 420)
    needed = 0.55 * LETTER * len("kingdom") + 6  # pixels between the two
    assert first == ZOOM_WIDTHS[0] and second == next(width for width in ZOOM_WIDTHS if 0.25 * width >= needed)


def test_a_low_map_on_a_projector_names_fewer_words() -> None:
    frame = word_map_data(np.array([[0.0, 0.0], [0.0, 0.1], [1.0, 1.0]]), ["king", "queen", "tree"])
    assert frame["room"].tolist() == [ZOOM_WIDTHS[0]] * 3 and frame["low"].tolist() == [
        ZOOM_WIDTHS[0],
        np.inf,
        ZOOM_WIDTHS[0],
    ]


@pytest.mark.parametrize(("height", "letter"), [(HEIGHT - 100, LETTER), (LOW_HEIGHT, LOW_LETTER)])
@given(places=PLACES)
def test_no_two_written_words_overlap_at_any_width(height: int, letter: int, places: list[tuple[float, float]]) -> None:
    points, words = np.array(places, dtype=float), [f"w{'o' * (n % 7)}" for n in range(len(places))]
    found = rooms(points, words, height, letter)
    spans = np.ptp(points, axis=0)
    at = (points - points.min(0)) / np.where(spans, spans, 1)
    for width in ZOOM_WIDTHS:
        written = np.flatnonzero(found <= width)
        assert len(written)
        for i in written:
            for j in written[written < i]:
                near = abs(at[i, 1] - at[j, 1]) * height < letter
                (a, first), (b, second) = sorted((at[n, 0] * width, words[n]) for n in (i, j))
                assert not (near and b < a + 0.55 * letter * len(first)), (first, second, width)


def test_every_group_of_a_set_has_a_colour_of_its_own_and_none_of_attention() -> None:
    for groups in GROUPED_WORDS.values():
        description = word_map_spec("t", "x", "y", groups=tuple(groups))
        [scale] = [
            each["encoding"]["color"]["scale"] for each in description["layer"] if "scale" in each["encoding"]["color"]
        ]
        assert scale["domain"] == list(groups) and len(set(scale["range"])) == len(groups)
        assert not {hue.lower() for hue in scale["range"]} & {"#0072b2", "#e69f00", "#009e73"}
        words = [word for held in groups.values() for word in held.split()]
        assert len(set(words)) == len(words), "no word is in two groups"


def test_words_are_coloured_by_their_group() -> None:
    assert groups_of("time", ("spring", "monday")) == ("seasons", "days")
    assert groups_of("your own", ("spring",)) == ()
