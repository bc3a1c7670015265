"""Sentences and formulas about one word in several sentences."""

from collections.abc import Mapping, Sequence

from core.readings.words import SHARE_TOLERANCE, listed, number, part_of, percent, quoted, stands_out
from core.text.labels import head_label


def read_occurrences(word: str, pairs: Sequence[tuple[str, float]], others: float | None, same_row: bool) -> list[str]:
    """Return sentences on how alike the occurrences of a word are after the last layer, and on their cosines.

    pairs: the names of two sentences, and the cosine of the word's vectors in them, for each pair of sentences.
    others: the mean cosine of different words; None if there are none.
    same_row: whether all occurrences begin with the same row of the embedding table.
    """
    unlike = "" if others is None else number(others, 2)
    aside = [f"Two different words of these sentences have a cosine of {unlike} on average."] if unlike else []
    most, least = max(pairs, key=lambda pair: pair[1]), min(pairs, key=lambda pair: pair[1])
    if len(pairs) == 1:
        begin = ", having begun as one row of the embedding table" if same_row else ""
        headline = f"After all layers the vectors of the two {quoted(word)} differ."
        if least[1] >= 1 - SHARE_TOLERANCE:
            headline = f"After all layers the vectors of the two {quoted(word)} still point the same way."
        elif same_row:
            headline = f"The two {quoted(word)} begin as one vector; after all layers they are two."
        cosine = f"After all layers the two {quoted(word)} have a cosine of {number(least[1])}{begin}."
        return [headline, cosine, *aside]
    if not stands_out([cosine for _, cosine in pairs]):
        return [
            f"After all layers {quoted(word)} is equally alike in all sentences.",
            f"The cosine of {quoted(word)} in any two sentences is {number(most[1])}.",
            *aside,
        ]
    return [
        f"After all layers {quoted(word)} is most alike in sentences {most[0]}.",
        f"The cosine of {quoted(word)} in sentences {most[0]} is {number(most[1])}, in {least[0]}, the least alike, "
        f"{number(least[1])}.",
        *aside,
    ]


def note_rows(word: str, known: bool, same_row: bool) -> list[str | None]:
    """Explain why the dashed line is level, and why the occurrences may differ from the first vector on.

    known: whether the word is among the word vectors.
    same_row: whether all occurrences begin with the same row of the embedding table.
    """
    return [
        None if known else f"{quoted(word)} has no word vector here; with one vector for it, the dashed line is 1.",
        None if same_row else f"{quoted(word)} is written in two ways here, so that its first vectors differ already.",
    ]


def note_reading(onward: bool, several: bool) -> str | None:
    """Say which words a model that reads from left to right has read at a word; None if the model reads both ways.

    onward: whether the model also reads the words after a word.
    several: whether the word has several pieces.
    """
    if onward:
        return None
    last = " The vector is that of the word's last piece." if several else ""
    return f"In this model a word has read only what stands before it, so only the words before it count.{last}"


def note_pieces(averaged: bool) -> str | None:
    """Say that the vector of a word with several pieces is their mean; None if no vector was averaged.

    averaged: whether one was.
    """
    return "The word falls into several pieces; its vector is their mean." if averaged else None


def write_cosine(layers: int, width: int, mean: bool) -> str:
    """Write in LaTeX the cosine of two occurrences of a word after a layer, with its shapes.

    layers: number of layers.
    width: the width of the stream.
    mean: whether the word has several pieces, whose vectors are averaged.
    """
    several = r"\qquad x^{(\ell)} = \frac{1}{P} \sum_{p=1}^{P} x_p^{(\ell)}" if mean else ""
    return (
        r"\cos(x^{(\ell)}, y^{(\ell)}) = \frac{x^{(\ell)} \cdot y^{(\ell)}}{\lVert x^{(\ell)} \rVert\, "
        rf"\lVert y^{{(\ell)}} \rVert}} \qquad x^{{(\ell)}}, y^{{(\ell)}} \in \mathbb{{R}}^{{{width}}} \qquad "
        rf"\ell = 0, \dots, {layers}{several}"
    )


def read_places(
    word: str, stage: str, shares: Sequence[float], pairs: Sequence[tuple[str, str, float]], same_row: bool
) -> list[str]:
    """Return sentences on how the occurrences of a word lie at this stage, on their cosines, and on the map.

    stage: the stage in words, such as "layer 3".
    shares: the shares of the variance that the map's two axes show.
    pairs: the names of the sentences of two occurrences, and their cosine, for each pair of occurrences.
    same_row: whether all occurrences begin with the same row of the embedding table.
    """
    cosines = [cosine for *_, cosine in pairs]
    most, least = max(cosines), min(cosines)
    clause = f"cosines run from {number(least)} to {number(most)}" if len(cosines) > 1 else f"cosine is {number(least)}"
    begin = f"In the embedding table every {quoted(word)} is the same point; after" if same_row else "After"
    subject = "they differ" if same_row else f"those of {quoted(word)} differ"
    if apart := _apart(pairs):
        alone, near = apart
        which = "that" if same_row else quoted(word)
        subject = f"{which} of sentence {alone} lies apart from those of {near[0]} and {near[1]}"
    return [
        f"{begin} {stage} {subject}.",
        f"Their {clause}. The flat map shows {percent(sum(shares))} of how the words differ.",
    ]


