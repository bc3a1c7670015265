"""What fits on a GPU is asked of the GPU: an 8 B model against made-up cards and machines. No weight is allocated."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch

from core import device, limits
from core.analysis.costs import MemoryEstimate
from core.checkpoints.real.families import FAMILIES_READ
from core.checkpoints.real.options import Options
from core.device import MEMORIES, Placement, largest_memory, memory_of
from core.memory import MIB
from core.model.transformer import parameter_count
from core.readings.models import read_memory
from core.text.tokenizer import Tokenizer
from core.topics.shared import loading
from core.topics.shared.loading import estimate, why_too_large
from core.tracing.run import Run

GIB = 1024 * MIB
LLAMA_8B = {
    "vocab_size": 128_256,
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14_336,
    "max_position_embeddings": 8192,
    "tie_word_embeddings": False,
}
CONFIG = FAMILIES_READ["llama"].read(Options({"model_type": "llama", **LLAMA_8B}), set())
PARAMETERS = 8_030_261_248  # as the hub counts those of Llama 3 8B
EMBEDDING = 2 * 128_256 * 4096  # bytes of the largest tensor of its files, in bfloat16
WIDE, HALF = Placement("cuda", "float32"), Placement("cuda", "bfloat16")

Card = Callable[..., None]


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Card:
    """A made-up GPU: card(free, reserved, allocated), in bytes."""

    def insert(free: float, reserved: float = 0, allocated: float = 0) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
        monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (int(free), 80 * GIB))
        monkeypatch.setattr(torch.cuda, "memory_reserved", lambda: int(reserved))
        monkeypatch.setattr(torch.cuda, "memory_allocated", lambda: int(allocated))

    return insert


def host(size: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a run use so many bytes of this machine's memory."""
    monkeypatch.setattr(loading, "memory_limit", lambda: int(size))
    monkeypatch.setattr(device, "memory_limit", lambda: int(size))


def needs(placement: Placement, length: int = 512) -> MemoryEstimate:
    return estimate(CONFIG, length, placement, made_elsewhere=True, largest_tensor=EMBEDDING)


