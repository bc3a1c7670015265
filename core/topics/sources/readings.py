"""Sentences about the sources of the shipped files."""

from collections.abc import Sequence

from core.readings.words import listed, plural


def read_bound(source: str, files: Sequence[str], total: int) -> str:
    """Say which files, and how many of all, were made from a source that may not be used commercially."""
    if not files:
        return f"None of the {total} files was made from {source}."
    were = "was" if len(files) == 1 else "were"
    count = f"{len(files)} of {plural(total, 'file')}"
    return f"{count} {were} made from {source}, which may not be used commercially: {listed(files)}."
