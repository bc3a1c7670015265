"""One translation as all views of the page share it."""

from dataclasses import dataclass, replace
from functools import cached_property

from core.explorer.generation.records import UNTOUCHED, Attentions, GeneratedToken, Intervention
from core.text.special import EOS
from core.tracing.run import Run
from pages.queries import generation as queries
from pages.queries.models import check
from pages.widgets import Values

MOST = 200


@dataclass(frozen=True)
class Translation:
    """What the model writes for the source, greedily: its first `count` tokens, or all of it."""

    run: Run
    count: int | None = None
    intervention: Intervention = UNTOUCHED

    def first(self, count: int) -> "Translation":
        """Its first tokens."""
        return replace(self, count=count)

    def changed_by(self, intervention: Intervention) -> "Translation":
        """The translation under this intervention."""
        return replace(self, intervention=intervention)

    @cached_property
    def most(self) -> int:
        """How many tokens are written at most: 200, and half again the source's length and 20 more, where a model that
        has learnt nothing would never end."""
        room = self.run.config.max_length - len(self.start)
        return max(1, min(MOST, room, len(self.source) * 3 // 2 + 20))

    @cached_property
    def start(self) -> tuple[int, ...]:
        """What the decoder has read before it writes."""
        return queries.start(self.run)

    @cached_property
    def written(self) -> tuple[GeneratedToken, ...]:
        count = self.most if self.count is None else min(self.count, self.most)
        return queries.written(self.run, count=count, intervention=self.intervention)

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
        return check(self.run)["encoder"].pieces

    def read(self, at: int) -> tuple[int, ...]:
        """What the decoder had read when it chose token `at`."""
        return (*self.start, *self.ids[:at])

    def seen(self) -> Attentions:
        """The patterns over all that the decoder read, and the last token that it wrote."""
        limit = self.run.config.max_length
        return queries.attentions(self.run, (*self.start, *self.ids)[:limit], self.intervention)

    @property
    def cut(self) -> str | None:
        """That the model was stopped before it wrote </s>, where it was."""
        count = len(self.written)
        if not count or self.ids[-1] == EOS or not (self.ended or count == self.most):
            return None
        return f"The translation is cut after {count} tokens."


def translation(run: Run, values: Values) -> Translation:
    """What the views look at: a translation has no padding."""
    return Translation(replace(run, pads=0))
