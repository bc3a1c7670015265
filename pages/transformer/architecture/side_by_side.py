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
    found = core_call(three_models, model)
    encoder, decoder, both = (each.parameters for each in found)
    return Shown(
        lead="The same sizes built three ways. A dashed box marks a part that this one does not need and another one "
        "has. The purple line brings the encoder's output to the decoder.",
        pictures=[Cards([_card(each) for each in found], key="architecture-three", width=WIDTH)],
        takeaway=read_three(encoder, decoder, both, found[-1].by_kind["cross-attention"]),
        about="Parameters inside a frame are those of one layer. Residual connections are the same in all three, so "
        "they are left out here. The dotted line joins two uses of one table, which is counted once.",
        table=_listed(found),
        source=("core.topics.architecture.three.three_models", "core.model.transformer.Transformer"),
    )


def _card(each: Outlined) -> list[Part]:
    name = each.architecture
    drawing = ModelDrawing(each.plan, key=f"architecture-three-{name}", name=f"{name}, small", compact=True)
    heading = f"##### {name.capitalize()}: {each.parameters:,} parameters"
    return [Markdown(heading), Markdown(PURPOSES[name]), drawing]


def _listed(found: tuple[Outlined, ...]) -> Listing:
    """Return a list of the parameters of each kind of part."""
    kinds = list(dict.fromkeys(kind for each in found for kind in each.by_kind))
    columns: dict[str, list[str | int]] = {"part": list(kinds)}
    columns |= {each.architecture: [each.by_kind.get(kind, 0) for kind in kinds] for each in found}
    return Listing("three architectures", columns)


VIEW = View("side by side", _show, reads_text=False, reads_mask=False)
