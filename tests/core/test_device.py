"""The device is the best that is here or the one asked for, and the reason is always true."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import torch

from core import device
from core.device import choose, formats, many_threads, processors, usable_formats, why_no_device, why_no_format


@pytest.fixture
def machine(monkeypatch):
    """Pretends to a machine: machine(cuda=…, mps=…, bf16=…)."""

    def pretend(cuda: bool = False, mps: bool = False, bf16: bool = True) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: bf16)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)

    return pretend


@pytest.mark.parametrize(
    ("here", "wish", "found", "reason"),
    [
        ({}, "auto", "cpu", "the only device here"),
        ({"cuda": True}, "auto", "cuda", "the fastest of cuda, cpu"),
        ({"mps": True}, "auto", "mps", "the fastest of mps, cpu"),
        ({"cuda": True}, "cpu", "cpu", "as you chose"),
        ({}, "cuda", "cpu", "this machine has no cuda"),
        ({"mps": True}, "cuda", "mps", "this machine has no cuda"),
    ],
)
def test_the_device_and_its_reason(machine, here, wish, found, reason):
    machine(**here)
    placement = choose(wish)
    assert (placement.device, placement.dtype, placement.reason) == (found, "float32", reason)
    assert placement.torch_dtype is torch.float32


@pytest.mark.parametrize(
    ("here", "wish", "dtype"),
    [
        ({}, "bfloat16", "bfloat16"),
        ({}, "float16", "float32"),
        ({"cuda": True}, "float16", "float16"),
        ({"cuda": True}, "bfloat16", "bfloat16"),
        ({"cuda": True, "bf16": False}, "bfloat16", "float32"),
        ({"mps": True}, "bfloat16", "float32"),
    ],
)
def test_a_format_that_the_device_lacks_becomes_float32_and_says_so(machine, here, wish, dtype):
    machine(**here)
    placement = choose("auto", wish)
    assert placement.dtype == dtype
    assert (f"does not compute in {wish}, so float32" in placement.reason) == (dtype != wish)


@pytest.mark.parametrize(
    ("here", "wish", "why"),
    [
        ({}, "cuda", "There is no CUDA device here; the CPU computes."),
        ({}, "mps", "There is no MPS device here; the CPU computes."),
        ({"cuda": True}, "mps", "There is no MPS device here; CUDA computes."),
        ({"cuda": True}, "cuda", ""),
        ({}, "cpu", ""),
        ({}, "auto", ""),
        ({}, "tpu", None),
    ],
)
def test_a_device_that_is_not_here_is_said_with_the_one_that_computes(machine, here, wish, why):
    machine(**here)
    assert why_no_device(wish) == why
    assert not why or choose(wish).device == ("cuda" if "CUDA computes" in why else "cpu")


@pytest.mark.parametrize(
    ("here", "wish", "why"),
    [
        ({}, "float16", "No device here computes in float16; float32 is used."),
        ({}, "bfloat16", ""),
        ({"mps": True}, "float16", ""),
        ({"cuda": True}, "float16", ""),
        ({}, "int8", None),
    ],
)
def test_a_format_in_which_nothing_here_computes_is_said(machine, here, wish, why):
    machine(**here)
    assert why_no_format(wish) == why and (wish in usable_formats()) == (why == "")


def test_a_driver_that_does_not_answer_has_no_formats(machine, monkeypatch):
    def silent() -> bool:
        raise RuntimeError("no answer")

    machine(cuda=True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", silent)
    monkeypatch.setattr(device, "_GIVEN_UP", {})
    assert usable_formats() == ("float32", "bfloat16") and str(why_no_device("cuda")).startswith("cuda failed")


def test_every_format_of_the_cpu_computes():
    for name in formats("cpu"):
        placement = choose("cpu", name)
        x = torch.ones(2, 2, dtype=placement.torch_dtype)
        assert (x @ x).dtype == placement.torch_dtype


def test_an_unknown_wish_is_an_error_that_lists_the_right_ones():
    with pytest.raises(ValueError, match="device 'tpu' is not one of auto, cpu, cuda, mps"):
        choose("tpu")
    with pytest.raises(ValueError, match="number format 'int8' is not one of float32, bfloat16, float16"):
        choose("cpu", "int8")


def test_a_device_that_two_visitors_find_lost_at_once_is_named_once(machine, monkeypatch) -> None:
    both = Barrier(2, timeout=60)

    class Watched(dict[str, None]):
        def __contains__(self, each: object) -> bool:
            found = super().__contains__(each)
            both.wait()
            return found

    machine()
    monkeypatch.setattr(device, "_GIVEN_UP", Watched())
    with ThreadPoolExecutor(2) as visitors:
        list(visitors.map(device.disable, ["cuda", "cuda"]))
    assert device.why_given_up() == "cuda failed on this machine, so cpu computes until the server restarts."


def test_more_threads_are_for_the_caller_alone_and_are_given_back() -> None:
    before = torch.get_num_threads()
    with ThreadPoolExecutor(1) as other:
        other.submit(torch.set_num_threads, 1).result()
        assert other.submit(torch.get_num_threads).result() == 1
        with pytest.raises(ZeroDivisionError), many_threads():
            inside, outside = torch.get_num_threads(), other.submit(torch.get_num_threads).result()
            _ = 1 / 0
    assert inside == max(before, processors()) and outside == 1
    assert torch.get_num_threads() == before
