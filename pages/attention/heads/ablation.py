"""The view that switches heads off and shows the changes: one pattern, every pattern, layers, tokens, guesses."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.charts.bars import bars_data, layer_bars_spec, tokens_bars_spec
from core.charts.style import share_label
from core.readings.heads import (
    ATTENTIONS,
    read_change,
    read_heads_of,
    read_none_off,
    read_strongest,
    read_trial,
    read_variation,
)
from core.readings.patterns import read_ablation, read_next
from core.readings.words import listed, small
from core.text.labels import head_label, token_name
from core.topics.heads import switches
from core.topics.heads.ablation import tried_place
from core.topics.heads.changes import Ablation, Changes, HeadEffects
from core.topics.heads.charts.scores import head_scores_data, head_scores_spec
from core.topics.heads.readings.formulas import write_ablation
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.grid import all_heads_grid, beside, title
from pages.attention.heads.settings import EFFECT, HEADS_OFF, VIVID
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.compute import cache
from pages.shell import Shown, View
from pages.widgets import (
    Chart,
    Control,
    Markdown,
    Message,
    Part,
    Table,
    Values,
    control,
    place_controls,
    place_of,
    plain,
    spec,
)

MAX_BARS = 48
SHOWN_PIECES = 6  # likeliest pieces in each line
LEAD = (
    "A head that is switched off adds nothing to the stream: its output z becomes zero. The model runs again, and the "
    "two runs are compared. A head that changes little here may still matter: another can stand in for it."
)
CAUSE = (
    "Attention shows which words were mixed in, not why the model decided. Switching a head off is a test of cause, "
    "for this text and this model."
)
NEAR_ONE = 0.99  # from this weight on, a colour can hardly be told from the darkest
ABLATION_SOURCE = ("core.topics.heads.ablation.ablate",)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    heads = switches.short_names(run.config.depth(place_of(run, values).stack), run.config.heads)
    yield control(HEADS_OFF, options=heads, placeholder="one, as a trial")
    yield control(EFFECT, default=EFFECT.default if run.config.stacks == ("encoder",) else "next token")
    if queries.overview(run, place_of(run, values).of_stack).largest_weight < NEAR_ONE:
        yield control(VIVID, "more")


def _show(run: Run, values: Values) -> Shown:
    """Show the grid of heads, in which a click switches a head off or on, and the changes that this causes."""
    place, config = place_of(run, values), run.config
    chosen = switches.heads_named(values[HEADS_OFF], config.depth(place.stack), config.heads)
    effect = values[EFFECT]
    effects = queries.head_effects(run, tried_place(run, place)) if _is_tried(run, effect, chosen) else None
    off = chosen or [effects.strongest if effects else (place.layer, place.head)]
    silent = replace(run, edits=switches.silencing(config, place, off))
    if effect == "this pattern":
        shown = _pattern_change(run, silent, place)
    else:
        shown = _downstream(effect, queries.ablate(run, place.of_stack, silent.edits), off)
    if effects:
        shown = _with_all_heads(shown, effects)
    caption = "Click a head to switch it off or on."
    grid = all_heads_grid(
        run,
        place,
        values,
        lambda layer, head: {HEADS_OFF.key: switches.toggled(values[HEADS_OFF], layer, head)},
        caption,
        chosen,
    )
    stack_note = f" {read_heads_of(place.stack, place.cross)}" if config.has_two_stacks else ""
    said = shown.said
    if said and not chosen:
        itself = effect == "this pattern"  # the head that is off is the one that is shown
        rule = read_strongest(*off[0], effects.tries_one_layer) if effects else read_none_off(*off[0])
        said = [said[0] if itself else read_trial(*off[0], said[0]), rule, *said[1:]]
    return replace(
        shown,
        lead=LEAD + stack_note,
        takeaway=said,
        pictures=beside(run, grid, shown.pictures),
        formula=write_ablation(len(cache.check(run)[place.stack]), config.value_width, config.d_model),
        about=[CAUSE, *shown.about],
        source=("core.tracing.edits.ablate_head", *shown.source),
    )


def _pattern_change(run: Run, silent: Run, place: HeadAddress) -> Shown:
    """Show the chosen head's pattern in both runs, and the difference."""
    before, after = (queries.patterns(variant, place.of_layer) for variant in (run, silent))
    first, second, head = before.pattern[place.head], after.pattern[place.head], title(place)
    labels, axes = (before.rows, before.keys.labels), ("queries", "keys")
    panels = [
        Panel("before", f"{head}, before", before.drawn(place.head), *labels, *axes, scale="weight"),
        Panel("after", "After", after.drawn(place.head), *labels, *axes, scale="weight", before="→"),
        Panel("change", "Change (after − before)", second - first, *labels, *axes, unit="weight"),
    ]
    return Shown(
        pictures=[Matrices(panels, key="heads-before-after", name=f"{head} before and after", height=250)],
        takeaway=read_change(head, first, second, *labels),
        table=Table("change", second - first, *labels),
        source=("core.topics.heads.all_heads.patterns",),
    )


def _is_tried(run: Run, effect: str, chosen: switches.Heads) -> bool:
    """Return whether the head of the trial is the one without which the next token's chances change most."""
    return effect == "next token" and not chosen and "decoder" in run.config.stacks


