"""Sentences about what the shipped files were made from."""

from collections.abc import Sequence


def read_bound(source: str, files: Sequence[str], total: int) -> str:
    """How many of the files were made from a source that may not be used commercially, and which."""
    if not files:
        return f"None of the {total} files was made from {source}."
    others = f"{', '.join(files[:-1])} and {files[-1]}" if len(files) > 1 else files[0]
    were = "was" if len(files) == 1 else "were"
    return f"{len(files)} of {total} files {were} made from {source}, which may not be used commercially: {others}."
