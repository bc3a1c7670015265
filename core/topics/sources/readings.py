"""Sentences about the sources of the shipped files."""

from collections.abc import Sequence

from core.readings.words import listed, plural


def read_bound(source: str, files: Sequence[str], total: int) -> tuple[str, ...]:
    """Say how many of all files were made from a source that may not be used commercially; then which."""
    if not files:
        return (f"None of the {total} files was made from {source}.",)
    were = "was" if len(files) == 1 else "were"
    count = f"{len(files)} of {plural(total, 'file')}"
    return (
        f"{count} {were} made from {source}, which may not be used commercially.",
        f"Made from {source}: {listed(files)}.",
    )
