"""This machine fails at a run: a sentence in place of the picture, the rest of the page, and the next visitor after."""

import gc
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import streamlit as st
import torch
from torch import nn

from core import device
from core.faults import DISK_FULL, NO_MEMORY, NoMemory
from core.model.transformer import Transformer
from core.topics.heads import all_heads
from core.topics.shared import loading
from core.tracing.run import Run
from pages.attention.heads import page as heads
from pages.compute import cache
from pages.shell import run_plan
from tests.pages.conftest import Open
from tests.pages.screen import said

HEADS = "pages/attention/heads/page.py"
FAILED = "cuda failed on this machine, so cpu computes until the server restarts."


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(device, "_GIVEN_UP", {})
    for each in (st.cache_data, st.cache_resource):
        each.clear()
    yield
    for each in (st.cache_data, st.cache_resource):
        each.clear()


def failing(error: Exception) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MemoryError(), NO_MEMORY),
        (RuntimeError("[enforce fail at alloc_cpu.cpp:127] DefaultCPUAllocator: can't allocate memory"), NO_MEMORY),
        (OSError(28, "No space left on device"), DISK_FULL),
    ],
)
def test_a_run_at_which_the_machine_fails(
    error: Exception, sentence: str, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("core.topics.heads.all_heads.execute", failing(error))
        at = open_page(HEADS)
        assert [each.value.replace("\\", "") for each in at.error] == [sentence] and not at.exception
        assert at.title[0].value == heads.PAGE.question and at.get_by_key(heads.PAGE.look_at.key)
    assert not open_page(HEADS).error
    at.run()
    assert not at.error and at.get("bidi_component")


def test_a_page_whose_text_cannot_be_run_for_want_of_memory_shows_what_was_there(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = open_page("pages/transformer/translate/page.py", model="translator")
    monkeypatch.setattr("core.topics.generate.texts.choose_token", failing(MemoryError()))
    at.text_input(key="t").set_value("An old dog sleeps in the sun.").run()
    assert not at.exception and at.error[0].value.replace("\\", "").startswith(NO_MEMORY.rstrip("."))


def test_for_want_of_memory_the_model_goes() -> None:
    kept: list[weakref.ref[nn.Module]] = []
    run = run_plan.make_run(run_plan.DEFAULTS, "the cat sat on the mat", "")

    def verb(model: Transformer, tokenizer: object, run: Run) -> None:
        kept.append(weakref.ref(model.embed))  # the model itself is a copy for this run
        raise MemoryError

    with pytest.raises(NoMemory):
        cache.compute(verb, run)
    gc.collect()
    assert kept[0]() is None
    assert cache.compute(lambda model, tokenizer, run: run.text, run) == run.text


def test_a_page_goes_on_with_the_cpu_where_the_device_fails(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that is there until something is computed on it: its models stand on the CPU here."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
    monkeypatch.setattr("core.faults.responds", lambda device: False)
    fresh, execute = loading.fresh_model, all_heads.execute
    asked: list[str] = []

    def computed(model: Transformer, run: Run, *rest: Any, **named: Any) -> Any:
        asked.append(run.placement.device)
        if run.placement.device == "cuda":
            raise torch.AcceleratorError("CUDA error: an illegal memory access was encountered")
        return execute(model, run, *rest, **named)

    monkeypatch.setattr(loading, "fresh_model", lambda config, where, _: fresh(config, replace(where, device="cpu")))
    monkeypatch.setattr("core.topics.heads.all_heads.execute", computed)
    at = open_page(HEADS)
    assert not at.error and at.get("bidi_component") and FAILED in said(at).replace("\\", "")
    assert at.session_state["visit"].run.placement.device == "cpu" and asked[0] == "cuda" and set(asked[1:]) == {"cpu"}
    assert "Runs on **cpu**" in said(at) and open_page(HEADS).session_state["visit"].run.placement.device == "cpu"
