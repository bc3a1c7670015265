"""The view of the gain from pre-training: accuracy against the number of labelled sentences."""

from collections.abc import Mapping

import numpy as np

from core.charts.bars import bars_data, bars_spec
from core.charts.style import SIZE
from core.topics.sentiment.charts import labels_data, labels_spec
from core.topics.sentiment.labels import ARMS
from core.topics.sentiment.readings import classifier_table, read_classifiers, read_labels, read_negations_gain
from core.tracing.run import Run
from pages.comparisons.sentiment import queries
from pages.compute.cache import model_title
from pages.shell import Shown, View
from pages.widgets import Caption, Chart, Listing, Message, Table, Values, plain, spec

LEAD = (
    "Labelled sentences are expensive, plain text is cheap. Does a model that has first learnt to fill in hidden words "
    "in books need fewer labels?"
)
SOURCE = ("core.training.labels.measure_labels",)


def _show(run: Run, values: Values) -> Shown:
    """Show the measured curves, or why their file cannot be read."""
    shipped = read_classifiers(queries.classifier_scores())
    # of "Classifier of film reviews, pre-trained" the end tells it from the others
    right = {name.rpartition(", ")[2]: counts for name, counts in queries.negations_right().items()}
    try:
        curve = queries.label_curve()
    except ValueError as broken:
        return Shown(lead=LEAD, pictures=[Message(plain(str(broken)))], notes=[shipped], source=SOURCE)
    by_arm = dict(zip(ARMS.values(), curve.accuracy, strict=True))
    seeds = curve.accuracy.shape[-1]
    rows = [f"{arm}, seed {seed}" for arm in ARMS.values() for seed in range(seeds)]
    numbers = curve.accuracy.transpose(0, 2, 1).reshape(len(rows), -1)
    times = "with one seed" if seeds == 1 else f"with {seeds} seeds"
    origin = (
        f"Short trainings of one network, measured once, {times}. Pre-trained: {plain(model_title(curve.base))}."
        f"{' The classifiers above were trained for longer.' if right else ''}"
    )
    headline = read_negations_gain(right)
    return Shown(
        lead=LEAD,
        pictures=[
            *([_bars(right)] if headline else []),
            Chart(labels_data(curve.sizes, by_arm), spec(labels_spec), "sentiment-labels", "accuracy by labels"),
            Caption(origin),
        ],
        takeaway=[
            *[headline] * bool(headline),
            *read_labels(curve.sizes, curve.accuracy[1].mean(-1), curve.gain, curve.chance, seeds),
            *[shipped] * bool(shipped),
        ],
        about="The same network, trained on the same sentences, from the reader's weights and from fresh ones. A dot "
        "is one training, a line the mean over the seeds; judged on 872 sentences that were held out. Each start has "
        "one learning rate for all sizes, and a better one for some size may not have been found.",
        table=[
            Table("labels", numbers, rows, [str(size) for size in curve.sizes], corner="training"),
            Table("gain", *curve.gain_table, corner="percentage points"),
            Listing("shipped classifiers", classifier_table(queries.classifier_scores())),
        ],
        source=SOURCE,
    )


def _bars(right: Mapping[str, tuple[int, int]]) -> Chart:
    """Return how many sentences with a negation each classifier judges right as bars."""
    title = f"Of {max(count for _, count in right.values())} sentences with a negation, judged right"
    data = bars_data(np.array([judged for judged, _ in right.values()]), list(right), 0)
    drawn = spec(bars_spec, "classifier", title, "sentences judged right", False, SIZE)
    return Chart(data, drawn, "sentiment-pretrained-negations", title)


VIEW = View("pre-training", _show, reads_text=False, uses_model=False)
