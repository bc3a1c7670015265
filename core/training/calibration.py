"""How well a model's probabilities hold: the temperature that mends them, and how often it is right at each."""

from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor

TEMPERATURES = torch.from_numpy(np.geomspace(0.5, 4.0, 209))  # 1 % apart
Predictions = Iterable[tuple[Tensor, Tensor]]  # batches: logits (N, C), and the right class of each (N,)


@runtime_checkable
class CalibratedTask(Protocol):
    """A task whose trained model gets probabilities that hold."""

    def predictions(self, model: Any, test: bool) -> Predictions:
        """What the model makes of its test texts, or of those that picked its weights."""

    def divide_logits(self, model: Any, temperature: float) -> None:
        """Makes the model divide its logits by a temperature."""


def calibrate(task: CalibratedTask, model: Any) -> str:
    """Fit a temperature, let the model divide its logits by it, and return a clause that says so."""
    model.eval()
    temperature = fit_temperature(task.predictions(model, test=False))
    task.divide_logits(model, temperature)
    return f"; its logits are divided by {temperature:g}, the temperature that fits the validation texts best"


def fit_temperature(predictions: Predictions) -> float:
    """Return the temperature that makes the right classes most likely: softmax(logits / temperature).

    (Guo et al. 2017, section 4.2.) predictions: of texts that the model was not trained on.
    """
    losses = torch.zeros(len(TEMPERATURES), dtype=torch.float64)
    for logits, right in predictions:
        for at, temperature in enumerate(TEMPERATURES.tolist()):
            losses[at] += torch.nn.functional.cross_entropy(logits / temperature, right, reduction="sum").double()
    return round(float(TEMPERATURES[losses.argmin()]), 4)


def reliability(predictions: Predictions, temperature: float = 1.0, parts: int = 10) -> dict[str, Any]:
    """Return how often the likeliest class is right, in parts of equal size by rising probability of that class.

    error: the mean distance of the two, weighted by size (expected calibration error, Naeini et al. 2015).
    """
    rows = []
    for logits, classes in predictions:
        most = (logits / temperature).softmax(-1).max(-1)
        rows.append(np.stack([most.values.double().numpy(), (most.indices == classes).numpy()]))
    sure, right = np.concatenate(rows, axis=1)
    groups = np.array_split(np.argsort(sure, kind="stable"), parts)
    means = [(float(sure[group].mean()), float(right[group].mean()), len(group)) for group in groups]
    error = sum(abs(probability - share) * count for probability, share, count in means) / len(sure)
    return {
        "predictions": len(sure),
        "error": round(error, 4),
        "parts": [{"probability": round(probability, 4), "right": round(share, 4)} for probability, share, _ in means],
    }
