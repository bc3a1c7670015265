"""Sentences about tokens, made from the numbers: plain text; and their formulas."""

import math
from collections.abc import Mapping, Sequence

from core.readings.words import listed, number, percent, plural, quoted, times


def read_cuts(word: str, pieces: Sequence[tuple[str, int]], totals: Sequence[int], letters: int) -> str:
    """Say which word falls into most pieces, and how many tokens the whole text has.

    pieces: tokenizers with the word's number of pieces.
    totals: number of tokens of the text under each.
    """
    (fewest, few), (most, many) = (pick(pieces, key=lambda each: each[1]) for pick in (min, max))
    low, high = min(totals), max(totals)
    size = plural(high, "token") if low == high else f"{low:,} to {high:,} tokens"
    whole = f"The text, {plural(letters, 'character')} long, is {size}."
    if few == many:
        return f"{quoted(word)} is {plural(few, 'token')} for every tokenizer. {whole}"
    return f"{quoted(word)} is {plural(few, 'token')} for {fewest} and {many} for {most}. {whole}"


def name_cut(total: int, mean: float) -> str:
    """Write the number of tokens, and of tokens per word, beside a tokenizer's name."""
    return f"{plural(total, 'token')}, {number(mean)} a word"


def read_entry(name: str, label: str, i: int, score: float | None, rank: int | None, parts: Sequence[str]) -> str:
    """Describe a piece in the vocabulary of the tokenizer `name`."""
    opening = f"{quoted(label)} has the id {i:,} in {name}"
    if score is not None:
        return (
            f"{opening}. Its score, a log-probability, is {number(score)}: about one piece in {math.exp(-score):,.0f}."
        )
    if rank is not None:
        made = f" of {listed(map(quoted, parts))}" if parts else ""
        return f"{opening}. It is merge number {rank:,}{made}."
    return f"{opening}. It was there before the training: a character, a byte or a special piece."


def read_bare_entry(name: str, label: str, i: int) -> str:
    """Describe a piece about which its tokenizer's file gives only the id."""
    return f"{quoted(label)} has the id {i:,} in {name}. Its file has no merge and no score for it."


def note_entry(score: float | None, rank: int | None) -> str:
    """Describe a piece in few words; "" if it was not learned."""
    if score is not None:
        return f"log-probability {number(score)}"
    return "" if rank is None else f"merge number {rank:,}"


def read_plain_entry(name: str, label: str, i: int) -> str:
    """Say the meaning of an id if nothing was learned.

    name: "characters" or "bytes".
    """
    meaning = f"its number in Unicode, U+{i:04X}" if name == "characters" else f"the byte {i} of its UTF-8 spelling"
    return f"{quoted(label)} has the id {i:,}: {meaning}. There is nothing to learn, and no score."


def note_neighbours(kind: str) -> str:
    """Say in which order a vocabulary is.

    kind: "" for a model made elsewhere.
    """
    if not kind:
        return "Its neighbours in the vocabulary, in the order of their ids."
    if kind == "unigram":
        return "Its neighbours in the vocabulary, which is ordered by score: pieces about as frequent."
    return "Its neighbours in the vocabulary, which is ordered by merge: pieces learned just before and after."


def read_merges(word: str, step: int, steps: int, pieces: int, letters: int) -> str:
    """Say what BPE has made of a word after `step` of its merges."""
    done = (
        f"{step} of {plural(steps, 'merge')}" if step < steps else "all its merges" if steps != 1 else "its one merge"
    )
    if not steps:
        return f"No two neighbours in {quoted(word)} make a piece of this tokenizer: nothing is merged."
    whole = f"the {plural(letters, 'character')} of {quoted(word)}, its space among them,"
    return f"After {done}, {whole} are {plural(pieces, 'piece')}."


def read_next_merge(pairs: Sequence[tuple[str, str, int]]) -> str:
    """Say which merge comes next, and why.

    pairs: left, right and rank of the possible ones, the next first.
    """
    if not pairs:
        return "No two neighbours are a merge that was learned, so BPE stops here."
    (left, right, rank), *others = pairs
    if not others:
        return f"Next: “{left}” + “{right}”, merge number {rank:,}, the only one that fits here."
    return (
        f"Next: “{left}” + “{right}”, merge number {rank:,}, the earliest learned of the {len(pairs)} that fit here; "
        f"the one after it is number {others[0][2]:,}."
    )


def note_spelt(characters: Sequence[str]) -> str | None:
    """Say that characters without a piece are spelt in bytes; None if there are none."""
    if not characters:
        return None
    named = ", ".join(map(quoted, dict.fromkeys(characters)))
    return f"Not in this vocabulary: {named}. In the end each is spelt in the bytes of its UTF-8."


