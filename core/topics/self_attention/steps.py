"""The six steps of one head: name, matrices shown, and formula with the shapes at hand."""

from dataclasses import dataclass

import numpy as np

from core.readings.patterns import read_masked_rows, read_pattern, read_scores
from core.readings.words import capital, largest_of_words, number, percent
from core.text.labels import token_name
from core.topics.self_attention.grids import grid
from core.topics.self_attention.records import HeadRecord

ATTENTION_SOURCE, DOT_SOURCE = "core.model.attention.attention", "core.model.scores.Dot.raw"
HIDE_SOURCE, SOFTMAX_SOURCE = "core.model.attention.apply_mask", "core.model.attention.masked_softmax"
MASK_SOURCE = "core.model.masks.build_mask"
LETTERS = {"queries": "Q", "keys": "K", "values": "V"}
SINGULAR = {"queries": "query", "keys": "key", "values": "value"}


@dataclass(frozen=True)
class Step:
    """One step of a head.

    sentence: a plain sentence.
    latex: the formula.
    matrices: names, each with the sign before it.
    reading: a sentence about the numbers.
    source: the code.
    """

    sentence: str
    latex: str
    matrices: tuple[tuple[str, str], ...]
    reading: str
    source: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """The names of its matrices."""
        return [name for name, _ in self.matrices]

    @property
    def result(self) -> str:
        return self.names[-1]


def make_step(record: HeadRecord, name: str, of: str) -> Step:
    """Return the step called "1 project" … "6 mix".

    of: the projection that the first step shows.
    """
    return MAKERS[name](record, of)


def _project(record: HeadRecord, of: str) -> Step:
    letter = LETTERS[of]
    names = ("M" if record.place.cross and of != "queries" else "X", f"W_{letter}", letter)
    x, weights, result = (grid(record, name).values.shape for name in names)
    matrices = list(zip(names, ("", "×", "="), strict=True))
    source: tuple[str, ...] = ("core.model.attention.MultiHeadAttention.forward",)
    latex = rf"{letter} = {names[0]}\,W_{letter} + b_{letter} \qquad {_by(x)}\cdot{_by(weights)} = {_by(result)}"
    turned = f"{letter} rotated"
    meaning = {
        "queries": "the **query**: what this token looks for",
        "keys": "the **key**: what this token can be found by",
        "values": "the **value**: what this token passes on when it is found",
    }[of]
    sentence = (
        f"Each row of {names[0]} is one token's vector. Multiplied by the weights {names[1]}, it becomes {meaning}."
    )
    if letter != "V" and record.normed is not None:
        matrices.append((f"{letter} normed", "→"))
        sentence += " A norm then brings all of them to the same size."
    if letter != "V" and record.q_rotated is not None:
        matrices.append((turned, "↻"))
        source = (*source, "core.model.positions.rotate")
        sentence += " Rotary positions then turn it by an angle that depends on where the token stands."
    values, rows = grid(record, matrices[-1][0]).values, grid(record, letter).rows
    return Step(sentence, latex, tuple(matrices), _longest(values, rows, SINGULAR[of]), source)


def _score(record: HeadRecord, of: str) -> Step:
    kind = record.parts.kind
    shape, width = _by(record.raw.shape), record.q.shape[1]
    q, k = (_as_scored(record, letter) for letter in "QK")
    sizes = rf"{_by(record.q.shape)}\cdot{_by((width, len(record.keys)))} = {shape}"
    if kind == "additive":
        latex = rf"S_{{\text{{raw}},ij}} = v^\top \tanh(W q_i + U k_j) \qquad i, j: {shape}"
        sentence = "A small network scores each **query** against each **key** (Bahdanau's additive score)."
        return Step(
            sentence,
            latex,
            (("QW", ""), ("KU", "+"), ("v", "·"), ("raw S", "→")),
            _scores(record.raw, record),
            ("core.model.scores.Additive.raw",),
        )
    if kind == "general":
        latex = rf"S_\text{{raw}} = ({q}\,W)\,{k}^\top \qquad {sizes}"
        sentence = (
            "Each **query**, sent through one more matrix W, is multiplied with each **key** (Luong's general score)."
        )
        matrices = ((f"Q{record.scored}", ""), ("W", "×"), ("QW", "="), ("Kᵀ", "×"), ("raw S", "="))
        return Step(sentence, latex, matrices, _scores(record.raw, record), ("core.model.scores.General.raw",))
    latex = rf"S_\text{{raw}} = {q}\,{k}^\top \qquad {sizes}"
    sentence = "Each **query** is multiplied with each **key**: a large score means that they point the same way."
    return Step(
        sentence,
        latex,
        ((f"Q{record.scored}", ""), ("Kᵀ", "×"), ("raw S", "=")),
        _scores(record.raw, record),
        (DOT_SOURCE,),
    )


def _as_scored(record: HeadRecord, letter: str) -> str:
    """Return the queries or keys in LaTeX, as they are multiplied."""
    normed = rf"\mathrm{{norm}}({letter})" if record.normed else letter
    return rf"\mathrm{{rot}}({normed})" if record.turning else normed


