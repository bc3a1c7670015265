"""Errors for what a room does not allow."""

from pages.classroom.seats import MOST_PARTICIPANTS


class NotAllowed(ValueError):
    """The error for an action that a room does not allow now; its message is a sentence for the person who tried."""


class RoomFull(NotAllowed):
    """The error for a room without a free seat."""

    def __init__(self) -> None:
        super().__init__(f"This class is full: {MOST_PARTICIPANTS} are in it.")
