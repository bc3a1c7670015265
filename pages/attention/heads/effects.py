"""What switching heads off changes: one pattern, every pattern, the layers, the tokens, the next token."""

from dataclasses import replace
from typing import Any

import numpy as np

from core.charts.bars import bars_data, layer_bars_spec, tokens_bars_spec
from core.charts.head_scores import head_scores_data, head_scores_spec
from core.explorer.heads.records import Ablation, Changes, Patterns
from core.explorer.shared.places import Place
from core.readings.heads import read_change, read_variation
from core.readings.patterns import read_ablation, read_guesses
from pages.attention.heads.grid import title
from pages.canvas import Matrices, Panel
from pages.shell import Shown
from pages.widgets import Chart, Message, Part, Table, spec

BARS = 48
ATTENTIONS = {
    "encoder": "the encoder's self-attention",
    "decoder": "the decoder's self-attention",
    "cross": "cross-attention",
}
ABLATE = ("core.explorer.heads.ablation.ablate",)


def effect(name: str, record: Ablation) -> Shown:
    """What the effect of this name shows."""
    makers = {"every pattern": _every_pattern, "layers": _layers, "tokens": _tokens, "next token": _next_token}
    return makers[name](record)


def pattern_change(place: Place, before: Patterns, after: Patterns) -> Shown:
    """The chosen head's pattern in both runs, and the difference."""
    first, second = (record.pattern[place.head] for record in (before, after))
    labels = before.queries.labels, before.keys.labels
    axes = ("queries", "keys")
    panels = [
        Panel("before", f"{title(place)}, before", first, *labels, *axes, scale="weight"),
        Panel("after", "After", second, *labels, *axes, scale="weight", before="→"),
        Panel("change", "Change (after − before)", second - first, *labels, *axes),
    ]
    name = f"{title(place)} before and after"
    return Shown(
        pictures=[Matrices(panels, key="heads-before-after", name=name, height=250)],
        takeaway=read_change(title(place), first, second, *labels),
        table=Table("change", second - first, *labels),
        source=("core.explorer.heads.all_heads.patterns",),
    )


def _every_pattern(record: Ablation) -> Shown:
    """A map of heads for each attention that there is downstream; “–” where the change comes too late."""
    several = len(record.per_head) > 1
    charts: list[Part] = []
    rows: list[str] = []
    for key, values in record.per_head.items():
        drawn = spec(head_scores_spec, f"Whose pattern changes{f' in {ATTENTIONS[key]}' if several else ''}?")
        name = f"change of every pattern, {key}"
        charts.append(Chart(head_scores_data(values, (0, 1)), drawn, key=f"heads-change-{key}", name=name))
        rows += [f"{f'{key} ' if several else ''}layer {n + 1}" for n in range(len(values))]
    numbers = np.ma.concatenate(list(record.per_head.values()))
    columns = [f"head {n + 1}" for n in range(numbers.shape[1])]
    late = "“–”: these patterns are made before what was switched off, so they cannot change."
    return Shown(
        pictures=charts,
        takeaway=read_variation({ATTENTIONS[key]: values for key, values in record.per_head.items()}),
        notes=[late if np.ma.getmaskarray(numbers).any() else None],
        about=("Each number is the share of a head's attention that went elsewhere, on average over its queries.",),
        table=Table("variation", numbers.filled(np.nan), rows, columns, corner="layer"),
        source=ABLATE,
    )


def _layers(record: Ablation) -> Shown:
    drawn = spec(layer_bars_spec, value_title="size of the change ÷ size of the stream")
    changes = record.layers
    return _bars(changes, drawn, read_ablation(changes.values, changes.labels, "layer"), "layer")


def _tokens(record: Ablation) -> Shown:
    drawn = spec(tokens_bars_spec, value_title="size of the change ÷ size of the output")
    changes = record.tokens
    return _bars(changes, drawn, read_ablation(changes.values, changes.labels), "token")


def _next_token(record: Ablation) -> Shown:
    guesses = record.guesses
    if guesses is None:
        return Shown([Message("An encoder predicts no next token. Choose a decoder in the sidebar.")], source=ABLATE)
    drawn = spec(tokens_bars_spec, "Whose guess of the next token moves most?", "KL divergence before ‖ after, in bits")
    shown = _bars(guesses, drawn, read_guesses(guesses.values, guesses.labels), "token")
    names = [f"{place}. {piece}" for place, (piece, _, _) in enumerate(record.next_pieces, 1)]
    chances = np.array([[before, after] for _, before, after in record.next_pieces])
    return replace(
        shown,
        about=("The likeliest pieces after the last token, by their probability before, and after:",),
        table=[
            Table("next", chances, names, ["before", "after"], corner="piece", unfolded=True),
            _table(guesses, "token"),
        ],
    )


def _bars(changes: Changes, drawn: dict[str, Any], said: str, what: str) -> Shown:
    """One bar for each layer or token; of many, the largest."""
    shown, count = changes.largest(BARS), len(changes.values)
    data = bars_data(shown.values, shown.labels)
    return Shown(
        pictures=[Chart(data, drawn, key="heads-change", name=f"change of every {what}")],
        takeaway=said,
        notes=[f"Of {count} tokens these are the {BARS} that moved most." if count > BARS else None],
        table=_table(changes, what),
        source=ABLATE,
    )


def _table(changes: Changes, what: str) -> Table:
    return Table("change", changes.values[:, None], changes.labels, ["change"], corner=what)
