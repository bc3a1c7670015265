"""Sentences about many heads: plain text, true of the numbers given."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.analysis.heads import HeadTable
from core.readings.descriptors import DESCRIPTORS, Descriptor
from core.readings.words import (
    SHARE_TOLERANCE,
    capital,
    largest_of_words,
    listed,
    number,
    percent,
    plural,
    small,
    stands_out,
)
from core.text.labels import head_label, token_name

ATTENTIONS = {
    "encoder": "the encoder's self-attention",
    "decoder": "the decoder's self-attention",
    "cross": "cross-attention",
}


def read_row(row: np.ndarray, queries: Sequence[str], index: int, keys: Sequence[str]) -> str:
    """Say to which keys the attention of query `index` goes: the three largest weights, and the rest.

    row (K,): its weights.
    """
    query = token_name(queries, index)
    order = [int(key) for key in np.argsort(-row, kind="stable")[:3] if row[key] > 0]
    if not order:
        return f"{query} attends to nothing that is shown."
    mine = index % len(queries) if tuple(queries) == tuple(keys) else None
    named = [f"{percent(float(row[key]))} to {'itself' if key == mine else token_name(keys, key)}" for key in order]
    rest = float(np.delete(row, order).sum(dtype=np.float64))
    named += [f"{percent(rest)} to the others"] if rest > SHARE_TOLERANCE else []
    return f"{query} gives {listed(named)}."


def read_sink(share: float) -> str:
    """Say which share of a head's weight goes to its sink logit, on average over the queries."""
    return (
        f"On average {percent(share)} of this head's weight goes to no token: a learned number stands in its softmax "
        "beside the scores."
    )


def read_look(row: np.ndarray, queries: Sequence[str], index: int, keys: Sequence[str]) -> str:
    """Say at which key query `index` looks most, and with which share of its attention.

    row (K,): its weights.
    """
    query = token_name(queries, index)
    if not row.any():
        return f"{capital(query)} may look at no word, so it takes in nothing."
    most = int(row.argmax())
    itself = tuple(queries) == tuple(keys) and most == index % len(queries)
    how, share = "mostly" if row[most] > 0.5 else "most", percent(float(row[most]))
    where = "itself" if itself else token_name(keys, most)
    return f"{capital(query)} looks {how} at {where}: {share} of its attention goes there."


def read_projections(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, queries: Sequence[str], keys: Sequence[str], query: int
) -> tuple[str, str]:
    """Return sentences on what one head makes of a token, and on which of all tokens are the longest, of words if any.

    q (Q, E), k (K, E), v (K, Ev).
    query: the number of the token; it is said to have a key and a value too if queries and keys are one text.
    """
    width, passed_on = q.shape[-1], v.shape[-1]
    each = f"of {width} numbers each" if width == passed_on else f"of {width} numbers and a value of {passed_on}"
    three = "a query, a key and a value" if width == passed_on else "a query and a key"
    made = f"In this head {token_name(queries, query)} becomes three vectors: {three} {each}."
    if tuple(queries) != tuple(keys):
        made = f"In this head {token_name(queries, query)} becomes a query of {plural(width, 'number')}."
    named: list[str] = []
    sizes: list[str] = []
    for what, vectors, labels in (("query", q, queries), ("key", k, keys), ("value", v, keys)):
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=-1)
        (longest,), passed = largest_of_words(lengths, labels)
        whose = f"{what} of a word" if passed else what
        named.append(f"the longest {whose} {'' if named else 'is '}that of {token_name(labels, longest)}")
        sizes.append(number(lengths[longest]))
    return made, f"{capital(listed(named))}: by length {listed(sizes)}."


def read_contributions(share: np.ndarray, difference: float, layer: int, head: int) -> list[str]:
    """Say how much the chosen head adds and which adds most, and how far the sum is from the model's own output.

    share (H,): the heads' shares of the lengths of all contributions.
    difference: the largest |difference| between the sum and the model's output.
    layer, head: the chosen head, from 0.
    """
    heads = len(share)
    parts = "The head's contribution" if heads == 1 else f"The {heads} heads' contributions"
    sentence = f"{parts} and W_O's bias add up to the output: largest difference {number(difference, 2)}"
    if heads == 1:
        return [f"{sentence}."]
    most = int(share.argmax())
    if share[most] == 0:
        return ["No head adds anything.", f"{sentence}."]
    mine, largest = percent(float(share[head])), percent(float(share[most]))
    measured = "Shares are measured by the lengths of what the heads add."
    if not stands_out(share):
        return [f"All heads add equally much: {largest} each.", measured, f"{sentence}."]
    own = [] if head == most else [f"Head {head + 1} adds {mine}."]
    return [
        f"In layer {layer + 1}, head {most + 1} adds most: {largest} of all that the heads add.",
        *own,
        measured,
        f"{sentence}.",
    ]


