"""Sentences about a block without one of its parts, and about a stream with vectors patched in from another run."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.readings.words import capital, number, percent, quoted, stands_out
from core.text.labels import token_name

SLIGHT_CHANGE = 0.1


def without_words(name: str) -> str:
    """Name a variant of a model in a sentence: "no attention 2" becomes "without attention in layer 2"."""
    what, _, layer = name.removeprefix("no ").rpartition(" ")
    if name in ("post-norm", "pre-norm"):
        return f"with {name}"
    if not layer.isdecimal():
        return f"without {name.removeprefix('no ')}"
    return f"without layer {layer}" if what == "layer" else f"without {what} in layer {layer}"


def read_losses(full: float, losses: Mapping[str, float]) -> tuple[str, ...]:
    """Return sentences on which part's removal raises the loss most, and on which raises it least.

    full: the loss of the whole model.
    losses: the loss of each variant without a part, by the variant's name; NaN if its numbers overflow.
    """
    known = {name: loss for name, loss in losses.items() if loss == loss}
    if not known:
        return ("Whatever is taken away, the numbers overflow.",)
    most, least = max(known, key=known.__getitem__), min(known, key=known.__getitem__)
    if len(known) > 1 and not stands_out(list(known.values())):
        return (f"Whatever is taken away, the loss goes from {number(full)} to {number(known[most])}.",)
    worst, sentence = without_words(most), f"The loss goes from {number(full)} to {number(known[most])}"
    headline = f"{capital(worst)} the model predicts {'worst' if len(known) > 1 else 'worse'}."
    if known[most] <= full:
        headline = "The model predicts no worse, whatever is taken away."
    if most == least:
        return headline, f"{sentence}."
    least_loss = known[least]
    near = abs(least_loss - full) < 0.01 * max(full, 1)
    goes = "is" if near else "is only" if least_loss > full else "even falls to"
    return headline, f"{sentence}, the most of all; {without_words(least)} it {goes} {number(least_loss)}."


def read_moves(token: str, moved: Mapping[str, float]) -> tuple[str, ...]:
    """Return sentences on which part's removal moves a token's last vector most, and on which moves it least.

    token: the token's name.
    moved: how far the vector moves in each variant without a part, as a multiple of its length, by the variant's name;
        NaN if its numbers overflow.
    """
    known = {name: size for name, size in moved.items() if size == size}
    if not known:
        return ("Whatever is taken away, the numbers overflow.",)
    if not any(known.values()):
        return (f"Whatever is taken away, the last vector of {token} stays the same.",)
    touched = {name: size for name, size in known.items() if size > 0}
    most, least = max(known, key=known.__getitem__), min(touched, key=touched.__getitem__)
    if not stands_out(list(touched.values())):
        how = without_words(most) if len(touched) == 1 else "whatever is taken away"
        return (f"The last vector of {token} moves by {number(known[most])} times its length {how}.",)
    return (
        f"The last vector of {token} moves most {without_words(most)}.",
        f"It moves by {number(known[most])} times its length; least of all {without_words(least)}, by "
        f"{number(known[least])}.",
    )


def read_without(
    name: str, token: str, moved: float, cosine: float, answers: Sequence[tuple[str, float]] = ()
) -> list[str]:
    """Return sentences on how one variant without a part changes the model's answer, and a token's last vector.

    name: the variant's name.
    token: the token's name.
    moved: how far the vector moves, as a multiple of its length.
    cosine: between the vectors with and without the part; NaN if the vector becomes zero.
    answers: the likeliest answers with and without the part, with their probabilities; empty if the model gives no
        answer.
    """
    changed = capital(without_words(name))
    vector = f"the last vector of {token} moves by {number(moved)} times its length"
    zero = "" if cosine == cosine else " and becomes zero"
    turn = [] if zero else [f"The cosine of that vector with what it was is {number(cosine, 2)}."]
    if not answers:
        return [f"{changed} {vector}{zero}.", *turn]
    (answer, before), (new_answer, after) = answers
    if answer == new_answer:
        headline = f"{changed} the answer stays {quoted(answer)}."
        chances = f"It has {percent(after)} instead of {percent(before)}."
    else:
        headline = f"{changed} the answer turns from {quoted(answer)} to {quoted(new_answer)}."
        chances = f"{quoted(answer)} had {percent(before)} before, {quoted(new_answer)} has {percent(after)} now."
    return [headline, chances, f"{capital(vector)}{zero}.", *turn]


def read_overflow(name: str) -> str:
    """Say that the numbers overflow in a model with one part taken away, so that there is nothing to compare.

    name: the name of this variant of the model.
    """
    return f"{capital(without_words(name))} the numbers overflow on this text, so there is nothing to compare."


UNTRAINED = (
    "These weights are random: what they answer and their loss mean nothing yet. What a part does to the length and "
    "the direction of the vectors can be seen all the same."
)


def read_answered(kind: str, several: bool, decoder: bool) -> str:
    """Say which prediction of the model counts as its answer.

    kind: "class", "hidden piece" or another text for the next piece.
    several: whether the model is an encoder-decoder.
    decoder: whether its decoder is shown.
    """
    if kind == "class":
        return "The answer is the class that the last layer finds likeliest for the whole text."
    if kind == "hidden piece":
        return "The answer is the piece in place of the first [MASK], or of this token where nothing is hidden."
    if not several:
        return "The answer is the piece that comes next after the last token."
    return f"The answer is the {'piece after this token' if decoder else 'first piece that the decoder writes'}."


def read_questions(kind: str, several: bool, letters: bool, count: int, whole: bool) -> str:
    """Say on which texts the loss is measured.

    kind: "class", "next piece" or "hidden piece", the thing that the model predicts.
    several: whether the model is an encoder-decoder.
    letters: whether the model reads single letters, in rows that are always the same.
    count: number of predictions.
    whole: whether all the texts are read, as all but the largest models do.
    """
    texts = {
        "class": "eight sentences about films, four of them praise, in nats a sentence",
        "hidden piece": "the beginning of a short story, of which each piece is hidden once, in nats a hidden piece",
        "next piece": f"{'' if whole else 'the beginning of '}a short story, in nats a piece",
    }[kind]
    if letters:
        return f"The loss is measured on six rows of letters, always the same, in nats a letter ({count} of them)."
    if several:
        texts = f"{'six' if whole else 'two'} English sentences and their French, in nats a French piece"
    counted = "" if kind == "class" else f" ({count} of them)"
    return f"The loss is measured on {texts}{counted}. We wrote it for this page, so it was in no training data."


def read_rows(count: int) -> str:
    """Say on which texts the loss is measured, for a model trained on a single task of the lab.

    count: the number of predictions; 0 if the model's words are not those of its task.
    """
    if not count:
        return "No loss is measured: the texts for it are made of words that this model does not know."
    return (
        f"The loss is measured on rows of the model's own task, those on which the lab measures it too, in nats a "
        f"token ({count:,} of them)."
    )


def read_patches(labels: Sequence[str], changes: np.ndarray, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return sentences on which token's vector, when patched, moves the answer most towards the other text's answer.

    labels: the labels of the tokens.
    changes (L, N + 1): how far the answer turns if the token's vector after a layer is replaced, from 0, the own text's
        answer, to 1, the other's; NaN for tokens without a partner in the other text.
    names: the answers to the two texts; empty if the model gives none.
    """
    what = f"Whether it answers {' or '.join(map(quoted, names))}" if names else "The answer"
    known = np.where(np.isnan(changes), -np.inf, changes)
    best = known.max(0)
    if not best.max() >= SLIGHT_CHANGE:
        return ("No token's vector alone turns the answer: what differs is spread over several.",)
    most = np.where(best >= SLIGHT_CHANGE, known.argmax(0), -1)  # -1: none turns it
    spans = [layer for layer in range(len(most)) if layer == 0 or most[layer] != most[layer - 1]]
    tokens = ["no single token" if most[layer] < 0 else token_name(labels, int(most[layer])) for layer in spans]
    if len(spans) == 1:
        return (f"{what} hangs on {tokens[0]} in every layer.",)
    phrases = [
        f"on {name} {f'from layer {layer} on' if layer else 'at first'}"
        for layer, name in zip(spans, tokens, strict=True)
    ]
    path = f"{', '.join(phrases[:-1])}, and {phrases[-1]}"
    if len(spans) == 2:
        return (f"{what} hangs {path}.",)
    end = f"again from layer {spans[-1]} on" if tokens[0] == tokens[-1] else phrases[-1]
    return f"{what} hangs {phrases[0]}, and {end}.", f"Layer by layer it hangs {path}."


