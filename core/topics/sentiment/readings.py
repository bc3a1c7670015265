"""Sentences and formulas about a classifier's verdict and the reasons for it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.readings.words import bare, capital, listed, number, percent, quoted, stands_out, token_name

SURE = 0.5
APART = "The intervals lie apart: one of them is better on such reviews."
TOGETHER = "The intervals overlap, so these scores alone do not settle which is better."


def read_growing(labels: tuple[str, ...], words: Sequence[str], probabilities: np.ndarray) -> str:
    """Say how often the verdict flipped from word to word, and which word changed it most.

    words: labels that differ. A punctuation mark's change counts for the word before it.
    """
    starts = [at for at in range(1, len(words)) if _is_word(words[at])]
    if not starts:
        return f"One word has been read; the verdict is {name_verdict(labels, float(probabilities[-1]))}."
    steps = probabilities[
        [*(start - 1 for start in starts), len(words) - 1]
    ]  # before each of these words, and at the end
    sides, moves = steps >= SURE, np.abs(np.diff(steps))
    flips = np.flatnonzero(np.diff(sides))
    said = "Word by word, the verdict never flipped."
    if len(flips):
        last, how = starts[flips[-1]], ("once", "twice")[len(flips) - 1] if len(flips) < 3 else f"{len(flips)} times"
        to = f"to {quoted(labels[int(sides[flips[-1] + 1])])} at {token_name(words, last)}"
        said = f"Word by word, the verdict flipped {how}{', at last' * (len(flips) > 1)} {to}."
    most = int(moves.argmax())
    if not moves[most]:
        return f"{said} No word moved it at all."
    before, after = (percent(float(probability)) for probability in steps[most : most + 2])
    name = capital(token_name(words, starts[most]))
    return f"{said} {name} moved it most: “{labels[1]}” went from {before} to {after}."


def _is_word(label: str) -> bool:
    return any(character.isalnum() for character in bare(label))


def name_verdict(labels: tuple[str, ...], probability: float) -> str:
    """Write the likelier class with its probability: “positive”, 93%."""
    return f"{quoted(labels[int(probability >= SURE)])}, {percent(max(probability, 1 - probability))}"


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


def read_firsts(methods: Sequence[str], words: Sequence[str], scores: np.ndarray) -> str:
    """Say which word each method puts first.

    words: labels that differ.
    """
    firsts: dict[int, list[str]] = {}
    for method, row in zip(methods, np.abs(scores), strict=True):
        firsts.setdefault(int(row.argmax()) if stands_out(row) or len(row) == 1 else -1, []).append(method)
    named = {at: "no single one" if at < 0 else token_name(words, at) for at in firsts}
    told = "; ".join(f"{named[at]} for {listed(names)}" for at, names in firsts.items())
    return f"The most important word is {told}."


def read_agreement(methods: Sequence[str], rho: np.ndarray) -> str:
    """Say how well attention, the first of the methods, agrees with the others."""
    others = [f"{number(float(each), 2)} with {name}" for name, each in zip(methods[1:], rho[0, 1:], strict=True)]
    if np.isnan(rho[0, 1:]).any():
        return "Of words that are all alike to a method there is no ranking to compare."
    return f"How far attention ranks the words alike: {listed(others)}."


def name_methods(methods: Sequence[str], scores: np.ndarray) -> dict[str, str]:
    """Return the text above each method's row of bars: its name, and the length of the longest bar."""
    most = np.abs(scores).max(-1)
    longest = [f"{percent(float(most[0]))} of the weight", *(f"{number(float(each), 2)} logits" for each in most[1:])]
    return {name: f"{name}, longest bar {size}" for name, size in zip(methods, longest, strict=True)}


def read_changed(labels: tuple[str, ...], word: str, put: str, before: float, after: float) -> str:
    """Say how the verdict changed when one word was left out or replaced."""
    how = f"With {quoted(put)} in place of {quoted(word)}" if put else f"Without {quoted(word)}"
    turned = " The verdict turns." if (before >= SURE) != (after >= SURE) else ""
    return f"{how}, “{labels[1]}” goes from {percent(before)} to {percent(after)}.{turned}"


def note_complete(total: float, difference: float, off: float, steps: int) -> str:
    """Say how well the integrated gradients add up."""
    return (
        f"The integrated gradients add up to {number(total)}; the logit's difference from where they begin is "
        f"{number(difference)}. They miss it by {number(abs(off), 2)}, for the way is cut into {steps} steps."
    )


def note_removed(wanted: bool, removed: bool) -> str | None:
    """Say why a word that should be left out was replaced; None if it was not."""
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
) -> str:
    """Say how far the verdict changes when the weights are permuted, and when they are equal.

    turned: number of permutations that turn the verdict.
    """
    moved = np.abs(permuted - probability)
    often = f"The verdict turns in {turned:,} of" if turned else "The verdict stays the same in all of"
    return (
        f"{often} {len(permuted)} permutations of the weights. “{labels[1]}” has {percent(probability)}; they move it "
        f"by {points(float(np.median(moved)))} at the median and {points(float(moved.max()))} at most. With equal "
        f"weights it is {percent(uniform)}."
    )


