"""Sentences about recorded runs: an introduction to each comparison, and readings of its measurements."""

from collections.abc import Mapping, Sequence

from core.lab.comparisons import COMPARISONS, DIGITS, LAYERS, MODULAR, SEGMENTS, Curves
from core.lab.findings import MIN_RIGHT_SHARE
from core.lab.fourier import Spectrum
from core.lab.recipe import Recipe, differing
from core.lab.tasks import TASKS
from core.readings.words import capital, listed, percent

NAMES = {"layers": "the number of layers", "steps": "the number of steps"}
BY_HEART = 0.2  # below this share of right answers on unseen pairs, no rule shows

LEADS: Mapping[str, str] = {
    LAYERS: (
        "Among random letters one segment comes twice, and the second time the model has to go on as it went the first "
        "time. Two layers do it together: a **previous-token head** in layer 1 marks each letter with the one before "
        "it, and an **induction head** in layer 2 looks for the letter that bears the mark of the present one. A "
        "single layer has no such marks to look for, however long it is trained."
    ),
    SEGMENTS: (
        "Both models have two layers and have to go on with letters that came before, and the loss of both falls. With "
        "fixed segments the copy always comes twelve places later, with random segments anywhere. Where the distance "
        "is always the same, counting places is enough: such a model has no rule that holds at greater distances."
    ),
    MODULAR: (
        "This is addition on a clock with 59 hours: 58 and 3 make 2. The model sees a quarter of all pairs again and "
        "again, and soon knows these by heart. Only thousands of steps later is it right about the pairs that it never "
        "saw: this is called **grokking**."
    ),
    DIGITS: (
        "Both models add two numbers of three digits and write the sum digit by digit. One begins with the first "
        "digit, as we read a number, and has to know all carries before it writes anything. The other begins with the "
        "last digit, as we add on paper, and needs only the carry of the digit that it has just written."
    ),
}
HEADS = (
    "Each small picture is a head on the same row: a row of the picture is a token that looks, a column a token that "
    "is looked at. What is right is counted on rows that the model never saw, unless a line is called otherwise."
)
ABOUT: Mapping[str, Sequence[str]] = {
    LAYERS: (
        HEADS,
        "The score is that of the head in each run that comes nearest to an induction head: how much of its weight "
        "lies on the tokens after earlier copies of the token that looks. From one half on it is called one.",
    ),
    SEGMENTS: (
        HEADS,
        "In longer rows the copies are further apart than in any row of training. A head that finds the copy by its "
        "letters finds it there too; a head that counts places does not. At the one distance of the fixed segments "
        "both look at the same token, so the score of an induction head cannot tell them apart.",
    ),
    MODULAR: (
        HEADS,
        "The embeddings of the numbers 0 to 58 are a table of 59 rows. Each of its columns, read from 0 to 58, is a "
        "line that can be taken apart into waves; the wave of frequency 3 goes up and down three times on the way. The "
        "bars say how much of the table each frequency makes up (its Fourier transform, Nanda et al. 2023). Random "
        "numbers need nearly all frequencies; a model that adds by turning on circles needs only a few.",
        "Every step also pulls all weights towards 0 (weight decay), which in the end favours one rule over a list of "
        "pairs known by heart.",
    ),
    DIGITS: (
        HEADS,
        "Digit 1 is the one written first. Every sum has four digits, with a 0 in front if need be. A digit is nearly "
        "always right if it is right in 95% of the sums or more.",
    ),
}
SCORE = r"\text{score} = \frac{1}{|R|} \sum_{i \in R} \; \sum_{j:\, x_{j-1} = x_i} A_{ij}"
FORMULAS: Mapping[str, str] = {
    LAYERS: SCORE,
    SEGMENTS: SCORE,
    MODULAR: r"\text{share}_f = \frac{\sum_d |\hat E_{f d}|^2}{\sum_{g > 0} \sum_d |\hat E_{g d}|^2} \qquad "
    r"\hat E_{f d} = \sum_{a=0}^{58} E_{a d} \, e^{-2 \pi i f a / 59}",
    DIGITS: r"\text{right}_k = \frac{1}{B} \sum_{b=1}^{B} \big[\, \hat x_{b k} = x_{b k} \,\big]",
}


