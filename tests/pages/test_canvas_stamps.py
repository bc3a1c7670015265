"""The data of drawings know their order: those that change get a larger number, those that do not keep theirs."""

import numpy as np
import pytest

from pages.canvas.runtime.pack import pack
from pages.canvas.runtime.stamps import stamped
from tests.pages.screen import unpack_sent


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamlit.session_state", {})


def stamp(key: str, text: str) -> tuple[int, int]:
    """Session and number of a drawing's bytes."""
    block = stamped(key, pack({"text": text}, {"a": np.ones(3)}))
    assert isinstance(block, bytes)
    return int.from_bytes(block[-8:-4], "little"), int.from_bytes(block[-4:], "little")


def test_data_that_change_get_a_larger_number_and_others_keep_theirs() -> None:
    first, other, again, changed, back = (
        stamp(*each) for each in (("k", "a"), ("l", "a"), ("k", "a"), ("k", "b"), ("k", "a"))
    )
    assert len({session for session, _ in (first, other, changed)}) == 1
    assert again == first and first[1] < other[1] < changed[1] < back[1]
    one, two = (stamped("m", {"page": page, "lost": []}) for page in "ab")
    assert isinstance(one, dict) and isinstance(two, dict)
    assert one["stamp"] < two["stamp"] and two["page"] == "b" and two == stamped("m", {"lost": [], "page": "b"})


def test_a_stamp_leaves_the_data_as_they_are() -> None:
    block = stamped("k", pack({"text": "a"}, {"a": np.arange(3, dtype=np.uint8)}))
    assert isinstance(block, bytes)
    meta, arrays = unpack_sent(block)
    assert meta == {"text": "a"} and arrays["a"].tolist() == [0, 1, 2]
