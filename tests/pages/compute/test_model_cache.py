"""The caches: one model for everybody, heavy runs one at a time, numbers that nobody else can change."""

import math
import threading
import time
from dataclasses import fields, replace
from typing import Any
from unittest import mock

import numpy as np
import pytest
import streamlit as st
import torch

from core.checkpoints import shipped
from core.device import Placement
from core.lab.step_source import LabStep
from core.model.masks import BlockMask
from core.model.transformer import Transformer
from core.text.special import SpecialIds, TextFormat
from core.topics.self_attention import one_head
from core.topics.shared.open_run import open_run, run_of_model
from core.topics.shared.places import HeadAddress
from core.tracing.edits import Edit
from core.tracing.run import Run
from pages.compute import cache, model_cache
from pages.compute import one_head as heads
from pages.compute.heavy_queue import exclusive, heavy_slots
from pages.compute.lab_runs import live_run
from pages.shell import run_plan
from tests.pages.compute.waiting import until
from tests.pages.house import PAGES

DEFAULT = run_plan.make_run(run_plan.DEFAULTS, "the cat sat on the mat", "")


def heavy(run: Run) -> Run:
    return replace(run, config=replace(run.config, d_model=512, heads=8, layers=6))


def until_one_waits() -> None:
    """Until another thread waits for its turn."""
    until(lambda: heavy_slots().waiting)


