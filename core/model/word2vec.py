"""Word vectors: CBOW and skip-gram with negative sampling (Mikolov et al. 2013, two papers).

Shapes: B texts, T words in each, V vocabulary, D dimensions, N noise words.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.fast.skip_init import skip_init
from core.model.layers import initialise

KINDS = ("cbow", "skipgram")


@dataclass(frozen=True)
class WordVectorsConfig:
    """The sizes of two tables of word vectors, one for each method. Raises ValueError for a size below 1."""

    vocab_size: int = 20000
    d_model: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("vocab_size", "d_model"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")


class WordVectors(nn.Module):
    """The word vectors of both methods, (V, D) each. Build them with `build`, which fills in the weights."""

    def __init__(self, config: WordVectorsConfig) -> None:
        super().__init__()
        self.config = config
        self.embed = nn.ModuleDict({kind: nn.Embedding(config.vocab_size, config.d_model) for kind in KINDS})

    def forward(self, ids: Tensor, kind: str = "skipgram") -> Tensor:
        """Return the vectors (…, D) of the ids (…) by one method, "cbow" or "skipgram"."""
        return self.embed[kind](ids)


def build(config: WordVectorsConfig) -> WordVectors:
    """Return freshly initialised vectors in evaluation mode; equal configs give equal vectors."""
    with skip_init("cpu"):
        model = WordVectors(config)
    initialise(model, config.seed)
    return model.eval()


def pairs(window: Tensor) -> Tensor:
    """Return a matrix (…, T, T) that is 1 where word t looks at word o, and 0 elsewhere.

    A word looks at the words within `window[t]` places, never at itself.

    window: (…, T), how far each word looks. If it is drawn uniformly from 1 up, near words get more weight, as in
        word2vec.
    """
    positions = torch.arange(window.shape[-1], device=window.device)
    distance = (positions[:, None] - positions).abs()
    return ((distance <= window[..., None]) & (distance > 0)).float()


def skipgram_loss(inputs: Tensor, outputs: Tensor, noise: Tensor, looks: Tensor, negatives: float) -> Tensor:
    """Return the skip-gram loss, summed over all pairs (Mikolov et al. 2013b, equation 4).

    It is −Σ log σ(u_o · v_t) − k Σ E log σ(−u_n · v_t).

    inputs, outputs: the vectors v and u (B, T, D) of running texts.
    noise: the vectors u_n (N, D) of noise words, drawn once for all texts: their mean replaces the expectation.
    looks: (B, T, T) from `pairs`.
    negatives: the paper's k.
    """
    scores = inputs @ outputs.transpose(-2, -1)  # (B, T, T)
    return (F.softplus(-scores) * looks).sum() + _noise_loss(inputs, noise, looks.sum(-1), negatives)


def cbow_loss(inputs: Tensor, outputs: Tensor, noise: Tensor, looks: Tensor, negatives: float) -> Tensor:
    """Return the CBOW loss: the mean of the input vectors that word t looks at predicts the output vector of t.

    It is otherwise like `skipgram_loss`, with the same parameters. A word that looks at nothing predicts nothing.
    """
    counts = looks.sum(-1)  # (B, T)
    mean = looks @ inputs / counts.clamp(min=1)[..., None]  # (B, T, D)
    predicts = (counts > 0).to(inputs)
    scores = (mean * outputs).sum(-1)  # (B, T)
    return (F.softplus(-scores) * predicts).sum() + _noise_loss(mean, noise, predicts, negatives)


def _noise_loss(vectors: Tensor, noise: Tensor, times: Tensor, negatives: float) -> Tensor:
    """Return the loss from the noise words: k times the sum over all words.

    Each word counts `times` (B, T) the mean of −log σ(−u_n · v) over the noise words.
    """
    losses = F.softplus(vectors @ noise.T).mean(-1)  # (B, T, N) → (B, T)
    return negatives * (losses * times).sum()
