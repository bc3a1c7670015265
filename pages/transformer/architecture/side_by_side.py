"""The view of encoder, decoder and encoder-decoder side by side: the boxes that each lacks, and the use of each."""

from core.topics.architecture.readings.drawing import PURPOSES, read_three
from core.topics.architecture.three import Outlined, three_models
from core.topics.architecture.whole import WholeModel
from pages.canvas import ModelDrawing
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Cards, Listing, Markdown, Part, Values

WIDTH = 380  # pixels of the narrowest card


def _show(model: WholeModel, values: Values) -> Shown:
    """Show the three architectures in the sizes of this model."""
    outlines = core_call(three_models, model)
    encoder, decoder, both = (outline.parameters for outline in outlines)
    return Shown(
        lead="The same sizes built three ways. A dashed box marks a part that this one does not need and another one "
        "has. The purple line brings the encoder's output to the decoder.",
        pictures=[Cards([_card(outline) for outline in outlines], key="architecture-three", width=WIDTH)],
        takeaway=read_three(encoder, decoder, both, outlines[-1].by_kind["cross-attention"]),
        about="Parameters inside a frame are those of one layer. Residual connections are the same in all three, so "
        "they are left out here. The dotted line joins two uses of one table, which is counted once.",
        table=_listed(outlines),
        source=("core.topics.architecture.three.three_models", "core.model.transformer.Transformer"),
    )


def _card(outline: Outlined) -> list[Part]:
    name = outline.architecture
    drawing = ModelDrawing(outline.plan, key=f"architecture-three-{name}", name=f"{name}, small", compact=True)
    heading = f"##### {name.capitalize()}: {outline.parameters:,} parameters"
    return [Markdown(heading), Markdown(PURPOSES[name]), drawing]


def _listed(outlines: tuple[Outlined, ...]) -> Listing:
    """Return a list of the parameters of each kind of part."""
    kinds = list(dict.fromkeys(kind for outline in outlines for kind in outline.by_kind))
    columns: dict[str, list[str | int]] = {"part": list(kinds)}
    columns |= {outline.architecture: [outline.by_kind.get(kind, 0) for kind in kinds] for outline in outlines}
    return Listing("three architectures", columns)


VIEW = View("side by side", _show, reads_text=False, reads_mask=False)
