"""Sentences and formulas about word vectors."""

from collections.abc import Mapping, Sequence

from core.readings.words import in_words, listed, number, percent, plural, quoted

FORMULAS = {
    "neighbours": r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\, \lVert b \rVert}",
    "analogy": r"t = \hat b - \hat a + \hat c \qquad d = \arg\max_{w \notin \{a, b, c\}} "
    r"\frac{\hat w \cdot t}{\lVert t \rVert} \qquad \hat w = \frac{w}{\lVert w \rVert}",
    "bias": r"s(w) = \hat w \cdot \frac{\hat e - \hat s}{\lVert \hat e - \hat s \rVert} \qquad "
    r"s: \text{first word} \qquad e: \text{second word}",
    "pca": r"X - \bar X = U \Sigma W^\top \qquad \text{places} = U_{1,2}\, \Sigma_{1,2} \qquad "
    r"\text{share}_k = \frac{\sigma_k^2}{\sum_j \sigma_j^2}",
    "tsne": r"\mathrm{KL}(P \parallel Q) = \sum_{i \ne j} p_{ij} \ln \frac{p_{ij}}{q_{ij}} \qquad "
    r"q_{ij} \propto \frac{1}{1 + \lVert y_i - y_j \rVert^2}",
}


def read_unknown(unknown: Mapping[str, Sequence[str]], size: int, max_words: int = 8) -> list[str]:
    """Say which words have no vector, each with similar spellings."""
    sentences = []
    for word, near in list(unknown.items())[:max_words]:
        like = f" Spelt alike: {', '.join(map(quoted, near))}." if near else ""
        sentences.append(f"{quoted(word[:40])} is not among the {size:,} words.{like}")
    if len(unknown) > max_words:
        sentences.append(f"{len(unknown) - max_words:,} more are not among them.")
    return sentences


def read_several(text: str) -> str:
    """Say that a text is several words; "" if it is one word or none."""
    count = len(text.split())
    return f"{quoted(text[:40])} is {in_words(count)} words, and each vector stands for one." if count > 1 else ""


def read_cut(cut: int, max_words: int) -> str | None:
    """Say how many words were left out because there are too many; None if none were."""
    return f"Only the first {max_words} known words are shown; {cut:,} more are left out." if cut else None


def read_own_group(right: int, words: int) -> str:
    """Say for how many of the words of a map, whose groups have colours, the nearest dot is of the same group."""
    return f"For {right:,} of {plural(words, 'word')} the nearest dot has the same colour."


def read_nearest_dots(first: str, second: str) -> str:
    """Say which two words of a map are nearest to each other."""
    return f"On this map {quoted(first)} and {quoted(second)} lie nearest to each other."


def read_map(kind: str, shares: Sequence[float] | None, kept: float, neighbours: int) -> tuple[str, str]:
    """Return sentences on how faithful a map is.

    shares: the shares of the variance on the map's two axes; None for a map without them.
    kept: the share of each word's nearest neighbours that the map keeps.
    """
    of = f"{in_words(neighbours)} nearest neighbours" if neighbours > 1 else "nearest neighbour"
    near = f"The flat map keeps {percent(kept)} of each word's {of}."
    if shares is None:
        return near, f"With {kind}, distances between far groups mean nothing."
    first, second = shares
    return near, f"Its two axes show {percent(first)} and {percent(second)} of the variance."


def read_neighbours(
    word: str, nearest: Mapping[str, tuple[str, float]], common: int, count: int
) -> tuple[str, str, str]:
    """Return sentences on the first neighbour by each method, on its cosines, and on how many words the lists share."""
    words = dict.fromkeys(near for near, _ in nearest.values())
    by = {method: f"{quoted(near)} by {method}" for method, (near, _) in nearest.items()}
    first = f"{quoted(next(iter(words)))} by both methods" if len(words) == 1 else listed(by.values())
    cosines = listed(f"{number(cosine)} by {method}" for method, (_, cosine) in nearest.items())
    return (
        f"Nearest to {quoted(word)} is {first}.",
        f"The cosine is {cosines}.",
        f"The two lists share {common} of {plural(count, 'word')}.",
    )


