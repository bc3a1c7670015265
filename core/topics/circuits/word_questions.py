"""The right answers to a lesson's questions about which part of a model wrote the next word."""

from dataclasses import dataclass

import numpy as np

from core.analysis.part_effects import MAX_REPLACED_RATIO, MIN_BUILT_ON_RATIO
from core.model.transformer import Transformer
from core.text.labels import head_label, token_name
from core.text.pieces import AnyTokenizer
from core.topics.circuits.attribution import Attribution, attribute, read_by_head, switch_off
from core.topics.circuits.cut_paths import cut_into, estimated_cuts
from core.topics.circuits.edges import INPUTS, stack_heads
from core.topics.circuits.head_words import written_words
from core.topics.circuits.parts import Component
from core.topics.shared.places import unpadded_length
from core.topics.shared.truth import Truth, short_labels
from core.tracing.run import Run, prepare

STACK = "decoder"
MIN_TOKENS = 2
INTO = {"query": "queries", "key": "keys", "value": "values"}
KINDS = {"attention": "heads", "feed-forward": "feed-forward"}  # all other parts come before the blocks or are biases


@dataclass(frozen=True, eq=False)
class NextWord:
    """The likeliest next word, and what each part adds to its logit, compared with the mean of all words.

    labels: of the text's tokens. best: the number of the head that adds most, among the parts.
    """

    labels: tuple[str, ...]
    found: Attribution
    shares: np.ndarray
    best: int

    @property
    def word(self) -> str:
        return self.found.candidates.pieces[0]

    @property
    def head(self) -> Component:
        return self.found.parts[self.best]

    @property
    def facts(self) -> dict[str, object]:
        head = self.head
        assert head.head is not None
        return {
            "word": f"“{self.word}”",
            "last": token_name(self.labels, len(self.labels) - 1),
            "head": head_label(head.layer, head.head),
            "share": float(self.shares[self.best]),
            "part_number": self.best,
        }


def parts_of_the_sum(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return which kind of part adds most to the next word: all heads, all feed-forward layers, or the rest.

    Raises ValueError for a model that does not go on with a text, and for a text that is too short or too long to
    choose from.
    """
    word = _next_word(model, tokenizer, run)
    kinds = [KINDS.get(part.kind, "rest") for part in word.found.parts]
    names = (*KINDS.values(), "rest")
    sums = {name: float(word.shares[[kind == name for kind in kinds]].sum()) for name in names}
    facts = {"heads": sums["heads"], "feed_forward": sums["feed-forward"], "rest": sums["rest"]}
    total = {"total": float(word.shares.sum()), "parts": len(kinds)}
    return Truth(max(sums, key=sums.__getitem__), word.facts | facts | total)


def read_for_the_word(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the token from which the head that adds most to the next word takes most of it.

    Raises ValueError as `parts_of_the_sum` does.
    """
    word = _next_word(model, tokenizer, run)
    read = read_by_head(model, tokenizer, run, STACK, word.found.token, word.head, word.found.candidates.ids)
    shares = read.shares[:, 0] - read.shares[:, -1]
    most = int(shares.argmax())
    facts = {"read": token_name(word.labels, most), "read_share": float(shares[most])}
    facts["weight"] = float(read.weights[most])
    return Truth(most, word.facts | facts, word.labels, sizes=tuple(map(float, shares)))


def word_without_head(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return whether the next word loses less than the head's share without it, about as much, or more.

    Raises ValueError as `parts_of_the_sum` does.
    """
    word = _next_word(model, tokenizer, run)
    off = switch_off(model, tokenizer, run, STACK, word.found.token, word.head, word.found.candidates.ids)
    lost = float(word.shares.sum() - (off.here[0] - off.here[-1]))
    ratio = lost / float(word.shares[word.best])
    answer = "less" if ratio < MAX_REPLACED_RATIO else "more" if ratio > MIN_BUILT_ON_RATIO else "as-much"
    facts = {"lost": lost, "size": abs(lost), "way": "falls" if lost > 0 else "rises"}
    return Truth(answer, word.facts | facts)


def strongest_path(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return whether the path that the next word needs most, by an estimate, goes into queries, keys or values.

    Raises ValueError as `parts_of_the_sum` does, and for a model without two layers.
    """
    word = _next_word(model, tokenizer, run)
    ids, token = word.found.candidates.ids, word.found.token
    estimates = estimated_cuts(model, tokenizer, run, STACK, token, ids[0], None)
    if not estimates.any():
        raise ValueError("This question needs a model in which a head comes after another one.")
    entry, later, earlier = (int(each) for each in np.unravel_index(np.abs(estimates).argmax(), estimates.shape))
    heads = stack_heads(run, STACK)
    attention = Component("attention", heads[later].layer, 0).place(STACK)
    cut = cut_into(model, tokenizer, run, STACK, token, ids, attention, INPUTS[entry])[heads[later].head, earlier]
    facts = {
        "later": head_label(heads[later].layer, heads[later].head),
        "earlier": head_label(heads[earlier].layer, heads[earlier].head),
        "into": INTO[INPUTS[entry]],
        "change": abs(float(cut[0] - cut[-1])),
        "way": "falls" if cut[0] < cut[-1] else "rises",
    }
    return Truth(INPUTS[entry], word.facts | facts)


def raised_where_it_looks(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return whether the head that adds most to the next word raises the token that it looks at most.

    The answer is "most", "among" for one of the pieces that it raises most, or "no".

    Raises ValueError as `parts_of_the_sum` does.
    """
    word = _next_word(model, tokenizer, run)
    found = written_words(model, tokenizer, run, STACK, word.found.token, word.head, None)
    at = int(found.weights.argmax())
    (piece,) = tokenizer.labels([prepare(run, tokenizer).rows[STACK].ids[at]])
    place = found.raised.index(piece) if piece in found.raised else None
    facts = {
        "looked_at": token_name(word.labels, at),
        "raised": f"“{found.raised[0]}”",
        "lowered": f"“{found.lowered[0]}”",
        "raised_by": float(found.raised_by[0]),
    }
    return Truth("no" if place is None else "among" if place else "most", word.facts | facts)


def continued_labels(tokenizer: AnyTokenizer, run: Run, min_tokens: int) -> tuple[str, ...]:
    """Return the labels of the tokens of a text that a model goes on with.

    Raises ValueError for another model, and for a text of fewer tokens or of too many to choose from.
    """
    if run.config.stacks != (STACK,):
        raise ValueError("This question needs a model that goes on with a text.")
    inputs = prepare(run, tokenizer)
    length = unpadded_length(run, inputs, STACK)
    labels = short_labels(inputs.rows[STACK])[:length]
    if length < min_tokens:
        raise ValueError(f"This question needs a text of at least {min_tokens} tokens; yours has {length}.")
    return labels


def _next_word(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> NextWord:
    labels = continued_labels(tokenizer, run, MIN_TOKENS)
    found = attribute(model, tokenizer, run, STACK, len(labels) - 1)
    shares = found.shares[:, 0] - found.shares[:, -1]
    heads = [number for number, part in enumerate(found.parts) if part.head is not None]
    best = max(heads, key=lambda number: float(shares[number]))
    if shares[best] <= 0:
        raise ValueError("This question needs a text in which at least one head raises the next word.")
    return NextWord(labels, found, shares, best)
