"""Sentences about the parts of a model and what they cost, made from their numbers."""

from collections.abc import Sequence

import numpy as np

from core.readings.kv_cache import counted, stored
from core.readings.words import percent, plural


def read_costs(names: Sequence[str], held: np.ndarray, parameters: int, worked: np.ndarray, multiply_adds: int) -> str:
    """Say which kind of part has most parameters, and which does most multiply-adds.

    names (R,): the kinds of parts.
    held, worked (R,): their shares of the parameters and of the multiply-adds.
    parameters, multiply_adds: the model's numbers in all.
    """
    holder, worker = int(held.argmax()), int(worked.argmax())
    holds, works = percent(held[holder]), percent(worked[worker])
    of = f"{counted(multiply_adds)} multiply-adds of one pass"
    where = "most of the work is there too" if holder == worker else f"most of the work is in the {names[worker]}"
    return f"Most parameters are in the {names[holder]}, {holds} of {parameters:,}; {where}, {works} of the {of}."


def read_check(parameters: int, module: int) -> str:
    """Say whether the parameters counted part by part are as many as PyTorch counts in the module.

    parameters, module: these two numbers.
    """
    if parameters == module:
        return f"PyTorch counts the same {module:,} parameters in the module itself."
    return f"PyTorch counts {module:,} parameters in the module itself, {abs(module - parameters):,} apart."


def read_training(total: int, kept: int, kind: str, share: float, batch: int, parameters: int) -> str:
    """Say how many bytes training takes, how many of them are kept for the backward pass, and by which kind of part.

    total, kept: the bytes in all, and those that are kept.
    kind, share: the kind of part that keeps most, and its share of the kept bytes.
    batch: number of texts.
    parameters: number of parameters.
    """
    texts = "this text" if batch == 1 else f"{batch:,} texts like this one"
    return (
        f"Training on {texts} takes {stored(total)}. The {parameters:,} parameters take {stored(total - kept)} of it, "
        f"four numbers each, whatever the texts; {stored(kept)} is kept for the backward pass, {percent(share)} of it "
        f"by {kind}."
    )


def read_kept_while_writing(
    lengths: Sequence[int], kept: Sequence[int], batch: int, weights: int, work: Sequence[int]
) -> str:
    """Say how many bytes the cached keys and values and the weights take, and how many multiply-adds the cache saves.

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
    number = f"{plural(lengths[0], 'token')}"
    return (
        f"At {number} {texts} keep{'s' if batch == 1 else ''} {stored(kept[0])} of keys and values{grown}; the weights "
        f"take {stored(weights)}, however long the text.{saved}"
    )


def read_total(title: str, parameters: int, published: int, figure: str, exact: bool) -> str:
    """Compare a model's counted parameters with its published number.

    title: the model's name.
    published: that number; 0 if none was published.
    figure: that number in words.
    exact: whether the published number is not rounded.
    """
    has = f"{title} has {parameters:,} parameters, counted from its sizes"
    if not published:
        return f"{has}."
    if parameters == published:
        return f"{has}, exactly as published."
    apart = f"{percent(abs(parameters - published) / published)} {'less' if parameters < published else 'more'}"
    return f"{has}: {apart} than the published {figure}{'' if exact else ', which is rounded'}."


def read_sized(length: int, multiply_adds: int, weights: int, cache: int, trained: int, kept: int) -> str:
    """Say what a model costs for a text of `length` tokens.

    multiply_adds: of one pass over the text.
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
