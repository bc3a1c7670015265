"""The participants of a room and their seats: who has one, and whose may be taken when all are."""

from collections.abc import Iterable
from dataclasses import dataclass, field

MOST_PARTICIPANTS = 80  # who have a seat
MOST_AWAY = 240  # who have lost their seat and are remembered for their answers
SILENT_SECONDS = 60.0  # without a connection, after which a seat of a full room may be taken


@dataclass(eq=False)
class Participant:
    """One person in a room, known by an id and not by name.

    id: known to this participant's phone alone.
    ticket: opens the stream of events of this phone.
    half: which questions of the inventory this participant has before the lessons, "A" or "B"; after them the others.
    number: the screen that is shown, from 1, if everyone goes at their own pace.
    seen: the time of the clock at which the phone was heard of last.
    shown: the screens whose right answer this participant saw before the class did.
    has_seat: False if the phone was away while others wanted its seat; it is given one when it comes again.
    connection: names the stream by which the phone follows the events now; "" for none.
    was_connected: whether it ever has.
    """

    id: str
    ticket: str
    half: str
    number: int
    seen: float
    shown: set[int] = field(default_factory=set)
    is_stuck: bool = False
    has_seat: bool = True
    connection: str = ""
    was_connected: bool = False

    @property
    def is_connected(self) -> bool:
        """Whether the phone follows the events now."""
        return bool(self.connection)


def is_full(participants: Iterable[Participant]) -> bool:
    """Return whether all seats are taken."""
    return sum(each.has_seat for each in participants) >= MOST_PARTICIPANTS


def free_seat(participants: Iterable[Participant], now: float) -> Participant | None:
    """Return whose seat may be taken in a full room; None if nobody's.

    First of those who never followed the class, who are probably no phones, then of those without a connection
    for SILENT_SECONDS; of each, who was not heard of for longest.

    now: the time of the room's clock, in seconds.
    """
    away = [each for each in participants if each.has_seat and not each.is_connected]
    free = [each for each in away if not each.was_connected or each.seen <= now - SILENT_SECONDS]
    return min(free, key=lambda each: (each.was_connected, each.seen), default=None)


def longest_away(participants: Iterable[Participant]) -> Participant | None:
    """Return who is to be forgotten because more than MOST_AWAY are without a seat; None if nobody is."""
    away = [each for each in participants if not each.has_seat]
    return min(away, key=lambda each: each.seen) if len(away) > MOST_AWAY else None
