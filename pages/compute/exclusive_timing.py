"""Measure time in the queue of heavy work, because two measurements at once would slow each other down."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from pages.compute.heavy_queue import exclusive


@contextmanager
def timed_exclusively(seconds: float) -> Iterator[Callable[[], None]]:
    """Take a turn in the queue for one measurement of about `seconds`; yield a function that lets others go first.

    Call that function between two parts of the measurement. Raises ValueError if others take too long.
    """
    with ExitStack() as held:

        def take() -> None:
            if not held.enter_context(exclusive(2 * seconds)):
                raise ValueError("Others are at heavy work on this machine: try again in a few seconds.")

        def step_aside() -> None:
            held.close()
            take()

        take()
        yield step_aside
