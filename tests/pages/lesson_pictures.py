"""The picture below a lesson's question, made by calling its view, and what both of them say."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.lessons.lesson import Screen
from core.tracing.run import Run
from pages.shell.url_params import parsed
from pages.shell.view import Shown
from pages.widgets import PLACE
from tests.pages.house import BY_ADDRESS
from tests.pages.sentences import show

STOPPED = "A hungry fox stole the bread and it ran away."
SHORT = "A hungry fox stole bread"
REPEATED = "The red fox ran over the hill and the red fox ran over the"
TEXTS = (STOPPED, SHORT, REPEATED)
# What a lesson's explanation and the sentences of its picture both say, by the lesson and the number of the screen.
SAID_BY_BOTH = {
    ("query-key-value", 1): ("query", "best", "weight", "second", "second_weight"),
    ("query-key-value", 3): ("query", "key", "weight"),
    ("query-key-value", 4): ("query",),
    ("weights-of-a-row", 1): ("query", "best", "weight", "second", "second_weight"),
    ("weights-of-a-row", 2): ("query", "weight"),
    ("weights-of-a-row", 4): ("query", "best", "most"),
    ("weights-of-a-row", 5): ("best", "before"),
    ("several-heads", 1): ("query", "best", "weight", "second_weight", "after_weight"),
    ("word-order", 5): ("words", "positions", "mixed"),
    ("masks", 1): ("head", "lost"),
    ("masks", 2): ("head",),
    ("masks", 3): ("head",),
    ("masks", 4): ("query", "sum", "lost", "kept"),
    ("masks", 5): ("word", "new"),
    ("scaling-and-blocks", 1): ("plain_weight",),
    ("scaling-and-blocks", 2): ("root", "raw", "score", "weight"),
    ("scaling-and-blocks", 3): ("start", "end"),
    ("scaling-and-blocks", 4): ("best_length", "best_size"),
    ("scaling-and-blocks", 5): ("last", "last_before", "after"),
    ("next-word", 1): ("first_chance",),
    ("next-word", 2): ("best_chance", "ten"),
    ("next-word", 3): ("one", "hot"),
    ("next-word", 4): ("head", "weight"),
    ("why-this-translation", 4): ("old", "new", "source"),
    ("is-it-an-explanation", 1): ("chance",),
    ("is-it-an-explanation", 2): ("rho", "share"),
    ("is-it-an-explanation", 3): ("chance", "uniform"),
    ("train-one", 4): ("head",),
    ("why-the-first-token", 2): ("weight", "even"),
    ("why-the-first-token", 3): ("ratio",),
    ("why-the-first-token", 4): ("whole", "without", "other"),
    ("who-wrote-this-word", 1): ("word", "total"),
    ("who-wrote-this-word", 2): ("word", "read", "read_share", "weight", "share"),
    ("who-wrote-this-word", 3): ("word", "share", "lost"),
    ("who-wrote-this-word", 4): ("looked_at", "raised", "raised_by"),
    ("who-wrote-this-word", 5): ("word", "into", "change"),
}
NUMBER = re.compile(r"(?<![\w.])([−-]?\d[\d,]*\.?\d*)(%?)")


def picture_of(screen: Screen, run: Run, picked: Mapping[str, str]) -> Shown:
    """What the screen's page shows of a run, with the screen's settings and with what is picked out."""
    page, wanted = BY_ADDRESS[screen.page], {**screen.settings, **picked}
    settings = [setting for setting in (*PLACE, *page.all_settings) if wanted.get(setting.key)]
    chosen = {setting: parsed(setting, [wanted[setting.key]]) for setting in settings}
    return show(page, page.view(chosen.get(page.look_at, page.views[0].name)), run, chosen)


def numbers(said: str) -> Iterator[tuple[float, float]]:
    """The numbers in a sentence, each with half a unit of its last digit."""
    for digits, percent in NUMBER.findall(said):
        plain = digits.replace(",", "").replace("−", "-")
        size = 100 if percent else 1
        yield float(plain) / size, 0.5 * 10 ** -len(plain.partition(".")[2]) / size


def is_said(fact: Any, said: list[str]) -> bool:
    """Whether one of some sentences has a fact of a lesson: a word, or a number to as many digits as stand there."""
    if isinstance(fact, str):
        return any(fact.casefold().replace(" · ", ", ") in each.casefold().replace(" · ", ", ") for each in said)
    if fact < 0.001 and any("less than 0.1%" in each for each in said):
        return True
    return any(abs(number - fact) <= half * 1.01 for each in said for number, half in numbers(each))
