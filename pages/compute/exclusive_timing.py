"""Measuring time: in the queue of heavy work, for two at once would slow each other down."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from pages.compute.heavy_queue import exclusive


@contextmanager
def timed_exclusively(seconds: float) -> Iterator[Callable[[], None]]:
    """A turn for one measurement of about so many seconds. ValueError where others take long.

    Gives what lets others go first: to be called between two parts of the measurement.
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
