"""The view of how much attention the first token gets, and what is lost without it."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.charts.bars import bars_data, loss_bars_spec
from core.readings.words import percent
from core.text.labels import bare, token_name
from core.topics.circuits.first_token import FirstToken, HiddenLosses
from core.topics.circuits.readings import first_token as say
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.shell import Shown, View
from pages.transformer.circuits import queries
from pages.widgets import Chart, Columns, Control, Table, Values, head_of, head_picked, layer_of, place_controls, spec

LEAD = (
    "A **softmax** shares out all of its weight, even where a head finds nothing to read. In many models the first "
    "token, which every query can see, then gets it: an **attention sink**."
)
SINK_LEAD = (
    "A **softmax** shares out all of its weight, even where a head finds nothing to read. In many models the first "
    "token then gets it: an **attention sink**. Each head of this model has a sink logit instead, which belongs to "
    "no token."
)
ABOUT = (
    "Left: the mean weight that the queries of a head give to the first token. Right: how much longer "
    "its value is than the others' mean, as a share of that mean: 0 is as long, −1 is nothing. Where it is short, a "
    "head that looks there adds little. Click a head.",
    "Attention sinks: Xiao et al. 2023. When they form in training, with short values: Gu et al. 2024, Guo et al. "
    "2024. What is said above is measured on this model and this text.",
    "To compare, another earlier token, drawn by lot, is hidden from each query, in twelve draws.",
    "In the lab one forms while you watch, in the task of looking back only after a digit. Its twin, whose rows have "
    "no first token of their own, shows none. In another twin each head has a sink logit, and no head rests on the "
    "first token.",
)
SINK_ABOUT = "In the middle: the mean weight that goes to the head's sink logit, and so to no token."
HIDDEN = ("nothing", "first token", "another token")
SCROLLED_TOKENS, SCROLLED_LINES = 60, 3


def stack_of(run: Run) -> str:
    """Return the stack whose self-attention is looked at."""
    return run.config.stacks[-1]


def strongest_head(run: Run, values: Values) -> HeadAddress:
    """Return the head that the headline is about: the one that gives the first token most, or no token."""
    stack = stack_of(run)
    found = queries.first_token(run, stack)
    return HeadAddress(
        stack, *_largest(found.mean_weights if found.mean_to_no_token is None else found.mean_to_no_token)
    )


def _largest(shares: np.ndarray) -> tuple[int, int]:
    """Return the layer and the head with the largest of some shares (N, H)."""
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    return int(layer), int(head)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run, attention=False, stack=stack_of(run))


def _show(run: Run, values: Values) -> Shown:
    """Show the weights of all heads on the first token, those of one head by query, and the losses without it."""
    stack = stack_of(run)
    found = queries.first_token(run, stack)
    layer, head = layer_of(run, values, stack), head_of(run, values)
    losses = queries.hidden_losses(run) if stack == "decoder" and len(found.labels) > 3 else None
    best = _largest(found.mean_weights)
    mean = float(found.mean_weights.mean())
    strongest = float(found.mean_weights[best])
    first = token_name(found.labels, 0)
    below = [_queries(found, layer, head)]
    return Shown(
        lead=LEAD if found.to_no_token is None else SINK_LEAD,
        pictures=[
            _grid(found, layer, head),
            Columns([below, [_losses_chart(losses)]], widths=(2, 1)) if losses else below[0],
        ],
        takeaway=[
            *_read_sink(found, first),
            say.read_first_token(*best, strongest, mean, found.mean_even, first),
            say.read_even_share(mean, strongest, found.mean_even),
            say.read_value_length(float(found.value_lengths[layer, head]), layer, head),
            *([say.read_hidden_losses(losses.whole, losses.first, float(losses.others.mean()))] if losses else []),
        ],
        about=ABOUT if found.to_no_token is None else (SINK_ABOUT, *ABOUT),
        table=_tables(found, losses, layer, head),
        source=(
            "core.topics.circuits.first_token.first_token",
            *(["core.topics.circuits.first_token.hidden_losses"] if losses else []),
        ),
    )


def _read_sink(found: FirstToken, first: str) -> list[str]:
    """Return sentences on the weight that goes to no token; none without sink logits."""
    shares = found.mean_to_no_token
    if shares is None:
        return []
    layer, head = _largest(shares)
    on_first = float(found.mean_weights[layer, head])
    headline = say.read_no_token(layer, head, float(shares.max()), on_first, found.mean_even, first)
    return [*([headline] if headline else []), say.read_mean_to_no_token(float(shares.mean()))]


def _grid(found: FirstToken, layer: int, head: int) -> Matrices:
    layers, heads = _names(found)
    weights = Panel(
        "weights",
        "weight on the first token",
        found.mean_weights,
        layers,
        heads,
        scale="weight",
        selected=(layer, head),
    )
    values = Panel(
        "values",
        "its value: longer or shorter than the others'",
        found.value_lengths - 1,
        layers,
        heads,
        limit=max(1.0, float(found.value_lengths.max()) - 1),
        selected=(layer, head),
        unit="difference",
    )
    return Matrices(
        [weights, *_no_token_panels(found, layer, head), values],
        key="circuits-first",
        name="the first token, head by head",
        height=300,
        sets=lambda panel, row, col: head_picked(row, col),
    )


def _no_token_panels(found: FirstToken, layer: int, head: int) -> list[Panel]:
    """Return the weights that go to no token; nothing without sink logits."""
    shares = found.mean_to_no_token
    if shares is None:
        return []
    return [Panel("no-token", "weight on no token", shares, *_names(found), scale="weight", selected=(layer, head))]


def _names(found: FirstToken) -> tuple[list[str], list[str]]:
    layers, heads = found.value_lengths.shape
    return [f"layer {number + 1}" for number in range(layers)], [f"head {number + 1}" for number in range(heads)]


def _queries(found: FirstToken, layer: int, head: int) -> TokenButtons:
    """Return the tokens, shaded by the weight that each gives to the first."""
    weights = np.clip(found.weights[layer, head], 0, 1)
    more = [""] * len(weights)
    if found.to_no_token is not None:
        more = [f", {percent(float(share))} to no token" for share in found.to_no_token[layer, head]]
    tokens = [
        Token(
            bare(label),
            f"{percent(float(weight))} to the first token{also}",
            float(weight),
            under=percent(float(weight)),
        )
        for label, weight, also in zip(found.labels, weights, more, strict=True)
    ]
    return TokenButtons(
        tokens,
        key="circuits-first-queries",
        name=f"What each token gives to the first, in head {head + 1} of layer {layer + 1}",
        caption=f"Head {head + 1} of layer {layer + 1}: below each token, the weight that it gives to the first. The "
        "first sees only itself.",
        lines=SCROLLED_LINES if len(tokens) > SCROLLED_TOKENS else None,
    )


def _losses_chart(losses: HiddenLosses) -> Chart:
    drawn = spec(loss_bars_spec, "The loss when this is hidden")
    return Chart(bars_data(_losses(losses), HIDDEN, 2), drawn, "circuits-first-losses", "the loss without a token")


def _losses(losses: HiddenLosses) -> np.ndarray:
    return np.array([losses.whole, losses.first, losses.others.mean()])


def _tables(found: FirstToken, losses: HiddenLosses | None, layer: int, head: int) -> Sequence[Table]:
    layers, heads = _names(found)
    means = np.array([[found.mean_weights.mean(), found.mean_weights.max(), found.mean_even]])
    tables = [
        Table("weights on the first token", found.mean_weights, layers, heads, corner="layer"),
        Table("lengths of its value", found.value_lengths, layers, heads, corner="layer"),
        Table("by query", found.weights[layer, head][:, None], found.labels, ("weight",), corner="query"),
        Table("compared", means, ("first token",), ("all heads", "strongest head", "even share"), corner="token"),
    ]
    if found.to_no_token is not None and found.mean_to_no_token is not None:
        tables.append(Table("weights on no token", found.mean_to_no_token, layers, heads, corner="layer"))
        by_query = found.to_no_token[layer, head][:, None]
        tables.append(Table("no token by query", by_query, found.labels, ("weight",), corner="query"))
    if losses:
        tables.append(Table("losses", _losses(losses)[:, None], HIDDEN, ("nats",), corner="hidden"))
    return tables


VIEW = View("why the first token", _show, _controls)
