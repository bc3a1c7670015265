"""Sentences about tokens, made from the numbers: plain text; and their formulas."""

import math
from collections.abc import Sequence

from core.readings.words import listed, number, percent, plural, quoted, times

MANY_WAYS = 1_000_000  # beyond which a number of ways is not written out


def read_cuts(
    cut: tuple[str, int], whole: str, pieces: Sequence[tuple[str, int]], totals: Sequence[int], letters: int
) -> tuple[str, str]:
    """Return sentences on a word that one tokenizer cuts and one that it keeps whole, and on all tokenizers.

    cut: the word that it cuts into most pieces, and their number.
    whole: a word that it keeps in one piece; "" if there is none.
    pieces: the name of each tokenizer, with the number of pieces of the word that is cut.
    totals: number of tokens of the text with each tokenizer.
    letters: number of characters of the text.
    """
    word, count = cut
    kept = f"{quoted(whole)} stays whole, but " if whole else ""
    headline = f"{kept}{quoted(word)} is cut into {plural(count, 'piece')}."
    if count < 2:
        headline = f"{quoted(word)} stays whole, as one piece."
    (fewest, few), (most, many) = (pick(pieces, key=lambda pair: pair[1]) for pick in (min, max))
    low, high = min(totals), max(totals)
    size = plural(high, "token") if low == high else f"{low:,} to {high:,} tokens"
    text = f"Learned pieces cut the text, {plural(letters, 'character')} long, into {size}."
    if few == many:
        return headline, f"{quoted(word)} is {plural(few, 'token')} for every tokenizer. {text}"
    return headline, f"{quoted(word)} is {plural(few, 'token')} for {fewest} and {many:,} for {most}. {text}"


def name_cut(total: int, mean: float) -> str:
    """Write the number of tokens of a text, and their mean number per word, to show beside a tokenizer's name.

    total, mean: these two numbers.
    """
    return f"{plural(total, 'token')}, {number(mean)} a word"


def read_entry(name: str, label: str, i: int, score: float | None, rank: int | None, parts: Sequence[str]) -> str:
    """Describe a piece in the vocabulary of a tokenizer.

    name: the tokenizer's name.
    label: the piece.
    i: its id.
    score: its log-probability in a unigram tokenizer, otherwise None.
    rank: the number of the merge that made it in BPE, otherwise None.
    parts: the two pieces that were merged, if known.
    """
    opening = f"{quoted(label)} has the id {i:,} in {name}"
    if score is not None:
        return (
            f"{opening}. About one piece in {math.exp(-score):,.0f} is this one: its score, a log-probability, is "
            f"{number(score)}."
        )
    if rank is not None:
        made = f" of {listed(map(quoted, parts))}" if parts else ""
        return f"{opening}. It is merge number {rank:,}{made}."
    return f"{opening}. It was there before the training: a character, a byte or a special piece."


def read_bare_entry(name: str, label: str, i: int) -> str:
    """Describe a piece about which its tokenizer's file gives only the id.

    name: the tokenizer's name.
    label, i: the piece and its id.
    """
    return f"{quoted(label)} has the id {i:,} in {name}. Its file has no merge and no score for it."


def note_entry(score: float | None, rank: int | None) -> str:
    """Describe in few words how a piece was learned; "" if it was not learned.

    score: its log-probability in a unigram tokenizer, otherwise None.
    rank: the number of the merge that made it in BPE, otherwise None.
    """
    if score is not None:
        return f"log-probability {number(score)}"
    return "" if rank is None else f"merge number {rank:,}"


def read_plain_entry(name: str, label: str, i: int) -> str:
    """Say the meaning of an id in a vocabulary that was not learned.

    name: "characters" or "bytes", the vocabulary.
    label, i: the piece and its id.
    """
    meaning = f"its number in Unicode, U+{i:04X}" if name == "characters" else f"the byte {i} of its UTF-8 spelling"
    return f"{quoted(label)} has the id {i:,}: {meaning}. There is nothing to learn, and no score."


