"""Sentences about which part of a model wrote a word."""

from collections.abc import Sequence

from core.analysis.part_effects import MAX_REPLACED_RATIO, MIN_BUILT_ON_RATIO
from core.readings.words import number, percent, quoted
from core.text.labels import token_name

MIN_CLEAR_SPREADS = 2.0  # of the standard deviation over random words


def read_writer(word: str, layer: int | None, head: int | None, read: str) -> str:
    """Say which head did most for a word, and which token it read for that.

    layer, head: from 0; None if no head adds anything to it.
    read: the name of the token.
    """
    if layer is None or head is None:
        return f"No head of this model speaks for {quoted(word)} here."
    return f"Of all heads, head {head + 1} of layer {layer + 1} did most for {quoted(word)}: it read {read}."


def read_share(word: str, part: str, share: float, total: float, against: str) -> str:
    """Say how much of a word's logit comes from a part.

    against: what the word is compared with, such as "the average word"; "" if it is the logit itself.
    """
    if not against:
        return f"The share of {part} is {number(share)}; the logit of {quoted(word)} is {number(total)}."
    side = "above" if total >= 0 else "below"
    return (
        f"The share of {part} is {number(share)}; the logit of {quoted(word)} lies {number(abs(total))} {side} that of "
        f"{against}."
    )


def read_random_words(share: float, spread: float) -> str:
    """Say whether a part gives a word more than it gives to random words.

    spread: the standard deviation of its shares in the logits of random words.
    """
    said = f"Its shares for random words have a standard deviation of {number(spread)}"
    if abs(share) < MIN_CLEAR_SPREADS * spread:
        return f"{said}: this one says little about the word."
    return f"{said}: it speaks {'for' if share > 0 else 'against'} this word."


def read_sources(labels: Sequence[str], index: int, weight: float, share: float) -> str:
    """Say what a head adds by reading one token.

    index: the token's place among the labels.
    """
    name = token_name(labels, index)
    return f"It gives {percent(weight)} of its weight to {name}, which makes {number(share)} of that."


def read_switched_off(share: float, here: float, everywhere: float) -> str:
    """Say what happens to a word when a part is switched off, and whether this agrees with the part's share.

    here, everywhere: how much lower the word then lies, if the part is off at this token alone, and at all tokens.
    """
    said = f"Switched off at this place, it leaves the word {_moved(here)}; everywhere, {_moved(everywhere)}"
    if share * here < 0:
        return f"{said}: the other way round than its share, because what comes after it reacts."
    if abs(here) < MAX_REPLACED_RATIO * abs(share):
        return f"{said}: less than its share, because what comes after it makes up for it."
    if abs(here) > MIN_BUILT_ON_RATIO * abs(share):
        return f"{said}: more than its share, because what comes after it builds on it."
    return f"{said}: about its share."


def _moved(change: float) -> str:
    return f"{number(abs(change))} {'lower' if change >= 0 else 'higher'}"


def write_sum(names: Sequence[str], shares: Sequence[float], total: float, most: int = 5) -> str:
    """Write a word's logit as the sum of its largest shares and of the rest."""
    order = sorted(range(len(names)), key=lambda index: -abs(shares[index]))[:most]
    terms = [f"{number(shares[index])} ({names[index]})" for index in order]
    rest = sum(shares) - sum(shares[index] for index in order)
    if len(names) > most:
        terms.append(f"{number(rest)} (the other {len(names) - most} parts)")
    return f"{number(total)} = {' + '.join(terms)}"


def write_direct_path(width: int, vocabulary: int, norm: str) -> str:
    """Write in LaTeX a logit as a sum over the parts that wrote to the residual stream.

    norm: the model's kind of norm, or "" if none comes before the logits.
    """
    inside = {
        "layernorm": r"\gamma \odot \frac{c - \bar{c}}{\sigma}",
        "rmsnorm": r"\gamma \odot \frac{c}{\sigma}",
        "": "c",
    }[norm]
    held = r" \qquad \sigma \text{ held fixed}" if norm else ""
    return (
        rf"\mathrm{{logit}}_w = \sum_{{c}} u_w \cdot \left({inside}\right) + b \qquad c, u_w \in "
        rf"\mathbb{{R}}^{{{width}}} \qquad w \in \{{1, \dots, {vocabulary}\}}{held}"
    )