def read_analogy(
    words: Sequence[str], answer: str, cosine: float, second: str, behind: float, left_in: str
) -> tuple[str, str]:
    """Return sentences on the answer, on the runner-up, and on which word comes first if no word is left out.

    behind: the runner-up's cosine.
    left_in: the first word if the three given ones are left in.
    """
    a, b, c = map(quoted, words)
    with_all = (
        f"{quoted(answer)} comes first even when the three are left in."
        if left_in == answer
        else f"When the three are left in, {quoted(left_in)} comes first."
    )
    return (
        f"By these vectors {a} is to {b} as {c} is to {quoted(answer)}.",
        f"{quoted(answer)} has a cosine of {number(cosine)}, {quoted(second)}, the next, {number(behind)}. {with_all}",
    )


def read_similarity(
    words: Sequence[str], nearest: tuple[int, int, float], farthest: tuple[int, int, float]
) -> tuple[str, str]:
    """Return sentences on which pairs are the most and the least alike, and on their cosines."""
    (i, j, most), (k, m, least) = nearest, farthest
    pair, other = (f"{quoted(words[first])} and {quoted(words[second])}" for first, second in ((i, j), (k, m)))
    if (i, j) == (k, m):
        return f"{pair} are the only two words here.", f"Their cosine is {number(most)}."
    return (
        f"Most alike are {pair}, least {other}.",
        f"The cosine of {pair} is {number(most)}, that of {other} {number(least)}.",
    )


def read_leaning(start: str, end: str, words: Sequence[str], cosines: Sequence[float]) -> tuple[str, str]:
    """Return sentences on which words lean most to each side, on how many do, and on the cosines.

    words, cosines: sorted by the cosine; a word leans to `end` if its cosine is above 0.
    """
    right = sum(cosine > 0 for cosine in cosines)
    ends = [quoted(words[index]) for index in (-1, 0)]
    high, low = (f"{number(cosines[index])}" for index in (-1, 0))
    if 0 < right < len(words):
        return (
            f"{ends[0]} leans most to {quoted(end)}, {ends[1]} most to {quoted(start)}.",
            f"Of {plural(len(words), 'word')}, {right} {_lean(right)} to {quoted(end)} and {len(words) - right} to "
            f"{quoted(start)}. The cosine of {ends[0]} is {high}, that of {ends[1]} {low}.",
        )
    side, (most, least) = (end, ends) if right else (start, ends[::-1])
    if len(words) == 1:
        return f"{most} leans to {quoted(side)}.", f"Its cosine is {high}."
    return (
        f"All {len(words)} words lean to {quoted(side)}: {most} most, {least} least.",
        f"The cosine of {ends[0]} is {high}, that of {ends[1]} {low}.",
    )


def _lean(count: int) -> str:
    return "leans" if count == 1 else "lean"


def read_plane(share: float | None, width: int) -> str:
    """Say which plane a map shows.

    share: its share of the variance; None if the two dimensions are drawn as they are.
    """
    if share is None:
        return "The two dimensions as they are."
    return (
        f"Of all planes through the {width} dimensions, the one that shows most: {percent(share)} of the **variance**. "
        "It is turned so that the words move as little as they can from one drawing to the next."
    )


def read_groups(steps: int, right: int, count: int, probability: float, width: int) -> tuple[str, str]:
    """Return sentences on how many words have a nearest neighbour of their own group, and on how that is counted.

    steps: the steps of training so far.
    probability: how many words would have one by chance.
    width: the width of the vectors.
    """
    now = "Now" if steps else "At first, with random vectors,"
    return (
        f"{now} {right:,} of {plural(count, 'word')} have a nearest neighbour of their own group.",
        f"After {plural(steps, 'step')} there are {right:,} of them; by chance there would be about "
        f"{number(probability, 2)}. Near means near in all {width} numbers of a vector, not on the flat map.",
    )


