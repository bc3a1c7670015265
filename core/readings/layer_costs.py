"""Sentences about what a layer costs, made from its numbers."""

from collections.abc import Mapping, Sequence

from core.analysis.layer_costs import PowerFit
from core.readings.kv_cache import counted, stored
from core.readings.words import number

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


def read_powers(along: str, fits: Mapping[str, PowerFit | None]) -> str:
    """How the measured time grows with n or d, kind by kind; None: too few sizes were measured."""
    said = [
        f"{kind} {number(fit.exponent, 2)} ({number(fit.low, 2)} to {number(fit.high, 2)})"
        for kind, fit in fits.items()
        if fit
    ]
    if not said:
        return "Too few sizes were measured to say how the time grows."
    return f"Time grows like {along} to the power of: {', '.join(said)}."


def read_crossing(along: str, fixed: int, crossed: float | None, slower: str) -> str:
    """Where the measured times of the recurrent layer and of self-attention cross, beside n = d. slower: which of the
    two takes longer at the largest size that both were measured at."""
    said = f"Recurrent layer and self-attention take equally many operations at {along} = {fixed:,}, where n = d"
    if crossed is not None:
        return f"{said}; their measured times cross at about {along} = {crossed:,.0f}."
    why = ": its n steps wait for one another" if slower == "recurrent" else ""
    name = "the recurrent layer" if slower == "recurrent" else slower
    return f"{said}. Their measured times do not cross between these sizes; {name} takes longer{why}."


def read_memory(last: Mapping[str, tuple[int, int]], along: str) -> str:
    """What each kind keeps at the largest size that was measured: the size and its bytes."""
    said = [f"{kind} {stored(held)} at {along} = {at:,}" for kind, (at, held) in last.items()]
    return f"Kept for the backward pass: {', '.join(said)}."


def read_reach(n: int, found: Mapping[str, tuple[int, float]]) -> str:
    """For each kind the layers after which the last output depends on the first of n inputs, and the gradient there."""
    said = [f"{kind} {layers} layer{'s' * (layers != 1)}" for kind, (layers, _) in found.items()]
    most, least = (pick(found, key=lambda kind: found[kind][1]) for pick in (max, min))
    return (
        f"Until the last of {n} outputs depends on the first input it takes: {', '.join(said)}. There the gradient is "
        f"largest for {most} ({number(found[most][1], 2)}) and smallest for {least} ({number(found[least][1], 2)})."
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
