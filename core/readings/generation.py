"""Sentences about a text that a model writes, made from its numbers.

They are plain text, and true of ties and of a single token too.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.readings.words import (
    capital,
    in_words,
    largest_of_words,
    latex_softmax,
    listed,
    number,
    percent,
    plural,
    quoted,
)
from core.text.labels import token_name

CHANGING_STAGES = ("temperature", "top-k", "top-p")  # the stages that change probabilities and are always shown
Heading = tuple[tuple[str, str], tuple[str, str], tuple[str, str]]  # three lines, each in full and short


def read_choice(
    piece: str, before: float, after: float, draw: float | None, forced: bool, stages: Sequence[str] = CHANGING_STAGES
) -> tuple[str, ...]:
    """Say how one token came to be written; then what the stages and the draw did, if the model chose it.

    before, after: its probability before and after all the stages.
    draw: the random number that selected it; None if nothing was drawn.
    forced: whether it was written in the model's place.
    stages: their names.
    """
    sentence = f"The model gave {quoted(piece)} a chance of {percent(before)}"
    if forced:
        return (f"{sentence}; it was written in the model's place.",)
    if draw is None:
        return (
            f"{sentence} and took it.",
            "At temperature 0 nothing is drawn: the likeliest after the filters is taken.",
        )
    turned = "raised it to" if after > before else "lowered it to" if after < before else "left it at"
    by = f"{listed(stages)} {turned} {percent(after)}"
    return (
        f"A random draw picked {quoted(piece)}, which had a chance of {percent(after)}.",
        f"{sentence}; {by}, and the random draw ({number(draw, 2)}) hit it.",
    )


def read_along(pieces: Sequence[str], surprisal: Sequence[float], entropy: Sequence[float], index: int) -> list[str]:
    """Say which token surprised the model most; then how unsure it was before token `index`, and the same in bits.

    surprisal, entropy: one number for each piece, in bits.
    """
    labels = [f"{position}:{piece}" for position, piece in enumerate(pieces)]
    (most,), passed = largest_of_words(np.asarray(surprisal), labels)
    name, bits = token_name(labels, most), float(surprisal[most])
    headline = f"The model gave {name} a chance of {percent(2**-bits)}."
    average = f"It surprised the model by {number(bits)} bits"
    if len(pieces) > 1:
        of_words = " of all words" if passed else ""
        headline = f"{capital(name)} surprised the model most{of_words}: it had a chance of {percent(2**-bits)}."
        average = f"On average a token surprised the model by {number(float(np.mean(surprisal)))} bits, {name} by"
        average += f" {number(bits)}"
    token, choices = token_name(labels, index), round(2 ** float(entropy[index]))
    return [
        headline,
        f"Before {token} the model was as unsure as among {plural(choices, 'equally likely token')}: the entropy was "
        f"{number(float(entropy[index]))} bits. {average}.",
    ]


def read_lens(best: Sequence[str], probabilities: Sequence[float], came: str, read: Sequence[str]) -> tuple[str, str]:
    """Say from which layer on the best guess is the final one; then its probability, and whether it was written.

    best, probabilities (N + 1,): each layer's likeliest next piece and its probability, the first before any layer.
    came: the piece that was written after the tokens read.
    read: the labels of the tokens read.
    """
    last, since, layers = best[-1], len(best) - 1, len(best) - 1
    while since and best[since - 1] == last:
        since -= 1
    if since == 0:
        leads = "even before the first layer, and after every one"
    elif since == layers:
        leads = "only after the last layer"
    else:
        leads = f"from layer {since} of {layers} on"
    end = "and it was written" if came == last else f"but {quoted(came)} was written"
    return (
        f"After {token_name(read, -1)} the model’s best guess is {quoted(last)} {leads}.",
        f"At the end the chance of {quoted(last)} is {percent(probabilities[-1])}, {end}.",
    )


def read_samples(pieces: Sequence[Sequence[str]], shared: int, bits: Sequence[float]) -> tuple[str, str]:
    """Say in how many ways one beginning goes on; then how much the texts share at their start, and the likeliest.

    shared: number of first tokens that all texts share.
    bits: surprisal per token of each text; the likeliest has the fewest.
    """
    least = min(bits)
    likeliest = [str(index) for index, surprisal in enumerate(bits) if surprisal == least]
    whose = f"Text {likeliest[0]}" if len(likeliest) == 1 else f"Texts {listed(likeliest)}"
    best = f"{whose} surprised the model least, by {number(float(least))} bits a token."
    if len(pieces) == 1:
        return "There is only one text.", f"It surprised the model by {number(float(least))} bits a token."
    if all(len(text) == shared for text in pieces):
        return f"All {len(pieces)} texts are the same.", f"They have {number(float(least))} bits of surprise a token."
    ways = len({tuple(text) for text in pieces})
    begin = "The first token is" if shared == 1 else f"The first {shared} tokens are"
    start = f"{begin} the same in every text." if shared else "Not every text begins with the same token."
    return f"By chance alone, one beginning goes on in {in_words(ways)} different ways.", f"{start} {best}"


def read_newest_row(allowed: np.ndarray, weight: float, labels: Sequence[str], earlier: int) -> tuple[str, str]:
    """Say what an earlier token cannot look at in a growing pattern; then what the newest token changes.

    allowed (L, L): booleans, all False for keys after the query.
    weight: the weight of the newest token on itself.
    earlier: the place of a token before the newest one.
    """
    length, hidden = len(allowed), int((~allowed).sum())
    visible = int(allowed[-1].sum())
    newest = token_name(labels, -1)
    sentence = f"Its row sees {visible} of {plural(length, 'token')} and gives {percent(weight)} to itself"
    if length == 1:
        return f"{capital(newest)} is the first token, so there is only one row.", f"{sentence}."
    after = length - 1 - earlier
    return (
        f"{capital(token_name(labels, earlier))} cannot look at the {plural(after, 'token') if after > 1 else 'token'} "
        "after it.",
        f"The newest token, {newest}, adds a row. {sentence}; the mask hides {hidden:,} of {allowed.size:,} pairs, so "
        "the rows above it stayed as they were.",
    )


def read_removed(stages: Sequence[str], left: Sequence[int]) -> str:
    """Say how many tokens each filtering stage has removed.

    left (S,): number of tokens left after each of S stages.
    """
    pairs = list(zip(stages[1:], left, left[1:], strict=False))
    removals = [
        f"{name} removed {before - after:,} of {plural(before, 'token')}"
        for name, before, after in pairs
        if after < before
    ]
    return capital(f"{', '.join(removals) or 'no filter removed a token'}.")


def read_end(piece_is_end: bool, read: int) -> str:
    """Say why nothing follows a text.

    piece_is_end: whether its last token is </s>.
    read: number of tokens that the model had read.
    """
    if piece_is_end:
        return "The model has written (end): its text is over."
    return f"The text fills the {read:,} tokens that the model can read, so nothing follows."


def read_stretch(first: int, count: int, length: int) -> str | None:
    """Say which of `length` tokens a picture shows; None if it shows all."""
    if count == length:
        return None
    return f"These are tokens {first} to {first + count - 1} of {length}; click one above to move on."


def read_last_rows(count: int, length: int) -> str | None:
    """Say that a picture shows only the last `count` of the `length` tokens read; None if it shows all."""
    if count == length:
        return None
    return f"These are the last {count} of {length} tokens; click an earlier token above to see those before."


def read_unusable(wrong: Sequence[str], max_tokens: int, vocabulary: int, characters: int) -> str | None:
    """Say which of the tokens that the visitor forces ("branches", written place:id) are ignored; None if none is.

    wrong: the ignored branches, as typed.
    max_tokens: the number of places; a branch's place must be below it.
    vocabulary: the number of ids; a branch's id must be below it.
    characters: the largest length of the typed text of all branches.
    """
    if not wrong:
        return None
    some = ", ".join(f"“{branch[:20]}”" for branch in wrong[:3]) + (" and more" if len(wrong) > 3 else "")
    return (
        f"Branches are written place:id, with places below {max_tokens} and this model's ids below {vocabulary:,}, "
        f"in at most {characters:,} characters. Left out: {some}."
    )


def name_probability(share: float) -> str:
    """Write a token's probability, exact enough to tell two small ones apart."""
    return f"chance {number(100 * share)}%"


