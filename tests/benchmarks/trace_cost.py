"""What watching costs: a full trace against the same model's plain forward pass, in one run.

    python -m tests.benchmarks.trace_cost [--json] [--rounds 15] [--tokens 16 64 256]

The model has the shape of GPT-2 small (Radford et al. 2019). Each round times both, in alternating order, so that a
busy machine slows both alike; the ratio is the median of the rounds' own ratios, with its quartiles.

A trace keeps what a plain pass throws away (recorded MiB), so much of the ratio is the system's work of handing out
fresh memory. Like the app, the benchmark lets torch take large tensors in large pages; THP_MEM_ALLOC_ENABLE=0 before
the command shows the ratio without.
"""

import argparse
from collections.abc import Callable
from time import perf_counter

import torch
from torch import Tensor

from core.analysis.costs import memory_estimate
from core.device import available
from core.memory import MIB
from core.model.config import TransformerConfig
from core.model.transformer import Transformer, build
from core.tracing.taps import ALL
from core.tracing.trace import trace
from tests.benchmarks.report import as_json, quartiles, table

AIM = 1.1
GPT2_SMALL = TransformerConfig(
    architecture="decoder",
    vocab_size=50257,
    d_model=768,
    heads=12,
    layers=12,
    activation="gelu",
    norm_position="pre",
    positions="learned",
    max_length=1024,
    tied=True,
    scale_embeddings=False,
)


def seconds(work: Callable[[], object], device: str) -> float:
    """How long the work takes, waiting for a GPU to finish it."""
    if device == "cuda":
        torch.cuda.synchronize()
    start = perf_counter()
    work()
    if device == "cuda":
        torch.cuda.synchronize()
    return perf_counter() - start


def compare(model: Transformer, ids: Tensor, rounds: int) -> dict[str, object]:
    """Times in milliseconds and their ratio for one text."""
    device = ids.device.type

    def plain() -> None:
        with torch.inference_mode():
            model(None, ids)

    def traced() -> None:
        trace(model, None, ids, record=ALL)

    for work in (plain, traced, plain, traced):
        work()
    pairs = []
    for number in range(rounds):
        works = (plain, traced) if number % 2 == 0 else (traced, plain)
        times = {work: seconds(work, device) for work in works}
        pairs.append((times[plain], times[traced]))
    lower, ratio, upper = quartiles([after / before for before, after in pairs])
    return {
        "device": device,
        "tokens": ids.shape[1],
        "plain_ms": round(quartiles([before for before, _ in pairs])[1] * 1e3, 2),
        "traced_ms": round(quartiles([after for _, after in pairs])[1] * 1e3, 2),
        "recorded_mib": round(memory_estimate(model.config, ids.shape[1], ALL).recorded / MIB),
        "ratio": round(ratio, 3),
        "ratio_quartiles": [round(lower, 3), round(upper, 3)],
    }


def measure(lengths: list[int], rounds: int) -> list[dict[str, object]]:
    """Every length on the CPU, and on CUDA where there is one."""
    generator = torch.Generator().manual_seed(0)
    results = []
    for device in sorted(set(available()) & {"cpu", "cuda"}):
        model = build(GPT2_SMALL, device)
        for length in lengths:
            ids = torch.randint(GPT2_SMALL.vocab_size, (1, length), generator=generator).to(device)
            results.append(compare(model, ids, rounds))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description="A full trace against the plain forward pass.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--tokens", type=int, nargs="+", default=[16, 64, 256])
    options = parser.parse_args()
    results = measure(options.tokens, options.rounds)
    if options.json:
        print(as_json({"benchmark": "trace_cost", "aim": AIM, "rounds": options.rounds, "rows": results}))
        return
    headings = ("device", "tokens", "plain_ms", "traced_ms", "recorded_mib", "ratio", "ratio_quartiles")
    print(table([name.replace("_", " ") for name in headings], [[row[name] for name in headings] for row in results]))
    print(f"{options.rounds} rounds on {torch.get_num_threads()} threads; the aim is a ratio below {AIM}")


if __name__ == "__main__":
    main()
