"""What neighbours and analogies cost: a search of all words against one product of the table with a vector.

    python -m tests.benchmarks.word_neighbours [--json] [--rounds 50]

The table has the size of the one that is shipped, 20,000 words of 100 numbers. Each round times the product and both
searches in turn, so that a busy machine slows all alike; a ratio is the median of the rounds' own ratios, with its
quartiles. The aim is a search in less than 10 ms.
"""

import argparse
from collections.abc import Callable
from time import perf_counter

import numpy as np

from core.analysis.word_vectors import closest_rows, unit_rows
from tests.benchmarks.report import as_json, quartiles, table

WORDS, WIDTH, COUNT = 20_000, 100, 10
AIM_MS = 10


def seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def measure(rounds: int) -> list[dict[str, object]]:
    """Milliseconds of each search, and its ratio to the product alone."""
    rows = unit_rows(np.random.default_rng(0).standard_normal((WORDS, WIDTH))).astype(np.float32)
    a, b, c = rows[:3]
    works: dict[str, Callable[[], object]] = {
        "neighbours": lambda: closest_rows(rows, a, COUNT, (0,)),
        "analogy": lambda: closest_rows(rows, b - a + c, COUNT, (0, 1, 2)),
    }
    plain, found = [], {name: list[float]() for name in works}
    for number in range(rounds + 2):
        product = seconds(lambda: rows @ a)
        times = {name: seconds(work) for name, work in works.items()}
        if number >= 2:
            plain.append(product)
            for name, time in times.items():
                found[name].append(time)
    return [_row(name, times, plain) for name, times in found.items()]


def _row(name: str, times: list[float], plain: list[float]) -> dict[str, object]:
    lower, ratio, upper = quartiles([time / product for time, product in zip(times, plain, strict=True)])
    return {
        "search": name,
        "words": WORDS,
        "product_ms": round(quartiles(plain)[1] * 1e3, 2),
        "search_ms": round(quartiles(times)[1] * 1e3, 2),
        "ratio": round(ratio, 2),
        "ratio_quartiles": [round(lower, 2), round(upper, 2)],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Neighbours and analogies among 20,000 words.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=50)
    options = parser.parse_args()
    results = measure(options.rounds)
    if options.json:
        print(as_json({"benchmark": "word_neighbours", "aim_ms": AIM_MS, "rounds": options.rounds, "rows": results}))
        return
    headings = list(results[0])
    print(table([name.replace("_", " ") for name in headings], [[row[name] for name in headings] for row in results]))
    print(f"{options.rounds} rounds; the aim is a search in less than {AIM_MS} ms")


if __name__ == "__main__":
    main()
