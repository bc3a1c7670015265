"""Sentences about the parts of a model and what they cost, made from their numbers."""

from core.readings.kv_cache import counted
from core.readings.words import percent


def read_costs(holder: str, held: float, parameters: int, worker: str, worked: float, multiply_adds: int) -> str:
    """The kind of part with most parameters and the kind with most multiply-adds, each with its share and the total."""
    holds = f"{percent(held)} of the {parameters:,} parameters"
    works = f"{percent(worked)} of the {counted(multiply_adds)} multiply-adds"
    if holder == worker:
        return f"Most of both is {holder}: {holds}, {works} of one pass."
    return f"Most parameters are {holder}: {holds}. Most work is {worker}: {works} of one pass."