def note_no_merges(title: str) -> str:
    """Say why a model's own tokenizer is not among those of BPE."""
    return f"The tokenizer of {title} merges no pairs, so it is not among these."


def note_long_word(letters: int, most: int) -> str | None:
    """Say that only the first characters of a long word are used; None if it is short enough."""
    return f"Only the first {most} of the word's {letters:,} characters are looked at." if letters > most else None


def read_best_way(word: str, pieces: Sequence[str], score: float, share: float, second: float | None, arcs: int) -> str:
    """Say the best way to cut a word, its log-probability, and its share among all ways.

    second: the share of the next best way; None if there is none.
    """
    ways = f"of all ways through {plural(arcs, 'piece')}"
    opening = f"{quoted(word)} is cut as {' '.join(pieces)}: {ways} it has {percent(share)}"
    if second is None:
        return f"{opening} of the probability, for there is no other."
    return f"{opening} of the probability, the next best {percent(second)}. Its log-probability is {number(score, 4)}."


def read_draws(times: int, draws: int, share: float, different: int, alpha: float) -> str:
    """Say how often the most frequent of the drawn ways was drawn, and how often it is expected."""
    return (
        f"Drawn {draws} times with α = {alpha:g}: {plural(different, 'different way')}; the most frequent "
        f"came {plural(times, 'time')}, where {number(share * draws)} are expected."
    )


def write_best_way(scores: Sequence[float], total: float) -> str:
    """Write in LaTeX the best way's score as the sum of its pieces' scores, and the score of all ways together.

    total: the log of the sum over all ways.
    """
    terms = " ".join(f"{score:+.2f}" for score in scores[:8]) + (r" \ldots" if len(scores) > 8 else "")
    return (
        r"P(x_1 \ldots x_m) = \prod_i p(x_i) \qquad \log P = \sum_i \log p(x_i) = "
        rf"{terms} = {sum(scores):.2f} \qquad \log \sum_{{\text{{all ways}}}} P = {total:.2f}"
    )


def read_standing(kind: str, seconds: float, first: int | None, now: int | None, last: int | None) -> str:
    """Say how far the training of a tokenizer is."""
    if first is None or now is None or last is None:
        return f"Reading the text, {seconds:.1f} s"
    if kind == "unigram":
        return f"{now:,} of {first:,} possible pieces are left, about {last:,} are to stay, {seconds:.1f} s"
    return f"{now:,} of {last:,} merges are made, {seconds:.1f} s"


def read_before_training(counts: Mapping[str, int]) -> str:
    """Say how many tokens a text has with the available tokenizers.

    counts: number of tokens by the tokenizers' names.
    """
    fewest, most = (pick(counts, key=lambda name: counts[name]) for pick in (min, max))
    return (
        f"Your text above is {plural(counts[fewest], 'token')} with {fewest} and {counts[most]:,} with {most}, which "
        "learned from books and example sentences. One that learns from a text like yours can do with fewer."
    )


def read_trained(kind: str, size: int, characters: int, seconds: float, before: int, after: int) -> str:
    """Say what was trained, how fast, and how many tokens the text above now has.

    before: number of tokens with the shipped tokenizer.
    """
    return (
        f"{size:,} pieces of {kind} from {characters:,} characters in {number(seconds, 2)} seconds. Your text above is "
        f"{plural(after, 'token')} with it, and {before:,} with the shipped unigram-8000."
    )


def read_one_hot(label: str, i: int, size: int, width: int, same: bool) -> str:
    """Say the result of multiplying by a one-hot vector, and its cost."""
    equal = "the same numbers to the bit" if same else "other numbers"
    return (
        f"{quoted(label)} has the id {i:,}. Its one-hot vector times the table takes {size:,} · {width:,} = "
        f"{size * width:,} multiplications and gives {equal} as reading row {i:,}, which takes none."
    )


def write_one_hot(size: int, width: int, i: int) -> str:
    """Write the product and its shapes in LaTeX."""
    return (
        rf"\underset{{1 \times {size}}}{{e_{{{i}}}}}\;\underset{{{size} \times {width}}}{{E}} = "
        rf"\sum_{{v=0}}^{{{size - 1}}} e_v\, E_v = E_{{{i}}} \qquad e_{{{i}}} = 1, \quad e_v = 0 \text{{ otherwise}}"
    )


def read_languages(first: str, worst: str, ratio: float, tokenizer: str, letters: float) -> str:
    """Say which language costs most under one tokenizer.

    ratio: its tokens as a multiple of those of `first`.
    letters: its characters, likewise.
    """
    return (
        f"With {tokenizer} the sentence costs {times(ratio)} as many tokens in {worst} as in {first}, "
        f"though it has {times(letters)} as many characters."
    )