# Of different models: one that is there takes no more memory, and its run is light.
@pytest.mark.parametrize(("make", "most", "seconds"), [(lambda run: run, 2, 60), (heavy, 1, 0.3)])
def test_heavy_runs_wait_for_each_other_and_light_ones_do_not(make: Any, most: int, seconds: float) -> None:
    inside, peak, both = [0], [0], threading.Barrier(2, timeout=seconds)

    def function(model: object, tokenizer: object, run: Run) -> None:
        inside[0] += 1
        peak[0] = max(peak[0], inside[0])
        try:
            both.wait()
        except threading.BrokenBarrierError:
            time.sleep(0.01)
        inside[0] -= 1

    configs = [replace(DEFAULT.config, position_base=base) for base in (77.0, 78.0)]
    runs = [make(replace(DEFAULT, config=config)) for config in configs]
    threads = [threading.Thread(target=cache.compute, args=(function, run)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert peak[0] == most


def test_work_in_many_parts_goes_behind_those_who_wait() -> None:
    others, served = 0, threading.Event()

    def wait() -> None:
        with exclusive():
            served.set()

    visitor = threading.Thread(target=wait)
    while not served.is_set():
        with exclusive():
            if not visitor.ident:
                visitor.start()
                until_one_waits()
            else:
                others += not served.is_set()
    visitor.join()
    assert others <= 1


def test_a_large_model_runs_within_the_turn_that_its_thread_has() -> None:
    with exclusive():
        assert cache.compute(lambda model, tokenizer, run: run.config.d_model, heavy(DEFAULT)) == 512


def test_a_model_is_made_once() -> None:
    seen = []
    for _ in range(2):
        cache.compute(lambda model, tokenizer, run: seen.append(model.embed), DEFAULT)
    assert seen[0] is seen[1]


def test_a_run_for_which_nobody_waits_ends_at_the_next_block(monkeypatch: pytest.MonkeyPatch) -> None:
    class Abandoned(BaseException):
        pass

    def abandoned() -> None:
        raise Abandoned

    def late(model: Transformer, tokenizer: object, run: Run) -> None:
        blocks.append(model(*[torch.ones(1, 3, dtype=torch.long)] * len(run.config.stacks)))

    blocks: list[torch.Tensor] = []
    cache.compute(late, DEFAULT)
    monkeypatch.setattr(cache, "cancellation_check", lambda: abandoned)
    fresh = replace(DEFAULT, config=replace(DEFAULT.config, seed=977))
    for run in (DEFAULT, fresh):
        with pytest.raises(Abandoned):
            cache.compute(late, run)
    whole = cache.compute(lambda model, tokenizer, run: model, DEFAULT)
    late(whole, None, DEFAULT)  # nothing ends what is done with it afterwards
    assert len(blocks) == 2 and cache.model_key(fresh) not in model_cache.models(), "nor is a model made to the end"


def test_where_room_is_wanted_what_can_be_made_again_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert PAGES  # all pages are imported
    names = {each.__name__ for each in model_cache._spared}
    assert {"_whole_pass", "_held_out", "_both_runs"} <= names
    assert not {"heavy_slots", "run_slots", "bookings", "alive"} & names
    made = list[int]()
    monkeypatch.setattr(model_cache, "_spared", [])
    one = model_cache.evictable(st.cache_resource(lambda: made.append(1)))
    one(), one()
    model_cache._spare()
    one()
    assert made == [1, 1]


def test_a_visitor_cannot_change_another_visitors_numbers() -> None:
    first = heads.head(DEFAULT, HeadAddress())
    first.pattern[:] = 0
    np.testing.assert_allclose(heads.head(DEFAULT, HeadAddress()).pattern.sum(-1), 1, rtol=1e-5)


def test_many_visitors_at_once_each_get_their_own_run() -> None:
    texts = [f"text number {number} of many" for number in range(8)]
    runs = [replace(DEFAULT, text=text) for text in texts]
    found: dict[str, np.ndarray] = {}

    def visit(run: Run) -> None:
        found[run.text] = heads.head(run, HeadAddress("encoder", 1, 2)).pattern

    threads = [threading.Thread(target=visit, args=(run,)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    model, tokenizer = open_run(DEFAULT)
    for run in runs:
        alone = one_head.head(model, tokenizer, run, HeadAddress("encoder", 1, 2))
        np.testing.assert_allclose(found[run.text], alone.pattern, atol=1e-6)


CHANGES: list[dict[str, Any]] = [
    {"text": "the cat sat on the hat"},
    {"target": "a"},
    {"tokenizer": "bpe-1000"},
    {"masks": (BlockMask(2),)},
    {"pads": 1},
    {"edits": (Edit("encoder.0.pattern", "scale", 0.5, head=1),)},
    {"edits": (Edit("encoder.0.pattern", "scale", math.nextafter(0.5, 1), head=1),)},
    {"edits": (Edit("encoder.0.pattern", "replace", tuple((n / 7,) * 6 for n in range(6)), head=1),)},
    {"placement": Placement("cpu", "bfloat16")},
    {"source": shipped.ShippedModel("storyteller"), "format": TextFormat()},
    {"format": TextFormat(begin=True)},
    {"format": TextFormat(end=True)},
    {"format": TextFormat(special=SpecialIds(end=50))},
    {"config": replace(DEFAULT.config, position_base=math.nextafter(DEFAULT.config.position_base, 0))},
]


def test_runs_are_kept_apart_by_every_field_and_equal_ones_together() -> None:
    seen: list[str] = []

    @cache.large_record
    def function(run: Run) -> str:
        seen.append(run.text)
        return repr(run)

    runs = [DEFAULT, *(replace(DEFAULT, **change) for change in CHANGES)]
    assert {name for change in CHANGES for name in change} == {each.name for each in fields(Run)}
    assert [function(run) for run in runs] == [repr(run) for run in runs] and len(seen) == len(runs)
    assert function(replace(DEFAULT)) == repr(DEFAULT) and len(seen) == len(runs)


def test_a_step_of_the_lab_out_of_a_cache_still_finds_the_runs_of_all_visitors() -> None:
    @cache.small_record
    def stored(run: Run) -> Run:
        return run

    run = run_of_model(cache.source("lab:sort,steps=9@3"), "b d a")
    for _ in range(2):
        source = stored(run).source
        assert isinstance(source, LabStep) and source == run.source and source.untrained() is live_run(source.recipe)


def test_why_a_device_was_chosen_makes_no_second_model_and_no_second_result() -> None:
    chosen, exact = Placement("cpu", "float32", "the only device here"), Placement("cpu", "float32")
    toy = shipped.read("toy-copy")
    for config, source in ((DEFAULT.config, None), (toy.config, toy.source)):
        one, other = (model_cache.load_model((config, placement, source)) for placement in (chosen, exact))
        assert one is other
    first = heads.head(replace(DEFAULT, placement=chosen), HeadAddress())
    with mock.patch.object(cache, "load_model", side_effect=AssertionError):
        again = heads.head(replace(DEFAULT, placement=exact), HeadAddress())
    np.testing.assert_array_equal(first.pattern, again.pattern)


def test_a_config_is_one_of_the_keys_by_their_words() -> None:
    kind = type(DEFAULT.config)
    assert f"{kind.__module__}.{kind.__qualname__}" in cache.HASH_AS_REPR
