"""Upright bars of two kinds: a sound spec, and a row for each bar."""

from functools import partial

import numpy as np

from core.charts.upright_bars import upright_bars_data, upright_bars_spec
from tests.core.chart_specs import assert_sound, found

KINDS = ("tall", "short")
DATA = upright_bars_data(np.array([0.5, 0.125, 0.375]), (3, 1), KINDS)


def test_bars_are_numbered_from_one_and_those_to_look_at_are_marked() -> None:
    kinds = ["tall", "short", "tall"]
    assert DATA.to_dict("list") == {"number": [1, 2, 3], "share": [0.5, 0.125, 0.375], "kind": kinds}


def test_the_spec_is_sound_and_its_axis_fixed() -> None:
    spec = partial(upright_bars_spec, "How much?", "frequency", "share", KINDS, 0.5)
    assert_sound(spec, DATA)
    assert set(found(spec(), "field")) == set(DATA.columns)
    assert [0, 0.5] in found(spec(), "domain")
