"""Sentences about a text that a model writes, made from its numbers: plain text, true of ties and of one token."""

from collections.abc import Sequence

import numpy as np

from core.readings.words import number, percent, quoted


def read_choice(piece: str, own: float, after: float, draw: float | None, forced: bool, rank: int) -> str:
    """How one token came to be written. own, after: its chance before and after all stages; rank: 1 is the likeliest
    at the draw; draw: the number that fell on it, None where nothing was drawn."""
    said = f"The model itself gave {quoted(piece)} a chance of {percent(own)}"
    if forced:
        return f"{said}; it was written in the model's place."
    if draw is None:
        return f"{said}; at temperature 0 nothing is drawn, the likeliest after the filters is taken."
    changed = f"the stages made it {percent(after)}"
    if rank == 1:
        changed += ", the largest"
    return f"{said}; {changed}, and the random number {draw:.4f} fell on it."


def read_along(pieces: Sequence[str], surprisal: Sequence[float], entropy: Sequence[float], at: int) -> str:
    """How surprising a text was, and how unsure the model before token `at`: bits, one number for each piece."""
    mean, most = float(np.mean(surprisal)), int(np.argmax(surprisal))
    said = f"On average a token surprised the model by {number(mean)} bits"
    if len(pieces) > 1:
        said += f", {quoted(f'{most}:{pieces[most]}')} most, by {number(float(surprisal[most]))}"
    choices = 2 ** float(entropy[at])
    return (
        f"{said}. Before {quoted(f'{at}:{pieces[at]}')} the entropy was {number(float(entropy[at]))} bits: "
        f"as unsure as among {number(choices)} equally likely tokens."
    )


def read_lens(best: Sequence[str], chances: Sequence[float], came: str, after: str) -> str:
    """From which layer on the last guess stands. best, chances (N + 1,): each layer's likeliest next piece, the first
    before any layer; came: what was written after `after`."""
    last, since, layers = best[-1], len(best) - 1, len(best) - 1
    while since and best[since - 1] == last:
        since -= 1
    if since == 0:
        who = "even before the first layer, and after every one, it is the guess"
    elif since == layers:
        who = f"only the last layer, {layers}, makes it so"
    else:
        who = f"it is so from layer {since} of {layers} on"
    end = "it was written" if came == last else f"{quoted(came)} was written"
    return f"After {quoted(after)} the likeliest is {quoted(last)}, with {percent(chances[-1])}: {who}; {end}."


def read_samples(pieces: Sequence[Sequence[str]], shared: int, bits: Sequence[float]) -> str:
    """What several texts have in common at their start, and which is likeliest: bits per token, the fewest."""
    likely = int(np.argmin(bits))
    best = f"Text {likely} surprised the model least, by {number(float(bits[likely]))} bits a token."
    if len(pieces) == 1:
        return best
    if all(len(each) == shared for each in pieces):
        return f"All {len(pieces)} texts are the same. {best}"
    if not shared:
        return f"The texts part at their first token. {best}"
    begin = "The first token is" if shared == 1 else f"The first {shared} tokens are"
    return f"{begin} the same in every text. {best}"


def read_mask(allowed: np.ndarray, weight: float, label: str) -> str:
    """The newest row of a growing pattern. allowed (L, L) booleans; weight: of the newest token on itself."""
    length, hidden = len(allowed), int((~allowed).sum())
    seen = int(allowed[-1].sum())
    said = f"The newest row, {quoted(label)}, sees {seen} of {length} tokens and gives {percent(weight)} to itself"
    if length == 1:
        return f"{said}."
    return f"{said}; the mask hides {hidden:,} of {allowed.size:,} pairs, so the rows above it stayed as they were."


def read_removed(stages: Sequence[str], left: Sequence[int]) -> str:
    """What each stage that removes tokens has removed. left (S,): how many tokens are left after each of S stages."""
    pairs = list(zip(stages[1:], left, left[1:], strict=False))
    said = [
        f"{name} removed {before - after:,} of {before:,} tokens" for name, before, after in pairs if after < before
    ]
    sentence = ", ".join(said) or "no stage removed a token"
    return f"{sentence[0].upper()}{sentence[1:]}."


def read_end(piece_is_end: bool, read: int) -> str:
    """Why nothing follows a text. piece_is_end: its last token is </s>; read: how many tokens the model had read."""
    if piece_is_end:
        return "The model has written </s>: its text is over."
    return f"The text fills the {read:,} tokens that the model can read, so nothing follows."
