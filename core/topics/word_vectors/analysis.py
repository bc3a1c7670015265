"""One step of word2vec with negative sampling, with its gradients written out (Mikolov et al. 2013b, equation 4).

Shapes: P questions asked at once, T words of the stretch of text, K noise words, D dimensions.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class NegativeSamples:
    """The predictions ("questions") that negative sampling makes from a stretch of text.

    ids (T,): the words of the stretch.
    mixes (P, T): the weights of its words in the predicting vector, which sum to 1; a single word for skip-gram, equal
    weights for all words of the window for CBOW.
    answers (P, 1 + K): the word to predict, and the noise words.
    counts (P, 1 + K): 0 for a noise word that is the answer itself, 1 for all others.
    """

    ids: np.ndarray
    mixes: np.ndarray
    answers: np.ndarray
    counts: np.ndarray


@dataclass(frozen=True, eq=False)
class Gradients:
    """The losses of P predictions of negative sampling, and their gradients.

    losses (P,): −log σ(u·v) − Σ log σ(−u_k·v).
    scores (P, 1 + K): u·v.
    errors (P, 1 + K): the derivative of each loss by a score, σ − 1 for the answer and σ for the noise words.
    asking (P, D), answers (P, 1 + K, D): ∂L/∂v and ∂L/∂u.
    """

    losses: np.ndarray
    scores: np.ndarray
    errors: np.ndarray
    asking: np.ndarray
    answers: np.ndarray


def sigmoid(x: np.ndarray) -> np.ndarray:
    """Return 1 / (1 + e^−x), without overflow."""
    return np.exp(-np.logaddexp(0.0, -x))


def question_gradients(asking: np.ndarray, answers: np.ndarray, counts: np.ndarray) -> Gradients:
    """Return the losses and gradients of predictions by negative sampling, in the number format of the vectors.

    asking (P, D): the predicting vectors v.
    answers (P, 1 + K, D): the vectors u, that of the word to predict first.
    counts (P, 1 + K): the weight of each answer in the loss.
    """
    scores = np.einsum("pd,pkd->pk", asking, answers)
    signs = np.full(scores.shape[1], -1.0, dtype=scores.dtype)
    signs[0] = 1.0
    errors = -signs * sigmoid(-signs * scores) * counts
    losses = (np.logaddexp(0.0, -signs * scores) * counts).sum(1)
    return Gradients(
        losses,
        scores,
        errors,
        asking=np.einsum("pk,pkd->pd", errors, answers),
        answers=errors[..., None] * asking[:, None],
    )


def gradients_of(samples: NegativeSamples, inputs: np.ndarray, outputs: np.ndarray) -> Gradients:
    """Return the losses and gradients of the predictions from a stretch of text.

    inputs, outputs (V, D): the two tables of word vectors.
    """
    return question_gradients(samples.mixes @ inputs[samples.ids], outputs[samples.answers], samples.counts)


def learn(samples: NegativeSamples, inputs: np.ndarray, outputs: np.ndarray, rate: float) -> float:
    """Take one step of gradient descent on the sum of the losses, changing both tables in place.

    Return the mean loss, NaN if there are no predictions.
    """
    if not len(samples.mixes):
        return float("nan")
    gradients = gradients_of(samples, inputs, outputs)
    np.add.at(inputs, samples.ids, -rate * (samples.mixes.T @ gradients.asking))
    np.add.at(outputs, samples.answers, -rate * gradients.answers)
    return float(gradients.losses.mean())
