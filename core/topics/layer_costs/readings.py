"""Sentences about the cost of a layer, made from its numbers."""

from collections.abc import Mapping, Sequence

from core.readings.kv_cache import counted, stored
from core.readings.words import capital, number, plural, small, times
from core.topics.layer_costs.analysis import PowerFit

Fits = Mapping[str, PowerFit | None]
TERMS = {
    "recurrent": ("n \\cdot d^2", "n", "n"),
    "convolution": ("k \\cdot n \\cdot d^2", "1", "n / k"),
    "dilated convolution": ("k \\cdot n \\cdot d^2", "1", "\\log_k n"),
    "self-attention": ("n^2 \\cdot d", "1", "1"),
    "windowed attention": ("r \\cdot n \\cdot d", "1", "n / r"),
}
EXACT_TERMS = {
    "recurrent": "6 n d^2",
    "convolution": "k n d^2",
    "dilated convolution": "k n d^2",
    "self-attention": "4 n d^2 + 2 n^2 d",
    "windowed attention": "4 n d^2 + 2 n (2r - 1) d",
}


def read_own_steps(words: int) -> str:
    """Say in which order a recurrent layer and self-attention read the words of a text."""
    return f"A recurrent layer reads your {words:,} words one after the other; self-attention reads them all at once."


def read_own_operations(words: int, recurrent: float, attention: float) -> str:
    """Say how many operations both take for a long text, and why self-attention takes so many."""
    return (
        f"For {words:,} words a recurrent layer takes {counted(recurrent)} operations, self-attention "
        f"{counted(attention)}: every word looks at every other."
    )


def read_layer_costs(n: int, d: int, recurrent: float, attention: float) -> tuple[str, str]:
    """Return sentences that compare a recurrent layer's operations with self-attention's at n positions of width d."""
    if n == d:
        return (
            "Self-attention and a recurrent layer take equally many operations: a vector has as many numbers as there "
            "are positions.",
            f"At n = d = {n:,} each takes {counted(recurrent)} operations.",
        )
    less, more = sorted((attention, recurrent))
    ratio = more / less
    costlier, other = ("Self-attention", "a recurrent layer") if n > d else ("A recurrent layer", "self-attention")
    why = f"there are {'fewer' if n < d else 'more'} positions than numbers in a vector"
    return (
        f"{costlier} takes {times(ratio)} as many operations as {other}, because {why}.",
        f"With n = {n:,} and d = {d:,}, {other} takes {counted(less)} operations and {small(costlier)} "
        f"{counted(more)}: {times(ratio)} as many, because n is {'smaller' if n < d else 'larger'} than d.",
    )


def read_counted_layers(along: str, size: int, operations: Mapping[str, float]) -> str:
    """Compare the counted operations of the layers with most and with fewest, and ask how long they take.

    along: "n" if the number of positions varies, "d" if the width does.
    size: its largest value.
    operations: those of each kind at that size.
    """
    where = _where(along, size)
    most, least = (pick(operations, key=lambda kind: operations[kind]) for pick in (max, min))
    if operations[most] == operations[least]:
        return f"{where} {name_kind(most)} takes {counted(operations[most])} operations. How long is that? Measure it."
    ratio = times(float(f"{operations[most] / operations[least]:.2g}"))
    return (
        f"{where} {name_kind(most)} takes {ratio} as many operations as {name_kind(least)}. Is it slower too? "
        "Measure it."
    )


def read_slowest(along: str, size: int, milliseconds: Mapping[str, Sequence[float]]) -> str:
    """Say how many times as long the slowest kind of layer takes as the quickest at a size at which all were measured.

    along: the letter of the size that varies, such as "n".
    size: that size.
    milliseconds: of each kind: lower quartile, median and upper quartile.
    """
    slow, fast = (pick(milliseconds, key=lambda kind: milliseconds[kind][1]) for pick in (max, min))
    start = f"{_where(along, size)} {name_kind(slow)} takes"
    if slow == fast:
        return f"{start} {number(milliseconds[slow][1], 2)} ms."
    ratio = times(float(f"{milliseconds[slow][1] / milliseconds[fast][1]:.2g}"))
    return f"{start} {ratio} as long as {name_kind(fast)}."


def _where(along: str, size: int) -> str:
    return f"For a text of {size:,} tokens" if along == "n" else f"With vectors of {size:,} numbers"


def read_layer_times(along: str, size: int, times: Mapping[str, Sequence[float]]) -> str:
    """Say which kind of layer is the slowest and which the quickest at a size at which all were measured.

    along: the letter of the size that varies, such as "n".
    size: that size.
    times: milliseconds of each kind: lower quartile, median and upper quartile.
    """
    slow, fast = (pick(times, key=lambda kind: times[kind][1]) for pick in (max, min))
    sentence = f"At {along} = {size:,} a pass takes {_spread(times[slow])} through {name_kind(slow)}"
    if slow == fast:
        return f"{sentence}."
    quickest = f"{_spread(times[fast])} through {name_kind(fast)}, the quickest"
    return f"{sentence}, the slowest, and {quickest}: a ratio of {number(times[slow][1] / times[fast][1], 2)}."