def read_ends(names: Sequence[str], probabilities: np.ndarray, alike: bool) -> str:
    """Say which answers the model gives to the two texts.

    names: the two answers.
    probabilities (2, 2): the probabilities of both answers with the first text, and with the second.
    alike: whether both texts have the same likeliest answer, so that two other answers are compared.
    """
    (first, second), ((first_chance, _), (_, second_chance)) = map(quoted, names), probabilities
    if alike:
        return (
            f"Both texts have the same likeliest answer, so {first} and {second} are compared: of the likeliest ones "
            "their chances change most."
        )
    return (
        f"Your text is answered with {first} ({percent(float(first_chance))}), "
        f"the other with {second} ({percent(float(second_chance))})."
    )


def read_cell(token: str, layer: int, change: float) -> tuple[str, str]:
    """Return sentences on how replacing one vector by that of the other text changes the answer, for one cell.

    token: the token's name.
    layer: number of layers before the patched vector.
    change: how far the answer turns: 0 if it stays, 1 if it becomes that of the other text.
    """
    where = f"after layer {layer}" if layer else "as it goes in"
    answer = "stays as in your text"
    if abs(change) >= SLIGHT_CHANGE:
        between = (
            "lies between the two" if 0 < change < 1 else "goes further than the other" if change > 1 else "moves away"
        )
        answer = "becomes that of the other text" if abs(change - 1) < SLIGHT_CHANGE else between
    headline = f"With the other text's vector of {token} {where}, the answer {answer}."
    return headline, f"From 0, as in your text, to 1, as in the other, that is {number(change, 2)}."


def write_turn(decided: bool) -> str:
    """Write in LaTeX how far a patched vector moves the answer from the first text's to the second's.

    decided: whether that is computed from the scores of two answers, and not from the model's last vector.
    """
    if decided:
        gap = r"(z_b - z_a)"
        return (
            rf"\mathrm{{turn}} = \frac{{{gap}_{{\mathrm{{patched}}}} - {gap}_A}}{{{gap}_B - {gap}_A}} \qquad "
            r"z = \mathrm{logits\ of\ the\ answers\ } a \mathrm{\ and\ } b"
        )
    return r"\mathrm{turn} = \frac{(x - x_A) \cdot (x_B - x_A)}{\lVert x_B - x_A \rVert^2}"
