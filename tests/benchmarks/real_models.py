"""Ours beside `transformers` in shapes of models made elsewhere: a pass, a full trace, tokens per second, in one run.

    python -m tests.benchmarks.real_models [--json] [--rounds 7] [--length 128] [--tokens 64] [--small]
                                           [--shapes gpt2-small smollm2-135m]

Shapes: GPT-2 small (Radford et al. 2019), and SmolLM2 135M (Allal et al. 2025), which is a Llama with grouped queries:
9 heads share 3 heads of keys and values. Both sides are built from the same config with random weights, and read the
same ids. A pass ends with the logits of every token; a trace records every site; writing is greedy, with the KV cache,
behind 16 tokens. --small: two layers and few pieces, to see that it runs.

Every round times all in another order, so that a busy machine slows all alike; a ratio is the median of the rounds' own
ratios, with its quartiles. It takes some minutes.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import torch
from torch import Tensor

from core.device import DTYPES, available
from core.model.config import TransformerConfig
from core.model.fast.optimize import optimize
from core.model.transformer import Transformer, build
from core.tracing.taps import ALL
from core.tracing.trace import trace
from tests.benchmarks.generation import BEGINNING, ours
from tests.benchmarks.report import as_json, quartiles, table
from tests.benchmarks.rounds import Work, ratios, timed
from tests.benchmarks.theirs import their_model, theirs
from tests.benchmarks.trace_cost import GPT2_SMALL

SHAPES = {
    "gpt2-small": replace(GPT2_SMALL, activation="gelu_tanh"),
    "smollm2-135m": TransformerConfig(
        architecture="decoder",
        vocab_size=49_152,
        d_model=576,
        heads=9,
        kv_heads=3,
        layers=30,
        d_ff=1536,
        activation="swiglu",
        norm_position="pre",
        norm="rmsnorm",
        positions="rotary",
        position_base=100_000.0,
        rotary_pairs="halves",
        max_length=2048,
        scale_embeddings=False,
        qkv_bias=False,
        out_bias=False,
        ffn_bias=False,
    ),
}
AIMS = {"pass": "at least 1", "trace": "at most 1.1", "writing": "at least 1"}


def contestants(mine: Transformer, other: Any, ids: Tensor, tokens: int) -> dict[str, Work]:
    """What is timed, by name."""
    first = ids[:, :BEGINNING]
    return {
        "pass": partial(_quiet, lambda: mine(None, ids)),
        "their pass": partial(_quiet, lambda: other(ids, use_cache=False)),
        "trace": lambda: trace(mine, None, ids, record=ALL),
        "writing": partial(ours(mine, True), first, tokens),
        "their writing": partial(theirs(other), first, tokens),
    }


def _quiet(work: Work) -> object:
    with torch.inference_mode():
        return work()


def row(times: Mapping[str, list[float]], tokens: int) -> dict[str, object]:
    """Milliseconds and tokens per second, and the ratios that have an aim."""
    middle = {name: quartiles(spent)[1] for name, spent in times.items()}
    found: dict[str, object] = {f"{name}_ms": round(1e3 * middle[name], 1) for name in ("pass", "their pass", "trace")}
    found |= {f"{name}_per_s": round(tokens / middle[name], 1) for name in ("writing", "their writing")}
    pairs = {"pass": ("their pass", "pass"), "trace": ("trace", "pass"), "writing": ("their writing", "writing")}
    for name, (over, under) in pairs.items():
        lower, ratio, upper = ratios(times[over], times[under])
        found[f"{over}_over_{under}"] = round(ratio, 3)
        found[f"{name}_quartiles"] = [round(lower, 3), round(upper, 3)]
    return found


def measure(shapes: Sequence[str], length: int, tokens: int, rounds: int, small: bool) -> list[dict[str, object]]:
    """Every shape in both number formats, on the CPU, and on CUDA where there is one."""
    devices, results = sorted(set(available()) & {"cpu", "cuda"}), []
    for shape in shapes:
        config = replace(SHAPES[shape], layers=2, vocab_size=1000) if small else SHAPES[shape]
        mine, other = optimize(build(config).requires_grad_(False)), their_model(config)
        ids = torch.randint(4, config.vocab_size, (1, length), generator=torch.Generator().manual_seed(0))
        for device, dtype in product(devices, ("float32", "bfloat16")):
            mine, other = (each.to(device=device, dtype=DTYPES[dtype]) for each in (mine, other))
            times = timed(contestants(mine, other, ids.to(device), tokens), device, rounds)
            results.append({"shape": shape, "device": device, "dtype": dtype} | row(times, tokens))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description="Shapes of models made elsewhere, beside transformers.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--length", type=int, default=128, help="tokens of a pass and of a trace")
    parser.add_argument("--tokens", type=int, default=64, help="tokens written")
    parser.add_argument("--shapes", nargs="+", choices=tuple(SHAPES), default=tuple(SHAPES))
    parser.add_argument("--small", action="store_true", help="two layers and few pieces, to see that it runs")
    options = parser.parse_args()
    results = measure(options.shapes, options.length, options.tokens, options.rounds, options.small)
    if options.json:
        about = {"benchmark": "real_models", "rounds": options.rounds, "length": options.length}
        about |= {"tokens": options.tokens, "threads": torch.get_num_threads(), "small": options.small}
        print(as_json(about | {"aims": AIMS, "rows": results}))
        return
    for each in results:
        print(table([name.replace("_", " ") for name in each], [list(each.values())]), end="\n\n")
    aims = ", ".join(f"{name} {aim}" for name, aim in AIMS.items())
    print(f"{options.rounds} rounds on {torch.get_num_threads()} threads; aims: {aims}")


if __name__ == "__main__":
    main()
