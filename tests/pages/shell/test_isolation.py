"""Visitors at the same time: each sees the numbers that he would see alone, bit for bit, and nobody changes a model."""

import threading
from collections.abc import Iterator

import pytest
import torch

from pages.compute.heavy_queue import one_at_a_time
from tests.pages.visits import VisitPlan, alone, fingerprint, forget, models_of, tensors_of, together

ONE_MODEL = (VisitPlan(1, "storyteller-small"), VisitPlan(2, "storyteller-small"))
FOUR = (VisitPlan(3, "translator"), VisitPlan(4), VisitPlan(5), VisitPlan(6, "toy-sort"))


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    forget()
    yield
    forget()


@pytest.mark.parametrize("plans", [ONE_MODEL, FOUR], ids=["two of one model", "four"])
def test_visitors_see_their_own_numbers_and_leave_the_models_as_they_were(plans: tuple[VisitPlan, ...]) -> None:
    by_themselves = alone(plans)
    assert len({seen for visit in by_themselves for seen in visit}) == sum(map(len, by_themselves))
    forget()
    models = models_of(plans)
    before = tensors_of(models)
    assert together(plans) == by_themselves
    assert tensors_of(models) == before
    assert all(models_of(plans)[name].embed is model.embed for name, model in models.items())


def test_a_heavy_run_beside_a_visitor_does_not_round_his_numbers_otherwise() -> None:
    begun, over, seen = threading.Event(), threading.Event(), list[list[str]]()

    def heavy() -> None:
        with one_at_a_time():
            torch.ones(9).sum()
            begun.set()
            over.wait()

    visitor = threading.Thread(target=lambda: seen.extend(alone([VisitPlan(7, "toy-sort")])))
    beside = threading.Thread(target=heavy)
    by_himself = alone([VisitPlan(7, "toy-sort")])
    beside.start()
    begun.wait()
    visitor.start()
    visitor.join()
    over.set()
    beside.join()
    assert seen == by_himself


def test_a_fingerprint_sees_one_bit() -> None:
    model = torch.nn.Linear(3, 2)
    before = tensors_of({"a": model})
    with torch.no_grad():
        model.weight[1, 2] = torch.nextafter(model.weight[1, 2], torch.tensor(9.0))
    changed = {name for name, value in tensors_of({"a": model}).items() if value != before[name]}
    assert changed == {"a weight"} and fingerprint([1, "2"]) != fingerprint([12, ""])