def _apart(pairs: Sequence[tuple[str, str, float]]) -> tuple[str, tuple[str, str]] | None:
    """Return which of three occurrences differs from two that are alike; None if no two are much more alike.

    Two are much more alike if their cosine is further from the next one than that is from the smallest.
    """
    if len(pairs) != 3:
        return None
    least, middle, most = sorted(pairs, key=lambda pair: pair[2])
    if most[2] - middle[2] <= max(SHARE_TOLERANCE, middle[2] - least[2]):
        return None
    (alone,) = {*least[:2], *middle[:2]} - {*most[:2]}
    return alone, most[:2]


def read_sources(word: str, sources: Sequence[tuple[str, str, float]]) -> str:
    """Say from which tokens the occurrences of a word draw most; `sources` as in `read_mixed_terms`."""
    tokens = list(dict.fromkeys(token for _, token, _ in sources))
    if len(tokens) == 1:
        return f"In every sentence {quoted(word)} draws most from {tokens[0]}."
    if len(tokens) == len(sources):
        return f"{quoted(word)} draws most from a different token each time: {listed(tokens)}."
    return f"{quoted(word)} draws most from {listed(tokens)}, depending on the sentence."


def read_mixed_terms(word: str, sources: Sequence[tuple[str, str, float]], layer: int, head: int) -> str:
    """Say for each occurrence of a word which token has the largest part in the mix that a head makes there.

    sources: for each occurrence, the name of its sentence, that token, and the token's share of the mix.
    layer, head: the head, both from 0.
    """
    clauses = "; ".join(f"in sentence {name} from {token} ({part_of(share)} the mix)" for name, token, share in sources)
    return f"In {head_label(layer, head)}, {quoted(word)} draws most {clauses}."


def write_mix(keys: int, width: int) -> str:
    """Write in LaTeX a head's mix z of `keys` values of `width` numbers, and the share of each of them in it."""
    return (
        rf"z_i = \sum_{{j=1}}^{{{keys}}} w_{{ij}}\, v_j \in \mathbb{{R}}^{{{width}}} \qquad \text{{share}}_j = "
        r"\frac{(w_{ij} v_j) \cdot z_i}{\lVert z_i \rVert^2} \qquad \sum_j \text{share}_j = 1"
    )


def read_pronouns(
    used: Sequence[str], meant: Sequence[str], pairs: int, both_right: int, one_right: int, same: int, first_noun: int
) -> list[str]:
    """Return sentences on the pronouns that the translator used for one pair, and on its results for all `pairs` pairs.

    used: the two pronouns that it used.
    meant: the two expected pronouns.
    both_right, one_right: number of pairs with both pronouns right, and with one right.
    same: number of pairs in which it used the same pronoun twice.
    first_noun: number of these in which that is the pronoun of the first noun.
    """
    right = sum(pronoun == expected for pronoun, expected in zip(used, meant, strict=True))
    verdict = ("neither is the expected one", "one is the expected one", "both are the expected ones")[right]
    return [
        f"Here the translator says {used[0]} and {used[1]}: {verdict}.",
        f"Of {pairs} pairs like this it gets both right in {both_right} and one in {one_right}; in {same} it says "
        f"the same pronoun twice, whatever the word; in {first_noun} of these, that of the first noun.",
    ]


def note_pronoun(used: str, meant: str) -> str:
    """Say whether the pronoun that the translator used is the expected one.

    used, meant: the pronoun that it used, and the expected one.
    """
    return f"It says {used}, as expected." if used == meant else f"It says {used}; it should be {meant}."


def read_neighbour_senses(
    word: str, words: int, shares: Sequence[float], stages: Sequence[str], baseline: float
) -> tuple[str, str]:
    """Return sentences on how often the nearest neighbour of a word has the same meaning.

    They compare the best stage, the first stage, and a guess that is always the commoner meaning. If the first layer
    brings more than half of what the best stage has more than the first, the first sentence is about that layer.

    word: the word; "" for the mean of all words.
    words: the number of words in that mean.
    shares: at each stage, the share of sentences in which the nearest neighbour has the word's meaning.
    stages: the names of the stages.
    baseline: the share of sentences with the commoner meaning.
    """
    best = max(range(len(shares)), key=lambda stage: shares[stage])
    means = "" if word else f" These are means over {words} words."
    always = f"always taking the commoner meaning would give {percent(baseline)}.{means}"
    of = f"For {quoted(word)}" if word else "On average"
    after = f"after {stages[best]}" if best else "before any layer"
    begins = f"Before the layers ({stages[0]}) it is {percent(shares[0])}" if best else "No layer has more"
    if best > 1 and 2 * (shares[1] - shares[0]) > shares[best] - shares[0]:
        return (
            f"{of} the nearest neighbour has the same meaning in {percent(shares[1])} of the sentences, already after "
            f"{stages[1]}.",
            f"{begins}, after {stages[best]}, the most, {percent(shares[best])}; {always}",
        )
    return (
        f"{of} the nearest neighbour has the same meaning in {percent(shares[best])} of the sentences {after}.",
        f"{begins}; {always}",
    )


def name_meanings(counts: Mapping[str, int]) -> str:
    """List the meanings of a word, each with its number of sentences.

    counts: these numbers, by meaning.
    """
    return "; ".join(f"“{sense}” {count:,}" for sense, count in counts.items())


def write_neighbour() -> str:
    """Write in LaTeX the nearest neighbour n(i) of an occurrence, and the share of those that have its meaning."""
    return (
        r"n(i) = \arg\max_{j \ne i} \cos(x_i^{(\ell)}, x_j^{(\ell)}) \qquad \text{share} = \frac{1}{N} \sum_{i=1}^{N} "
        r"[\, s_{n(i)} = s_i \,]"
    )
