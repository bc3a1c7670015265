"""Sentences and formulas about a classifier's verdict and the reasons for it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.readings.words import capital, in_words, largest_of_words, listed, number, percent, quoted, stands_out
from core.text.labels import bare, head_label, token_name

HALF_CHANCE = 0.5
APART_SENTENCE = "The intervals lie apart: one of them is better on such reviews."
OVERLAP_SENTENCE = "The intervals overlap, so these scores alone do not settle which is better."


def read_growing(labels: tuple[str, ...], words: Sequence[str], probabilities: np.ndarray) -> tuple[str, ...]:
    """Say how often the verdict flips as a classifier reads word by word; then which word changes it most.

    labels: the names of the two classes.
    words: the labels of the words and marks, all different.
    probabilities (W,): the probability of the second class after each of them, as they are drawn.
    """
    if not any(map(_is_word, words[1:])):
        return (f"One word has been read; the verdict is {name_verdict(labels, float(probabilities[-1]))}.",)
    sides, moves = probabilities >= HALF_CHANCE, np.abs(np.diff(probabilities))
    flips = np.flatnonzero(np.diff(sides)) + 1
    sentence = "Word by word, the verdict never flipped."
    if len(flips):
        last, how = int(flips[-1]), ("once", "twice")[len(flips) - 1] if len(flips) < 3 else f"{len(flips)} times"
        to = f"to {quoted(labels[int(sides[last])])} at {token_name(words, last)}"
        sentence = f"Word by word, the verdict flipped {how}{', at last' * (len(flips) > 1)} {to}."
    if not moves.any():
        return sentence, "No word moved it at all."
    (before,), passed = largest_of_words(moves, words[1:])
    shares = " to ".join(percent(float(probability)) for probability in probabilities[before : before + 2])
    name, among = capital(token_name(words, before + 1)), " of all words" if passed else ""
    return sentence, f"{name} moved it most{among}: “{labels[1]}” went from {shares}."


def _is_word(label: str) -> bool:
    return any(character.isalnum() for character in bare(label))


def name_verdict(labels: tuple[str, ...], probability: float) -> str:
    """Write the likelier of two classes with its probability: “positive”, 93%.

    labels: the names of the classes.
    probability: that of the second class.
    """
    return f"{quoted(labels[int(probability >= HALF_CHANCE)])}, {percent(max(probability, 1 - probability))}"


def write_verdict(width: int, first: bool, activation: str) -> str:
    """Write in LaTeX how the encoder's output x becomes the probability of each class.

    width: the numbers per token in x.
    first: whether the first token's output is used, or else the mean.
    activation: "tanh" or "relu" of a layer before the last; "" if there is no such layer.
    """
    pooled = r"x_1" if first else r"\bar x"
    hidden = rf"\operatorname{{{activation}}}(W' {pooled} + b')" if activation else pooled
    mean = "" if first else r"\bar x = \tfrac1L \sum_{i=1}^{L} x_i \qquad "
    return rf"p = \operatorname{{softmax}}(W {hidden} + b) \qquad {mean}x_i \in \mathbb{{R}}^{{{width}}}"


def read_firsts(methods: Sequence[str], words: Sequence[str], scores: np.ndarray) -> tuple[str, str]:
    """Say whether the methods find the same word most important; then which word each finds.

    methods: their names.
    words: the labels of the words, all different.
    scores (M, W): the importance of each word by each method; the sign does not matter.
    """
    firsts: dict[int, list[str]] = {}
    for method, row in zip(methods, np.abs(scores), strict=True):
        firsts.setdefault(int(row.argmax()) if stands_out(row) or len(row) == 1 else -1, []).append(method)
    named = {word: "no single one" if word < 0 else token_name(words, word) for word in firsts}
    answers = "; ".join(f"{named[word]} for {listed(names)}" for word, names in firsts.items())
    return _agree(named, len(methods)), f"The most important word is {answers}."


def _agree(named: Mapping[int, str], methods: int) -> str:
    """Return whether methods find the same word most important.

    named: the names of the words found, by their places; −1 stands for no single word.
    """
    found = [name for word, name in named.items() if word >= 0]
    if not found:
        return "No method finds one word more important than all others."
    if len(named) == 1:
        return f"All {in_words(methods)} methods find {found[0]} most important."
    if len(found) == 1:
        return f"{capital(found[0])} is the only word that a method finds most important."
    return f"The methods disagree: they find {in_words(len(found))} different words most important."


def read_agreement(methods: Sequence[str], rho: np.ndarray) -> str:
    """Say how well the ranking of the words by attention, the first method, agrees with the rankings by the others.

    methods: their names.
    rho (M, M): the rank correlation of each pair; NaN if a method finds all words alike.
    """
    others = [
        f"{number(float(correlation), 2)} with {name}"
        for name, correlation in zip(methods[1:], rho[0, 1:], strict=True)
    ]
    if np.isnan(rho[0, 1:]).any():
        return "Of words that are all alike to a method there is no ranking to compare."
    return f"How far attention ranks the words alike: {listed(others)}."


def name_methods(methods: Sequence[str], scores: np.ndarray) -> dict[str, str]:
    """Return the text above each method's row of bars: its name, and the number that its longest bar shows.

    scores (M, W): the importance of each word by each method; the first method is attention.
    """
    most = np.abs(scores).max(-1)
    longest = [
        f"{percent(float(most[0]))} of the weight",
        *(f"{number(float(length), 2)} logits" for length in most[1:]),
    ]
    return {name: f"{name}, longest bar {size}" for name, size in zip(methods, longest, strict=True)}


def read_changed(labels: tuple[str, ...], word: str, put: str, before: float, after: float) -> str:
    """Say how the verdict changed when one word was left out or replaced.

    labels: the names of the two classes.
    word: the word.
    put: the word that replaced it; "" if it was left out.
    before, after: the probability of the second class before and after.
    """
    how = f"With {quoted(put)} in place of {quoted(word)}" if put else f"Without {quoted(word)}"
    turned = " The verdict turns." if (before >= HALF_CHANCE) != (after >= HALF_CHANCE) else ""
    old, new = percent(before), percent(after)
    moved = f"stays at {new}" if old == new else f"goes from {old} to {new}"
    return f"{how}, “{labels[1]}” {moved}.{turned}"


def note_complete(total: float, difference: float, off: float, steps: int) -> str:
    """Say how nearly the integrated gradients add up to the difference that they should explain."""
    return (
        f"The integrated gradients add up to {number(total)}; the logit's difference from where they begin is "
        f"{number(difference)}. They miss it by {number(abs(off), 2)}, because the way is cut into {steps} steps."
    )


def note_removed(wanted: bool, removed: bool) -> str | None:
    """Say that the only word of a text was replaced by <unk>, because it cannot be left out; None if it was left out.

    wanted: whether the word should be left out.
    removed: whether it was.
    """
    return "One word alone cannot be left out, so it is replaced by <unk>." if wanted and not removed else None


def write_reasons(words: int) -> str:
    """Write the four methods in LaTeX.

    m is the log-odds of the second class.
    """
    return (
        r"m = z_1 - z_0 \qquad \text{attention}_j = \tfrac1L \sum_i A_{ij} \qquad \text{leaving out}_j = m(x) - "
        rf"m(x_{{\setminus j}}), \; j = 1, \dots, {words} \qquad \text{{gradient × input}}_j = x_j "
        r"\cdot \nabla_{x_j} m(x) \qquad \text{integrated}_j = (x_j - x'_j) \cdot \int_0^1 \nabla_{x_j} "
        r"m\big(x' + \alpha (x - x')\big)\, d\alpha"
    )


def read_permuted(
    labels: tuple[str, ...], probability: float, permuted: np.ndarray, uniform: float, turned: int
) -> tuple[str, str]:
    """Say how often the verdict turns when the attention weights are permuted; then how far it moves.

    labels: the names of the two classes; all probabilities are those of the second.
    probability: the probability with the original weights.
    permuted: the probability with each permutation.
    uniform: the probability with equal weights.
    turned: number of permutations that turn the verdict.
    """
    moved = np.abs(permuted - probability)
    often = f"The verdict turns in {turned:,} of" if turned else "The verdict stays the same in all"
    return (
        f"{often} {len(permuted)} random shufflings of the weights.",
        f"“{labels[1]}” has {percent(probability)}; the permutations move it by {points(float(np.median(moved)))} at "
        f"the median and {points(float(moved.max()))} at most. With equal weights it is {percent(uniform)}.",
    )


def read_permuted_heads(heads: np.ndarray) -> str:
    """Say at which head alone permuting the weights changes the verdict most.

    heads (N, H): the mean change for each head alone.
    """
    most, least = (divmod(int(place), heads.shape[1]) for place in (heads.argmax(), heads.argmin()))
    if not stands_out(heads.ravel()):
        return f"Permuting one head alone moves it by {points(float(heads.max()))}, whichever head it is."
    return (
        f"Permuting one head alone moves it most at {head_label(*most)}, by "
        f"{points(float(heads[most]))} on average, and least at {head_label(*least)}, by "
        f"{points(float(heads[least]))}."
    )


def points(change: float) -> str:
    """Write a change of a probability in percentage points."""
    return f"{number(100 * change, 2)} points"


def write_permuted() -> str:
    """Write in LaTeX how each row's weights are permuted among the keys, and the change Δ of a class probability p."""
    return r"A'_{ij} = A_{i\, \pi_i(j)} \qquad \Delta = \big| p(A') - p(A) \big|"


