"""What the visitors of the load benchmark do: they choose among what the server sent, and keep what stands."""

from random import Random
from typing import Any

import pytest
from streamlit.proto.ButtonGroup_pb2 import ButtonGroup
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.NumberInput_pb2 import NumberInput
from streamlit.proto.Selectbox_pb2 import Selectbox
from streamlit.proto.Slider_pb2 import Slider

from tests.benchmarks.load.controls import Value, holds, other, state_of
from tests.benchmarks.load.screen import Screen

OPTIONS = [ButtonGroup.Option(content=name) for name in ("1", "2", "3")]
PILLS = ButtonGroup(options=OPTIONS, default=[0])
MANY = ButtonGroup(options=OPTIONS, default=[0], click_mode=ButtonGroup.MULTI_SELECT)
NUMBER = NumberInput(default=6, min=2, max=7, has_min=True, has_max=True, step=1, data_type=NumberInput.INT)
SLIDER = Slider(default=[1], min=1, max=3, step=1)
ALONG = Slider(default=[2], min=0, max=2, step=1, type=Slider.SELECT_SLIDER, options=["first", "1", "2"])
LIST = Selectbox(options=["a", "b", "c"], default=1)


@pytest.mark.parametrize(
    ("kind", "proto", "begins", "others"),
    [
        ("button_group", PILLS, ["1"], [["2"], ["3"]]),
        ("button_group", MANY, ["1"], [[], ["1", "2"], ["1", "3"]]),
        ("number_input", NUMBER, 6, [2, 3, 4, 5, 7]),
        ("slider", SLIDER, [1], [[2], [3]]),
        ("slider", ALONG, ["2"], [["1"], ["first"]]),
        ("selectbox", LIST, "b", ["a", "c"]),
    ],
)
def test_every_other_value_is_drawn_and_no_wrong_one(kind: str, proto: Any, begins: Value, others: list[Value]) -> None:
    assert holds(kind, proto) == begins
    drawn = [other(kind, proto, begins, Random(number), ()) for number in range(100)]
    assert all(value in others for value in drawn) and all(value in drawn for value in others)


def test_a_value_goes_to_the_server() -> None:
    assert list(state_of("id", "slider", [2]).double_array_value.data) == [2]
    assert list(state_of("id", "slider", ["first"]).string_array_value.data) == ["first"]
    assert state_of("id", "number_input", 4.0).double_value == 4
    assert state_of("id", "number_input", None).WhichOneof("value") is None


def test_a_run_of_a_fragment_takes_away_only_what_was_the_fragments() -> None:
    screen = Screen()
    frame, own, gone = Delta(), Delta(fragment_id="f"), Delta(fragment_id="f")
    for delta, body in ((frame, "frame"), (own, "own"), (gone, "gone")):
        delta.new_element.markdown.body = body
    screen.begin("one", frozenset())
    for place, delta in enumerate((frame, own, gone)):
        screen.put([0, place], delta)
    screen.end()
    screen.begin("two", frozenset({"f"}))
    screen.put([0, 1], own)
    screen.end()
    assert [each.proto.body for each in screen.shown()] == ["frame", "own"]
    screen.begin("three", frozenset())
    screen.put([0, 0], frame)
    screen.end()
    assert [each.proto.body for each in screen.shown()] == ["frame"]