def name_written(position: int, probability: float, surprisal: float, forced: bool) -> str:
    """Describe a written token for a screen reader: its probability, or that it was forced, and its surprisal.

    position: the number of the token.
    surprisal: the surprisal in bits.
    forced: whether the visitor put the token in place of the model's choice.
    """
    how = "written in the model's place" if forced else name_probability(probability)
    return f"written {position}, {how}, surprisal {surprisal:.2f} bits"


def name_sample(index: int, bits: float, likeliest: bool) -> str:
    """Name one of several texts: bits per token, and whether it is the likeliest."""
    return f"Text {index}: {bits:.2f} bits a token{', the likeliest' if likeliest else ''}"


def name_head(layer: int, head: int) -> str:
    """Name a head for the start of a title; layer and head count from 0."""
    return f"Layer {layer + 1}, head {head + 1}"


def name_stages(stages: Sequence[str], left: Sequence[int], sampling: Mapping[str, Any]) -> tuple[Heading, ...]:
    """Return three lines above the logits and above each of S stages: name, setting, and number of tokens left.

    left (S,): after each stage.
    sampling: the settings by their names in `core.decoding.sampling.Sampling`.
    """
    size, k, p = left[0], sampling["top_k"], sampling["top_p"]
    set_to = {
        "repetition penalty": (("penalty", "pen."), f"r = {sampling['repetition_penalty']:g}"),
        "temperature": (("temperature", "temp."), f"T = {sampling['temperature']:g}"),
        "top-k": (("top-k", "top-k"), f"k = {k}" if k else "off"),
        "top-p": (("top-p", "top-p"), f"p = {p:g}" if p < 1 else "off"),
        "min-p": (("min-p", "min-p"), f"m = {sampling['min_p']:g}"),
    }
    headings: list[Heading] = [
        (("logits", "logits"), ("scores, bars from 0", "from 0"), (f"{size:,} tokens", f"{size:,}")),
        (("chances", "chances"), ("after a softmax", "softmax"), (f"{size:,} left", f"{size:,}")),
    ]
    for name, before, after in zip(stages[1:], left, left[1:], strict=False):
        names, setting = set_to[name]
        removed = f" (−{before - after:,})" if after < before else ""
        headings.append((names, (setting, setting), (f"{after:,} left{removed}", f"{after:,}")))
    return tuple(headings)