def read_negations(labels: tuple[str, ...], meant: np.ndarray, right: np.ndarray) -> tuple[str, str]:
    """Say how many sentences with a negation the classifier judges right; then by their true class.

    labels: the names of the two classes.
    meant, right (N,): the number of each sentence's true class, and whether it is judged right.
    """
    positive, negative = (f"{int(right[meant == n].sum())} of {int((meant == n).sum())}" for n in (1, 0))
    return (
        f"{int(right.sum())} of {len(right)} sentences with a negation are judged right.",
        f"These {int(right.sum())} are {positive} meant {quoted(labels[1])}, and {negative} meant {quoted(labels[0])}.",
    )


def read_others_right(counts: Mapping[str, int]) -> str:
    """Say how many of the same sentences other classifiers judge right; "" if there are no others.

    counts: these numbers, by the classifiers' titles.
    """
    return " ".join(f"{quoted(title)} judges {count} right." for title, count in counts.items())


def read_single_negations(labels: tuple[str, ...], probabilities: Mapping[str, float]) -> str:
    """Say how the classifier judges a negation with one word, such as “not good”.

    labels: the names of the two classes.
    probabilities: the probability of the second class, by text.
    """
    verdicts = [f"{quoted(text)} as {name_verdict(labels, probability)}" for text, probability in probabilities.items()]
    return f"Alone, it reads {listed(verdicts)}."


