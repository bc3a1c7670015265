"""Charts about a classifier of sentiment.

They show its verdict word by word, the importance of each word by each method, permuted weights, sentences of our own,
and accuracy against the number of labels.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, DASHED, chart, clickable, framed, named, percents, row_data, signed, tips
from core.charts.style import INK, NEGATIVE, POSITIVE, SIZE, WEIGHT

BAND = 0.36  # half the height of a method's row, whose middle lies at a whole number
HALF_CHANCE = alt.datum(0.5)
ROW = 112  # pixels
WORDS = alt.Axis(labelAngle=-50, labelLimit=110, labelFlush=False, grid=False)


def growing_spec(positive: str) -> dict[str, Any]:
    """Return a bar from one half to the probability after each word, for the columns of `growing_data`."""
    base = chart(
        x=alt.X("word:N", sort=BY_PLACE, title="having read as far as", axis=WORDS),
        tooltip=tips(("word:N", "up to"), ("chance:Q", positive, ".4f")),
    )
    up = percents(alt.Y("chance:Q"), f"chance of “{positive}”").axis(format="%", values=[0, 0.5, 1])
    bars = base.mark_bar(color=signed("chance", 0.5), opacity=0.75).encode(y=up, y2=HALF_CHANCE)
    line = base.mark_line(color=INK, strokeWidth=1.5, point=alt.OverlayMarkDef(color=INK, size=28)).encode(y=up)
    return framed("How sure is it after each word?", bars, line, height=400)


def growing_data(words: Sequence[str], probabilities: np.ndarray) -> pd.DataFrame:
    """Return the data for `growing_spec`: one row per word.

    words: their labels, all different.
    probabilities (W,): the probability of the second class after each word.
    """
    return row_data("word", words, chance=probabilities.astype(np.float32))


def reasons_spec(negative: str, positive: str, methods: int) -> dict[str, Any]:
    """Return for each method a row of bars over the words, for the columns of `reasons_data`.

    A click anywhere in the column of a word selects it (`picked`, field "place").

    negative, positive: the names of the two classes.
    methods: number of methods.
    """
    across = alt.X("word:N", sort=BY_PLACE, title=None, axis=WORDS)
    base = chart()
    rows = alt.Scale(domain=[-0.5, methods - 0.3], nice=False)
    hues = {"attention": WEIGHT, f"for “{positive}”": POSITIVE, f"for “{negative}”": NEGATIVE}
    hue = named("kind:N", hues, columns=3, symbolStrokeWidth=0)
    tooltip = tips("word:N", "method:N", ("value:Q", "", ".4f"))
    bars = base.mark_bar(stroke=INK, strokeWidth=alt.expr("datum.longest ? 2 : 0"))
    bars = bars.encode(x=across, y=alt.Y("low:Q", scale=rows, axis=None), y2="high:Q", color=hue)
    zero = base.mark_rule(color=SIZE, opacity=0.5, tooltip=None).encode(y=alt.Y("zero:Q", scale=rows, axis=None))
    names = base.transform_filter("datum.place == 0").mark_text(
        color=INK, align="left", baseline="top", dx=4, dy=2, fontWeight="bold", tooltip=None
    )
    names = names.encode(x=alt.value(0), y=alt.Y("top:Q", scale=rows, axis=None), text="name:N")
    columns = base.mark_bar(
        width=alt.RelativeBandSize(1), color=INK, cursor="pointer", opacity=alt.expr("datum.here ? 0.1 : 0.001")
    )
    columns = columns.encode(x=across, y=alt.Y("bottom:Q", scale=rows, axis=None), y2="top:Q", tooltip=tooltip)
    return framed("Which words decide? Four answers", zero, bars, names, clickable(columns), height=ROW * methods)


def reasons_data(
    words: Sequence[str], methods: Mapping[str, str], scores: np.ndarray, labels: tuple[str, ...], changed: int | None
) -> pd.DataFrame:
    """Return the data for `reasons_spec`: one row for each word and method.

    words: their labels, all different.
    methods: the text above each row, by the method's name.
    scores (M, W): the importance of each word by each method. The first method's are shares, the others' are signed;
        the longest bar of every method has the same length.
    labels: the two classes.
    changed: the place of the changed word; None if no word is changed.
    """
    frames = []
    for row, ((method, name), values) in enumerate(zip(methods.items(), scores, strict=True)):
        middle = len(methods) - 1.0 - row
        zero = middle - BAND if row == 0 else middle
        most = float(np.abs(values).max()) or 1.0
        high = zero + (2 if row == 0 else 1) * BAND * values / most
        kinds = ["attention" if row == 0 else f"for “{labels[int(value >= 0)]}”" for value in values]
        columns = {
            "method": method,
            "name": name,
            "kind": kinds,
            "value": values,
            "here": np.arange(len(words)) == changed,
            "longest": np.abs(values) == most,
        }
        ends = {"zero": zero, "low": zero, "high": high, "bottom": middle - 0.5, "top": middle + 0.5}
        frames.append(row_data("word", words, **columns, **ends))
    return pd.concat(frames, ignore_index=True)


def permuted_spec(positive: str) -> dict[str, Any]:
    """Return a dot for the verdict of each permutation, for the columns of `permuted_data`.

    Rules mark the verdicts with the original weights and with equal ones.
    """
    across = percents(alt.X("chance:Q"), f"chance of “{positive}”")
    hues = {"as they are": POSITIVE, "permuted": WEIGHT, "all equal": SIZE}
    hue = named("weights:N", hues, title="attention weights", columns=3)
    base = chart(x=across, color=hue, tooltip=tips("weights:N", ("chance:Q", "", ".4f")))
    dots = base.transform_filter("datum.weights == 'permuted'").mark_circle(size=90, opacity=0.6)
    dots = dots.encode(y=alt.Y("up:Q", axis=None, scale=alt.Scale(domain=[-1, 1])))
    rules = base.transform_filter("datum.weights != 'permuted'").mark_rule(strokeWidth=4)
    return framed("Where does the verdict go?", _half(), rules, dots, height=320)


def permuted_data(probability: float, permuted: np.ndarray, uniform: float) -> pd.DataFrame:
    """Return the data for `permuted_spec`: one row per dot or rule; dots have heights that keep near ones apart.

    All numbers are probabilities of the second class.

    probability: the probability with the original weights.
    permuted: the probability with each permutation.
    uniform: the probability with equal weights.
    """
    count = len(permuted)
    return pd.DataFrame(
        {
            "weights": ["as they are", "all equal", *["permuted"] * count],
            "chance": np.array([probability, uniform, *permuted], np.float32),
            "up": np.array([0, 0, *_apart(count)], np.float32),
        }
    )


def negations_spec(negative: str, positive: str) -> dict[str, Any]:
    """Return a dot for each sentence in the row of its true class, for the columns of `negations_data`.

    A click on a dot selects its sentence (`picked`, field "place").
    """
    rows = [f"“{negative}”", f"“{positive}”"]
    dots = chart(
        x=percents(alt.X("chance:Q"), f"it says “{positive}” with this chance", padding=8),
        y=alt.Y("meant:N", sort=rows[::-1], title="meant", scale=alt.Scale(domain=rows[::-1])),
        yOffset=alt.YOffset("up:Q", scale=alt.Scale(domain=[-1.4, 1.4])),
        color=named("judged:N", {"right": SIZE, "wrong": WEIGHT}, title="judged", symbolStrokeWidth=0),
        tooltip=tips("sentence:N", "meant:N", ("chance:Q", "", ".3f")),
    ).mark_circle(size=110, opacity=0.75, cursor="pointer", stroke=INK, strokeWidth=alt.expr("datum.chosen ? 3 : 0"))
    return framed("Each dot is a sentence", _half(), clickable(dots), height=380)


def negations_data(
    sentences: Sequence[str],
    meant: np.ndarray,
    probabilities: np.ndarray,
    right: np.ndarray,
    labels: tuple[str, ...],
    chosen: int | None = None,
) -> pd.DataFrame:
    """Return the data for `negations_spec`: one row per sentence of our own, N in all; the arrays are (N,).

    meant: the number of the sentence's true class, 0 or 1.
    probabilities: the probability that the classifier gives the second class.
    right: whether the classifier chose the true class; booleans.
    labels: the names of the two classes.
    chosen: the place of the sentence whose dot is outlined; None for no sentence.
    """
    return row_data(
        "sentence",
        sentences,
        meant=[f"“{labels[side]}”" for side in meant],
        chance=probabilities.astype(np.float32),
        judged=np.where(right, "right", "wrong"),
        up=np.array(_apart(len(sentences)), np.float32),
        chosen=np.arange(len(sentences)) == chosen,
    )


def labels_spec() -> dict[str, Any]:
    """Return lines of means and a dot for each seed over a logarithmic axis, for the columns of `labels_data`."""
    hues, legend = alt.Scale(range=[POSITIVE, NEGATIVE]), alt.Legend(title=None, orient="top")
    base = chart(
        x=alt.X("size:Q", title="labelled sentences", scale=alt.Scale(type="log"), axis=alt.Axis(grid=False)),
        color=alt.Color("arm:N", sort=None, scale=hues, legend=legend),
    )

    def up(column: str) -> alt.Y:
        return alt.Y(f"{column}:Q", title="judged right, percent", scale=alt.Scale(zero=False))

    lines = base.mark_line(strokeWidth=2.5).encode(y=up("mean(accuracy)"))
    tooltip = tips("arm:N", ("size:Q", "", ","), ("accuracy:Q", "", ".2f"))
    dots = base.mark_circle(size=60).encode(y=up("accuracy"), tooltip=tooltip)
    return framed("What does pre-training buy in short trainings?", lines, dots, height=380, fitted=True)


def labels_data(sizes: Sequence[int], accuracy: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return the data for `labels_spec`: one row per training run.

    sizes (S,): the numbers of labelled sentences.
    accuracy: for each arm, such as with pre-training and without, (S, R) numbers for each size and seed.
    """
    rows = [
        (arm, size, float(score))
        for arm, table in accuracy.items()
        for size, row in zip(sizes, table, strict=True)
        for score in row
    ]
    return pd.DataFrame(rows, columns=["arm", "size", "accuracy"])


def _half() -> alt.Chart:
    """Return a dashed rule at the probability one half."""
    return chart(x=HALF_CHANCE).mark_rule(**DASHED, tooltip=None)


def _apart(count: int) -> list[float]:
    """Return heights from −0.75 to 0.75 in an order that keeps neighbours apart."""
    return [1.5 * ((index * 0.618034) % 1 - 0.5) for index in range(count)]
