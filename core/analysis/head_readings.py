"""One sentence about what many heads show, in the manner of readings.py: plain text, true of the numbers given."""

from collections.abc import Sequence

import numpy as np

from core.analysis.arithmetic import number
from core.analysis.heads import Descriptor
from core.analysis.readings import SAME, head_label, percent, quoted


def read_row(row: np.ndarray, query: str, keys: Sequence[str], most: int = 3) -> str:
    """Where one query's attention goes: row (K,), its largest weights first."""
    order = [int(key) for key in np.argsort(-row, kind="stable")[:most] if row[key] > 0]
    if not order:
        return f"{quoted(query)} attends to nothing that is shown."
    named = [f"{percent(float(row[key]))} to {quoted(keys[key])}" for key in order]
    rest = float(np.delete(row, order).sum(dtype=np.float64))
    named += [f"{percent(rest)} to the others"] if rest > SAME else []
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    return f"{quoted(query)} gives {listed}."


def read_projections(q: np.ndarray, k: np.ndarray, v: np.ndarray, queries: Sequence[str], keys: Sequence[str]) -> str:
    """The longest query, key and value of one head: q (Q, E), k (K, E), v (K, Ev)."""
    named = []
    for what, vectors, labels in (("query", q, queries), ("key", k, keys), ("value", v, keys)):
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=-1)
        longest = int(lengths.argmax())
        named.append(f"{what} is that of {quoted(labels[longest])} (length {number(lengths[longest])})")
    return f"The longest {named[0]}, the longest {named[1]}, the longest {named[2]}."


def read_contributions(share: np.ndarray, difference: float) -> str:
    """Which head adds most, share (H,), and how far the sum is from the model's own: |largest difference|."""
    heads = len(share)
    parts = "The head's contribution" if heads == 1 else f"The {heads} heads' contributions"
    verb = "adds" if heads == 1 else "add"
    whole = f"{parts} and W_O's bias {verb} up to the output: largest difference {number(difference, 2)}"
    if heads == 1:
        return f"{whole}."
    most = int(share.argmax())
    if share[most] == 0:
        return f"{whole}. No head adds anything."
    return f"{whole}. Head {most + 1} adds most, {percent(float(share[most]))} of the lengths of all contributions."


def read_descriptor(descriptor: Descriptor, values: np.ma.MaskedArray, cross: bool) -> str:
    """The heads with the highest and the lowest number: values (N, H), masked where a head has none."""
    if values.count() == 0:
        return why_missing(descriptor, cross)
    high, low = (np.unravel_index(int(i), values.shape) for i in (values.argmax(), values.argmin()))
    most, least = float(values[high]), float(values[low])
    unit = "" if descriptor.unit == "share" else f" {descriptor.unit}"
    said = [f"{percent(x) if not unit else number(x)}{unit}" for x in (most, least)]
    if most - least <= SAME:
        return f"{descriptor.name}: {said[0]}{', the same in every head' if values.count() > 1 else ''}."
    top, bottom = (head_label(int(at[0]), int(at[1])) for at in (high, low))
    return f"{descriptor.name}: highest in {top} ({said[0]}), lowest in {bottom} ({said[1]})."


def why_missing(descriptor: Descriptor, cross: bool) -> str:
    """Why no head has this number."""
    if cross and descriptor.field not in ("entropy", "effective_keys", "first_token"):
        return f"{descriptor.name}: “–”, since in cross-attention queries and keys stand in different texts."
    why = {
        "previous_token": "no token with one before it may attend to anything",
        "duplicate_token": "no token that may attend to anything repeats in this text",
        "induction": "no token that may attend to anything repeats in this text with another after it",
    }
    return f"{descriptor.name}: “–”, since {why.get(descriptor.field, 'no token may attend to anything')}."


def read_alike(alike: np.ndarray, compared: Sequence[tuple[int, int]]) -> str:
    """The two heads most and least alike: alike (n, n) in [0, 1], for n heads named (layer, head)."""
    if len(compared) < 2:
        return "There is only one head, so there is nothing to compare it with."
    rows, columns = np.triu_indices(len(compared), 1)
    pairs = alike[rows, columns]
    said = []
    for at in (int(pairs.argmax()), int(pairs.argmin())):
        first, second = (head_label(*compared[int(index[at])]) for index in (rows, columns))
        said.append(f"{first} and {second} ({pairs[at]:.2f})")
    if pairs.max() - pairs.min() <= SAME:
        return f"All pairs of heads are equally alike: {pairs[0]:.2f}."
    return f"Most alike are {said[0]}; least alike {said[1]}."


def read_variation(per_head: np.ndarray, silenced: Sequence[tuple[int, int]]) -> str:
    """Whose pattern moved most: per_head (N, H), total variation from 0 to 1."""
    if per_head.max() <= SAME:
        last = max((layer for layer, _ in silenced), default=0)
        below = "there is no layer after it" if last == len(per_head) - 1 else "nothing reached them"
        return f"No head's pattern changed: {below}."
    layer, head = np.unravel_index(int(per_head.argmax()), per_head.shape)
    moved = percent(float(per_head[layer, head]))
    name = head_label(int(layer), int(head))
    return f"The pattern of {name} changed most: {moved} of its attention went elsewhere."