def write_tempered_softmax(temperature: float, logit: float, vocabulary: int, penalised: bool) -> str:
    """Write the softmax in LaTeX with the chosen token's logit among `vocabulary`; "" at temperature 0.

    penalised: whether the logit has gone through the repetition penalty.
    """
    if not temperature:
        return ""
    which = "chosen, after the penalty" if penalised else "chosen"
    return (
        rf"p_i = \frac{{e^{{z_i / T}}}}{{\sum_{{j=1}}^V e^{{z_j / T}}}} \qquad T = {temperature:g} "
        rf"\qquad z_{{\text{{{which}}}}} = {logit:.3f} \qquad V = {vocabulary:,}"
    )


def write_bits(probability: float, surprisal: float) -> str:
    """Write surprisal and entropy in LaTeX, with the probability of one token and its surprisal, in bits."""
    return (
        r"\text{surprisal} = -\log_2 p_{\text{chosen}} \qquad \text{entropy} = -\sum_i p_i \log_2 p_i"
        rf"\qquad -\log_2 {probability:.4f} = {surprisal:.3f}"
    )


def write_newest_query(score: str, width: int, keys: int, sink: bool = False) -> str:
    """Write the weights of one query over `keys` tokens in LaTeX.

    score: the formula of the scores.
    width: d_k.
    sink: whether the softmax has a sink logit beside the keys.
    """
    return (
        rf"a = {latex_softmax(sink)}\Big({score}\Big) \qquad d_k = {width} \qquad "
        rf"q: 1 \times {width} \qquad K: {keys} \times {width}"
    )


def write_causal_mask(length: int, sink: bool = False) -> str:
    """Write the causal mask of a text of `length` tokens in LaTeX.

    sink: whether the softmax has a sink logit beside the keys.
    """
    return (
        rf"\underset{{{length} \times {length}}}{{M}} \qquad"
        r"M_{ij} = -\infty \text{ where hidden, as for } j > i \qquad"
        rf" A = {latex_softmax(sink)}(S + M)"
    )
