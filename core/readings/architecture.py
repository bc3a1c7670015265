"""Sentences about the parts of a model and what they cost, made from their numbers."""

from collections.abc import Sequence

from core.readings.kv_cache import counted
from core.readings.words import percent


def read_costs(holder: str, held: float, parameters: int, worker: str, worked: float, multiply_adds: int) -> str:
    """The kind of part with most parameters and the kind with most multiply-adds, each with its share and the total."""
    holds = f"{percent(held)} of the {parameters:,} parameters"
    works = f"{percent(worked)} of the {counted(multiply_adds)} multiply-adds"
    if holder == worker:
        return f"Most of both is {holder}: {holds}, {works} of one pass."
    return f"Most parameters are {holder}: {holds}. Most work is {worker}: {works} of one pass."


def read_drawing(parameters: int, layers: int, stacks: Sequence[str], inside: int, tables: int) -> str:
    """How many parameters a model has, and how they lie: inside its layers, and in its tables of tokens."""
    said = f"{layers} layer{'s' * (layers > 1)}" if len(stacks) == 1 else f"{layers} + {layers} layers"
    held = percent(inside / parameters)
    return f"{parameters:,} parameters: {held} in its {said}, {percent(tables / parameters)} in its tables of tokens."
