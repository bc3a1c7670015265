"""Sentences and formulas about one word in several sentences."""

from collections.abc import Sequence

from core.readings.words import head_label, number, percent, quoted


def read_occurrences(word: str, pairs: Sequence[tuple[str, float]], others: float | None) -> str:
    """How alike the occurrences are at the end. pairs: the names of two sentences, and their cosine, for each pair.
    others: that of words that differ, None where there are none."""
    aside = f" Two different words of these sentences have {number(others)} on average." if others is not None else ""
    most, least = max(pairs, key=lambda pair: pair[1]), min(pairs, key=lambda pair: pair[1])
    if len(pairs) == 1:
        return (
            f"The two {quoted(word)} begin with one row of numbers, and leave the last layer with a cosine of "
            f"{number(least[1])}.{aside}"
        )
    return (
        f"After the last layer the most alike {quoted(word)} are those of sentences {most[0]} (cosine "
        f"{number(most[1])}), the least alike those of {least[0]} ({number(least[1])}).{aside}"
    )


def note_rows(word: str, known: bool, same_row: bool) -> list[str | None]:
    """What the level line of word2vec stands for, and where even the first vectors differ."""
    return [
        None if known else f"{quoted(word)} is not among the words of word2vec; with one vector for it, the line is 1.",
        None if same_row else f"{quoted(word)} is written in two ways here, so that its first vectors differ already.",
    ]


def note_reading(onward: bool, several: bool) -> str | None:
    """What a model that reads from left to right can have known at a word."""
    if onward:
        return None
    last = " The vector is that of the word's last piece." if several else ""
    return f"In this model a word has read only what stands before it, so only the words before it count.{last}"


def note_pieces(several: bool) -> str | None:
    """What stands for a word of several pieces."""
    return "The word falls into several pieces; its vector is their mean." if several else None


def write_cosine(layers: int, width: int, pieces: Sequence[int]) -> str:
    """The cosine of two occurrences after a layer, with its shapes."""
    several = r"\qquad x^{(\ell)} = \frac{1}{P} \sum_{p=1}^{P} x_p^{(\ell)}" if max(pieces) > 1 else ""
    return (
        r"\cos(x^{(\ell)}, y^{(\ell)}) = \frac{x^{(\ell)} \cdot y^{(\ell)}}{\lVert x^{(\ell)} \rVert\, "
        rf"\lVert y^{{(\ell)}} \rVert}} \qquad x^{{(\ell)}}, y^{{(\ell)}} \in \mathbb{{R}}^{{{width}}} \qquad "
        rf"\ell = 0, \dots, {layers}{several}"
    )


def read_places(word: str, stage: str, shares: Sequence[float], cosines: tuple[float, float]) -> str:
    """What the two axes show, and how far apart the occurrences are at this stage. cosines: the greatest and the
    least of two of them."""
    most, least = cosines
    between = f"{number(most)} and {number(least)}" if most != least else number(least)
    two = "lie between" if most != least else "is"
    return (
        f"After {stage}, the two axes show {percent(sum(shares))} of the variance; the cosines of two {quoted(word)} "
        f"{two} {between}, and were 1 in the embedding table."
    )


def read_contributions(word: str, sources: Sequence[tuple[str, str, float]], layer: int, head: int) -> str:
    """The token from which each occurrence drew most. sources: the name of its sentence, the token, its share."""
    said = "; ".join(f"in sentence {name} from {token} ({percent(share)})" for name, token, share in sources)
    return f"In {head_label(layer, head)}, {quoted(word)} draws most {said}."


def write_mix(keys: int, width: int) -> str:
    """What a head mixes, and the share of each term, with its shapes."""
    return (
        rf"z_i = \sum_{{j=1}}^{{{keys}}} w_{{ij}}\, v_j \in \mathbb{{R}}^{{{width}}} \qquad \text{{share}}_j = "
        r"\frac{(w_{ij} v_j) \cdot z_i}{\lVert z_i \rVert^2} \qquad \sum_j \text{share}_j = 1"
    )
