"""A model made elsewhere as a source of models."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar

from core.checkpoints.card import Card
from core.checkpoints.class_layer import ClassLayer
from core.checkpoints.real import places
from core.checkpoints.real.places import PLACE_VARIABLE, RealModel
from core.checkpoints.source import ModelSource, Shipped
from core.device import Placement
from core.model.fast.optimize import optimize
from core.model.tap import Check
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.text.special import TextFormat

PREFIX = "real:"
FAMILY = "real"  # on the card of a model made elsewhere
MULTIPLIED = (
    " Its embeddings, its queries and what its blocks add contain the multipliers of its config here, so they are not "
    "the numbers that other programs show under these names; its logits and attention weights are."
)


@dataclass(frozen=True)
class Elsewhere(ModelSource):
    """A model in the folder that the app's operator names.

    name: the name of its folder, inside `place`.
    place: the folder of models that the operator names; None if there is none.
    """

    trained_here: ClassVar[bool] = False

    name: str
    place: Path | None = None

    @property
    def address(self) -> str:
        return PREFIX + self.name

    def open(self) -> tuple[Shipped, AnyTokenizer]:
        model, tokenizer = places.open_model(self.name, self._place())
        special = tokenizer.special
        text_format, card = TextFormat(special=special), card_of(model)
        opened = Shipped(self, card, model.config, (), text_format, special.mask, model.largest_tensor)
        return opened, tokenizer

    def load(self, placement: Placement, check: Check | None = None) -> Transformer:
        return optimize(places.load(self.name, placement, self._place()))

    def class_layer(self) -> ClassLayer | None:
        return places.class_layer(self.name, self._place())

    def card(self) -> Card:
        """Return its card.

        Raises ValueError if the model cannot be used.
        """
        return card_of(places.read(self.name, self._place()))

    def _place(self) -> Path:
        if self.place is None:
            raise ValueError(
                f"There is no folder of models made elsewhere; the environment variable {PLACE_VARIABLE} names it."
            )
        return self.place


def card_of(model: RealModel) -> Card:
    """Return the card of a model made elsewhere, with what its files and its origin say."""
    origin = model.origin
    return Card(
        name=PREFIX + model.name,
        title=origin.title,
        what=f"{model.family}, made elsewhere",
        limits="Nothing about it was trained or measured here." + MULTIPLIED * model.multiplied,
        family=FAMILY,
        config=asdict(model.config),
        tokenizer={},
        data=({"text": f"from {origin.source}", "licence": origin.licence},),
        split="not known here",
        seed=0,
        steps=0,
        minutes=0.0,
        parameters=model.parameters,
        commands={},
    )