def test_a_run_may_use_what_is_free_and_what_pytorch_keeps_less_the_margin(card: Card) -> None:
    card(60 * GIB, reserved=18 * GIB, allocated=15 * GIB)
    assert limits.GPU_SPARE_MIB == 1024
    assert memory_of("cuda") == (60 + 18 - 15 - 1) * GIB
    assert memory_of("cuda", emptied=True) == (60 + 18 - 1) * GIB
    card(GIB // 2)
    assert memory_of("cuda") == 0


def test_on_a_mac_it_is_what_the_system_recommends_or_the_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MEMORY_MIB", 0)
    host(2 * GIB, monkeypatch)
    monkeypatch.setattr(torch.mps, "recommended_max_memory", lambda: 12 * GIB, raising=False)
    monkeypatch.setattr(torch.mps, "current_allocated_memory", lambda: 3 * GIB, raising=False)
    assert (memory_of("mps"), memory_of("mps", emptied=True)) == (8 * GIB, 11 * GIB)
    monkeypatch.setattr(limits, "MEMORY_MIB", 9000)
    host(7 * GIB, monkeypatch)
    assert memory_of("mps", emptied=True) == 6 * GIB, "its memory is the machine's, of which a limit is stated"
    monkeypatch.delattr(torch.mps, "recommended_max_memory")
    assert memory_of("mps") == memory_of("cpu") == 7 * GIB


def test_a_gpu_whose_driver_does_not_answer_is_judged_as_the_machine(
    card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent() -> tuple[int, int]:
        raise RuntimeError("CUDA driver error")

    card(80 * GIB)
    host(3 * GIB, monkeypatch)
    monkeypatch.setattr(torch.cuda, "mem_get_info", silent)
    assert memory_of("cuda") == 3 * GIB


def test_an_8b_model_takes_two_bytes_a_weight_of_the_gpu_and_one_tensor_of_the_machine() -> None:
    assert parameter_count(CONFIG) == PARAMETERS
    needed = needs(HALF)
    gpu = needed.on_gpu
    assert gpu is not None and gpu.parameters == 2 * PARAMETERS + EMBEDDING
    pattern = 2 * 32 * 512**2  # of one layer, in bfloat16
    assert (gpu.recorded, needed.recorded, needed.working) == (4 * pattern, 4 * pattern, 0)
    assert needed.parameters == EMBEDDING and needed.in_both == needed.total + gpu.total
    loaded = needed.beside_model
    assert loaded.on_gpu is not None and (loaded.parameters, loaded.on_gpu.parameters) == (0, 0)
    assert loaded.on_gpu.total == gpu.recorded + gpu.working


def test_weights_that_are_made_here_are_in_the_machines_memory_first() -> None:
    needed = estimate(CONFIG, 8, HALF)
    assert needed.on_gpu is not None
    assert (needed.parameters, needed.on_gpu.parameters) == (4 * PARAMETERS, 2 * PARAMETERS)
    assert estimate(CONFIG, 8, Placement("cpu", "bfloat16")).on_gpu is None


def test_a_card_of_80_gb_takes_an_8b_model_whatever_the_machine_has(card: Card) -> None:
    card(79 * GIB)
    assert why_too_large(needs(HALF), 4 * GIB) == why_too_large(needs(WIDE), 4 * GIB) == ""
    assert why_too_large(needs(HALF), 8 * GIB // 4) == "", "a quarter of 8 GB has room for one tensor at a time"
    files_in_float32 = estimate(CONFIG, 512, HALF, made_elsewhere=True, largest_tensor=2 * EMBEDDING)
    assert why_too_large(files_in_float32, 2 * GIB).startswith(
        "This run would need 2,004 MiB of this machine's memory for the model and 64 MiB for this text"
    )


def test_a_card_of_12_gb_refuses_it_and_says_which_memory_is_short(card: Card) -> None:
    card(11.5 * GIB)
    said = why_too_large(needs(HALF), 64 * GIB)
    gpu = needs(HALF).on_gpu
    assert gpu is not None
    weights, text, total = (round(size / MIB) for size in (gpu.parameters, gpu.total - gpu.parameters, gpu.total))
    assert weights == 15_317 + 1002
    assert said == (
        f"This run would need {weights:,} MiB of the GPU's memory for the model and {text} MiB for this text "
        f"(recorded tensors 64 + working room {text - 64}), {total:,} MiB in all, and 10,752 MiB may be used. "
        "Take a smaller model."
    )


def test_half_the_width_is_recommended_where_it_is_enough(card: Card) -> None:
    card(23 * GIB)
    assert why_too_large(needs(WIDE), 4 * GIB).endswith("Choose the number format bfloat16 in the sidebar.")
    assert why_too_large(needs(HALF), 4 * GIB) == ""
    card(18.2 * GIB)
    long = needs(HALF, 8192)
    assert why_too_large(long, 99 * GIB).endswith("Take a smaller model or a shorter text.")


def test_a_model_that_is_on_the_gpu_already_is_not_counted_twice(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    card(6 * GIB, reserved=17 * GIB, allocated=16 * GIB)
    host(4 * GIB, monkeypatch)
    assert why_too_large(needs(HALF), 4 * GIB).endswith("and 6,144 MiB may be used. Take a smaller model.")
    assert why_too_large(needs(HALF).beside_model, 4 * GIB) == ""
    config = replace(CONFIG, vocab_size=8000)
    run = Run("the cat sat", config)
    monkeypatch.setattr(loading, "estimate", lambda *_, **__: needs(HALF))
    assert loading.check(run, Tokenizer.load("unigram-8000")).rows, "what is there can go to make room"
    card(6 * GIB, reserved=5 * GIB, allocated=5 * GIB)
    with pytest.raises(ValueError, match=r"of the GPU's memory .* and 10,240 MiB may be used"):
        loading.check(run, Tokenizer.load("unigram-8000"))


def test_an_import_is_judged_by_the_memory_that_has_most_room(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    host(4 * GIB, monkeypatch)
    card(79 * GIB)
    assert largest_memory() == (78 * GIB, "the GPU's memory")
    card(3 * GIB)
    assert largest_memory() == (4 * GIB, "this machine's memory")


def test_a_stated_limit_binds_the_machine_and_not_the_gpu(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MEMORY_MIB", limits.APP_MIB + 900)
    card(79 * GIB)
    assert memory_of("cuda") == 78 * GIB and memory_of("cpu") == 900 * MIB
    assert "1,002 MiB of this machine's memory for the model" in why_too_large(needs(HALF), memory_of("cpu"))
    assert "working room" in why_too_large(needs(HALF), 0) and "sidebar" not in why_too_large(needs(HALF), 0)


def test_the_sidebar_says_what_is_free_and_what_the_model_and_the_text_take() -> None:
    there = MemoryEstimate(2 * PARAMETERS, 64 * MIB, 16 * MIB, "cuda")
    assert read_memory(there, 78 * GIB, MEMORIES["cuda"]) == (
        "A run may use 79,872 MiB of the GPU's memory: this model takes 15,317 MiB, and this text 80 MiB."
    )
    small = MemoryEstimate(3 * MIB // 2, 100, MIB - 101)
    assert read_memory(small, 0, MEMORIES["cpu"]) == (
        "A run may use less than 1 MiB of this machine's memory: this model takes 2 MiB, and this text less than 1 MiB."
    )
