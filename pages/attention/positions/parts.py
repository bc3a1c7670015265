"""Parts shared by several views of this page: the chosen encoding, tokens and head, and line charts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.charts.positions_lines import Line, lines_data, lines_spec
from core.topics.positions.encodings import Encoding
from core.topics.positions.readings.encodings import WAVED
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.positions.settings import BASE, KEY, KIND, LENGTH, QUERY, WIDTH
from pages.compute.cache import check
from pages.widgets import Chart, Control, Values, control, head_of, place_controls, place_of, spec

LIMIT_LABEL = "model's length"


def own_controls(run: Run, values: Values) -> Iterator[Control]:
    """Yield the controls of the encoding if the weights are random; every view then uses this encoding."""
    if not run.is_trained:
        yield from _kind_controls(values, run.config.positions)


def with_encoding(run: Run, values: Values) -> Run:
    """Return the run with this page's encoding if its weights are random, otherwise unchanged.

    Only random weights can have any encoding.
    """
    if run.is_trained:
        return run
    config = replace(run.config, positions=values[KIND], position_base=values[BASE])
    return replace(run, config=config)


def _kind_controls(values: Values, model_encoding: str) -> Iterator[Control]:
    """Yield the controls for the encoding and, if it is sinusoidal or rotary, for its base.

    model_encoding: the model's encoding, which is chosen at first.
    """
    yield control(KIND, default=model_encoding)
    if values[KIND] in WAVED:
        yield control(BASE, "more", format="%g", width=160)


def encoding_controls(run: Run, values: Values, on_scores: bool = False) -> Iterator[Control]:
    """Yield the controls for a positional encoding and its sizes; a trained model's own encoding is the default.

    on_scores: whether the view shows the effect on scores; rotary positions then need no width.
    """
    if run.is_trained:
        model_encoding = run.config.positions
        yield from _kind_controls(
            values, model_encoding if model_encoding in KIND.options and model_encoding != "none" else KIND.default
        )
    yield control(LENGTH, "more", width=260)
    if values[KIND] == "alibi":
        yield from place_controls(run, attention=False, layer=False)
    elif not (on_scores and values[KIND] == "rotary"):
        yield control(WIDTH, "more", width=130)


def encoding_of(run: Run, values: Values, on_scores: bool = False) -> Encoding:
    """Return the encoding that these controls describe."""
    kind, length, head = values[KIND], values[LENGTH], head_of(run, values) if values[KIND] == "alibi" else 0
    width = WIDTH.default if kind == "alibi" or (on_scores and kind == "rotary") else values[WIDTH]
    base = values[BASE] if kind in WAVED else BASE.default
    return Encoding(kind, length, width, base, run.config.seed, head, run.config.heads)


def token_controls(run: Run, values: Values) -> Iterator[Control]:
    """Yield the controls for a query token and a key token of the visitor's text, by their numbers."""
    last = len(check(run)[place_of(run, values).stack]) - 1
    for setting in (QUERY, KEY):
        yield control(setting, high=last, width=130)


def first_layer_controls(run: Run, values: Values) -> Iterator[Control]:
    """Return the controls for a head of the first layer.

    In that layer, a query follows from its token and position alone.
    """
    return place_controls(run, layer=False)


def first_layer(run: Run, values: Values) -> HeadAddress:
    """Return the head of the first layer that these controls name."""
    return replace(place_of(run, values), layer=0)


def line_chart(
    key: str, name: str, lines: Sequence[Line], words: tuple[str, str, str], limit: int | None = None, most: float = 0.0
) -> Chart:
    """Return a chart of lines.

    words: the title, and the names of the horizontal and the vertical axis.
    limit: the end of the model's length, which is then marked; None for no mark.
    most: the end of the vertical axis, which then begins at 0; 0 fits the axis to the numbers.
    """
    marked = "" if limit is None else LIMIT_LABEL
    return Chart(lines_data(lines, limit), spec(lines_spec, *words, marked, most), key, name)
