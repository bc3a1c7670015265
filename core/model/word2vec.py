"""Word vectors: CBOW and skip-gram with negative sampling (Mikolov et al. 2013, two papers).

Shapes: B texts, T words of each, V vocabulary, D dimensions, N noise words.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.layers import initialise
from core.model.skip_init import skip_init

KINDS = ("cbow", "skipgram")


@dataclass(frozen=True)
class WordVectorsConfig:
    """Sizes of two tables of vectors, one a method. Raises ValueError for a size below 1."""

    vocab_size: int = 20000
    d_model: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("vocab_size", "d_model"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")


class WordVectors(nn.Module):
    """The vectors of the words by either method, (V, D) each. Build it with `build`, which fills in the weights."""

    def __init__(self, config: WordVectorsConfig) -> None:
        super().__init__()
        self.config = config
        self.embed = nn.ModuleDict({kind: nn.Embedding(config.vocab_size, config.d_model) for kind in KINDS})

    def forward(self, ids: Tensor, kind: str = "skipgram") -> Tensor:
        """ids (…) → vectors (…, D) of a method, "cbow" or "skipgram"."""
        return self.embed[kind](ids)


def build(config: WordVectorsConfig) -> WordVectors:
    """Freshly initialised vectors: the same for the same config."""
    with skip_init("cpu"):
        model = WordVectors(config)
    initialise(model, config.seed)
    return model.eval()


def pairs(window: Tensor) -> Tensor:
    """(…, T, T) ones where word t looks at word o: within `window[t]` places, never at itself; zeros elsewhere.

    window (…, T): how far each word looks; drawn evenly from 1 up, it weighs near words more (word2vec's own way).
    """
    place = torch.arange(window.shape[-1], device=window.device)
    distance = (place[:, None] - place).abs()
    return ((distance <= window[..., None]) & (distance > 0)).float()


def skipgram_loss(inputs: Tensor, outputs: Tensor, noise: Tensor, looks: Tensor, negatives: float) -> Tensor:
    """−Σ log σ(u_o · v_t) − k Σ E log σ(−u_n · v_t) over all pairs, a sum (Mikolov et al. 2013b, equation 4).

    inputs v and outputs u (B, T, D) of running texts, noise u (N, D), looks (B, T, T) from `pairs`; negatives is the
    paper's k. The noise words are drawn once for all texts: the mean over them stands for the expectation.
    """
    scores = inputs @ outputs.transpose(-2, -1)  # (B, T, T)
    return (F.softplus(-scores) * looks).sum() + _noise_loss(inputs, noise, looks.sum(-1), negatives)


def cbow_loss(inputs: Tensor, outputs: Tensor, noise: Tensor, looks: Tensor, negatives: float) -> Tensor:
    """The same for the mean of the input vectors that word t looks at, which predicts the output vector of t.

    A word that looks at nothing predicts nothing.
    """
    counts = looks.sum(-1)  # (B, T)
    mean = looks @ inputs / counts.clamp(min=1)[..., None]  # (B, T, D)
    predicts = (counts > 0).to(inputs)
    scores = (mean * outputs).sum(-1)  # (B, T)
    return (F.softplus(-scores) * predicts).sum() + _noise_loss(mean, noise, predicts, negatives)


def _noise_loss(vectors: Tensor, noise: Tensor, times: Tensor, negatives: float) -> Tensor:
    """Each word's `times` (B, T) times k times the mean of −log σ(−u_n · v) over the noise words."""
    each = F.softplus(vectors @ noise.T).mean(-1)  # (B, T, N) → (B, T)
    return negatives * (each * times).sum()
