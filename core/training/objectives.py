"""The objectives of training: modules that hold a model and turn the tensors of a batch into one summed loss.

In training mode the loss is the smoothed one, from which the gradients come; in evaluation mode it is the plain one.
"""

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model import masks
from core.model.classifier import Classifier
from core.model.recurrent import Recurrent
from core.model.transformer import Transformer
from core.model.word2vec import KINDS, WordVectors, cbow_loss, pairs, skipgram_loss
from core.text.special import PAD, UNK

CHUNK = 512  # positions whose scores over the vocabulary are held at once


class _LinearCrossEntropy(torch.autograd.Function):
    """The cross-entropy of hidden @ weightᵀ against smoothed targets, with the gradients computed in the forward pass.

    Only the softmax p of one chunk is ever in memory. For targets (1 − ε) onehot + ε/V (Szegedy et al. 2016, section 7)
    the loss is log Σ exp − (1 − ε) z_y − ε mean(z), and its gradient in z is p − (1 − ε) onehot − ε/V; the two constant
    parts pass through the weights as a look-up and a mean.

    `F.linear_cross_entropy` of PyTorch 2.13 is no replacement: its chunks ignore autocast and take nearly twice as long
    as ours in bfloat16, and with smoothing it holds all scores at once (4,096 rows of 8,000 pieces on a CPU: 379 MiB,
    ours 72).
    """

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor, smoothing: float) -> Tensor:
        table = weight.to(hidden.dtype)
        mean = weight.mean(0)  # (D,)
        keep = 1 - smoothing
        to_hidden, to_weight = torch.empty_like(hidden), torch.zeros_like(weight)
        total = weight.new_zeros(())
        for start in range(0, len(hidden), CHUNK):
            rows, gold = hidden[start : start + CHUNK], targets[start : start + CHUNK]
            scores = rows @ table.T  # (T, V)
            logs = torch.log_softmax(scores, dim=-1)
            right = scores.gather(1, gold[:, None]).squeeze(1).to(weight)
            log_sum = right - logs.gather(1, gold[:, None]).squeeze(1).to(weight)
            total += (log_sum - keep * right - smoothing * (rows.to(weight) @ mean)).sum()
            p = logs.exp_()
            to_hidden[start : start + CHUNK] = p @ table - keep * table[gold] - smoothing * mean.to(table)
            to_weight += p.T @ rows
            to_weight.index_add_(0, gold, rows.to(weight), alpha=-keep)
            to_weight -= smoothing / len(weight) * rows.sum(0, dtype=weight.dtype)
        ctx.save_for_backward(to_hidden, to_weight)
        return total

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None, None]:
        to_hidden, to_weight = ctx.saved_tensors
        return to_hidden * grad.to(to_hidden), to_weight * grad, None, None


def linear_cross_entropy(hidden: Tensor, weight: Tensor, targets: Tensor, smoothing: float = 0.0) -> Tensor:
    """Return the summed cross-entropy of softmax(hidden @ weightᵀ), for hidden (T, D), weight (V, D) and targets (T,).

    Under autocast the products use its number format; sums stay in that of the weights.
    """
    kind = hidden.device.type
    if torch.is_autocast_enabled(kind):
        hidden = hidden.to(torch.get_autocast_dtype(kind))
    with torch.autocast(kind, enabled=False):
        return _LinearCrossEntropy.apply(hidden, weight, targets, smoothing)


def _predict(objective: nn.Module, hidden: Tensor, weight: Tensor, gold: Tensor, smoothing: float) -> Tensor:
    """Return the summed loss of hidden (B, L, D) over the positions at which gold (B, L) is not padding."""
    real = gold != PAD
    rows, targets = hidden[real], gold[real]
    if objective.training:
        return linear_cross_entropy(rows, weight, targets, smoothing)
    return F.cross_entropy((rows @ weight.T).to(weight), targets, reduction="sum")


