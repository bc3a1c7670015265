"""Visitors who come within ten seconds of each other and then change something every two seconds."""

import asyncio
import re
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from websockets.exceptions import WebSocketException

from core.checkpoints.examples import known_texts
from tests.benchmarks.load.controls import other
from tests.benchmarks.load.held import cached_bytes
from tests.benchmarks.load.screen import Shown
from tests.benchmarks.load.visit import Answer, Visit
from tests.browser.server import processor_seconds, resident_bytes
from tests.pages.house import PAGES

ARRIVE, EVERY, LOOK = 10.0, 2.0, 1.0  # seconds: all have come, between two changes, between two looks at the memory
TO_PAGES, TO_FRAME = 0.15, 0.15  # shares of the changes; the rest work the page's own controls
TEXT, MODEL = re.compile("-t$"), re.compile("-model-list-")  # in the ids of the frame's text and model
ANY = re.compile("")
TRIES = 8
TEXTS = tuple(sorted(known_texts()))
ADDRESSES = ("", *(page.address for page in PAGES[1:]))


@dataclass
class Record:
    """What happened to all of them together. Times in seconds, sizes in bytes; memory: the server's, by the second.

    cached: the bytes of the results that each cached function holds at the end, by its name.
    refused: how often each sentence stood on the screen, without its numbers.
    """

    first: list[float] = field(default_factory=list)
    changes: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    sent: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, str]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    lost: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    memory: list[int] = field(default_factory=list)
    cached: Counter[str] = field(default_factory=Counter)
    processor: float = 0

    def note(self, answer: Answer, what: str, first: bool = False) -> None:
        if first:
            self.first.append(answer.seconds)
        else:
            self.changes.append(answer.seconds)
            self.sizes.append(answer.size)
            self.sent += answer.sent
            self.slowest = sorted([*self.slowest, (answer.seconds, what)], reverse=True)[:10]
        self.errors += [f"{what}: {error}" for error in answer.errors]
        if answer.refused:
            self.refused[re.sub(r"\d[\d,.]*", "#", answer.refused)] += 1


async def together(url: str, visitors: int, seconds: float, seed: int) -> Record:
    """So many visitors for so long, each with draws of its own."""
    record, start, end = Record(), processor_seconds(url), perf_counter() + seconds
    watch = asyncio.create_task(_watch(url, record))
    await asyncio.gather(*(_visit(url, Random(f"{seed}/{number}"), end, record) for number in range(visitors)))
    watch.cancel()
    record.processor = processor_seconds(url) - start
    record.cached = cached_bytes(url)
    return record


async def _watch(url: str, record: Record) -> None:
    while True:
        record.memory.append(resident_bytes(url))
        await asyncio.sleep(LOOK)


async def _visit(url: str, draw: Random, end: float, record: Record) -> None:
    """One visitor; who loses the connection comes again, as a browser does."""
    await asyncio.sleep(draw.uniform(0, min(ARRIVE, (end - perf_counter()) / 3)))
    page = draw.choice(ADDRESSES)
    while perf_counter() < end:
        visit = Visit(url)
        try:
            record.note(await visit.open(page), f"/{page}", first=True)
            while (pause := draw.uniform(0.5, 1.5) * EVERY) + perf_counter() < end:
                await asyncio.sleep(pause)
                await _change(visit, draw, record)
            return
        except (OSError, WebSocketException, TimeoutError) as loss:
            record.lost += 1
            record.errors.append(f"/{page}: {type(loss).__name__} {loss}")
            await asyncio.sleep(EVERY)
        finally:
            page = visit.page
            await visit.close()


async def _change(visit: Visit, draw: Random, record: Record) -> None:
    """Another page, something in the frame, or one of the page's own controls."""
    share, page = draw.random(), visit.page
    if share >= TO_PAGES and (control := _chosen(visit, draw, share < TO_PAGES + TO_FRAME)):
        value = other(control.kind, control.proto, visit.value(control), draw, TEXTS)
        answer = await visit.change(control, value)
        what = f"/{page} {control.proto.label or control.proto.id} = {str(value)[:40]}"
    else:
        to = draw.choice([each for each in visit.pages if each != page])
        answer, what = await visit.go(to), f"/{page} → /{to}"
    record.note(answer, what)


def _chosen(visit: Visit, draw: Random, frame: bool) -> Shown | None:
    """A control that takes another value; of the frame, as often the text and the model as all others."""
    controls = [each for each in visit.controls() if bool(each.fragment) != frame and each.kind != "checkbox"]
    named = draw.choice((TEXT, MODEL, ANY)) if frame else ANY
    wanted = [each for each in controls if named.search(each.proto.id)]
    for _ in range(TRIES if wanted else 0):
        control = draw.choice(wanted)
        value = visit.value(control)
        if other(control.kind, control.proto, value, Random(0), TEXTS) != value:
            return control
    return None
