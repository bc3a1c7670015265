"""The view of the permutation test: the words of the visitor's text are shuffled to see which models notice."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from core.readings.words import number, small
from core.text.labels import bare
from core.topics.positions.charts.shuffle import shuffle_data, shuffle_spec
from core.topics.positions.readings.measures import read_beginning, read_shuffle
from core.topics.positions.shuffle import Shuffled, trained_run
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.settings import SHUFFLE_SEED
from pages.canvas import Token, TokenButtons
from pages.compute.cache import model_names, title_of, trained
from pages.shell import Shown, View
from pages.widgets import Caption, Chart, Control, Markdown, Message, Part, Table, Values, control, plain, spec

MAX_TOKENS = 40  # tokens that are drawn in each line
HINT = (
    "Below each word: how much its vector has changed because the words were shuffled. Without positions nothing "
    "changes: 0%."
)
ENCODERS = ("sentiment", "translator")
LEAD = (
    "The words are shuffled, the model reads them, and its outputs are put back into the old order. If nothing has "
    "changed, the outputs just *moved with their words*: the model cannot know the order."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(SHUFFLE_SEED, width=180)


def _show(run: Run, values: Values) -> Shown:
    """Test six encoders with random weights, two trained ones and the chosen model on the same shuffled text."""
    result, kind = queries.shuffled(run, values[SHUFFLE_SEED]), run.config.positions
    if result.movable < 2:
        return Shown(lead=LEAD, pictures=[Message("One word has only one order. Type two or more.")])
    results, left_out = _all_models(run, values[SHUFFLE_SEED], result)
    return Shown(
        lead=LEAD,
        pictures=[
            Markdown(f"Before: {plain(read_beginning(result.before))}"),
            *_lines(run, result, queries.shuffled_fresh(run, values[SHUFFLE_SEED])),
            Caption(HINT),
            Chart(shuffle_data(results), spec(shuffle_spec), "positions-shuffled", "The permutation test"),
        ],
        takeaway=read_shuffle(kind, result.largest, result.size, result.moves_along, result.masked),
        notes=left_out,
        formula=r"f(\Pi X) = \Pi f(X) \qquad \text{for every shuffle } \Pi \qquad \text{if nothing tells the order}",
        about="The dot is the token that differs most; the bar reaches down to the one that differs least. Encoders "
        "with random weights have the default sizes and differ in their positions only. Trained models read the text "
        "with their own tokenizer; of a translator, the encoder is tested. All of it is in float32; a difference below "
        "one thousandth of the largest output counts as rounding.",
        table=[
            Table(
                "shuffle",
                np.stack([result.apart, result.changed]),
                ["largest difference", "change ÷ length"],
                result.labels,
                corner="your model",
            ),
            Table(
                "largest-output",
                np.array([[result.largest, result.size]]),
                ["your model"],
                ["difference", "output"],
                "the largest",
            ),
        ],
        source=("core.topics.positions.shuffle.shuffled", "core.topics.positions.shuffle.token_order"),
    )


def _lines(run: Run, result: Shuffled, fresh: Mapping[str, Shuffled]) -> list[Part]:
    """Return the shuffled words, coloured by how much their vectors changed: without positions, and in this model.

    If this model has no positions either, a model with sinusoidal ones is added.
    """
    shown = {"Without positions": fresh["none"], f"{title_of(run) or 'Your model'}": result}
    if result.moves_along:
        shown |= {"With sinusoidal positions": fresh["sinusoidal"]}
    lines: list[Part] = []
    for place, (title, shuffled) in enumerate(shown.items()):
        tokens = [
            Token(
                bare(shuffled.labels[old]),
                f"change ÷ length {number(float(shuffled.changed[old]))}",
                float(np.clip(shuffled.changed[old], 0, 1)),
                under=f"{100 * shuffled.changed[old]:.0f}%" if shuffled.changed[old] <= 1 else "over 100%",
            )
            for old in shuffled.order[:MAX_TOKENS].tolist()
        ]
        name = f"How much each word's vector changed: {small(title)}"
        lines.append(Markdown(f"**{plain(title)}**, shuffled:"))
        lines.append(
            TokenButtons(tokens, key=f"positions-shuffled-{place}", name=name, hue="size", item="word", large=True)
        )
    return lines


def _all_models(run: Run, seed: int, result: Shuffled) -> tuple[Mapping[str, Shuffled], Sequence[str]]:
    """Return each model's result by its name on the chart, and why some trained encoders were left out."""
    results = {f"{kind}: random weights": shuffled for kind, shuffled in queries.shuffled_fresh(run, seed).items()}
    left_out = []
    for name in ENCODERS:
        if name not in model_names():
            continue
        try:
            shipped = trained(name)
            results[f"{shipped.config.positions}: {shipped.card.title}"] = queries.shuffled(
                trained_run(run.text, shipped), seed
            )
        except ValueError as mistake:
            left_out.append(f"{name} is left out: {mistake}")
    title = title_of(run)
    if result.masked or not run.is_trained or f"{run.config.positions}: {title}" not in results:
        results[f"your model: {title}"] = result
    return results, left_out


VIEW = View("shuffle", _show, _controls, reads_target=False)
