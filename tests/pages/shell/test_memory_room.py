"""What a view holds at its peak is what was estimated, and what would not fit is refused with the sum."""

from dataclasses import replace

import pytest

from core import limits
from core.explorer.shared.places import Place
from core.memory import MIB, resident
from pages.queries import head
from pages.queries.room import bookings
from tests.benchmarks.memory import empty, measure, sizes
from tests.pages.house import BY_ADDRESS
from tests.pages.shell.test_models_cache import DEFAULT


@pytest.mark.parametrize(("address", "view"), [("self-attention", "six steps"), ("heads", "switch off")])
def test_the_peak_of_a_view_is_within_a_quarter_of_what_was_estimated(address: str, view: str) -> None:
    params = sizes(d=512, heads=16, layers=3, tokens=512) | {"kind": "encoder-decoder"}
    *_, peak, expected, _, _, said = measure(BY_ADDRESS[address], view, params)
    assert not said and 0.75 < peak / expected < 1.25, (peak, expected)
    assert bookings().bytes == 0


def test_what_does_not_fit_beside_what_the_server_holds_is_refused_with_the_sum(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = replace(DEFAULT.config, d_model=256, heads=16, layers=6, seed=9)
    run = replace(DEFAULT, text="the cat sat on the mat and " * 120, config=config)
    monkeypatch.setattr(limits, "APP_MIB", 1)
    head.head(DEFAULT, Place())  # what a first run leaves in memory is no part of this one,
    empty()  # nor is what is given back where there is no room
    monkeypatch.setattr(limits, "MEMORY_MIB", resident() // MIB + 60)
    with pytest.raises(ValueError, match=r"= [\d,]+ MiB, and [\d,]+ MiB may be used here") as refused:
        head.head(run, Place())
    assert "shorter text" in str(refused.value)
    short = replace(run, text="the cat sat")
    assert len(head.head(short, Place()).pattern) < 8, "what fits is still shown"
