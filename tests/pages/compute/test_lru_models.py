"""Models are held by their bytes: those used last."""

import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
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
    large = get("too large", 101)  # for which all others go
    assert get("too large", 101) is large and get("first", 40)
    assert read == ["first", "second", "third", "second", "too large", "first"]


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
    assert models.shed(but=wanted) and gone() is None
    assert not models.shed(but=wanted) and models.shed(), "it was held all the time"


def test_a_crowded_server_keeps_the_model_of_the_run_that_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    small, made = ModelLRU(4 * 100), ("sizes", Placement("cpu", "float32"), "wanted")
    monkeypatch.setattr(model_cache, "small_models", lambda: small)
    monkeypatch.setattr(memory_budget, "memory_ceiling", lambda: 900 * MIB)
    monkeypatch.setattr(memory_budget, "resident", lambda: 700 * MIB)
    wanted = model_cache.loaded_models()[made] = small.get("wanted", lambda: nn.Linear(29, 1))
    gone = weakref.ref(small.get("other", lambda: nn.Linear(29, 1)))
    with model_cache.reserve_memory(made, MemoryEstimate(29, MIB, 0)):
        assert memory_budget.bookings().bytes == MIB, "its weights are there"
        assert gone() is None and small.shed() and not small.shed()
    assert model_cache.loaded_models()[made] is wanted


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