def read_comparison(
    name: str, runs: Sequence[Curves], steps: Sequence[int], waves: Spectrum | None = None
) -> tuple[str, str]:
    """Return a sentence that compares the runs of a comparison, each at its step; then one with further numbers.

    name: one of `COMPARISONS`.
    waves: the frequencies of the embeddings at the step, for the run that adds modulo 59.
    """
    places = [run.place(step) for run, step in zip(runs, steps, strict=True)]
    if waves is not None:
        return _grokking(runs[0], places[0], waves)
    if name == LAYERS:
        one, two = (percent(run.right[place]) for run, place in zip(runs, places, strict=True))
        return (
            f"With one layer {one} of the letters are right, with two layers {two}.",
            f"These are the models at step {steps[0]:,}.",
        )
    labels = COMPARISONS[name].labels
    read_run = _segments if name == SEGMENTS else _digits
    parts = [read_run(label, run, place) for label, run, place in zip(labels, runs, places, strict=True)]
    right = [run.longer_right if name == SEGMENTS else run.held_out_exact for run in runs]
    one, two = (percent(shares[place]) for shares, place in zip(right, places, strict=True))
    headline = f"{capital(labels[0])}, {one} of the sums are right; {labels[1]}, {two}."
    if name == SEGMENTS:
        headline = f"In longer rows {one} of the letters are right with {labels[0]}, and {two} with {labels[1]}."
    return headline, f"{capital(parts[0])}; {parts[1]}."


def _segments(label: str, run: Curves, place: int) -> str:
    return (
        f"with {label}, {percent(run.right[place])} of the letters are right at step {run.steps[place]:,}, and "
        f"{percent(run.longer_right[place])} in longer rows"
    )


def _digits(label: str, run: Curves, place: int) -> str:
    known = [str(digit) for digit, share in enumerate(run.by_place[place], 1) if share >= MIN_RIGHT_SHARE]
    digits = f"digit{'s' * (len(known) > 1)} {listed(known)}" if known else "no digit"
    if len(known) == run.by_place.shape[1]:
        digits = "every digit"
    right = percent(run.held_out_exact[place])
    return f"{label}, {right} of the sums are right at step {run.steps[place]:,}, and {digits} nearly always"


def _grokking(run: Curves, place: int, waves: Spectrum) -> tuple[str, str]:
    """Return how many sums are right, on known and on new pairs; then how many frequencies make up the embeddings."""
    known, understood = run.exact[place], run.held_out_exact[place]
    return (
        f"The model has {percent(known)} of the pairs of training right, and {percent(understood)} of the pairs that "
        f"it never saw{_stage(known, understood)}.",
        f"At step {run.steps[place]:,} {len(waves.strongest)} of {len(waves.shares)} frequencies make up 90% of its "
        "embeddings.",
    )


def _stage(known: float, understood: float) -> str:
    """Return a clause on what the shares of right answers on known and unseen pairs mean together; "" at first."""
    if known < MIN_RIGHT_SHARE:
        return ""
    if understood >= MIN_RIGHT_SHARE:
        return ": it has found the rule"
    return ": it knows its pairs by heart" if understood < BY_HEART else ": it is on its way to the rule"


def read_difference(one: Recipe, other: Recipe) -> str:
    """Return a sentence that names the settings in which two recorded runs differ."""
    parts = [_pair(name, *pair) for name, pair in differing(one, other).items()]
    return f"In their settings only {listed(parts)} differ{'s' * (len(parts) == 1)}."


def _pair(name: str, one: object, other: object) -> str:
    """Return a setting with both of its values: "the number of steps (1,000 or 3,000)"."""
    if name == "task":
        titles = (TASKS[str(task)].title for task in (one, other))
        return f"the task ({'; '.join(title[0].lower() + title[1:] for title in titles)})"
    values = (f"{value:,}" if isinstance(value, int) else str(value) for value in (one, other))
    return f"{NAMES.get(name, name.replace('_', ' '))} ({' or '.join(values)})"