def read_descriptor(
    descriptor: Descriptor, values: np.ma.MaskedArray, chosen: tuple[int, int], cross: bool = False
) -> tuple[str, ...]:
    """Return sentences on the heads with the highest and the lowest number, and on the chosen head's number.

    values (N, H): masked for heads without a number.
    """
    if values.count() == 0:
        return (why_missing(descriptor, cross),)
    high, low = (np.unravel_index(int(i), values.shape) for i in (values.argmax(), values.argmin()))
    mine, most, least = (_with_unit(float(values[head]), descriptor.unit) for head in (chosen, high, low))
    sentence = f"{head_label(*chosen).capitalize()} has {mine}"
    top, bottom = (head_label(int(head[0]), int(head[1])) for head in (high, low))
    if values.count() == 1:
        return f"{top.capitalize()} is the only head here with this number.", f"{sentence}."
    if values[high] - values[low] <= SHARE_TOLERANCE:
        return "This number is the same for every head.", f"{sentence}, like every head."
    does_most, does_least = descriptor.extremes
    return (
        f"{top.capitalize()} {does_most}, {bottom} {does_least}.",
        f"{sentence}. The highest is {most} ({top}), the lowest {least} ({bottom}).",
    )


def why_missing(descriptor: Descriptor, cross: bool) -> str:
    """Say why no head has this number."""
    if cross and descriptor.field not in ("entropy", "effective_keys", "first_token"):
        return f"{descriptor.name}: “–”, since in cross-attention queries and keys stand in different texts."
    why = {
        "previous_token": "no token with one before it may attend to anything",
        "duplicate_token": "no token that may attend to anything repeats in this text",
        "induction": "no token that may attend to anything repeats in this text with another after it",
    }
    return f"{descriptor.name}: “–”, since {why.get(descriptor.field, 'no token may attend to anything')}."


def why_all_missing(table: HeadTable, cross: bool) -> list[str]:
    """Say why for each number that no head in the table has."""
    return [why_missing(descriptor, cross) for descriptor in DESCRIPTORS if table.column(descriptor.field).count() == 0]


def read_compared(heads: int, compared: Sequence[tuple[int, int]]) -> str | None:
    """Say which heads are compared, if not all; None if all are.

    heads: number of all heads.
    compared: (layer, head) each, all of one layer unless all heads are compared.
    """
    if len(compared) == heads:
        return None
    return f"{heads} heads are too many to compare: these are layer {compared[0][0] + 1}'s."


def read_alike(alike: np.ndarray, compared: Sequence[tuple[int, int]], chosen: tuple[int, int]) -> tuple[str, ...]:
    """Return sentences on which heads are most like each other, and which is most like the chosen one.

    alike (n, n), in [0, 1]: the similarities of n heads.
    compared: the heads as (layer, head); the chosen head is one of them.
    """
    if len(compared) < 2:
        return ("There is only one head, so there is nothing to compare it with.",)
    rows, columns = np.triu_indices(len(compared), 1)
    pairs = alike[rows, columns]
    if pairs.max() - pairs.min() <= SHARE_TOLERANCE:
        return (f"All pairs of heads are equally alike: {pairs[0]:.2f}.",)
    best = int(pairs.argmax())
    first, second = (head_label(*compared[int(index[best])]) for index in (rows, columns))
    mine = compared.index(chosen)
    near = int(np.where(np.arange(len(compared)) == mine, -1, alike[mine]).argmax())
    closest = f"{head_label(*chosen).capitalize()} is most like {head_label(*compared[near])} ({alike[mine, near]:.2f})"
    return (
        f"Of all pairs, {first} and {second} are most alike.",
        f"Their similarity is {pairs[best]:.2f}. {closest}.",
    )


def read_rollout(reached: np.ndarray, labels: Sequence[str]) -> tuple[str, str] | tuple[str]:
    """Return sentences on how much of each token is still itself, and on the largest share from another token.

    reached (L, L): the rollout so far.
    """
    own_share = percent(float(np.diag(reached).mean(dtype=np.float64)))
    if len(labels) == 1:
        return (f"{token_name(labels, 0)} is the only token: {own_share} of it is its own.",)
    others = reached.astype(np.float64)
    np.fill_diagonal(others, -1)
    (row, column), passed = largest_of_words(np.where(others > 0, others, -np.inf), labels, labels)
    if others[row, column] <= 0:
        return (f"On average {own_share} of what a token holds is its own, and nothing comes from another.",)
    share, another = percent(float(others[row, column])), "another word" if passed else "another"
    return (
        f"On average {own_share} of what a token holds is its own.",
        f"The largest share from {another} is {share}: {token_name(labels, row)} holds it from "
        f"{token_name(labels, column)}.",
    )