def _downstream(effect: str, record: Ablation, off: switches.Heads) -> Shown:
    if effect == "every pattern":
        return _every_pattern(record)
    if effect == "layers":
        drawn = spec(layer_bars_spec, "Which layer's output moves most?", "size of the change ÷ size of the stream")
        return _bars(record.layers, drawn, "layer")
    if effect == "tokens":
        drawn = spec(tokens_bars_spec, "Which token's output moves most?", "size of the change ÷ size of the output")
        return _bars(record.tokens, drawn, "token")
    return _next_token(record, off)


def _every_pattern(record: Ablation) -> Shown:
    """Draw one map of heads for each attention downstream.

    A head shows “–” if its pattern is computed before the heads that are switched off, so it cannot change.
    """
    charts = []
    for key, values in record.per_head.items():
        where = f" in {ATTENTIONS[key]}" if len(record.per_head) > 1 else ""
        drawn, data = spec(head_scores_spec, f"Whose pattern changes{where}?"), head_scores_data(values, (0, 1))
        charts.append(Chart(data, drawn, key=f"heads-change-{key}", name=f"change of every pattern, {key}"))
    late = "Empty cells and “–”: these patterns are made before what was switched off, so they cannot change."
    return Shown(
        pictures=charts,
        takeaway=read_variation({ATTENTIONS[key]: values for key, values in record.per_head.items()}),
        notes=[late if record.comes_late else None],
        about=["Each number is the share of a head's attention that went elsewhere, on average over its queries."],
        table=Table("variation", *record.patterns, corner="layer"),
        source=ABLATION_SOURCE,
    )


def _next_token(record: Ablation, off: switches.Heads) -> Shown:
    """Show the likeliest next pieces with all heads and without those that are off, and the change after each token."""
    guesses = record.guesses
    if guesses is None:
        return Shown(
            [Message("An encoder predicts no next token. Choose a decoder in the sidebar.")], source=ABLATION_SOURCE
        )
    drawn = spec(
        tokens_bars_spec, "Whose guess of the next token moves most?", "how far the guess moved: KL divergence, in bits"
    )
    bars, after = _bars(guesses, drawn, "token"), token_name(guesses.labels, record.at)
    without = "Without " + listed((head_label(*head) for head in off), 3)
    lines = [*_next_pieces("With all heads", record.next_pieces, 0), *_next_pieces(without, record.next_pieces, 1)]
    likeliest = Table("next", *record.likeliest, corner="piece")
    return replace(
        bars,
        pictures=[*lines, *bars.pictures],
        takeaway=read_next(plain(after), record.next_pieces),
        about=[f"The likeliest pieces after {plain(after)}, each with its probability; the colour is the probability."],
        table=[likeliest, Table("change", *guesses.table, corner="token")],
    )


def _next_pieces(title: str, pieces: Sequence[tuple[str, float, float]], run: int) -> list[Part]:
    """Return the likeliest pieces of one of the two runs, 0 or 1, with their probabilities.

    pieces: each with its probabilities in both runs.
    """
    likely = sorted(((piece, chances[run]) for piece, *chances in pieces), key=lambda pair: -pair[1])[:SHOWN_PIECES]
    tiles = [Token(piece, f"probability {chance:.3f}", chance, under=share_label(chance)) for piece, chance in likely]
    name = f"What comes next: {small(title)}"
    key = f"heads-next-{run}"
    return [Markdown(f"**{title}**"), TokenButtons(tiles, key=key, name=name, hue="chance", item="piece", large=True)]


def _with_all_heads(shown: Shown, effects: HeadEffects) -> Shown:
    """Add a map of how far the next token's guess moves if each head is switched off by itself."""
    most = float(effects.bits.max())
    drawn = spec(head_scores_spec, "Which head moves this guess most?", "the darkest: the most")
    chart = Chart(head_scores_data(effects.bits, (0, most)), drawn, "heads-effects", "effect of every head")
    layers, heads = effects.bits.shape
    table = Table(
        "effect-of-every-head",
        effects.bits.filled(np.nan),
        [f"layer {layer + 1}" for layer in range(layers)],
        [f"head {head + 1}" for head in range(heads)],
        corner="layer",
    )
    tables = shown.table if isinstance(shown.table, Sequence) else [shown.table]
    said = (
        "The map: each head is switched off by itself; the number is how far the chances move (KL divergence in bits)."
    )
    return replace(
        shown,
        pictures=[*shown.pictures, chart],
        about=[*shown.about, said],
        table=[*tables, table],
        source=(*shown.source, "core.topics.heads.ablation.head_effects"),
    )


def _bars(changes: Changes, drawn: dict[str, Any], item: str) -> Shown:
    """Draw one bar for each layer or token; if there are more than MAX_BARS, only the largest."""
    shown, count = changes.largest(MAX_BARS), len(changes.values)
    data = bars_data(shown.values, shown.labels)
    return Shown(
        pictures=[Chart(data, drawn, key="heads-change", name=f"change of every {item}")],
        takeaway=read_ablation(changes.values, changes.labels, item),
        notes=[f"Of {count} tokens these are the {MAX_BARS} that moved most." if count > MAX_BARS else None],
        table=Table("change", *changes.table, corner=item),
        source=ABLATION_SOURCE,
    )


VIEW = View("switch off", _show, _controls, reads_target=True)
