"""Switch heads off and see what changes downstream."""

from collections.abc import Iterator
from dataclasses import replace

from core.explorer.shared.places import Place
from core.readings.words import head_label
from core.tracing.edits import ablate_head
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.effects import ATTENTIONS, effect, pattern_change
from pages.attention.heads.grid import all_heads_grid, beside
from pages.attention.heads.settings import EFFECT, OFF, VIVID
from pages.queries import models
from pages.shell import Shown
from pages.widgets import Control, Values, control, place_controls, place_of, plain

Head = tuple[int, int]  # layer and head, from 0


def ablation_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    heads = [_name(layer, head) for layer in range(run.config.layers) for head in range(run.config.heads)]
    yield control(OFF, options=heads, placeholder="Click heads in the grid, or choose them here")
    yield control(EFFECT)
    yield control(VIVID)


def show_ablation(run: Run, values: Values) -> Shown:
    """The grid of heads, in which a click switches one off or on, and what is then different."""
    place, chosen = place_of(run, values), switched_off(run, values)
    off = chosen or [(place.layer, place.head)]
    edits = tuple(ablate_head(layer, head, place.stack, place.cross) for layer, head in sorted(off))
    one_pattern = values[EFFECT] == "this pattern"
    if one_pattern:
        before, after = (queries.patterns(each, place.of_layer) for each in (run, replace(run, edits=edits)))
        shown = pattern_change(place, before, after)
    else:
        shown = effect(values[EFFECT], queries.ablate(run, place.of_stack, edits))
    small = all_heads_grid(
        run,
        place,
        values,
        lambda layer, head: {OFF.key: toggled(values[OFF], layer, head)},
        "Click a head to switch it off or on.",
        off,
    )
    return replace(
        shown,
        lead=_lead(run, place, off, bool(chosen)),
        pictures=[*small, *shown.pictures] if one_pattern else beside(run, small, shown.pictures),
        formula=_formula(run, place),
        about=[
            "Weights show mixing, not cause. Switching a head off is a test of cause, for this text and this model.",
            *shown.about,
        ],
        source=("core.tracing.edits.ablate_head", *shown.source),
    )


def switched_off(run: Run, values: Values) -> list[Head]:
    """The heads that the visitor switched off and this model has."""
    pairs = [tuple(int(number) - 1 for number in name[1:].split("H")) for name in values[OFF]]
    return [(layer, head) for layer, head in pairs if layer < run.config.layers and head < run.config.heads]


def toggled(names: tuple[str, ...], layer: int, head: int) -> list[str]:
    """The names of the heads that are off, after one more was switched off, or on again."""
    name = _name(layer, head)
    return [each for each in names if each != name] if name in names else [*names, name]


def _name(layer: int, head: int) -> str:
    return f"L{layer + 1}H{head + 1}"


def _lead(run: Run, place: Place, off: list[Head], chosen: bool) -> str:
    said = (
        "A head that is switched off adds nothing to the stream: its output z becomes zero. The run is made again, and "
        "compared with the one before. A head that changes little here may still matter: another can stand in for it."
    )
    if len(run.config.stacks) == 2:
        said += f" These are heads of {ATTENTIONS['cross' if place.cross else place.stack]}."
    if not chosen:
        head = plain(head_label(*off[0]))
        said += f"\n\nNo head is switched off yet: below is what switching off **{head}** would change."
    return said


def _formula(run: Run, place: Place) -> str:
    asked, width, d_model = len(models.check(run)[place.stack]), run.config.value_width, run.config.d_model
    return (
        rf"\underset{{{asked} \times {width}}}{{z_h}} \leftarrow 0 \;\text{{ for each head }} h \text{{ that is off}}"
        rf"\qquad \underset{{{asked} \times {d_model}}}{{\text{{attn\_out}}}} = \sum_{{h \text{{ on}}}} "
        rf"\underset{{{asked} \times {width}}}{{z_h}}\;\underset{{{width} \times {d_model}}}{{W_O^{{(h)}}}} + b_O"
    )
