"""The view of the permutation test: the words of the visitor's text are shuffled to see which models notice."""

from collections.abc import Iterator, Mapping, Sequence

from core.topics.positions.charts.shuffle import shuffle_data, shuffle_spec
from core.topics.positions.readings.measures import read_beginning, read_shuffle
from core.topics.positions.shuffle import Shuffled, trained_run
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.settings import ORDER
from pages.compute.cache import model_names, title_of, trained
from pages.shell import Shown, View
from pages.widgets import Chart, Control, Markdown, Message, Table, Values, control, plain, spec

ENCODERS = ("sentiment", "translator")
LEAD = (
    "The words are shuffled, the model reads them, and its outputs are put back into the old order. If nothing has "
    "changed, the outputs just *moved with their words*: the model cannot know the order."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(ORDER, width=180)


def _show(run: Run, values: Values) -> Shown:
    """Test six encoders with random weights, two trained ones and the chosen model on the same shuffled text."""
    mine, kind = queries.shuffled(run, values[ORDER]), run.config.positions
    if mine.movable < 2:
        return Shown(lead=LEAD, pictures=[Message("One word has only one order. Type two or more.")])
    found, left_out = _all_models(run, values[ORDER], mine)
    return Shown(
        lead=LEAD,
        pictures=[
            Markdown(f"Before: {plain(read_beginning(mine.before))}"),
            Markdown(f"After: {plain(read_beginning(mine.after))}"),
            Chart(shuffle_data(found), spec(shuffle_spec), "positions-shuffled", "The permutation test"),
        ],
        takeaway=read_shuffle(kind, mine.largest, mine.size, mine.moves_along, mine.masked),
        notes=left_out,
        formula=r"f(\Pi X) = \Pi f(X) \qquad \text{for every shuffle } \Pi \qquad \text{if nothing tells the order}",
        about="The dot is the token that differs most; the bar reaches down to the one that differs least. Encoders "
        "with random weights have the default sizes and differ in their positions only. Trained models read the text "
        "with their own tokenizer; of a translator, the encoder is tested. All of it is in float32; a difference below "
        "one thousandth of the largest output counts as rounding.",
        table=Table("shuffle", mine.apart[None], ["difference"], mine.labels, corner="your model"),
        source=("core.topics.positions.shuffle.shuffled", "core.topics.positions.shuffle.token_order"),
    )


def _all_models(run: Run, seed: int, mine: Shuffled) -> tuple[Mapping[str, Shuffled], Sequence[str]]:
    """Return each model's result by its name on the chart, and why some trained encoders were left out."""
    found = {f"{kind}, random weights": each for kind, each in queries.shuffled_fresh(run, seed).items()}
    left_out = []
    for name in ENCODERS:
        if name not in model_names():
            continue
        try:
            known = trained(name)
            found[f"{known.config.positions}, {known.card.title}"] = queries.shuffled(
                trained_run(run.text, known), seed
            )
        except ValueError as mistake:
            left_out.append(f"{name} is left out: {mistake}")
    title = title_of(run)
    if mine.masked or not run.checkpoint or f"{run.config.positions}, {title}" not in found:
        found[f"your model: {title}"] = mine
    return found, left_out


VIEW = View("shuffle", _show, _controls, reads_target=False)