class TranslationLoss(nn.Module):
    """The loss of predicting each target token from the source and the target before it.

    Shapes: source (B, S), target (B, L + 1), padded with 0.
    """

    def __init__(self, model: Transformer | Recurrent, smoothing: float = 0.0) -> None:
        super().__init__()
        self.model = model
        self.smoothing = smoothing

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        hidden = self.read(source, target[:, :-1])
        return _predict(self, hidden, self.model.embed.weight, target[:, 1:], self.smoothing)

    def read(self, source: Tensor, given: Tensor) -> Tensor:
        """Return the decoder's output (B, L, D) for source (B, S) and given (B, L)."""
        real = source != PAD
        if isinstance(self.model, Recurrent):
            hidden, _ = self.model.decode(given, self.model.encode(source, real))
            return hidden
        reads = None if real.all() else real[:, None, None, :]
        memory = self.model.run_stack("encoder", source, reads)
        return self.model.run_stack("decoder", given, _causal(given), memory, reads)


class LanguageLoss(nn.Module):
    """The loss of predicting each token from those before it.

    Shapes: given (B, L), gold (B, L), which is 0 at positions that are not predicted.
    """

    def __init__(self, model: Transformer, smoothing: float = 0.0) -> None:
        super().__init__()
        self.model = model
        self.smoothing = smoothing

    def forward(self, given: Tensor, gold: Tensor) -> Tensor:
        hidden = self.model.run_stack("decoder", given, _causal(given))
        return _predict(self, hidden, self.model.output_weight, gold, self.smoothing)


class MaskedLanguageLoss(nn.Module):
    """The loss of predicting hidden tokens from the rest of their text (Devlin et al. 2019, section 3.1).

    Shapes: given (B, L), padded with 0; gold (B, L), 0 at positions that are not predicted.
    """

    def __init__(self, model: Transformer) -> None:
        super().__init__()
        self.model = model

    def forward(self, given: Tensor, gold: Tensor) -> Tensor:
        return _predict(self, self.read(given), self.model.embed.weight, gold, smoothing=0.0)

    def read(self, given: Tensor) -> Tensor:
        """Return the encoder's output (B, L, D)."""
        real = given != PAD
        return self.model.run_stack("encoder", given, None if real.all() else masks.key_padding_mask(real))


class ClassificationLoss(nn.Module):
    """The loss of predicting the class of each text: ids (B, S), padded with 0, labels (B,).

    forget: the chance in training that a token is replaced by the unknown piece, so that the model does not depend on
    single words.
    """

    def __init__(self, model: Classifier, smoothing: float = 0.0, forget: float = 0.0) -> None:
        super().__init__()
        self.model = model
        self.smoothing = smoothing
        self.forget = forget

    def forward(self, ids: Tensor, labels: Tensor) -> Tensor:
        real = ids != PAD
        if self.training and self.forget:
            gone = torch.rand(ids.shape, device=ids.device) < self.forget
            ids = ids.masked_fill(gone & real, UNK)
        logits = self.model(ids, None if real.all() else real).float()
        smoothing = self.smoothing if self.training else 0.0
        return F.cross_entropy(logits, labels, reduction="sum", label_smoothing=smoothing)


class WordVectorLoss(nn.Module):
    """The sum of the losses of CBOW and skip-gram over running texts.

    Shapes: ids (B, T), window (B, T), and noise (B, n), whose words all texts share. The output vectors are needed in
    training only, so the objective holds them.
    """

    def __init__(self, model: WordVectors, negatives: int) -> None:
        super().__init__()
        self.model = model
        self.negatives = negatives
        size = model.config.vocab_size, model.config.d_model
        self.out = nn.ParameterDict({kind: nn.Parameter(torch.zeros(size)) for kind in KINDS})

    def forward(self, ids: Tensor, window: Tensor, noise: Tensor) -> Tensor:
        looks = pairs(window)  # (B, T, T)
        total = looks.new_zeros(())
        for kind, loss in zip(KINDS, (cbow_loss, skipgram_loss), strict=True):
            outputs, unlike = (F.embedding(word_ids, self.out[kind]) for word_ids in (ids, noise.flatten()))
            total = total + loss(self.model(ids, kind), outputs, unlike, looks, self.negatives)
        return total


def _causal(ids: Tensor) -> Tensor:
    return masks.causal(ids.shape[1], ids.shape[1]).to(ids.device)
