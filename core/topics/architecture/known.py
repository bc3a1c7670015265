"""Well-known published models and those of this project in one list, and the costs of one of them at some length."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from core.analysis.kv_costs import kept_numbers
from core.analysis.model_sizes import config_sizes
from core.checkpoints.card import Card, read_config
from core.model.classifier import ClassifierConfig
from core.model.config import TransformerConfig
from core.topics.architecture.analysis.known_models import KNOWN_MODELS, KnownModel
from core.topics.architecture.analysis.parts import sized_parts
from core.topics.architecture.analysis.training_costs import COPIES, FLOAT, kept_bytes
from core.topics.architecture.counts import PartTotals
from core.topics.shared.labels import NamedColumns
from core.tracing.run import text_limit

TITLES = tuple(KNOWN_MODELS)
BFLOAT16_BYTES = 2  # bytes of a number in bfloat16


@dataclass(frozen=True)
class ModelTotal:
    """A model with its number of parameters, as counted here."""

    known: KnownModel
    parameters: int


@dataclass(frozen=True, eq=False)
class CountedModel:
    """A model and its parts, counted for texts of `length` tokens in each stack."""

    known: KnownModel
    length: int
    counts: PartTotals

    @property
    def parameters(self) -> int:
        return self.counts.parameters

    @property
    def weights(self) -> int:
        """The bytes of the weights in bfloat16, the format in which models are stored to be run."""
        return BFLOAT16_BYTES * self.parameters

    @property
    def cache(self) -> int:
        """The bytes of the cached keys and values of one text, in bfloat16; 0 without a decoder."""
        sizes = self.known.sizes
        if "decoder" not in sizes.stacks:
            return 0
        return BFLOAT16_BYTES * kept_numbers(sizes, self.length, self.length if len(sizes.stacks) == 2 else 0)

    @property
    def trained(self) -> int:
        """The bytes of weights, gradients and Adam's two moments, in float32."""
        return COPIES * FLOAT * self.parameters

    @property
    def kept(self) -> int:
        """The bytes kept for the backward pass of one text, in float32, with a fused kernel for attention."""
        return sum(kept_bytes(self.known.sizes, self.length, self.length, fused=True).values())


def counted_title(title: str, length: int) -> CountedModel:
    """Return the parameters and the work of a published model, one of `TITLES`, counted for texts of this length."""
    return _counted(KNOWN_MODELS[title], length)


def counted_config(title: str, config: TransformerConfig, length: int) -> CountedModel:
    """Count the parts of a model with this config, as an entry in the list of models; it has no published figures.

    length: the number of tokens of the texts.
    """
    return _counted(KnownModel(title, config_sizes(config), 0, "", True, "", text_limit(config)), length)


def _counted(known: KnownModel, length: int) -> CountedModel:
    """Count the parts of a model for texts of this length, or of its context length if that is shorter."""
    length = min(length, known.context or length)
    return CountedModel(known, length, PartTotals(sized_parts(known.sizes, length, length)))


def project_models(cards: Mapping[str, Card]) -> tuple[KnownModel, ...]:
    """Return the transformers that were trained in this project, from their cards; unreadable cards are left out."""
    models = []
    for name, card in cards.items():
        with suppress(ValueError):
            config = read_config(card, Path(name))
            body = config.encoder if isinstance(config, ClassifierConfig) else config
            if isinstance(body, TransformerConfig):
                sizes = config_sizes(body)
                if isinstance(config, ClassifierConfig):
                    sizes = replace(sizes, classes=len(config.labels))
                count = card.parameters
                title, source = name.replace("-", " ").capitalize(), f"its card: {card.title}"
                models.append(KnownModel(title, sizes, count, f"{count:,}", True, source, body.max_length))
    return tuple(models)


def known_models(cards: Mapping[str, Card]) -> tuple[ModelTotal, ...]:
    """Return all models with their counted parameters: the published ones, then those trained here."""
    everything = (*KNOWN_MODELS.values(), *project_models(cards))
    return tuple(ModelTotal(known, _counted(known, 1).parameters) for known in everything)


def list_models(models: Sequence[ModelTotal]) -> NamedColumns:
    """Return a row for each model: its sizes, and its parameters as published and as counted here."""
    rows = [(model.known, model.known.sizes, model.parameters) for model in models]
    return {
        "model": [known.title for known, _, _ in rows],
        "stacks": ["-".join(sizes.stacks) for _, sizes, _ in rows],
        "published": [known.said for known, _, _ in rows],
        "counted": [parameters for _, _, parameters in rows],
        "counted − published": [parameters - known.published for known, _, parameters in rows],
        "d_model": [sizes.d_model for _, sizes, _ in rows],
        "layers": [sizes.layers for _, sizes, _ in rows],
        "heads": [sizes.heads for _, sizes, _ in rows],
        "heads of keys": [sizes.kv_heads for _, sizes, _ in rows],
        "d_ff": [sizes.hidden for _, sizes, _ in rows],
        "pieces": [sizes.vocab_size for _, sizes, _ in rows],
        "source": [known.source for known, _, _ in rows],
    }
