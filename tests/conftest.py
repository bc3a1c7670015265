"""What holds for every test."""

import os
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from typing import Any, TypeVar

import altair as alt
import pytest
from hypothesis import settings

# As in app.py, before torch is read: several workers share the processors, and threads that spin take them from all.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# Before core.limits is read, here and in the servers: on a busy machine all work takes longer than it may.
for name, seconds in {"TRAINER_SECONDS": 600, "QUEUE_SECONDS": 3600, "JOB_SECONDS": 3600}.items():
    os.environ.setdefault(f"ATTENTION_EXPLORER_{name}", str(seconds))

Item = TypeVar("Item")

# How long a case takes is measured in tests/benchmarks. Most cases are whole models: 40 of each kind in every run, the
# same ones each time, so that a run that passed passes again. The nightly run draws others every time.
settings.register_profile("repeatable", deadline=None, max_examples=40, derandomize=True)
settings.register_profile("nightly", deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def seeded() -> None:
    """Each test draws the same numbers from torch's own generator, whichever tests ran before it."""
    import torch  # after the environment is set

    torch.manual_seed(0)


@pytest.fixture(scope="session", autouse=True)
def valid_specs() -> Iterator[None]:
    """Every chart is held against Vega-Lite's schema, which the app itself leaves out."""
    with pytest.MonkeyPatch.context() as patch:
        for kind in (alt.Chart, alt.LayerChart, alt.FacetChart, alt.HConcatChart, alt.VConcatChart):
            patch.setattr(kind, "to_dict", _validated(kind.to_dict))
        yield


def _validated(to_dict: Any) -> Any:
    def checked(chart: Any, validate: bool = True, **options: Any) -> Any:
        return to_dict(chart, validate=options.get("context") is None or validate, **options)

    return checked


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = dealt(items, workers, lambda item: item.nodeid.partition("::")[0])


def dealt(items: list[Item], workers: int, file_of: Callable[[Item], str]) -> list[Item]:
    """The tests in as many equal stretches as there are workers, each with some files of the browser's tests first.

    These are the longest, and a worker that is done takes tests from another's end: the last ones shall be short.
    """
    if workers == 1:
        return items
    browser = [item for item in items if file_of(item).startswith("tests/browser/")]
    others = iter([item for item in items if not file_of(item).startswith("tests/browser/")])
    hands: list[list[Item]] = [[] for _ in range(workers)]
    for _, tests in groupby(browser, file_of):
        min(hands, key=len).extend(tests)
    for hand in hands:
        hand.extend(islice(others, max(0, len(items) // workers - len(hand))))
    return [item for hand in [*hands, others] for item in hand]
