"""Models are held by their bytes: those used last."""

import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import pytest
import streamlit as st
from torch import nn

from core.analysis.costs import MemoryEstimate
from core.device import Placement
from core.memory import MIB
from pages.compute import memory_budget, model_cache
from pages.compute.lru_models import ModelLRU


def test_the_models_used_last_are_held_as_far_as_their_bytes_fit() -> None:
    read: list[str] = []
    models = ModelLRU(4 * 100)

    def get(name: str, numbers: int) -> nn.Linear:
        def reads() -> nn.Linear:
            read.append(name)
            return nn.Linear(numbers - 1, 1)  # and its bias: so many numbers of four bytes

        found: nn.Linear = models.get(name, reads)
        return found

    first = get("first", 40)
    get("second", 40)
    assert get("first", 40) is first and read == ["first", "second"]
    get("third", 60)  # for which the second goes: it has not been used for longest
    assert get("first", 40) is first
    get("second", 40)
    assert read == ["first", "second", "third", "second"]
    del first
    large = get("large", 101)  # is held beside them
    assert get("large", 101) is large and get("first", 40) and get("second", 40)
    del large
    get("larger", 102)  # for which the other large one goes
    assert get("first", 40) and get("large", 101)
    assert read == ["first", "second", "third", "second", "large", "larger", "large"]


@pytest.mark.parametrize(
    ("sizes", "fit"), [((40, 60), True), ((40, 61), False), ((101, 100), True), ((101, 102), False), ((101,), True)]
)
def test_which_models_fit_together(sizes: tuple[int, ...], fit: bool) -> None:
    assert ModelLRU(100).fit_together(*sizes) == fit


def test_a_spinner_shows_while_a_model_is_made_and_not_when_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    held, spinner = ModelLRU(4 * 100), mock.MagicMock()
    monkeypatch.setattr(model_cache, "models", lambda: held)
    monkeypatch.setattr(model_cache.loading, "fresh_model", lambda *_: nn.Linear(9, 1))
    monkeypatch.setattr(st, "spinner", spinner)
    made = ("sizes", Placement("cpu", "float32"), None)
    assert model_cache.load_model(made) is model_cache.load_model(made)
    spinner.assert_called_once_with("Making the model…")


def test_models_go_one_by_one_and_whoever_uses_one_still_shares_it() -> None:
    models, read = ModelLRU(4 * 100), list[str]()

    def get(name: str) -> object:
        def reads() -> nn.Linear:
            read.append(name)
            return nn.Linear(29, 1)

        return models.get(name, reads)

    used = get("first")
    get("second")
    get("third")
    assert models.shed() and models.shed()  # the first and the second
    assert get("third") is not None and get("first") is used and read == ["first", "second", "third"]
    get("second")
    assert read == ["first", "second", "third", "second"], "nobody used it any more"
    assert [models.shed() for _ in range(4)] == [True, True, True, False]


def test_the_model_that_a_run_is_about_to_use_stays_while_others_go() -> None:
    models = ModelLRU(4 * 100)
    wanted, other = (models.get(name, lambda: nn.Linear(29, 1)) for name in ("wanted", "other"))
    gone = weakref.ref(other)
    del other
    assert models.shed(but="wanted") and gone() is None
    assert not models.shed(but="wanted") and models.shed(), "it was held all the time"
    assert "wanted" in models and models.get("wanted", pytest.fail) is wanted, "it is in memory while it is used"
    models.clear()
    del wanted
    assert "wanted" not in models


def test_a_crowded_server_keeps_the_model_of_the_run_that_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    held, made = ModelLRU(4 * 100), "wanted"
    monkeypatch.setattr(model_cache, "models", lambda: held)
    monkeypatch.setattr(memory_budget, "memory_ceiling", lambda: 900 * MIB)
    monkeypatch.setattr(memory_budget, "resident", lambda: 700 * MIB)
    wanted = held.get(made, lambda: nn.Linear(29, 1))
    gone = weakref.ref(held.get("other", lambda: nn.Linear(29, 1)))
    with model_cache.reserve_memory(made, MemoryEstimate(29, MIB, 0)):
        assert memory_budget.bookings().bytes == MIB, "its weights are there"
        assert gone() is None and held.get(made, pytest.fail) is wanted and held.shed() and not held.shed()


def test_nobody_waits_for_the_making_of_another_model_and_none_is_made_twice() -> None:
    models, made = ModelLRU(4 * 100), list[str]()
    begun, go_on = threading.Event(), threading.Event()

    def make(name: str) -> nn.Linear:
        made.append(name)
        begun.set()
        assert go_on.wait(30)
        return nn.Linear(9, 1)

    with ThreadPoolExecutor(2) as visitors:
        first, second = (visitors.submit(models.get, "slow", lambda: make("slow")) for _ in range(2))
        assert begun.wait(30)
        other = models.get("quick", lambda: nn.Linear(9, 1))
        assert models.get("quick", lambda: nn.Linear(9, 1)) is other and not first.done()
        go_on.set()
        assert first.result() is second.result() and made == ["slow"]


def test_what_cannot_be_made_is_tried_again() -> None:
    models = ModelLRU(4 * 100)
    with pytest.raises(ValueError):
        models.get("broken", lambda: int("x"))
    assert models.get("broken", lambda: nn.Linear(9, 1)) is not None