def read_permuted_heads(heads: np.ndarray) -> str:
    """Say at which head permuting changes the verdict most.

    heads (N, H): the mean change for each head alone.
    """
    layer, head = np.unravel_index(int(heads.argmax()), heads.shape)
    if not stands_out(heads.ravel()):
        return f"Permuting one head alone moves it by {points(float(heads.max()))}, whichever head it is."
    return (
        f"Permuting one head alone moves it most at layer {layer + 1} · head {head + 1}, by "
        f"{points(float(heads[layer, head]))} on average, and least by {points(float(heads.min()))}."
    )


def points(change: float) -> str:
    """Write a change of a probability in percentage points."""
    return f"{number(100 * change, 2)} points"


def write_permuted() -> str:
    """Write in LaTeX how each row's weights are permuted among the keys, and how Δ measures the verdict's change."""
    return r"A'_{ij} = A_{i\, \pi_i(j)} \qquad \Delta = \big| p(A') - p(A) \big|"


def read_negations(labels: tuple[str, ...], meant: np.ndarray, right: np.ndarray) -> str:
    """Say how many of the sentences are judged right, by their true class."""
    each = [f"{int(right[meant == n].sum())} of {int((meant == n).sum())} meant {quoted(labels[n])}" for n in (1, 0)]
    return f"{int(right.sum())} of {len(right)} sentences are judged right: {each[0]}, and {each[1]}."


def read_others_right(counts: Mapping[str, int]) -> str:
    """Say how many of the same sentences other classifiers judge right.

    counts: by the classifiers' titles; "" is returned if it is empty.
    """
    return " ".join(f"{quoted(title)} judges {count} right." for title, count in counts.items())


def read_single_negations(labels: tuple[str, ...], probabilities: Mapping[str, float]) -> str:
    """Say how it judges a negation with one word, such as “not good”.

    probabilities: the probability of the second class, by text.
    """
    each = [f"{quoted(text)} as {name_verdict(labels, probability)}" for text, probability in probabilities.items()]
    return f"Alone, it reads {listed(each)}."


def read_score(scores: Mapping[str, Any]) -> str:
    """Say how often a classifier is right, from its card; "" if the card does not say so."""
    said = _share(scores)
    own = f" It judges {scores['negations']} sentences with a negation right." if "negations" in scores else ""
    return f"Right on the 872 dev sentences: {said}.{own}" if said else ""


def read_classifiers(scores: Mapping[str, Mapping[str, Any]]) -> str:
    """Compare the scores of several classifiers.

    scores: by their titles; "" is returned if fewer than two of the cards have scores.
    """
    said = {title: _share(each) for title, each in scores.items() if _share(each)}
    if len(said) < 2:
        return ""
    intervals = [scores[title]["accuracy_dev_interval"] for title in said]
    apart = max(each["low"] for each in intervals) > min(each["high"] for each in intervals)
    told = listed([f"{quoted(title)} {share}" for title, share in said.items()])
    own = listed([str(scores[title].get("negations", "none")) for title in said])
    return (
        f"Right on the 872 dev sentences: {told}. {APART if apart else TOGETHER} Right on our own sentences with a "
        f"negation: {own}."
    )


def _share(scores: Mapping[str, Any]) -> str:
    share, interval = scores.get("accuracy_dev"), scores.get("accuracy_dev_interval")
    if not isinstance(share, float) or not isinstance(interval, Mapping):
        return ""
    return f"{share:.1f}% (95% interval {interval['low']:.1f} to {interval['high']:.1f})"


def read_labels(sizes: Sequence[int], gain: np.ndarray, chance: np.ndarray, seeds: int) -> str:
    """Say how much pre-training changes the score where that is clearest, and with all labels.

    gain (S,): in points.
    chance (S,): the part of each gain that may be chance.
    seeds: number of training runs for each number.
    """
    clear = np.abs(gain) - chance
    at, last = int(clear.argmax()), len(sizes) - 1
    said = [
        f"With {sizes[at]:,} labelled sentences the pre-trained network is {_better(gain[at])}. Differences below "
        f"{number(chance[at], 2)} points may come from the choice of the dev sentences alone"
    ]
    if clear[at] <= 0:
        said[0] += ": these numbers show neither that pre-training helps nor that it harms"
    elif at != last:
        little = "" if clear[last] > 0 else ", too little to tell"
        said.append(f"With all {sizes[last]:,} it is {_better(gain[last])}{little}")
    if seeds == 1:
        said.append("Each number is of one training only")
    return " ".join(f"{each}." for each in said)


def _better(gain: float) -> str:
    return f"{number(abs(gain))} points {'better' if gain >= 0 else 'worse'}"
