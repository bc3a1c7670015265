"""The view of named heads: a list of their labels on this text, and the pattern of the chosen head."""

from functools import partial

from core.topics.heads.names import HeadNames
from core.topics.heads.readings.names import (
    name_entry,
    name_kind,
    name_label,
    read_kind,
    read_more,
    read_name_threshold,
    read_named,
    read_shown,
    write_name,
)
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.grid import title
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.widgets import (
    Button,
    Caption,
    Cards,
    Columns,
    Markdown,
    Message,
    Part,
    Table,
    Values,
    head_picked,
    place_controls,
    place_of,
)

LEAD = "A **head** that mostly does one plain thing on this text is named here."
MAX_BUTTONS = 6  # the largest number of buttons for one kind of head


def _show(run: Run, values: Values) -> Shown:
    """List the named heads, the strongest first, beside the pattern of the chosen head.

    A click on a head in the list chooses it.
    """
    place = place_of(run, values)
    record, layer = queries.head_names(run, place.of_stack), queries.patterns(run, place.of_layer)
    chosen_name, weights = record.of(place.layer, place.head), layer.drawn(place.head)
    name, labels = title(place), (layer.rows, layer.keys.labels)
    panel = Panel("pattern", f"{name}: {name_label(chosen_name)}", weights, *labels, "queries", "keys", scale="weight")
    picture = Matrices([panel], key="heads-name-matrix", name=f"{name} pattern", height=520)
    example = chosen_name or next(iter(record.named), None)
    return Shown(
        lead=LEAD,
        click="Click it to see its **pattern**." if record.named else "",
        pictures=[Columns([_list(record, place), [picture]], widths=(2, 3))],
        takeaway=[*read_shown(chosen_name), *read_named(record.named, record.unnamed)],
        formula=write_name(example.kind, example.reached) if example else "",
        about=read_name_threshold(record.random),
        table=Table("names", *record.table, corner="head"),
        pattern=panel,
        source=("core.analysis.head_names.named_heads", "core.analysis.head_names.name_scores"),
    )


def _list(record: HeadNames, place: HeadAddress) -> list[Part]:
    """Return a card for each kind of head, with its heads as buttons.

    If no head has a name, return a message instead.
    """
    if not record.named:
        return [Message("No head has a plain label on this text: try another one.")]
    cards: list[list[Part]] = []
    for heads in record.kinds:
        kind = heads[0].kind
        buttons = [
            Button(
                name_entry(named_head).capitalize(),
                f"heads-name-{named_head.layer}-{named_head.head}",
                partial(head_picked, named_head.layer, named_head.head),
                type="primary" if (named_head.layer, named_head.head) == (place.layer, place.head) else "secondary",
            )
            for named_head in heads[:MAX_BUTTONS]
        ]
        more = [Caption(read_more(heads[MAX_BUTTONS:]))] if len(heads) > MAX_BUTTONS else []
        about = Caption(read_kind(kind, heads[0].reached))
        cards.append([Markdown(f"**{name_kind(kind)}**"), about, *buttons, *more])
    return [Cards(cards, "heads-names", columns=1)]


VIEW = View("heads with names", _show, lambda run, values: place_controls(run))
