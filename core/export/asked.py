"""What is exported: a run with the head that is asked for, and the runs for which no script is written."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from core.checkpoints.class_layer import ClassLayer
from core.model.config import TransformerConfig
from core.text.pieces import AnyTokenizer
from core.topics.shared.places import HeadAddress, attention_places, mask_of, token_rows
from core.tracing.edits import Edit
from core.tracing.run import Inputs, Run, TokenRow, prepare
from core.tracing.sites import parse

PATTERN, HEAD_SCORES, HEAD_VECTORS, LENS, GUESSES = "pattern", "scores", "vectors", "lens", "guesses"


@dataclass(frozen=True)
class Asked:
    """A run, and what its script prints and draws.

    place: the head that `PATTERN`, `HEAD_SCORES` and `HEAD_VECTORS` are about.
    classes: the last layer of a classifier; its verdict is printed too.
    draws: PATTERN, the attention weights of the head; HEAD_SCORES, its scores before the mask and the softmax;
        HEAD_VECTORS, its queries, keys and values before positions turn them; LENS, the likeliest next piece after
        each layer; or GUESSES, the probabilities of the likeliest pieces or of the classes.

    Raises ValueError, with a sentence for the visitor, for a run that no script computes.
    """

    run: Run
    place: HeadAddress
    tokenizer: AnyTokenizer = field(repr=False)
    classes: ClassLayer | None = field(default=None, repr=False)
    draws: str = PATTERN

    def __post_init__(self) -> None:
        if self.run.placement.dtype != "float32":
            raise ValueError(
                f"There is no script of a run in {self.run.placement.dtype}: the scripts compute in float32, and "
                "their numbers would differ. Choose float32."
            )
        if self.classes is not None and (self.classes.dense is not None or self.classes.first):
            raise ValueError(
                "There is no script of this classifier: it reads its verdict from the first token or through a layer "
                "of its own, and the scripts know one layer after the mean of all tokens."
            )
        if self.draws == GUESSES and not self.guesses:
            raise ValueError("This model guesses nothing here: there are no probabilities to draw.")
        if self.draws == LENS and self.guesses != "next piece":
            raise ValueError("This model guesses no next piece: there is nothing to draw for each layer.")
        for edit in self.run.edits:
            if not (switches_off(edit) or forces(edit)):
                raise ValueError(
                    "There is no script of this run: the scripts know heads that are switched off and rows of "
                    "attention that are forced, no other change."
                )

    @property
    def config(self) -> TransformerConfig:
        return self.run.config

    @cached_property
    def inputs(self) -> Inputs:
        return prepare(self.run, self.tokenizer)

    @property
    def tokens(self) -> tuple[TokenRow, TokenRow]:
        """The tokens of the queries and those of the keys."""
        return token_rows(self.inputs, self.place)

    @property
    def name(self) -> str:
        """The address of the model, or "untrained weights"."""
        return self.run.source.address if self.run.source else f"untrained weights, seed {self.config.seed}"

    @property
    def hidden(self) -> tuple[int, ...]:
        """The positions of the pieces that an encoder is to guess; () for all other models."""
        if self.config.architecture != "encoder" or self.run.source is None or self.classes is not None:
            return ()
        mask = self.run.source.open()[0].mask
        return tuple(n for n, piece in enumerate(self.inputs.rows["encoder"].ids) if mask is not None and piece == mask)

    @property
    def guesses(self) -> str:
        """What the probabilities are about: "class", "next piece" or "hidden piece"; "" if there are none."""
        if self.classes is not None:
            return "class"
        return "next piece" if "decoder" in self.config.stacks else "hidden piece" if self.hidden else ""

    def attentions(self) -> list[HeadAddress]:
        """Return the kinds of attention in the order in which they run: encoder, decoder, cross; each at layer 0."""
        return attention_places(self.run, self.config.stacks)

    def mask(self, place: HeadAddress) -> np.ndarray | None:
        """Return the mask (Q, K) at a place, True = may attend, without windows; None if it hides nothing."""
        allowed = mask_of(replace(self.inputs, windows=()), place)
        return None if allowed.all() and not (self.windows and place == HeadAddress("decoder")) else allowed

    @property
    def windows(self) -> tuple[int, ...]:
        """The number of tokens that each decoder block sees; () if no block has a window."""
        given = self.config.windows
        return tuple(width or self.config.max_length for width in given) if any(given) else ()

    @property
    def is_masked(self) -> bool:
        """Whether any attention of the run has a mask."""
        return any(self.mask(place) is not None for place in self.attentions())

    @property
    def has_empty_rows(self) -> bool:
        """Whether any query of the run may attend to nothing."""
        layers = [replace(place, layer=n) for place in self.attentions() for n in range(self.config.depth(place.stack))]
        return any(not mask_of(self.inputs, place).any(-1).all() for place in layers)


def switches_off(edit: Edit) -> bool:
    """Return whether an edit sets the output of one head to zero."""
    return parse(edit.key)[3].name == "z" and edit.action == "zero" and edit.head is not None and edit.row is None


def forces(edit: Edit) -> bool:
    """Return whether an edit gives one query of one head its attention weights."""
    given = isinstance(edit.value, tuple) and all(isinstance(weight, float | int) for weight in edit.value)
    at_row = edit.head is not None and edit.row is not None
    return parse(edit.key)[3].name == "pattern" and edit.action == "replace" and at_row and given