def read_score(scores: Mapping[str, Any]) -> str:
    """Say how often a classifier is right on the held-out sentences; "" if its card does not say so.

    scores: the scores in its card.
    """
    share = _share(scores)
    negations = f" It judges {scores['negations']} sentences with a negation right." if "negations" in scores else ""
    return f"Right on 872 held-out sentences: {share}.{negations}" if share else ""


def read_classifiers(scores: Mapping[str, Mapping[str, Any]]) -> str:
    """Compare the scores of several classifiers; "" if fewer than two of their cards have scores.

    scores: the scores in each card, by the classifiers' titles.
    """
    shares = {title: _share(card_scores) for title, card_scores in scores.items() if _share(card_scores)}
    if len(shares) < 2:
        return ""
    intervals = [scores[title]["accuracy_dev_interval"] for title in shares]
    apart = max(card_scores["low"] for card_scores in intervals) > min(card_scores["high"] for card_scores in intervals)
    comparison = listed([f"{quoted(title)} {share}" for title, share in shares.items()])
    negations = listed([str(scores[title].get("negations", "none")) for title in shares])
    return (
        f"Right on 872 held-out sentences: {comparison}. {APART_SENTENCE if apart else OVERLAP_SENTENCE} "
        f"Right on our own sentences with a negation: {negations}."
    )


