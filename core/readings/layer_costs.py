"""Sentences about what a layer costs, made from its numbers."""

from collections.abc import Mapping, Sequence

from core.readings.kv_cache import counted

TERMS = {
    "recurrent": ("n \\cdot d^2", "n", "n"),
    "convolution": ("k \\cdot n \\cdot d^2", "1", "n / k"),
    "dilated convolution": ("k \\cdot n \\cdot d^2", "1", "\\log_k n"),
    "self-attention": ("n^2 \\cdot d", "1", "1"),
    "windowed attention": ("r \\cdot n \\cdot d", "1", "n / r"),
}
EXACT = {
    "recurrent": "6 n d^2",
    "convolution": "k n d^2",
    "dilated convolution": "k n d^2",
    "self-attention": "4 n d^2 + 2 n^2 d",
    "windowed attention": "4 n d^2 + 2 n (2r - 1) d",
}


def read_costs(n: int, d: int, recurrent: float, attention: float) -> str:
    """The operations of a recurrent layer and of self-attention at n positions of width d."""
    if n == d:
        return f"At n = d = {n:,}, self-attention and a recurrent layer take the same: {counted(recurrent)} operations."
    times, than = max(attention, recurrent) / min(attention, recurrent), "more" if attention > recurrent else "fewer"
    return (
        f"With n = {n:,} and d = {d:,}, self-attention takes {counted(attention)} operations and a recurrent layer "
        f"{counted(recurrent)}: {times:,.3g} times {than}, for n is {'smaller' if n < d else 'larger'} than d."
    )


def write_costs(exact: bool, here: Mapping[str, Sequence[float]]) -> str:
    """Table 1 as a table in markdown. exact: operations with their constants; here: for each kind its operations,
    sequential steps and longest path at the chosen sizes."""
    lines = [
        "| layer | operations | here | sequential steps | here | longest path | here |",
        "|---|---|--:|---|--:|---|--:|",
    ]
    for kind, (operations, steps, path) in TERMS.items():
        counts = here[kind]
        term = EXACT[kind] if exact else f"O({operations})"
        lines.append(
            f"| {kind} | ${term}$ | {counted(counts[0])} | $O({steps})$ | {counts[1]:,.0f} "
            f"| $O({path})$ | {counts[2]:,.0f} |"
        )
    return "\n".join(lines)
