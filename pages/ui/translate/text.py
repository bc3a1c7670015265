"""One translation as the views of the page Translate share it."""

from dataclasses import dataclass

from pages.ui.writing import cache

from core.explorer.generation.records import UNTOUCHED, Attentions, GeneratedToken, Intervention
from core.tracing.run import Run
from pages.canvas.token_buttons.token_buttons import Token
from pages.ui import cache as runs

MOST = 200


@dataclass(frozen=True)
class Translation:
    """What the model wrote for the source, as far as it is written; greedy. start: what the decoder had read before."""

    run: Run
    start: tuple[int, ...]
    written: tuple[GeneratedToken, ...]
    most: int
    intervention: Intervention = UNTOUCHED

    @property
    def ended(self) -> bool:
        return bool(self.written and self.written[-1].ended)

    @property
    def ids(self) -> tuple[int, ...]:
        """Of the tokens that are written."""
        return tuple(each.chosen for each in self.written)

    @property
    def source(self) -> tuple[str, ...]:
        """The pieces of the source as the encoder reads them."""
        return runs.check(self.run)["encoder"].pieces

    def read(self, at: int) -> tuple[int, ...]:
        """What the decoder had read when it chose token `at`."""
        return (*self.start, *self.ids[:at])

    def seen(self) -> Attentions:
        """The patterns over all that the decoder read, and the last token that it wrote."""
        limit = self.run.config.max_length
        return cache.attentions(self.run, (*self.start, *self.ids)[:limit], self.intervention)


def translated(run: Run, count: int | None = None, intervention: Intervention = UNTOUCHED) -> Translation:
    """The greedy translation, its first `count` tokens or all of it (at most 200, and half again the source's length
    and 20 more, where a model that has learnt nothing would never end)."""
    start = cache.start(run)
    length = len(runs.check(run)["encoder"])
    most = max(1, min(MOST, run.config.max_length - len(start), length * 3 // 2 + 20))
    wished = most if count is None else min(count, most)
    return Translation(run, start, cache.written(run, count=wished, intervention=intervention), most, intervention)


def tokens(text: Translation, **marks: frozenset[int]) -> list[Token]:
    """The written tokens, each with its probability. marks: places that are struck or new."""
    struck, shaded = marks.get("struck", frozenset()), marks.get("shaded", frozenset())
    return [
        Token(each.piece, f"chance {100 * each.own:.3g} %", float(n in shaded), True, n in struck)
        for n, each in enumerate(text.written)
    ]
