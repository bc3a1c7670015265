"""The table of tasks: another task is a file with a `Task`, and a line here."""

from collections.abc import Mapping
from types import MappingProxyType

from core.lab.arithmetic import ADD, ADD_REVERSED, MODULAR
from core.lab.induction import INDUCTION, INDUCTION_FIXED
from core.lab.sequences import PARITY, PARITY_STEPS, REPEAT, REVERSE, SORT
from core.lab.task import Task

TASKS: Mapping[str, Task] = MappingProxyType(
    {
        task.name: task
        for task in (
            SORT,
            REPEAT,
            REVERSE,
            INDUCTION,
            INDUCTION_FIXED,
            ADD,
            ADD_REVERSED,
            MODULAR,
            PARITY,
            PARITY_STEPS,
        )
    }
)
