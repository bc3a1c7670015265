"""Names of heads that match a known pattern, in words, and the heads without a name."""

from collections.abc import Sequence

import numpy as np

from core.analysis.head_names import KINDS, NamedHead, token_of_kind
from core.readings.descriptors import DESCRIPTORS
from core.readings.words import number, percent, plural
from core.text.labels import head_label, token_name

MEANINGS = {
    "previous_token": "A **previous-token head**: the share of its attention that goes to the token just before.",
    "induction": "An **induction head**: the share of a repeated token's attention on what followed it the last time.",
    "duplicate_token": "A **duplicate-token head**: the share of a repeated token's attention on the same one earlier.",
    "next_token": "The share of its attention that goes to the token just after.",
    "own_token": "The share of each token's attention that stays with that token.",
    "first_token": "The share of its attention on the first token, where heads that have nothing to add often rest.",
    "mark": "The share of its attention on punctuation marks.",
    "even": "How spread out its weights are: 100% where all tokens that may be seen weigh alike.",
    "in_order": "The correlation of the place of a query and the place of the key that it looks at: 1 is in step.",
    "turned": "Its weights run against the word order: the further on the query, the earlier the key. 1 is in reverse.",
}
FORMULAS = {
    **{each.field: each.formula for each in DESCRIPTORS},
    "next_token": r"\operatorname*{mean}_{i}\;A_{i,\,i+1}",
    "mark": r"\operatorname*{mean}_{i}\;\sum_{j\,\text{a mark}} A_{ij}",
    "own_token": r"\operatorname*{mean}_{i}\;A_{ii}",
    "even": r"\frac{-\sum_{ij} A_{ij} \log_2 A_{ij}}{\sum_i \log_2 n_i}",
    "in_order": r"\operatorname{corr}(i, j),\; j \sim A_{i \cdot}",
    "turned": r"-\operatorname{corr}(i, j),\; j \sim A_{i \cdot}",
}
CORRELATIONS = ("in_order", "turned")


def name_score(kind: str, score: float) -> str:
    """Write how well a head fits a kind: as a share, or as a correlation for kinds that concern the order of words."""
    return number(score, 2) if kind in CORRELATIONS else percent(score)


def name_kind(kind: str) -> str:
    """Return the label of a kind of head as a heading."""
    return KINDS[kind].capitalize()


def name_entry(head: NamedHead) -> str:
    """Name a head in the list: "layer 3 · head 2, 91%"."""
    return f"{head_label(head.layer, head.head)}, {name_score(head.kind, head.score)}"


def name_label(head: NamedHead | None) -> str:
    """Return a head's label with its score, for a picture's title."""
    return f"{KINDS[head.kind]}, {name_score(head.kind, head.score)}" if head else "no plain label"


def read_why_several(
    heads: Sequence[tuple[int, int]],
    rows: Sequence[np.ndarray],
    queries: Sequence[str],
    query: int,
    keys: Sequence[str],
) -> tuple[str, str]:
    """Return sentences on why a model has several heads: two of them look at different keys from the same query.

    heads: layer and head of the two, from 0.
    rows (K,): the weights of each of the two, one row for each.
    queries: the labels of the queries.
    query: the number of the query.
    keys: the labels of the keys.
    """
    looks = []
    for head, row in zip(heads, rows, strict=True):
        most = int(row.argmax())
        itself = tuple(queries) == tuple(keys) and most == query % len(queries)
        looks.append((head_label(*head), "itself" if itself else token_name(keys, most), percent(row[most])))
    (first, of_first, first_share), (second, of_second, second_share) = looks
    return (
        f"Why several heads? From {token_name(queries, query)} one looks most at {of_first}, the other at {of_second}.",
        f"The first is {first}, with {first_share} of its attention; the other is {second}, with {second_share}.",
    )


def read_single(heads: int, layers: int) -> str:
    """Say how many heads the model has, for a model in which no two heads can be compared.

    heads: number of heads in a layer.
    layers: number of layers.
    """
    if heads * layers == 1:
        return "This model has a single head, which can look for one thing only."
    return f"This model has {heads * layers} heads; the numbers of some are too large to compare them."


def read_not_told_apart(heads: Sequence[tuple[int, int]]) -> str:
    """Say that no single word of the text tells two heads apart.

    heads: layer and head of each, from 0.
    """
    first, second = (head_label(*head) for head in heads)
    return f"No single word of this text tells {first} and {second} apart. Another text may."


def read_kind(kind: str, reached: float) -> str:
    """Explain in markdown the score of a kind of head, and say the best score that heads with random weights reach.

    reached: that score.
    """
    return f"{MEANINGS[kind]} Random weights reach {name_score(kind, reached)}."


def read_more(heads: Sequence[NamedHead]) -> str:
    """List the heads of a kind that do not fit into its list, strongest first."""
    return f"And {'; '.join(map(name_entry, heads))}."


def read_shown(head: NamedHead | None) -> list[str]:
    """Say what the head shown does; nothing if it has no name."""
    if head is None:
        return []
    return [f"In {head_label(head.layer, head.head)} a {token_of_kind(head.kind)} mostly {KINDS[head.kind]}."]


def read_named(named: Sequence[NamedHead], unnamed: int) -> tuple[str, ...]:
    """Return sentences on which head is the strongest example, and on how many heads have no name."""
    heads = f"{plural(unnamed, 'head')} {'has' if unnamed == 1 else 'have'}"
    rest = f"{heads} no plain label on this text." if unnamed else "Every head has a plain label on this text."
    if not named:
        return (rest,)
    first = named[0]
    where, score = head_label(first.layer, first.head), name_score(first.kind, first.score)
    return (
        f"The clearest is {where}: there each {token_of_kind(first.kind)} {KINDS[first.kind]}.",
        f"Its score is {score}. {rest}",
    )


def read_name_threshold(random: int) -> str:
    """Say what score a head needs to get a label, and why.

    random: number of heads with random weights that it is compared with.
    """
    return (
        "A label needs a score above one half, so that it says what the head mostly does, and above the best of "
        f"{random} heads with random weights of the same sizes on this text, so that chance alone earns none."
    )


def write_name(kind: str, reached: float) -> str:
    """Write in LaTeX how well a head fits a kind, and the score that it must exceed to get the kind's label.

    reached: the best score of heads with random weights.
    """
    return rf"s = {FORMULAS[kind]} \qquad s > \max\big(\tfrac12,\; {reached:.3f}\big)"
