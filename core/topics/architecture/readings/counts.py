"""Sentences about the parts of a model and what they cost, made from their numbers."""

from collections.abc import Sequence

import numpy as np

from core.readings.kv_cache import counted, short, stored
from core.readings.words import percent, plural, times


def read_costs(
    names: Sequence[str], held: np.ndarray, parameters: int, worked: np.ndarray, multiply_adds: int
) -> tuple[str, str]:
    """Return sentences on which kind of part has most parameters and which does most multiply-adds, and how many.

    names (R,): the kinds of parts.
    held, worked (R,): their shares of the parameters and of the multiply-adds.
    parameters, multiply_adds: the model's numbers in all.
    """
    holder, worker = int(held.argmax()), int(worked.argmax())
    holds, works = f"{percent(held[holder])} of {parameters:,} parameters", percent(worked[worker])
    of = f"{works} of the {counted(multiply_adds)} multiply-adds of one pass"
    share = f"The largest share of the parameters is in the {names[holder]}"
    if holder == worker:
        return f"{share}, and so is the largest share of the work.", f"In the {names[holder]} are {holds} and {of}."
    return (
        f"{share}, the largest share of the work in the {names[worker]}.",
        f"In the {names[holder]} are {holds}, in the {names[worker]} {of}.",
    )


def read_check(parameters: int, module: int) -> str:
    """Say whether the parameters counted part by part are as many as PyTorch counts in the module.

    parameters, module: these two numbers.
    """
    if parameters == module:
        return f"PyTorch counts the same {module:,} parameters in the module itself."
    return f"PyTorch counts {module:,} parameters in the module itself, {abs(module - parameters):,} apart."


def read_training(total: int, kept: int, kind: str, share: float, batch: int, parameters: int) -> tuple[str, str]:
    """Return sentences on the bytes that training takes, those kept for the backward pass, and by which kind of part.

    total, kept: the bytes in all, and those that are kept.
    kind, share: the kind of part that keeps most, and its share of the kept bytes.
    batch: number of texts.
    parameters: number of parameters.
    """
    texts = "this text" if batch == 1 else f"{batch:,} texts like this one"
    return (
        f"Training on {texts} takes {stored(total)} of memory.",
        f"The {parameters:,} parameters take {stored(total - kept)} of it, four numbers each, whatever the texts; "
        f"{stored(kept)} is kept for the backward pass, {percent(share)} of it by {kind}.",
    )


def read_kept_while_writing(
    lengths: Sequence[int], kept: Sequence[int], batch: int, weights: int, work: Sequence[int]
) -> tuple[str, str]:
    """Return sentences on the bytes of cached keys and values and of weights, and the multiply-adds that they save.

    lengths: numbers of tokens of a text.
    kept: bytes of the cached keys and values at each of these lengths.
    batch: number of texts.
    weights: bytes of the weights.
    work: multiply-adds for the newest token with the cache and without.
    """
    texts = "a text" if batch == 1 else f"{batch:,} texts"
    grown = f", and {stored(kept[-1])} at {lengths[-1]:,}" if len(lengths) > 1 else ""
    spared = work[1] - work[0]
    saved = f" Without what is kept, the newest token would take {counted(spared)} multiply-adds more." * (spared > 0)
    headline = "The keys and values are kept beside the weights while a text is written."
    if len(lengths) > 1:
        headline = "A longer text keeps more keys and values, while the weights stay the same."
    keep = "keeps" if batch == 1 else "keep"
    return (
        headline,
        f"At {plural(lengths[0], 'token')} {texts} {keep} {stored(kept[0])} of keys and values{grown}; the weights "
        f"take {stored(weights)}, however long the text.{saved}",
    )


def read_size(title: str, parameters: int, own: int) -> str:
    """Compare a model's number of parameters with that of the page's model, `own`."""
    if parameters == own:
        return f"{title} has as many parameters as this page's model."
    ratio = times(float(f"{max(parameters, own) / min(parameters, own):.2g}"))
    if parameters > own:
        return f"{title} has {ratio} as many parameters as this page's model ({short(own)})."
    return f"This page's model ({short(own)}) has {ratio} as many parameters as {title}."


def read_total(title: str, parameters: int, published: int, figure: str, exact: bool) -> tuple[str, str]:
    """Return sentences that compare a model's counted parameters with its published number.

    title: the model's name.
    published: that number; 0 if none was published.
    figure: that number in words.
    exact: whether the published number is not rounded.
    """
    has, counts = f"{title} has {parameters:,} parameters", "They are counted from its sizes."
    if not published:
        return f"{has}.", counts
    if parameters == published:
        return f"{has}, exactly as many as were published.", counts
    apart = f"{percent(abs(parameters - published) / published)} {'fewer' if parameters < published else 'more'}"
    rounded = "" if exact else ", which is rounded"
    return f"{has}, {apart} than were published.", f"{counts} Published were {figure}{rounded}."


def read_sized(length: int, multiply_adds: int, weights: int, cache: int, trained: int, kept: int) -> str:
    """Say what a model costs for a text of `length` tokens.

    multiply_adds: the multiply-adds of one pass over the text.
    weights: bytes of the weights.
    cache: bytes of the cached keys and values; 0 if the model has no cache.
    trained: bytes that training holds for all the parameters.
    kept: bytes that training keeps for the backward pass of one such text.
    """
    writes = f"; the keys and values of these tokens take {stored(cache)} more" if cache else ""
    return (
        f"Reading {plural(length, 'token')} takes {counted(multiply_adds)} multiply-adds. Its weights take "
        f"{stored(weights)} in bfloat16{writes}. Training with Adam in float32 holds {stored(trained)}, and "
        f"{stored(kept)} for the backward pass of one such text."
    )


def read_grouped(heads: int, kv_heads: int) -> str:
    """Say how many heads of queries share a head of keys and values; "" if each has its own."""
    if heads == kv_heads:
        return ""
    return f"With **grouped queries**, {heads} heads of queries share {kv_heads} heads of keys and values."


def write_costs(gated: bool) -> str:
    """Write the costs of one block in LaTeX: parameters of its matrices, and multiply-adds for L tokens."""
    wide = 3 if gated else 2
    return (
        rf"\text{{matrices of a block: }} \underbrace{{2\,D\,H\,(d_k + d_v)}}_{{\text{{attention}}}} + "
        rf"\underbrace{{{wide}\,D\,F}}_{{\text{{feed-forward}}}} \qquad "
        r"\text{multiply-adds: } L \cdot \text{matrices} + \underbrace{L^2\,H\,(d_k + d_v)}_{\text{scores, mixing}}"
    )


def write_training_bytes(parameters: int, kept: int) -> str:
    """Write the bytes of training with Adam in float32, in LaTeX."""
    numbers = [f"{count:,}".replace(",", "{,}") for count in (parameters, kept, 16 * parameters + kept)]
    return (
        r"\text{bytes} = 4 \cdot (\underbrace{1}_{w} + \underbrace{1}_{\nabla w} + \underbrace{2}_{m,\,v}) \cdot "
        rf"\text{{parameters}} + \text{{kept}} \qquad = 16 \cdot {numbers[0]} + {numbers[1]} = {numbers[2]}"
    )
