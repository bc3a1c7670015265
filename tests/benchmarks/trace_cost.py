"""What watching costs: a full trace against the same model's plain forward pass, in one run.

    python -m tests.benchmarks.trace_cost [--json] [--rounds 15] [--tokens 16 64 256]

The model has the shape of GPT-2 small (Radford et al. 2019). Each round times both, in alternating order, so that a
busy machine slows both alike; the ratio is the median of the rounds' own ratios, with its quartiles.

A trace keeps what a plain pass throws away (recorded MiB), so much of the ratio is the system's work of handing out
fresh memory. Like the app, the benchmark lets torch take large tensors in large pages; THP_MEM_ALLOC_ENABLE=0 before
the command shows the ratio without.
"""

import argparse

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
from tests.benchmarks.rounds import ratios, timed

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


def compare(model: Transformer, ids: Tensor, rounds: int) -> dict[str, object]:
    """Times in milliseconds and their ratio for one text."""
    device = ids.device.type

    def plain() -> None:
        with torch.inference_mode():
            model(None, ids)

    def traced() -> None:
        trace(model, None, ids, record=ALL)

    times = timed({"plain": plain, "traced": traced}, device, rounds)
    lower, ratio, upper = ratios(times["traced"], times["plain"])
    return {
        "device": device,
        "tokens": ids.shape[1],
        "plain_ms": round(quartiles(times["plain"])[1] * 1e3, 2),
        "traced_ms": round(quartiles(times["traced"])[1] * 1e3, 2),
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
