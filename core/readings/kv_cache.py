"""Sentences about the cache of keys and values, made from its numbers."""

from collections.abc import Mapping, Sequence

from core.readings.words import latex_number, latex_softmax, number, plural, times
from core.text.labels import token_name


def read_step(labels: Sequence[str], length: int, kept: int, keys: int, cross: bool) -> str:
    """Say what one step computes and what it finds in the cache.

    labels: the labels of all `length` tokens, the newest last.
    kept: number of cached keys and values.
    keys: number of all keys and values.
    cross: whether they are the source's.
    """
    if cross:
        source_rows = f"all {keys} keys and values of the source"
        if not kept:
            return f"The first step computes {source_rows}; every later step finds them kept."
        new = f"To read {token_name(labels, -1)}, only its query is new"
        return f"{new}: {source_rows} were computed once, in the first step, and kept."
    if not kept:
        return f"The first step reads {plural(length, 'token')} at once and keeps their keys and values."
    those = f"keys and values of the {kept} tokens" if kept > 1 else "key and value of the token"
    only = "only its own query, key and value are computed"
    return f"To read {token_name(labels, -1)}, {only}; the {those} before are kept."


def read_proof(kept: int, differences: Mapping[str, float], cross: bool) -> str:
    """Say how far the step's matrices are from those of a pass without a cache.

    kept: number of cached rows.
    differences: the largest |difference| by name: of the kept rows of k and v, and of the new rows of q, scores,
        pattern and z.
    """
    if not kept:
        return "Nothing is kept yet, so there is nothing to compare: with or without a cache, this step is the same."
    old = max(differences["k"], differences["v"])
    new = max(differences[name] for name in ("q", "scores", "pattern", "z"))
    why = "the source does not change" if cross else "the causal mask lets no token see a later one"
    same = f"differ by at most {number(old, 2)} from" if old else "are exactly"
    return (
        f"The kept rows of K and V {same} those that a model without a cache computes again, because {why}; "
        f"the new rows of the other matrices differ by at most {number(new, 2)}, from rounding."
    )


def read_movement(rows: int, masked: float, unmasked: float, size: float) -> list[str]:
    """Return sentences on whether and how far the first `rows` keys and values change when one more token is read.

    masked, unmasked: the largest |difference| under the causal mask and without it.
    size: the largest |number| among the keys and values.
    """
    still = masked <= size * 1e-5
    headline = "Keys and values change when one more token is read."
    if still:
        headline = "Keys and values stay as they are when one more token is read, so they can be kept."
        if unmasked > 100 * masked:
            headline = (
                "A new token does not change the old keys and values, so they can be kept; without the mask it would."
            )
    whose = f"the keys and values of the {rows} tokens before it" if rows > 1 else "the key and value before it"
    moved = f"change by at most {number(masked, 2)}" if masked else "do not change at all"
    sentence = f"When token {rows} is read, {whose} {moved}; their largest number is {number(size)}."
    if unmasked > 100 * masked:
        sentence += f" With the same weights and no mask they would change by up to {number(unmasked, 2)}, "
        sentence += "and would be out of date."
    return [headline, sentence]


def read_operations(with_cache: float, without_cache: float, first: bool) -> tuple[str, str]:
    """Return sentences that compare the multiply-adds of one step with the cache and without.

    first: whether it is the first step, with an empty cache.
    """
    counts = f"It takes {counted(with_cache)} multiply-adds with the cache and {counted(without_cache)} without"
    if first:
        return "The first step takes as many operations with the cache as without.", f"{counts}."
    ratio = times(without_cache / with_cache)
    return f"Without the cache this step takes {ratio} as many operations.", f"{counts}, {ratio} as many."


def read_bytes(length: int, batch: int, limit: int, kept: int, token: int, full: int, weights: int) -> tuple[str, str]:
    """Return sentences on the bytes that each token adds, those that are kept, and those of the weights.

    kept: bytes that `batch` texts keep at `length` tokens.
    token: bytes that one more token adds.
    full: bytes at a full context of `limit` tokens.
    """
    whose = "This text of" if batch == 1 else f"{batch} such texts of"
    return (
        f"What is kept grows evenly with the text: each token more adds {stored(token)}.",
        f"{whose} {plural(length, 'token')} keep{'s' if batch == 1 else ''} {stored(kept)}. A full context of {limit} "
        f"would keep {stored(full)}; the weights take {stored(weights)}, whatever the text.",
    )


def read_same(steps: int, agreed: int, difference: float, size: float) -> list[str]:
    """Say at how many of `steps` steps both ways choose the same token, and how far the logits differ.

    difference: the largest |difference| of a logit.
    size: the largest |logit|.
    """
    where = "at the one step" if steps == 1 else f"at all {steps} steps"
    if agreed < steps:
        where = "not even at the one step" if steps == 1 else f"at {agreed} of {steps} steps"
    nothing_lost = ": the cache saves work and changes nothing" if agreed == steps else ""
    return [
        f"With the cache and without, the model chooses the same token {where}{nothing_lost}.",
        f"The logits are the same up to rounding (largest difference {number(difference, 2)}; the largest logit is "
        f"{number(size)}).",
    ]


def read_unmeasured(limit: int, with_cache: float, without_cache: float) -> str:
    """Compare the counted multiply-adds of the last token of a full context, before anything is measured.

    limit: tokens of a full context.
    """
    ratio = times(without_cache / with_cache)
    return (
        f"At {plural(limit, 'token')} one more takes {ratio} as many operations without the cache. How much longer is "
        "that? Measure it."
    )


