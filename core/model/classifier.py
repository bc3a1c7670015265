"""A text classifier: a transformer encoder, the mean of its outputs, one linear layer."""

from dataclasses import dataclass

from torch import Tensor, nn

from core.model.config import TransformerConfig
from core.model.dropout import dropout
from core.model.fast.skip_init import skip_init
from core.model.layers import EMBEDDING_INITS, initialise
from core.model.masks import key_padding_mask
from core.model.tap import IDENTITY, Tap
from core.model.transformer import Masks, Transformer


@dataclass(frozen=True)
class ClassifierConfig:
    """The configuration of a classifier: its encoder, its labels, and how its embeddings are initialised.

    embedding_init: "xavier" (narrow: variance 2 / (V + D)) or "normal" (variance 1/D), as `initialise` explains.

    Raises ValueError for an architecture other than "encoder", for fewer than two labels, for a repeated label, and for
    another embedding_init.
    """

    encoder: TransformerConfig
    labels: tuple[str, ...] = ("negative", "positive")
    embedding_init: str = "xavier"

    def __post_init__(self) -> None:
        if self.embedding_init not in EMBEDDING_INITS:
            raise ValueError(f"embedding_init {self.embedding_init!r} is not one of {', '.join(EMBEDDING_INITS)}")
        if self.encoder.architecture != "encoder":
            raise ValueError(f"a classifier reads with an encoder, not with architecture {self.encoder.architecture!r}")
        if len(set(self.labels)) < 2 or len(set(self.labels)) < len(self.labels):
            raise ValueError(f"a classifier needs two different labels or more, not {', '.join(self.labels) or 'none'}")


class Classifier(nn.Module):
    """A classifier described by its config. Build it with `build`, which fills in the weights."""

    def __init__(self, config: ClassifierConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = Transformer(config.encoder)
        self.head = nn.Linear(config.encoder.d_model, len(config.labels))

    def forward(self, ids: Tensor, mask: Tensor | None = None, tap: Tap = IDENTITY) -> Tensor:
        """Return the logits (B, C) of the classes.

        ids: (B, S).
        mask: (B, S), True = a token; None if there is no padding.
        """
        reads = None if mask is None else key_padding_mask(mask)
        x = self.encoder(ids, masks=Masks(encoder=reads), tap=tap)  # (B, S, D)
        if mask is not None:
            x = x.masked_fill(~mask[..., None], 0.0)
        counts = ids.shape[1] if mask is None else mask.sum(1, keepdim=True)
        mean = x.sum(1) / counts  # (B, D)
        return self.head(dropout(mean, self.config.encoder.dropout) if self.training else mean)


def build(config: ClassifierConfig) -> Classifier:
    """Return a freshly initialised model in evaluation mode; equal configs give equal weights."""
    with skip_init("cpu"):
        model = Classifier(config)
    initialise(model, config.encoder.seed, config.embedding_init)
    return model.eval()