def _scale(record: HeadRecord, of: str) -> Step:
    width, parts = record.q.shape[1], record.parts
    scaled = parts.kind == "scaled_dot"
    latex = r"S = S_\text{raw}"
    if scaled:
        latex += rf" \div \sqrt{{d_k}} = S_\text{{raw}} \div \sqrt{{{width}}} = S_\text{{raw}} \times {parts.scale:.4g}"
    sentence = (
        "Scores are divided by √d_k, so that scores do not grow with the width of the head."
        if scaled
        else "This score is not scaled. Choose “scaled dot” to see what scaling does."
    )
    matrices: tuple[tuple[str, str], ...] = (("raw S", ""), ("S", "→"))
    if parts.bias is not None:
        relative = parts.positions == "relative"
        latex += r" \; + \; b_{\mathrm{bucket}(j-i)}" if relative else r" \; + \; (-\text{slope}\cdot|i-j|)"
        sentence += (
            " Relative positions then add a learned number for each distance."
            if relative
            else " ALiBi then takes off a penalty that grows with the distance."
        )
        matrices = (("raw S", ""), ("bias", "+"), ("S", "="))
    before, after = (float(np.std(values)) for values in (record.raw, record.scores))
    reading = f"The scores' standard deviation goes from {number(before)} to {number(after)}."
    return Step(sentence, latex, matrices, reading, (ATTENTION_SOURCE,))


def _mask(record: HeadRecord, of: str) -> Step:
    allowed, cells = int(record.mask.sum()), record.mask.size
    latex = r"S_{\text{masked},ij} = -\infty \;\text{where}\; M_{ij} = 0 \qquad "
    latex += rf"{allowed}\text{{ of }}{cells}\text{{ cells stay}}"
    sentence = "Where a query may not look, the score becomes −∞, so that the softmax makes it exactly 0."
    reading = (
        "Nothing is masked here: every query may attend to every key."
        if allowed == cells
        else read_masked_rows(record.pattern, record.queries.labels)
        or f"The mask leaves {allowed:,} of {cells:,} cells, {percent(allowed / cells)} of the matrix."
    )
    return Step(
        sentence,
        latex,
        (("S", ""), ("mask", "∧"), ("masked S", "=")),
        reading,
        (MASK_SOURCE, ATTENTION_SOURCE),
    )


def _softmax(record: HeadRecord, of: str) -> Step:
    over = rf"\sum_{{k=1}}^{{{len(record.keys)}}} e^{{S_{{\text{{masked}},ik}}}}"
    over += "" if record.sink is None else rf" + e^{{{number(record.sink)}}}"
    latex = rf"A_{{ij}} = \frac{{e^{{S_{{\text{{masked}},ij}}}}}}{{{over}}} \qquad {_by(record.pattern.shape)}"
    sentence = "The softmax turns each *row* of scores into weights: none is negative, and each row sums to 1."
    if record.sink is not None:
        sentence = (
            "The softmax turns each *row* of scores into weights. This head has a learned logit beside every row, "
            f"{number(record.sink)}, which belongs to no token: what it gets is missing in the row, which sums to less "
            "than 1."
        )
    keys = record.keys.labels if record.place.cross else None
    reading = read_pattern(record.pattern, record.queries.labels, keys)
    if empty := read_masked_rows(record.pattern, record.queries.labels):
        sentence += " A row that may attend to nothing stays at 0."
        reading = f"{reading} {empty}"
    return Step(
        sentence,
        latex,
        (("masked S", ""), ("A", "→")),
        reading,
        (HIDE_SOURCE, SOFTMAX_SOURCE),
    )


def _mix(record: HeadRecord, of: str) -> Step:
    shapes = rf"{_by(record.pattern.shape)}\cdot{_by(record.v.shape)} = {_by(record.z.shape)}"
    sentence = "Each token takes in an average of the **values**, weighted by its row of attention."
    if record.sink is not None:
        sentence = (
            "Each token takes in the **values**, each times its weight in the token's row of attention, added up."
        )
    reading = _longest(record.z, record.queries.labels, "mix of values")
    return Step(
        sentence,
        rf"Z = A\,V \qquad {shapes}",
        (("A", ""), ("V", "×"), ("Z", "=")),
        reading,
        (ATTENTION_SOURCE,),
    )


def _scores(scores: np.ndarray, record: HeadRecord) -> str:
    return read_scores(scores, record.queries.labels, record.keys.labels if record.place.cross else None)


def _longest(values: np.ndarray, labels: tuple[str, ...], of: str) -> str:
    lengths = np.linalg.norm(values.astype(float), axis=1)
    (best,), passed = largest_of_words(lengths, labels)
    longest, mean = number(lengths[best]), number(lengths.mean())
    who = capital(token_name(labels, best))
    among = " of all words" if passed else ""
    return f"{who} has the longest {of}{among}: its length is {longest}, the mean is {mean}."


def _by(shape: tuple[int, ...]) -> str:
    return rf"({shape[0]}\times{shape[1]})"


MAKERS = {
    "1 project": _project,
    "2 score": _score,
    "3 scale": _scale,
    "4 mask": _mask,
    "5 softmax": _softmax,
    "6 mix": _mix,
}