def classifier_table(scores: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the scores that `read_classifiers` compares, a row for each classifier."""
    known = {title: card_scores for title, card_scores in scores.items() if _share(card_scores)}
    return {
        "classifier": list(known),
        "right on 872 held-out sentences": [_share(card_scores) for card_scores in known.values()],
        "right on sentences with a negation": [str(card.get("negations", "none")) for card in known.values()],
    }


def _share(scores: Mapping[str, Any]) -> str:
    share, interval = scores.get("accuracy_dev"), scores.get("accuracy_dev_interval")
    if not isinstance(share, float) or not isinstance(interval, Mapping):
        return ""
    return f"{share:.1f}% (95% interval {interval['low']:.1f} to {interval['high']:.1f})"


def read_negations_gain(right: Mapping[str, tuple[int, int]]) -> str:
    """Say which classifier judges most sentences with a negation right, and which fewest; "" for fewer than two.

    right: (number judged right, of all) by the classifiers' names.
    """
    if len(right) < 2:
        return ""
    most, least = (pick(right, key=lambda title: right[title][0]) for pick in (max, min))
    (many, _), (few, _) = right[most], right[least]
    if many == few:
        return f"All classifiers judge {many} sentences with a negation right."
    only = "only " if 2 * few < many else ""
    judged = f"The {quoted(most)} classifier judges {many} sentences with a negation right"
    return f"{judged}, the {quoted(least)} one {only}{few}."


def read_labels(
    sizes: Sequence[int], fresh: np.ndarray, gain: np.ndarray, chance: np.ndarray, seeds: int
) -> tuple[str, str]:
    """Say where pre-training helps most clearly; then by how much there, and by how much with all labels.

    Where the change may be chance for every number of labels, say what more labels change.

    sizes (S,): the numbers of labelled sentences.
    fresh (S,): the percentage judged right without pre-training.
    gain (S,): the change of the score by pre-training, in percentage points.
    chance (S,): the part of each change that may be chance.
    seeds: number of training runs for each number of labels.
    """
    clear = np.abs(gain) - chance
    clearest, last = int(clear.argmax()), len(sizes) - 1
    sentences = [
        f"In short trainings with {sizes[clearest]:,} labelled sentences the pre-trained network is "
        f"{_better(gain[clearest])}{'' if clear[clearest] > 0 else ', too little to tell'}. "
        f"Differences below {number(chance[clearest], 2)} points may come from the choice of the "
        "held-out sentences alone"
    ]
    headline = (
        f"More labels lift the share judged right from {percent(fresh[0] / 100)} to {percent(fresh[-1] / 100)}; "
        "in short trainings pre-training makes no clear difference."
    )
    if clear[clearest] > 0:
        better = "better" if gain[clearest] >= 0 else "worse"
        headline = f"With {sizes[clearest]:,} labelled sentences the pre-trained network judges {better}."
    if clear[clearest] > 0 and clearest != last:
        little = "" if clear[last] > 0 else ", too little to tell"
        sentences.append(f"With all {sizes[last]:,} it is {_better(gain[last])}{little}")
    if seeds == 1:
        sentences.append("Each number is of one training only")
    return headline, " ".join(f"{sentence}." for sentence in sentences)


def _better(gain: float) -> str:
    return f"{number(abs(gain))} points {'better' if gain >= 0 else 'worse'}"
