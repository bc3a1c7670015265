"""List the tasks; a new one is a file with a `Task`, and a line here."""

from collections.abc import Mapping
from types import MappingProxyType

from core.lab.arithmetic import ADD, ADD_REVERSED, MODULAR
from core.lab.induction import INDUCTION, INDUCTION_FIXED
from core.lab.look_back import LOOK_BACK, LOOK_BACK_WITH_SINK_LOGITS, LOOK_BACK_WITHOUT_START
from core.lab.reviews import REVIEWS
from core.lab.sequences import PARITY, PARITY_STEPS, REPEAT, REVERSE, SORT
from core.lab.task import Task
from core.lab.texts import PASTED, STORIES, TEXT

TASKS: Mapping[str, Task] = MappingProxyType(
    {
        task.name: task
        for task in (
            SORT,
            REPEAT,
            REVERSE,
            INDUCTION,
            INDUCTION_FIXED,
            LOOK_BACK,
            LOOK_BACK_WITHOUT_START,
            LOOK_BACK_WITH_SINK_LOGITS,
            ADD,
            ADD_REVERSED,
            MODULAR,
            PARITY,
            PARITY_STEPS,
            STORIES,
            REVIEWS,
        )
    }
)


def task_named(name: str) -> Task:
    """Return the task of a name: one of `TASKS`, or that of a pasted text, “text-1a2b3c4d”.

    Raises ValueError, with a sentence, if there is no such task, or if the text is no longer in memory.
    """
    if name in TASKS:
        return TASKS[name]
    if name.startswith(TEXT):
        return PASTED.task(name)
    raise ValueError(f"There is no task “{name[:40]}”: there are {', '.join(TASKS)}.")