def note_neighbours(kind: str) -> str:
    """Say in which order a vocabulary lists its pieces, as a caption of the pieces before and after one of them.

    kind: "unigram" or "bpe", the algorithm that a tokenizer of this project learned by; "" for any other tokenizer.
    """
    if not kind:
        return "Its neighbours in the vocabulary, in the order of their ids."
    if kind == "unigram":
        return "Its neighbours in the vocabulary, which is ordered by score: pieces about as frequent."
    return "Its neighbours in the vocabulary, which is ordered by merge: pieces learned just before and after."


def read_merges(word: str, step: int, steps: int, pieces: int, letters: int) -> tuple[str, ...]:
    """Return sentences on how many pieces a word is in after the first `step` of the merges that BPE makes in it.

    steps: number of merges in all.
    pieces: number of pieces after these steps.
    letters: number of characters of the word, its space among them.
    """
    done = plural(step, "merge") if step < steps else "all its merges" if steps != 1 else "its one merge"
    if not steps:
        return (f"No two neighbours in {quoted(word)} make a piece of this tokenizer: nothing is merged.",)
    return (
        f"After {done}, {quoted(word)} is in {plural(pieces, 'piece')}.",
        f"Of {plural(steps, 'merge')} {'1 is' if step == 1 else f'{step} are'} done; it has "
        f"{plural(letters, 'character')}, its space among them.",
    )