def read_slower(length: int, with_cache: float, without_cache: float) -> str:
    """Say how many times as long one more token took without the cache at this length.

    with_cache, without_cache: milliseconds.
    """
    return f"At {plural(length, 'token')} one more took {times(without_cache / with_cache)} as long without the cache."


def read_length(length: int, runs: int) -> str:
    """Say at which length and how often the time has been measured."""
    return f"Measured at {plural(length, 'token')}, {'once' if runs == 1 else plural(runs, 'time')}"


def read_timing(length: int, with_cache: float, without_cache: float, runs: int) -> str:
    """Say the milliseconds of one more token at this length, medians of `runs` passes with the cache and without."""
    return (
        f"At {plural(length, 'token')} one more took {number(with_cache)} ms with the cache "
        f"and {number(without_cache)} ms without: {times(without_cache / with_cache)} as long (medians of {runs})."
    )


def read_measuring(device: str, dtype: str, every: bool) -> str:
    """Say how to read the measured times.

    every: whether there was time to measure all lengths.
    """
    cut = "" if every else "Longer texts would not have fitted in the time. "
    return (
        "Points are medians, upright strokes reach from the lower to the upper quartile. "
        f"Measured on {device}, {dtype}, which other visitors may share. {cut}"
        "The tokens are your text's, repeated up to each length."
    )


def name_rows(what: str, new: int, old: int, fate: str) -> str:
    """Name a matrix with the number of its new and of its old rows in this step: "K: 1 new, 5 cached".

    fate: the word for the old rows, such as "cached".
    """
    how = [f"{new} new"] * bool(new) + [f"{old} {fate}"] * bool(old)
    return f"{what}: {', '.join(how)}"


def write_cached_step(score: str, new: int, kept: int, keys: int, d_k: int, d_v: int, sink: bool = False) -> str:
    """Write the shapes of one step in LaTeX: how K grows by the `new` rows, the weights and z.

    The growth of K is written only if some of its `keys` were cached and some not.
    score: the formula of the scores.
    sink: whether the softmax has a sink logit beside the keys.
    """
    grown = ""
    if 0 < kept < keys:
        grown = (
            rf"\underset{{{keys} \times {d_k}}}{{K}} = \begin{{bmatrix}} K_{{\text{{kept}}}} \\ k \end{{bmatrix}}"
            rf"\begin{{matrix}} \scriptstyle {kept} \times {d_k} \\ \scriptstyle {new} \times {d_k}"
            r"\end{matrix} \qquad "
        )
    return (
        rf"{grown}\underset{{{new} \times {keys}}}{{a}} = {latex_softmax(sink)}\Big({score}\Big) \qquad "
        rf"\underset{{{new} \times {d_v}}}{{z}} = a\,\underset{{{keys} \times {d_v}}}{{V}}"
    )


def write_standing_keys(rows: int, moved: float) -> str:
    """Write in LaTeX why keys do not change, and the largest |difference| of those of the first `rows` tokens."""
    return (
        r"k_i = x_i W_K + b_K \qquad x_i \text{ depends on tokens } j \le i \text{ only}"
        rf"\qquad \max_{{i < {rows}}} |\Delta k_i|, |\Delta v_i| = {latex_number(moved, 2)}"
    )


def write_step_operations(layers: int, d_model: int, hidden: int, length: int) -> str:
    """Write in LaTeX the rule of thumb for the multiply-adds of the step that reads token `length`."""
    return (
        r"\text{with: } \approx N\,(\underbrace{4 D^2 + 2 D F}_{\text{one row}} + 2 L D)"
        r"\qquad \text{without: } \approx L \text{ times that}"
        rf"\qquad N = {layers},\; D = {d_model},\; F = {hidden},\; L = {length}"
    )


def write_cache_bytes(layers: int, heads: int, d_k: int, d_v: int, tokens: int, batch: int, width: int) -> str:
    """Write in LaTeX the bytes that `batch` texts of `tokens` tokens keep, in numbers of `width` bytes.

    heads: number of heads of keys and values.
    """
    total = f"{layers * heads * (d_k + d_v) * tokens * batch * width:,}".replace(",", "{,}")
    return (
        r"\text{bytes} = N \cdot H \cdot (d_k + d_v) \cdot L \cdot B \cdot \text{width}"
        rf"\qquad = {layers} \cdot {heads} \cdot ({d_k} + {d_v}) \cdot {tokens} \cdot {batch} \cdot {width} "
        rf"\qquad = {total}"
    )


def write_logit_difference(difference: float, first: int, last: int, vocabulary: int) -> str:
    """Write in LaTeX the largest |difference| of a logit over the steps that read tokens `first` to `last`."""
    return (
        r"\max_{t,\,v} \big|\, \ell^{\text{with}}_{t,v} - \ell^{\text{without}}_{t,v} \,\big|"
        rf" = {latex_number(difference, 2)} \qquad t = {first} \ldots {last}"
        rf"\qquad V = {vocabulary}"
    )


def counted(count: float) -> str:
    """Write a large number as people do: 950, 12.3 thousand, 4.56 million."""
    for power, word in ((1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if abs(count) >= power:
            return f"{count / power:.3g}{word}"
    return f"{count:,.0f}"


def short(count: float) -> str:
    """Write a large number in few letters: 12.3k, 4.56M, 7.8B."""
    for power, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if abs(count) >= power:
            return f"{count / power:.3g}{letter}"
    return f"{count:.3g}"


def stored(count: float) -> str:
    """Write a number of bytes: 512 bytes, 45.0 KiB, 1.25 MiB, 3.4 GiB."""
    for power, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if count >= power:
            return f"{count / power:.3g} {unit}" if count < 1000 * power else f"{count / power:,.0f} {unit}"
    return f"{count:,.0f} bytes"