def read_nearest_pair(steps: int, first: str, second: str, cosine: float) -> tuple[str, str]:
    """Return sentences on which two words are most alike, and on their cosine."""
    return (
        f"After {plural(steps, 'step')}, {quoted(first)} and {quoted(second)} are most alike.",
        f"Their cosine is {number(cosine)}.",
    )


def read_loss(first: float, last: float, initial: float) -> str:
    """Say how far the loss fell from its start.

    initial: the loss while all scores are 0.
    """
    return (
        f"The loss of a pair was {number(first)} at first and is {number(last)} now; while all scores are 0 it is at "
        f"most {number(initial)}."
    )


def write_training(method: str, noise: int, width: int) -> str:
    """Write in LaTeX the loss of a question, and its gradients."""
    asks = r"v = v_{\text{word}}" if method == "skip-gram" else r"v = \frac{1}{C} \sum_{c=1}^{C} v_c"
    return (
        rf"L = -\ln \sigma(u_o \cdot v) - \sum_{{k=1}}^{{{noise}}} \ln \sigma(-u_k \cdot v) \qquad {asks} \in "
        rf"\mathbb{{R}}^{{{width}}} \qquad \frac{{\partial L}}{{\partial v}} = (\sigma(u_o \cdot v) - 1)\, u_o + "
        r"\sum_k \sigma(u_k \cdot v)\, u_k \qquad \frac{\partial L}{\partial u_o} = (\sigma(u_o \cdot v) - 1)\, v "
        r"\qquad \frac{\partial L}{\partial u_k} = \sigma(u_k \cdot v)\, v"
    )


def write_vector(values: Sequence[float]) -> str:
    """Write a vector with at most 8 of its numbers."""
    numbers = ", ".join(number(value) for value in values[:8])
    return f"({numbers}{', …' if len(values) > 8 else ''})"


def write_question(
    askers: Sequence[str],
    answers: Sequence[str],
    scores: Sequence[float],
    errors: Sequence[float],
    counts: Sequence[float],
    vectors: Mapping[str, Sequence[float]],
    rate: float,
    loss: float,
) -> str:
    """Write the arithmetic of one prediction of negative sampling, its loss and its gradient, line by line.

    askers: the words whose vectors make v; their mean if there are several.
    answers: the word to predict, then the noise words.
    scores: u · v for each of the answers.
    errors: σ(u · v) minus the target, 1 for the word to predict and 0 for noise.
    counts: 0 for a noise word that does not count, because it is the word to predict.
    vectors: "v", "gradient", and "move", by which v changes in the step.
    rate: the learning rate.
    """
    several = len(askers) > 1
    v = f"mean of v({'), v('.join(askers)})" if several else f"v({askers[0]})"
    lines = [f"v = {v} = {write_vector(vectors['v'])}", ""]
    for index, (word, score, error, count) in enumerate(zip(answers, scores, errors, counts, strict=True)):
        role = "output" if index == 0 else "noise "
        if not count:
            lines.append(f"{role}  u({word}): drawn as noise, but it is the output word itself, so it does not count")
            continue
        sign = f"σ − 1 = {number(error)}" if index == 0 else f"σ = {number(error)}"
        lines.append(f"{role}  u({word}) · v = {number(score)},  σ = {number(error + (index == 0))},  factor {sign}")
    lines += [
        "",
        f"L = {number(loss)}",
        f"∂L/∂v = Σ factor · u = {write_vector(vectors['gradient'])}",
        f"v moves by −{number(rate)} · ∂L/∂v = {write_vector(vectors['move'])}"
        + (f", shared out in {len(askers)} equal parts" if several else ""),
    ]
    return "\n".join(lines)
