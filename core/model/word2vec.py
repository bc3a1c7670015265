"""Word vectors: CBOW and skip-gram with negative sampling (Mikolov et al. 2013, two papers).

Shapes: T words of running text, V vocabulary, D dimensions, N noise words.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.layers import initialise

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
    with torch.device("meta"):
        model = WordVectors(config)
    model.to_empty(device="cpu")
    initialise(model, config.seed)
    return model.eval()


def neighbours(window: Tensor, reach: int) -> Tensor:
    """(2·reach, T) which of the words at offsets −reach … −1, 1 … reach each word looks at.

    window (T,): how far each word looks, 1 to reach; drawn evenly, it weighs near words more (word2vec's own way).
    """
    length = len(window)
    offsets = torch.tensor([offset for offset in range(-reach, reach + 1) if offset], device=window.device)
    there = torch.arange(length, device=window.device) + offsets[:, None]
    return (offsets.abs()[:, None] <= window) & (there >= 0) & (there < length)


def skipgram_loss(inputs: Tensor, outputs: Tensor, noise: Tensor, seen: Tensor, negatives: float) -> Tensor:
    """−Σ log σ(u_o · v_c) − k Σ E log σ(−u_n · v_c) over all pairs (Mikolov et al. 2013b, equation 4), a sum.

    inputs v and outputs u (T, D) of a running text, noise u (N, D), drawn once for all T words, seen (2·reach, T)
    from `neighbours`; negatives is the paper's k. The mean over the N noise words stands for its expectation.
    """
    reach = len(seen) // 2
    loss = inputs.new_zeros(())
    for offset in range(1, reach + 1):
        scores = inputs[:-offset], outputs[offset:], inputs[offset:], outputs[:-offset]
        ahead = (scores[0] * scores[1]).sum(-1)  # word t to word t + offset
        behind = (scores[2] * scores[3]).sum(-1)  # word t + offset to word t
        loss = loss - (F.logsigmoid(ahead) * seen[reach + offset - 1, :-offset]).sum()
        loss = loss - (F.logsigmoid(behind) * seen[reach - offset, offset:]).sum()
    return loss + _noise_loss(inputs, noise, seen.sum(0), negatives)


def cbow_loss(inputs: Tensor, outputs: Tensor, noise: Tensor, seen: Tensor, negatives: float) -> Tensor:
    """The same for the mean of the neighbours' input vectors, which predicts the output vector of the word between.

    A word without neighbours predicts nothing.
    """
    reach, counts = len(seen) // 2, seen.sum(0)  # (T,)
    total = torch.zeros_like(inputs)
    for offset in range(1, reach + 1):
        ahead, behind = seen[reach + offset - 1, :-offset, None], seen[reach - offset, offset:, None]
        total = total + F.pad(inputs[offset:] * ahead, (0, 0, 0, offset))
        total = total + F.pad(inputs[:-offset] * behind, (0, 0, offset, 0))
    mean = total / counts.clamp(min=1)[:, None]  # (T, D)
    predicts = (counts > 0).to(inputs)
    loss = -(F.logsigmoid((mean * outputs).sum(-1)) * predicts).sum()
    return loss + _noise_loss(mean, noise, predicts, negatives)


def _noise_loss(vectors: Tensor, noise: Tensor, pairs: Tensor, negatives: float) -> Tensor:
    """Each word's `pairs` (T,) times k times the mean of −log σ(−u_n · v) over the noise words."""
    each = F.softplus(vectors @ noise.T).mean(1)  # (T, N) → (T,)
    return negatives * (each * pairs).sum()
