"""The states of one question in a class, in the order in which a teacher leads through them."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

When = Literal["", "before", "after"]  # when a step asks the inventory: before or after the lessons; "" for a question


class State(StrEnum):
    """The stages that a class passes through with one question."""

    WAITING = "waiting"
    OPEN = "open"
    CLOSED = "closed"
    SPREAD = "spread"
    SECOND = "second"
    CLOSED_AGAIN = "closed again"
    SPREAD_AGAIN = "spread again"
    REVEAL = "reveal"
    EXPLAIN = "explain"


# What may follow each state. Nothing leads back, so a vote that is closed stays closed until its answers are cleared.
NEXT: Mapping[State, tuple[State, ...]] = MappingProxyType(
    {
        State.WAITING: (State.OPEN,),
        State.OPEN: (State.CLOSED,),
        State.CLOSED: (State.SPREAD, State.SECOND, State.REVEAL),
        State.SPREAD: (State.SECOND, State.REVEAL),
        State.SECOND: (State.CLOSED_AGAIN,),
        State.CLOSED_AGAIN: (State.SPREAD_AGAIN, State.REVEAL),
        State.SPREAD_AGAIN: (State.REVEAL,),
        State.REVEAL: (State.EXPLAIN,),
        State.EXPLAIN: (),
    }
)
# The open vote that a vote becomes again when the teacher clears its answers; once the truth is shown, none.
CLEARED: Mapping[State, State] = MappingProxyType(
    {
        State.OPEN: State.OPEN,
        State.CLOSED: State.OPEN,
        State.SPREAD: State.OPEN,
        State.SECOND: State.SECOND,
        State.CLOSED_AGAIN: State.SECOND,
        State.SPREAD_AGAIN: State.SECOND,
    }
)
VOTES: Mapping[State, int] = MappingProxyType({State.OPEN: 1, State.SECOND: 2})  # the number of the vote that is open
SPREAD_SHOWN = frozenset({State.SPREAD, State.SPREAD_AGAIN, State.REVEAL, State.EXPLAIN})
TRUTH_SHOWN = frozenset({State.REVEAL, State.EXPLAIN})
LEAVABLE = frozenset({State.WAITING, State.REVEAL, State.EXPLAIN})  # from here a class may go to another screen
# The states that a step with the inventory does not have: there is one vote, and nothing is shown before the last step.
LEFT_OUT: Mapping[When, frozenset[State]] = MappingProxyType(
    {
        "": frozenset(),
        "before": frozenset({State.SPREAD, State.SECOND, State.REVEAL}),
        "after": frozenset({State.SPREAD, State.SECOND, State.EXPLAIN}),
    }
)


def next_states(state: State, when: When) -> tuple[State, ...]:
    """Return what may follow a state of a question, or of a step that asks the inventory."""
    return tuple(following for following in NEXT[state] if following not in LEFT_OUT[when])


def is_leavable(state: State, when: When) -> bool:
    """Return whether a class may go to another screen from here: also from the last state that there is."""
    return state in LEAVABLE or not next_states(state, when)