def read_next_merge(pairs: Sequence[tuple[str, str, int]]) -> str:
    """Say which pair of pieces BPE merges next, and why.

    pairs: (left piece, right piece, number of the merge) of the pairs that can be merged, the next one first.
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
    """Say that characters without a piece of their own are spelt in bytes; None if there are no such characters."""
    if not characters:
        return None
    named = ", ".join(map(quoted, dict.fromkeys(characters)))
    return f"Not in this vocabulary: {named}. In the end each is spelt in the bytes of its UTF-8."


def note_no_merges(title: str) -> str:
    """Say why a model's own tokenizer is not among the tokenizers that BPE learned.

    title: the model's title.
    """
    return f"The tokenizer of {title} merges no pairs, so it is not among these."


def note_long_word(letters: int, max_characters: int) -> str | None:
    """Say that only the first `max_characters` of a word are used; None if the word has no more.

    letters: number of characters of the word.
    """
    return (
        f"Only the first {max_characters} of the word's {letters:,} characters are looked at."
        if letters > max_characters
        else None
    )


def read_best_way(
    word: str, pieces: Sequence[str], score: float, share: float, second: float | None, ways: int
) -> tuple[str, ...]:
    """Return sentences on the number of ways to cut a word, on the most probable one, and on its log-probability.

    pieces: the pieces of that way.
    score: its log-probability.
    share: its share.
    second: the share of the next most probable way; None if there is no other way.
    ways: the number of all ways.
    """
    cut = " ".join(pieces)
    if second is None:
        return (
            f"{quoted(word)} can be cut in one way only: {cut}.",
            f"The log-probability of this way is {number(score, 4)}.",
        )
    many = "more than a million" if ways > MANY_WAYS else f"{ways:,}"
    return (
        f"Of {many} ways to cut {quoted(word)}, the tokenizer takes the likeliest.",
        f"{cut} has {percent(share)} of the probability, the next best way {percent(second)}, and all others the rest.",
        f"The log-probability of the likeliest is {number(score, 4)}.",
    )


def read_draws(times: int, draws: int, share: float, different: int, alpha: float) -> str:
    """Say how often the most frequent of the randomly drawn ways to cut a word came, and how often that is expected.

    times: number of draws that gave this way.
    draws: number of all draws.
    share: the probability of this way.
    different: number of different ways that were drawn.
    alpha: the exponent α of the probabilities.
    """
    return (
        f"Drawn {draws} times with α = {alpha:g}: {plural(different, 'different way')}; the most frequent "
        f"came {plural(times, 'time')}, where {number(share * draws)} are expected."
    )


def write_best_way(scores: Sequence[float], total: float) -> str:
    """Write in LaTeX the log-probability of the most probable way, and that of all ways together.

    scores: the log-probabilities of that way's pieces, which add up to its own.
    total: the log of the sum of the probabilities of all ways.
    """
    terms = " ".join(f"{score:+.2f}" for score in scores[:8]) + (r" \ldots" if len(scores) > 8 else "")
    return (
        r"P(x_1 \ldots x_m) = \prod_i p(x_i) \qquad \log P = \sum_i \log p(x_i) = "
        rf"{terms} = {sum(scores):.2f} \qquad \log \sum_{{\text{{all ways}}}} P = {total:.2f}"
    )


def read_standing(kind: str, seconds: float, first: int | None, current: int | None, last: int | None) -> str:
    """Say how far the training of a tokenizer has come.

    kind: "unigram" or "bpe".
    seconds: the time since its start.
    first, current, last: number of pieces (unigram) or merges (BPE) at the start, at present and at the end; None while
        the text is still being read.
    """
    if first is None or current is None or last is None:
        return f"Reading the text, {seconds:.1f} s"
    if kind == "unigram":
        return f"{current:,} of {first:,} possible pieces are left, about {last:,} are to stay, {seconds:.1f} s"
    return f"{current:,} of {last:,} merges are made, {seconds:.1f} s"


def read_before_training(name: str, count: int) -> tuple[str, str]:
    """Return sentences on how many pieces a text has with a shipped tokenizer, and from what that one learned."""
    return (
        f"A tokenizer that learned from books cuts your text above into {plural(count, 'piece')}.",
        f"That is {name}. One that learns from the text in the box knows other pieces, and cuts otherwise.",
    )


def read_trained(kind: str, size: int, characters: int, seconds: float, before: int, after: int) -> tuple[str, str]:
    """Return sentences on how many pieces the visitor's text has with the new tokenizer, and on its training.

    kind: "unigram" or "bpe".
    size: number of pieces in its vocabulary.
    characters: number of characters of the training text.
    before: number of pieces of the text with the shipped tokenizer unigram-8000.
    after: number of them with the new one.
    """
    return (
        f"Your tokenizer cuts your text above into {plural(after, 'piece')}, and one that learned from books into "
        f"{before:,}.",
        f"Yours learned {size:,} pieces of {kind} from {characters:,} characters in {number(seconds, 2)} seconds; the "
        "other one is unigram-8000.",
    )


def read_one_hot(label: str, i: int, size: int, width: int, same: bool) -> tuple[str, str]:
    """Return sentences on which row of the embedding table is a piece's, and on the same by a multiplication.

    label, i: the piece and its id.
    size, width: number of rows and columns of the table.
    same: whether the product of its one-hot vector and the table equals row i to the bit.
    """
    gives = "the same row, to the bit" if same else "other numbers than that row"
    return (
        f"{quoted(label)} has the id {i:,}, so the model reads row {i:,} of its table.",
        f"Its one-hot vector times the table gives {gives}: {size:,} · {width:,} = {size * width:,} multiplications, "
        "where reading takes none.",
    )


def write_one_hot(size: int, width: int, i: int) -> str:
    """Write in LaTeX the product of a one-hot vector and the embedding table, with the shapes.

    size, width: number of rows and columns of the table.
    i: the id of the piece.
    """
    return (
        rf"\underset{{1 \times {size}}}{{e_{{{i}}}}}\;\underset{{{size} \times {width}}}{{E}} = "
        rf"\sum_{{v=0}}^{{{size - 1}}} e_v\, E_v = E_{{{i}}} \qquad e_{{{i}}} = 1, \quad e_v = 0 \text{{ otherwise}}"
    )


def read_languages(first: str, worst: str, ratio: float, tokenizer: str, letters: float) -> tuple[str, str]:
    """Return sentences on the language in which a sentence costs most tokens with one tokenizer.

    first, worst: the language to compare with, and the most expensive one.
    ratio: number of tokens in `worst`, as a multiple of that in `first`.
    tokenizer: the tokenizer's name.
    letters: number of characters in `worst`, likewise.
    """
    if worst == first:
        return f"The sentence costs no more tokens in any other language than in {first}.", f"That is with {tokenizer}."
    return (
        f"The same sentence costs {times(ratio)} as many tokens in {worst} as in {first}.",
        f"That is with {tokenizer}, though the sentence has {percent(letters)} as many characters in {worst}.",
    )
