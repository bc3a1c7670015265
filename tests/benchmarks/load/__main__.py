"""How the server holds up under a class of visitors, over Streamlit's own protocol.

    python -m tests.benchmarks.load [--json] [--visitors 1 10 30] [--minutes 5] [--seed 0]

Each number of visitors has a server of its own. They come within ten seconds, each to a page of their own, and change
a control, a model, a text or the page every two seconds. The clock runs from a change to the last message of its
answer: what a browser then takes to draw it is left out. The client takes a part of the same processors, which is
printed beside the server's.
"""

import argparse
import asyncio
import os
from time import process_time
from typing import Any

from core.memory import MIB
from tests.benchmarks.load.visitors import Record, together
from tests.benchmarks.report import as_json, table
from tests.benchmarks.ui_latency import at
from tests.browser.server import serving

AIM = {"visitors": 30, "p95_ms": 1000, "first_ms": 10_000, "errors": 0, "most_mib": 690}
LARGEST, TOLD = 10, 20


def row(visitors: int, found: Record, client: float) -> dict[str, Any]:
    """One row of the table. client: the processor seconds that this measurement itself took."""
    times, sizes, memory = sorted(found.changes), sorted(found.sizes), [size // MIB for size in found.memory]
    milliseconds = {
        name: round(at(times, share) * 1e3) for name, share in (("median", 0.5), ("p95", 0.95), ("p99", 0.99))
    }
    return {
        "visitors": visitors,
        "first_ms": round(max(found.first) * 1e3),
        "changes": len(times),
        **milliseconds,
        "kb_median": round(at([float(size) for size in sizes], 0.5) / 1e3, 1),
        "kb_p95": round(at([float(size) for size in sizes], 0.95) / 1e3, 1),
        "cpu_ms": round(found.processor / (len(times) + len(found.first)) * 1e3),
        "client_cpu_s": round(client, 1),
        "errors": len(found.errors),
        "lost": found.lost,
        "refused": found.refused.total(),
        "mib_start": memory[0],
        "mib_minute": memory[min(60, len(memory) - 1)],
        "mib_end": memory[-1],
        "mib_most": max(memory),
    }


def details(found: Record) -> dict[str, Any]:
    """What stands below the table: bytes by kind of element, the slowest changes, errors, refusals, and the memory."""
    changes = len(found.changes)
    return {
        "bytes_per_change": {kind: round(size / changes) for kind, size in found.sent.most_common(LARGEST)},
        "slowest": [f"{seconds * 1e3:,.0f} ms  {what}" for seconds, what in found.slowest],
        "errors": found.errors[:TOLD],
        "refused": [f"{count} × {sentence}" for sentence, count in found.refused.most_common(LARGEST)],
        "mib_by_second": [size // MIB for size in found.memory],
        "mib_of_results": round(found.cached.total() / MIB, 1),
        "mib_of_results_by_function": {name: round(size / MIB, 1) for name, size in found.cached.most_common(LARGEST)},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Many visitors at once.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--visitors", type=int, nargs="+", default=[1, 10, 30], help="how many; one row for each")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=0, help="of what the visitors do")
    options = parser.parse_args()
    load, rows, below = os.getloadavg()[0], [], []
    for visitors in options.visitors:
        with serving("app.py") as url:
            start = process_time()
            found = asyncio.run(together(url, visitors, options.minutes * 60, options.seed))
            if not found.changes:
                parser.exit(1, f"nobody could change anything: {found.errors[:1]}\n")
            rows.append(row(visitors, found, process_time() - start))
            below.append(details(found))
    about = {"benchmark": "load", "aim": AIM, "minutes": options.minutes, "seed": options.seed}
    if options.json:
        print(as_json(about | {"rows": rows, "details": below, "cores": os.cpu_count(), "load_before": round(load, 2)}))
        return
    print(table([name.replace("_", " ") for name in rows[0]], [list(each.values()) for each in rows]))
    for visitors, each in zip(options.visitors, below, strict=True):
        print(f"\n{visitors} visitors; bytes per change: {each['bytes_per_change']}")
        print(f"cached results: {each['mib_of_results']} MiB, {each['mib_of_results_by_function']}")
        print("\n".join([*each["slowest"], *each["errors"], *each["refused"]]))
    print(f"\naims for {AIM['visitors']} visitors: {AIM}; {os.cpu_count()} cores, load {load:.2f} at the start")


if __name__ == "__main__":
    main()
