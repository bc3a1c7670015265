"""How fast the answers of several classes are on their projectors, beside visitors of the pages.

    python -m tests.benchmarks.class_load [--json] [--rooms 5] [--phones 60] [--visitors 10] [--questions 2]

The phones of each room join within seconds, follow its events, and answer each of two votes on each question within
some seconds; the teachers of all rooms click at about the same time. The clock runs from the moment when an answer is
sent to that when the projector's stream has counted it. The memory is that of the server before the first phone and
when all have joined; visitors come afterwards. All phones are one process, and the visitors another; both take a part
of the same processors.
"""

import argparse
import asyncio
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from typing import Any

from core.lessons.lesson import lessons
from core.memory import MIB
from tests.benchmarks.class_clients import ClassRoom, LightPhone, Times
from tests.benchmarks.load.visitors import Record, together
from tests.benchmarks.report import as_json, table
from tests.benchmarks.ui_latency import at
from tests.browser.server import resident_bytes, serving

AIM = {"rooms": 5, "phones": 60, "p95_ms": 1000, "phones_mib": 60}
TOLD = 10
AFTER_VOTE = ("reveal", "explain")


async def lead(room: ClassRoom, questions: int, options: argparse.Namespace) -> None:
    """Lead a class through some questions, with two votes on each."""
    for number in range(1, questions + 1):
        for opened, then in (("open", ("closed", "spread")), ("second", ("closed again", *AFTER_VOTE))):
            await room.act("advance", opened)
            await room.all_answered(options.phones, 3 * options.think + 10)
            for state in then:
                await room.act("advance", state)
                await asyncio.sleep(options.pause)
        if number < questions:
            await room.act("screen", number + 1)
            await asyncio.sleep(options.pause)


async def classes(url: str, options: argparse.Namespace) -> dict[str, Any]:
    """Open the rooms, let all phones join, and lead all classes beside the visitors; one row of the table."""
    times, draw = Times(), Random(options.seed)
    lesson = options.lesson or next(iter(lessons()))
    questions = min(options.questions, len(lessons()[lesson].screens))
    rooms = [ClassRoom(url, times) for _ in range(options.rooms)]
    await asyncio.gather(*(room.open(lesson) for room in rooms))
    await asyncio.sleep(options.settle)
    before = resident_bytes(url)
    phones = [LightPhone(room, Random(draw.random()), options.think) for room in rooms for _ in range(options.phones)]
    await asyncio.gather(*(_joining(phone, draw.uniform(0, options.join)) for phone in phones))
    await asyncio.sleep(options.settle)
    joined = resident_bytes(url)
    leading = asyncio.gather(*(lead(room, questions, options) for room in rooms))
    seconds = questions * 2 * (options.think + 3 * options.pause)
    visited = await _visiting(url, options.visitors, seconds, options.seed) if options.visitors else Record()
    await leading
    row = _row(options, times, (joined - before) / MIB, visited)
    for room in rooms:
        room.close()
    for phone in phones:
        phone.close()
    return row | {"told": [*times.errors[:TOLD], *visited.errors[:TOLD]]}


async def _joining(phone: LightPhone, after: float) -> None:
    await asyncio.sleep(after)
    await phone.join()


async def _visiting(url: str, visitors: int, seconds: float, seed: int) -> Record:
    """Visit the pages from another process, so that the phones' clocks do not wait for it."""
    with ProcessPoolExecutor(1, get_context("spawn")) as beside:
        return await asyncio.get_running_loop().run_in_executor(beside, _visit, url, visitors, seconds, seed)


def _visit(url: str, visitors: int, seconds: float, seed: int) -> Record:
    return asyncio.run(together(url, visitors, seconds, seed))


def _row(options: argparse.Namespace, times: Times, mib: float, visited: Record) -> dict[str, Any]:
    there, shown, changes = (sorted(found) for found in (times.to_projector(), times.shown, visited.changes))
    sent = sum(map(len, times.sent.values()))
    return {
        "rooms": options.rooms,
        "phones": options.rooms * options.phones,
        "visitors": options.visitors,
        "answers": sent,
        "counted": len(there),
        "median_ms": _ms(there, 0.5),
        "p95_ms": _ms(there, 0.95),
        "p99_ms": _ms(there, 0.99),
        "shown_p95_ms": _ms(shown, 0.95),
        "phones_mib": round(mib, 1),
        "pages_p95_ms": _ms(changes, 0.95),
        "errors": len(times.errors) + len(visited.errors),
    }


def _ms(seconds: list[float], share: float) -> int | None:
    return round(at(seconds, share) * 1e3) if seconds else None


def main() -> None:
    parser = argparse.ArgumentParser(description="Classes on phones.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rooms", type=int, default=5)
    parser.add_argument("--phones", type=int, default=60, help="in each room")
    parser.add_argument("--visitors", type=int, default=10, help="of the pages")
    parser.add_argument("--questions", type=int, default=2, help="of the lesson, each with two votes")
    parser.add_argument("--think", type=float, default=10.0, help="the most seconds before a phone answers")
    parser.add_argument("--join", type=float, default=10.0, help="seconds within which all phones join")
    parser.add_argument("--pause", type=float, default=1.5, help="seconds between two clicks of a teacher")
    parser.add_argument("--settle", type=float, default=8.0, help="seconds until memory has been given back")
    parser.add_argument("--lesson", default="", help="its name; the first if it is not given")
    parser.add_argument("--seed", type=int, default=0, help="of what phones and visitors do")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with serving("app.py") as url:
        row = asyncio.run(classes(url, options))
    told = row.pop("told")
    if options.json:
        about = {"benchmark": "class_load", "aim": AIM, "cores": os.cpu_count(), "load_before": round(load, 2)}
        print(as_json(about | {"row": row, "told": told}))
        return
    print(table([name.replace("_", " ") for name in row], [list(row.values())]))
    print("\n".join(told))
    print(f"\naims: {AIM}; {os.cpu_count()} cores, load {load:.2f} at the start")


if __name__ == "__main__":
    main()