def name_kind(kind: str) -> str:
    """Name a kind of layer in a sentence."""
    return kind if kind.endswith("attention") else f"the {kind} layer"


def write_growth(along: str, fits: Fits, counted_fits: Fits, last: Mapping[str, tuple[int, int]]) -> str:
    """Write a table in markdown of how the time, the operations and the memory of each kind of layer grow.

    along: the letter of the size that varies, such as "n".
    fits: the growth of each kind's measured times, as an exponent.
    counted_fits: the growth of its counted operations, likewise.
    last: the largest size that was measured for each kind, and its bytes of memory.
    """
    lines = [
        f"| layer | exponent of the time | 95% interval | of the operations | largest {along} | memory there |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for kind, fit in fits.items():
        measured = f"{fit.exponent:.2f} | {fit.low:.2f} to {fit.high:.2f}".replace("-", "−") if fit else "– | –"
        counted_fit, (size, memory) = counted_fits[kind], last[kind]
        expected = f"{counted_fit.exponent:.2f}" if counted_fit else "–"
        lines.append(f"| {kind} | {measured} | {expected} | {size:,} | {stored(memory)} |")
    return "\n".join(lines)


def read_crossing(along: str, fixed: int, crossed: float | None, slower: str) -> str:
    """Say where the measured times of the recurrent layer and of self-attention cross, and where their operations.

    along: the letter of the size that varies, such as "n".
    fixed: the other size; the operations are equal where n = d.
    crossed: the size at which the times cross; None if they do not cross.
    slower: the kind that takes longer at the largest size at which both were measured.
    """
    sentence = (
        f"The recurrent layer and self-attention take equally many operations at {along} = {fixed:,}, where n = d"
    )
    if crossed is not None:
        return f"{sentence}; their measured times cross at about {along} = {crossed:,.0f}."
    why = ": its n steps wait for one another" if slower == "recurrent" else ""
    return f"{sentence}. Their measured times do not cross between these sizes; {name_kind(slower)} takes longer{why}."


def read_paths(n: int, reached: Mapping[str, tuple[int, float]]) -> tuple[str, str]:
    """Return sentences on how many layers it takes until the last output depends on the first of n inputs.

    The first compares self-attention with the kind that takes most layers.

    reached: for each kind, that number of layers, and the gradient of the last output with respect to the first input.
    """
    counts = [f"{plural(layers, f'{kind} layer')}" for kind, (layers, _) in reached.items()]
    own, longest = reached["self-attention"][0], max(reached, key=lambda kind: reached[kind][0])
    hears, layers = "the last position hears of the first", reached[longest][0]
    headline = f"After {plural(own, 'layer')} of any kind, {hears}."
    if layers > own:
        after = f"after {plural(own, 'layer')} of self-attention"
        headline = f"{capital(hears)} {after}, but only after {layers} of {longest}."
    most, least = (pick(reached, key=lambda kind: reached[kind][1]) for pick in (max, min))
    return (
        headline,
        f"The last of {n} outputs depends on the first input after {', '.join(counts)}. The gradient is then largest "
        f"for {name_kind(most)} ({number(reached[most][1], 2)}) and smallest for {name_kind(least)} "
        f"({number(reached[least][1], 2)}).",
    )


def write_layer_costs(exact: bool, here: Mapping[str, Sequence[float]], n: int, r: int) -> str:
    """Write Table 1 of Vaswani et al. 2017 as a table in markdown.

    exact: whether operations are written with their constants.
    here: each kind's operations, sequential steps and longest path at the chosen sizes.
    n: number of positions.
    r: the size of the window; if it is greater than n, n is used.
    """
    lines = [
        "| layer | operations | here | sequential steps | here | longest path | here |",
        "|---|---|--:|---|--:|---|--:|",
    ]
    for kind, (operations, steps, path) in TERMS.items():
        counts = here[kind]
        term = EXACT_TERMS[kind] if exact else f"O({operations})"
        if kind == "windowed attention" and r > n:
            term, path = term.replace("r", "n").replace("n \\cdot n", "n^2"), "1"
        lines.append(
            f"| {kind} | ${term}$ | {counted(counts[0])} | $O({steps})$ | {counts[1]:,.0f} "
            f"| $O({path})$ | {counts[2]:,.0f} |"
        )
    return "\n".join(lines)


def _spread(times: Sequence[float]) -> str:
    low, middle, high = (number(quartile, 2) for quartile in times)
    return f"{middle} ms ({low} to {high})"
