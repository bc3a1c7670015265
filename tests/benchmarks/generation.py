"""Tokens per second, greedy: our models with and without the KV cache, and a GPT-2 of `transformers`, in one run.

    python -m tests.benchmarks.generation [--json] [--rounds 7] [--tokens 64] [--threads 1]
                                          [--shapes storyteller gpt2-small]

Two shapes: the storyteller's, ours with its trained weights, and GPT-2 small's (Radford et al. 2019), where reading
the weights from memory takes most of the time. The GPT-2 beside them has as many layers, heads, widths and tokens, the
same activation and random weights, and writes with its own `generate`. Each reads the same beginning and writes equally
many tokens, since none may end early. Reading the beginning is part of the time.

Every round times the three in another order, so that a busy machine slows all alike; a ratio is the median of the
rounds' own ratios, with its quartiles. Ratios differ between processors, so what this one can do is printed, too. With
--threads 1 seconds are processor seconds. It takes some minutes.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from itertools import product

import torch
from torch import Tensor

from core.checkpoints import weights
from core.checkpoints.shipped import MODELS_FOLDER
from core.decoding.greedy import continuation
from core.device import DTYPES, available
from core.model.fast.optimize import optimize
from core.model.transformer import Transformer, build
from tests.benchmarks.processor import processor
from tests.benchmarks.report import as_json, quartiles, table
from tests.benchmarks.rounds import ratios, timed
from tests.benchmarks.theirs import Writes, their_model, theirs
from tests.benchmarks.trace_cost import GPT2_SMALL

STORYTELLER = "storyteller"
AIMS = {
    (STORYTELLER, "float32"): 2.0,
    (STORYTELLER, "bfloat16"): 1.0,
    ("gpt2-small", "float32"): 1.0,
    ("gpt2-small", "bfloat16"): 1.0,
}
SHAPES = tuple(dict.fromkeys(shape for shape, _ in AIMS))
BEGINNING = 16


def our_model(shape: str) -> Transformer:
    """The storyteller as it is shipped, or GPT-2 small with random weights."""
    if shape != STORYTELLER:
        return optimize(build(GPT2_SMALL).requires_grad_(False))
    model, _ = weights.load(MODELS_FOLDER / STORYTELLER)
    assert isinstance(model, Transformer)
    return optimize(model)


def ours(model: Transformer, cached: bool) -> Writes:
    return lambda ids, count: continuation(model, ids, count, cached=cached)


def compare(contestants: dict[str, Writes], ids: Tensor, tokens: int, rounds: int) -> dict[str, list[float]]:
    """Seconds of each contestant in each round. ValueError where one does not write `tokens` tokens."""
    for name, write in contestants.items():
        if (found := tuple(write(ids, tokens).shape)) != (len(ids), tokens):
            raise ValueError(f"{name} wrote {found[1]} tokens, not {tokens}")
    works = {name: partial(write, ids, tokens) for name, write in contestants.items()}
    return timed(works, ids.device.type, rounds)


def row(times: dict[str, list[float]], tokens: int) -> dict[str, object]:
    """Tokens per second of each contestant, and how many times as fast the cache is as each other."""
    found: dict[str, object] = {}
    for name, spent in times.items():
        found[f"{name}_per_s"] = round(tokens / quartiles(spent)[1], 1)
    for name in (name for name in times if name != "cached"):
        lower, ratio, upper = ratios(times[name], times["cached"])
        found[f"over_{name}"] = round(ratio, 2)
        found[f"over_{name}_quartiles"] = [round(lower, 2), round(upper, 2)]
    return found


def measure(shapes: Sequence[str], tokens: int, rounds: int) -> list[dict[str, object]]:
    """Every shape in both number formats, on the CPU, and on CUDA where there is one."""
    devices = sorted(set(available()) & {"cpu", "cuda"})
    results = []
    for shape in shapes:
        model = our_model(shape)
        other = their_model(model.config, model.config.activation)
        ids = torch.randint(4, model.config.vocab_size, (1, BEGINNING), generator=torch.Generator().manual_seed(0))
        for device, dtype in product(devices, ("float32", "bfloat16")):
            model, other = (each.to(device=device, dtype=DTYPES[dtype]) for each in (model, other))
            contestants = {"cached": ours(model, True), "uncached": ours(model, False), "transformers": theirs(other)}
            times = compare(contestants, ids.to(device), tokens, rounds)
            about = {"shape": shape, "device": device, "dtype": dtype, "aim": AIMS[shape, dtype]}
            results.append(about | row(times, tokens))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description="Tokens per second, beside transformers.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=SHAPES)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    results = measure(options.shapes, options.tokens, options.rounds)
    if options.json:
        about = {"benchmark": "generation", "rounds": options.rounds, "tokens": options.tokens}
        print(as_json(about | {"threads": options.threads, "processor": processor(), "rows": results}))
        return
    print(table([name.replace("_", " ") for name in results[0]], [list(each.values()) for each in results]))
    print(
        f"{options.tokens} tokens behind {BEGINNING}, {options.rounds} rounds on {options.threads} threads; "
        "the aim is for the ratio over transformers"
    )
    print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in processor().items()))


if __name__ == "__main__":
    main()