def read_rollout_limits(residual: bool, crossed: bool) -> str:
    """Say what rollout assumes about attention, and what it leaves out.

    crossed: whether it is the rollout of a decoder that follows an encoder.
    """
    clause = "; there are no residual connections here. "
    if residual:
        clause = ": half of each layer is the token itself, for the residual connection. "
    return (
        f"Rollout multiplies the layers' averages, as if attention only mixed tokens (Abnar and Zuidema, 2020){clause}"
        "It leaves out values, W_O and the feed-forward layers: a rough map, not a cause."
        + (" What the decoder takes from the encoder through cross-attention is left out too." if crossed else "")
    )


def read_heads_of(stack: str, cross: bool) -> str:
    """Say to which attention of an encoder-decoder the heads belong."""
    return f"These are heads of {ATTENTIONS['cross' if cross else stack]}."


def read_none_off(layer: int, head: int) -> str:
    """Say that no head is switched off yet, and which one the trial switches off."""
    return f"No head is switched off yet: this is a trial without {head_label(layer, head)}."


def read_strongest(layer: int, head: int, only_layer: bool) -> str:
    """Say that no head is switched off yet, and by which rule the head of the trial was chosen.

    only_layer: whether only the heads of its layer were tried.
    """
    tried = f"each head of layer {layer + 1}" if only_layer else "each head"
    return (
        f"No head is switched off yet: this is a trial. We switched off {tried} by itself; without "
        f"{head_label(layer, head)}, and after this word, the chances of the next one change most."
    )


def read_trial(layer: int, head: int, sentence: str) -> str:
    """Begin a sentence about the changes of a trial with the head that it switches off."""
    return f"Without {head_label(layer, head)}, {small(sentence)}"


def read_training_step(step: int | None, last: int) -> str:
    """Say at which step of training these weights were saved.

    step: None for the end of training, after `last` steps.
    """
    if step is None:
        return f"The weights at the end of training, after {last:,} steps."
    return f"The weights after {step:,} of {last:,} steps." if step else "The random weights before training."


def name_joined(heads: int, width: int, head: int) -> str:
    """Return the title of the concatenated heads, with the columns of the chosen one.

    width: number of columns of each head.
    """
    if heads == 1:
        return "z of the one head"
    columns = f"columns {head * width}–{(head + 1) * width - 1} are" if width > 1 else f"column {head} is"
    return f"z of {heads} heads side by side; {columns} head {head + 1}'s"


def name_shares(by_token: np.ndarray) -> str:
    """Return the title of the picture of each head's share of each token's output.

    by_token (H, Q): columns of shares, or of zeros.
    """
    whose = "Each head's share" if len(by_token) > 1 else "The head's share"
    zeros = "" if by_token.any(0).all() else "; those of tokens that get nothing are zeros"
    return f"{whose}, token by token: columns sum to 1{zeros}"


def read_variation(per_head: Mapping[str, np.ma.MaskedArray]) -> str:
    """Say which head's pattern changed most.

    per_head: for each attention, by its name, total variation from 0 to 1 (N, H), masked if it cannot change.
    """
    reached = {name: values for name, values in per_head.items() if values.count()}
    if not reached:
        return "No head's pattern changed: no attention comes after what was switched off."
    name = max(reached, key=lambda name: float(reached[name].max()))
    values = reached[name]
    if values.max() <= SHARE_TOLERANCE:
        return "No head's pattern changed, though attention comes after what was switched off."
    layer, head = np.unravel_index(int(values.argmax()), values.shape)
    moved = percent(float(values[layer, head]))
    where = f" in {name}" if len(per_head) > 1 else ""
    label = head_label(int(layer), int(head))
    return f"The pattern of {label}{where} changed most: {moved} of its attention went elsewhere."


def read_change(head: str, before: np.ndarray, after: np.ndarray, queries: Sequence[str], keys: Sequence[str]) -> str:
    """Say which weight of a head's pattern (Q, K) an edit changed most.

    head: its name.
    """
    change = np.abs(after.astype(np.float64) - before)
    if not change.any():
        return f"{head} looks where it looked: none of its weights changed."
    (row, column), passed = largest_of_words(np.where(change > 0, change, -np.inf), queries, keys)
    old_weight, new_weight = percent(float(before[row, column])), percent(float(after[row, column]))
    moved = f"from {old_weight} to {new_weight}"
    if old_weight == new_weight:
        moved = f"by {percent(float(change[row, column]))}"
    return (
        f"{'Of all words, the' if passed else 'The'} weight of {token_name(keys, column)} for "
        f"{token_name(queries, row)} changed most: {moved}."
    )


def _with_unit(value: float, unit: str) -> str:
    return percent(value) if unit == "share" else f"{number(value)} {unit}"
