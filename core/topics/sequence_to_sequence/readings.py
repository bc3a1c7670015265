"""Sentences about three translators side by side, made from their numbers: plain text."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from core.analysis.arithmetic import Products, Softmax
from core.readings.arithmetic import as_text
from core.readings.words import (
    capital,
    largest_of_words,
    listed,
    number,
    only_words,
    part_of,
    percent,
    plural,
    quoted,
    stands_out,
)
from core.text.labels import token_name

MOST_KEPT = 3  # words that a headline names
ALIKE, UNLIKE = 0.6, 0.3  # cosines from which states resemble one another, and below which they hardly do
ROUNDING = 1e-6  # a share of a state's length, below which float32 may round otherwise beside another word


def read_three_translations(
    bottleneck: tuple[int, int], attention: tuple[int, int], kept: Sequence[str] = ()
) -> tuple[str, str]:
    """Say what attention saves of the transformer's translation; then how many words each GRU shares with it.

    bottleneck, attention: (number of shared words, of all words) of the GRU without attention, and of that with
        attention.
    kept: words of the transformer's translation that only the GRU with attention writes too.
    """
    (few, bottleneck_words), (count, attention_words) = bottleneck, attention
    only = "only " if 2 * few < bottleneck_words else ""
    first = f"shares {only}{few} of its {plural(bottleneck_words, 'word')} with the transformer’s translation"
    every = f"all {attention_words}" if count == attention_words > 1 else f"{count} of {attention_words}"
    return (
        _saved_words(kept) if kept else _nearer_translation(bottleneck, attention),
        f"With one vector, the GRU {first if bottleneck_words else 'writes no word'}; "
        f"with attention, {every if attention_words else 'it writes no word'}"
        f"{'' if bottleneck_words or not attention_words else ' of its words are in the transformer’s translation'}.",
    )


def _saved_words(kept: Sequence[str]) -> str:
    """Return which words are lost with one vector and kept with attention."""
    named = listed([quoted(word) for word in kept[:MOST_KEPT]])
    more = " and more" if len(kept) > MOST_KEPT else ""
    verb = "is" if len(kept) == 1 else "are"
    return (
        f"With one vector {named}{more} {verb} lost; with attention the GRU keeps {'it' if verb == 'is' else 'them'}."
    )


def _nearer_translation(bottleneck: tuple[int, int], attention: tuple[int, int]) -> str:
    """Return which GRU's translation is nearer to the transformer's, or which writes no word."""
    (few, bottleneck_words), (count, attention_words) = bottleneck, attention
    if not bottleneck_words or not attention_words:
        silent = "With attention" if bottleneck_words else "With one vector"
        return f"{silent}, the GRU writes no word." if bottleneck_words or attention_words else "No GRU writes a word."
    one, other = few * attention_words, count * bottleneck_words  # the shares with a common denominator
    if one == other:
        return "With attention and with one vector, the GRU comes equally close to the transformer’s translation."
    how, than = ("attention", "one vector") if other > one else ("one vector", "attention")
    return f"With {how}, the GRU comes closer to the transformer’s translation than with {than}."


def read_states(names: Sequence[str], sizes: Sequence[int]) -> tuple[str, str]:
    """Say which model's decoder receives the fewest numbers about the source; then how many each receives.

    names, sizes: the models, and these numbers.
    """
    counts = [f"{name} {size:,}" for name, size in zip(names, sizes, strict=True)]
    fewest = min(range(len(sizes)), key=sizes.__getitem__)
    return (
        f"{quoted(names[fewest])} gives its decoder the fewest numbers about this sentence.",
        f"Numbers about this sentence that the decoder is given: {', '.join(counts)}.",
    )


def read_left(token: str, left: float) -> str:
    """Say how much a GRU's state after its first token resembles the last one.

    token: in quotes. left: the cosine of that state with the last one.
    """
    how = "still resembles" if left >= ALIKE else "hardly resembles" if left < UNLIKE else "somewhat resembles"
    return f"With every word the state changes: the last one {how} that after {token} (cosine {number(left, 2)})."


def read_steps(step: int, source: int, layers: int) -> tuple[str, ...]:
    """Say how much the models have read or written after a number of steps; then, while they read, their states.

    source: number of source tokens to read.
    layers: number of layers of the transformer's encoder.
    """
    done = step - source
    if done >= 0:
        return (f"All {source} tokens are read, and {plural(done, 'step')} of writing done.",)
    ready = f"all {source}" if step >= layers else f"none, after {step} of its {layers} layers"
    states = f"{step} of {plural(source, 'state')}"
    still = f"is still at token {step} of {source}" if step else "has read nothing yet"
    return (
        f"A GRU {still}; the transformer’s encoder is {'done' if step >= layers else 'not done yet'}.",
        f"After {plural(step, 'step')} a GRU has {states}; the transformer’s encoder has {ready}.",
    )


def read_changed_word(words: Sequence[str], far: np.ndarray, replacement: str) -> tuple[str, ...]:
    """Say which word of the source moves the bottleneck's vector most when it changes, and which least; then how far.

    words: the labels of the words.
    far (W,): how far the vector moves for each word, as a share of its length.
    replacement: the word that replaced them; if it is empty, they were left out.
    """
    ((most,), more), ((least,), less) = (largest_of_words(sign * far, words) for sign in (1, -1))
    how = f"With {quoted(replacement)} in place of" if replacement else "Without"
    sentence = f"{how} {token_name(words, most)}, the vector moves by {part_of(float(far[most]))} its length"
    compared = only_words(far, words)
    compared = compared[np.isfinite(compared)]
    if not stands_out(compared):
        return (f"{sentence}{', as with any other word' if len(compared) > 1 else ''}.",)
    lower, among = how[0].lower() + how[1:], " of all words" if more or less else ""
    last = f"{lower} {token_name(words, least)}, by {part_of(float(far[least]))} it, the least"
    doing = "replacing" if replacement else "leaving out"
    ranked = f"{doing} {token_name(words, most)} moves the vector most, {doing} {token_name(words, least)} least"
    headline = f"Of all words, {ranked}." if among else f"{capital(ranked)}."
    return headline, f"{sentence}, the most{among}; {last}."


def read_fixed_size(count: int, far: np.ndarray) -> str:
    """Say that every word moves the bottleneck's vector, which has as many numbers whatever it holds.

    count: the number of its numbers.
    far (W,): how far the vector moves for each word.
    """
    if not (far > ROUNDING).all():
        return f"However long the sentence is, it must fit in the same {plural(count, 'number')}."
    return f"Every word moves the one vector: its {plural(count, 'number')} must hold the whole sentence."


def read_forgetting(word: str, along: np.ndarray) -> str:
    """Say how far a changed word of the source moves the decoder's state at its first token, at its last, and at most.

    word: the name of the changed word.
    along (T,): how far the state moves at each token, as a share of its length.
    """
    first, last, peak = float(along[0]), float(along[-1]), int(along.argmax())
    if not along.any():
        return f"The change of {word} does not move the decoder’s state at any token."
    return (
        f"The change of {word} moves the decoder’s state by {part_of(first)} its length at the first token, by "
        f"{part_of(last)} it at the last, and most at token {peak}, by {part_of(float(along[peak]))} it."
    )


def explain_cell(score: Products, weight: Softmax, row: int, column: int) -> str:
    """Write the arithmetic of one score of the additive attention and of its weight, in lines."""
    lines = as_text(score, f"e[{row}, {column}] = Σ v × tanh(W s + U h)"), as_text(weight, f"a[{row}, {column}]")
    return "\n\n".join(lines)


def read_score_cell(
    row: Sequence[str], index: int, columns: Sequence[str], column: int, score: float, weight: float
) -> tuple[str, str]:
    """Say the weight that the decoder gives one source token when it writes one token; then the score.

    row, index: the labels of the written tokens, and the number of that token.
    columns, column: the labels of the source tokens, and the number of that token.
    """
    source = token_name(columns, column)
    return (
        f"To write {token_name(row, index)}, the GRU gives {percent(weight)} of its attention to {source}.",
        f"The decoder’s state scores {source} with {number(score)}.",
    )


def read_retention(labels: Sequence[str], left: np.ndarray) -> tuple[str, ...]:
    """Say at which steps the largest and the smallest part of the last state was written.

    labels: the labels of the tokens read.
    left (T,): the share of each step's candidate state that is left in the last state.
    """
    best, worst = int(left.argmax()), int(left.argmin())
    if not stands_out(left):
        return (f"As much of the last state was written at every word: {percent(float(left[best]))}.",)
    return (
        f"The largest part of the last state, {percent(float(left[best]))}, was written at {token_name(labels, best)}.",
        f"The smallest part, {percent(float(left[worst]))}, was written at {token_name(labels, worst)}.",
    )


def read_directions(words: Sequence[str], changed: int, forwards: np.ndarray, backwards: np.ndarray) -> list[str]:
    """Say which words' forward and backward states move when one word of the source is replaced; then how far.

    words: the labels of the words.
    changed: the number of the replaced word.
    forwards, backwards (W,): how far each word's forward and backward state moves, as a share of its length.
    """
    name = token_name(words, changed)
    unreached = np.concatenate([forwards[:changed], backwards[changed + 1 :]])
    if unreached.max(initial=0) > ROUNDING:
        return [
            f"When {name} changes, the forward half before it or the backward half after it changes too.",
            f"They move by {_largest(unreached)} their length at most.",
        ]
    reached = [
        f"the {half} half {where} it moves by up to {_largest(far)} its length"
        for where, half, far in (
            ("after", "forward", forwards[changed + 1 :]),
            ("before", "backward", backwards[:changed]),
        )
        if len(far)
    ]
    return [
        f"When {name} changes, the forward half changes only from it on, the backward half only up to it.",
        *([f"When {name} changes, {', '.join(reached)}."] if reached else []),
    ]


def _largest(far: np.ndarray) -> str:
    return part_of(float(far.max(initial=0.0)))


def read_waits(gru: int, transformer: int) -> str:
    """Say how many steps have to wait for one another in a GRU and in the transformer, for the longest text."""
    return (
        f"To read a long text and its given translation, a GRU takes {plural(gru, 'step')} one after the other, "
        f"the transformer only {transformer}."
    )


def read_forced_tokens(source: str, pieces: tuple[str, str], new: int, count: int) -> tuple[str, str]:
    """Say what the GRU writes when it may look at one source token alone, and how many tokens of the text changed.

    pieces: the token that it wrote at this place before, and the one that it writes now.
    new, count: the number of tokens that changed, and of all.
    """
    before, after = map(quoted, pieces)
    headline = f"When it may look at {quoted(source)} alone, the GRU writes {after} in place of {before}."
    if before == after:
        headline = f"Even when it may look at {quoted(source)} alone, the GRU writes {before} again."
    if not new:
        return headline, "Every token stays the same."
    return headline, f"{new} of {plural(count, 'token')} {'is' if new == 1 else 'are'} new."


def read_lengths(shares: Sequence[Sequence[float]], words: tuple[str, str]) -> tuple[str, str]:
    """Say whether one vector reaches a smaller part of attention's score with longer sentences; then what part.

    shares: this part for each range of lengths, shortest first, a row for each chart.
    words: the shortest and the longest range of the first chart, as text.
    """
    falls = all(later < earlier for row in shares for earlier, later in pairwise(row))
    first, last = (percent(shares[0][end]) for end in (0, -1))
    return (
        "The longer the sentence, the smaller the part of attention’s score that one vector reaches."
        if falls
        else "Longer sentences do not always leave one vector a smaller part of attention’s score.",
        f"One vector reaches {first} of the score with attention at {words[0]} words, {last} at {words[1]}.",
    )


def read_short_pieces(names: Sequence[str], shared: Sequence[tuple[int, int]], count: int) -> str:
    """Say how many words in the translations of a sentence's pieces also occur in the translation of the whole.

    names: the models.
    shared: for each model, (number of these words, number of all words of the pieces' translations).
    count: number of pieces of the sentence.
    """
    if count < 2:
        return "This sentence has no place to cut: it needs a comma, or a word such as “and”, “while” or “because”."
    shares = [f"{name} {f'{a} of {b}' if b else 'has none'}" for name, (a, b) in zip(names, shared, strict=True)]
    return f"Words of the {count} pieces’ translations that also stand in that of the whole: {', '.join(shares)}."


def read_times(times: Sequence[tuple[str, float, float]], lengths: tuple[int, int]) -> str:
    """Say for each model how many times as long a pass takes on the longest text as on the shortest.

    times: (model, milliseconds of the shortest, of the longest).
    lengths: the tokens of both texts.
    """
    ratios = [f"{name} {number(last / first, 2)} times" for name, first, last in times]
    return f"With {lengths[1]} tokens instead of {lengths[0]} a pass takes {', '.join(ratios)} as long."


def write_contexts(bottleneck: int, memory: int, source: int) -> str:
    """Write in LaTeX which vectors each model's decoder receives from the source.

    bottleneck, memory: the widths of the vectors without attention and with it.
    source: number of source tokens read.
    """
    return (
        rf"\text{{one vector: }} c = h_{{{source}}} \in \mathbb{{R}}^{{{bottleneck}}} \qquad "
        rf"\text{{attention: }} c_i = \sum_{{j=1}}^{{{source}}} a_{{ij}} h_j \in \mathbb{{R}}^{{{memory}}}"
    )


def write_additive(units: int, source: int) -> str:
    """Write in LaTeX additive attention with `units` units over `source` source tokens."""
    return (
        rf"e_{{ij}} = \sum_{{u=1}}^{{{units}}} v_u \tanh\big((W s_{{i-1}})_u + (U h_j)_u\big) \qquad "
        rf"a_{{ij}} = \frac{{\exp e_{{ij}}}}{{\sum_{{k=1}}^{{{source}}} \exp e_{{ik}}}}"
    )


GRU_FORMULA = (
    r"h_t = (1 - z_t) \odot n_t + z_t \odot h_{t-1} \qquad "
    r"h_s = \sum_{t \le s} \Big(\prod_{t < r \le s} z_r\Big) \odot (1 - z_t) \odot n_t + \dots h_0"
)
DISTANCE_FORMULA = r"\text{distance} = \frac{\lVert c' - c \rVert}{\lVert c \rVert}"
