"""What the mask does to one head: its weights without any mask, and with this one."""

from core.explorer.masks.presets import under
from core.readings.masks import read_effect
from core.readings.patterns import read_masked_rows
from core.readings.words import head_label
from core.tracing.run import Run
from pages.attention.masks import queries
from pages.attention.masks.chosen import chosen, darkest, pick_row, scale_switch
from pages.canvas import Matrices, Panel
from pages.shell import Shown
from pages.widgets import Table, Values


def show_effect(run: Run, values: Values) -> Shown:
    """Two patterns side by side; a click on one chooses a row."""
    mask = chosen(run, values)
    free = queries.masked(under(mask.run, "none"), mask.place, "")
    record = queries.masked(mask.run, mask.place, mask.painting)
    patterns, labels, length = (free.pattern, record.pattern), record.tokens.labels, len(record.tokens)
    form = (labels, labels, "queries", "keys", "weight", darkest(values, *patterns))
    outlines, name = [(mask.row, None)], head_label(mask.place.layer, mask.place.head).capitalize()
    before = Panel("before", f"{name}, no mask", free.pattern, *form, outlines=outlines)
    after = Panel("after", f"{name}, {mask.name}", record.pattern, *form, before="→", outlines=outlines)
    picture = Matrices(
        [before, after], key="mask-effect", name=f"{name} without and with the mask", height=400, sets=pick_row
    )
    whole = "Both are whole runs of the model: the mask also acts in the layers below."
    square = rf"{length} \times {length}"
    return Shown(
        pictures=[picture, *scale_switch(*patterns)],
        takeaway=read_effect(free.pattern, record.pattern, record.mask, labels),
        notes=[read_masked_rows(record.pattern, labels), whole if mask.place.layer else None],
        formula=rf"\underset{{{square}}}{{A}} = \mathrm{{softmax}}_{{\text{{keys}}}}"
        rf"\Big(\underset{{{square}}}{{S}} + \underset{{{square}}}{{M}}\Big)"
        r"\qquad M_{ij} = \begin{cases} 0 & i \text{ may attend to } j \\ -\infty & \text{otherwise} \end{cases}",
        table=Table("pattern", record.pattern, labels, labels),
        source=(
            "core.model.attention.apply_mask",
            "core.model.attention.masked_softmax",
            "core.analysis.mask_painting.paint",
        ),
    )
