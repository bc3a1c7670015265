"""Measures whether a model is right as often as its probabilities say, and fits the temperature that makes it so."""

from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor

TEMPERATURES = torch.from_numpy(np.geomspace(0.5, 4.0, 209))  # 1 % apart
Predictions = Iterable[tuple[Tensor, Tensor]]  # batches: logits (N, C), and the right class of each (N,)


@runtime_checkable
class CalibratedTask(Protocol):
    """A task whose trained model is calibrated before it is shipped."""

    def predictions(self, model: Any, test: bool) -> Predictions:
        """Return the logits and the right classes of the test texts, or of the validation texts."""

    def divide_logits(self, model: Any, temperature: float) -> None:
        """Make the model divide its logits by a temperature from now on."""


def calibrate(task: CalibratedTask, model: Any) -> str:
    """Fit a temperature, make the model divide its logits by it, and return a clause for the card that says so."""
    model.eval()
    temperature = fit_temperature(task.predictions(model, test=False))
    task.divide_logits(model, temperature)
    return f"; its logits are divided by {temperature:g}, the temperature that fits the validation texts best"


def fit_temperature(predictions: Predictions) -> float:
    """Return the temperature with which softmax(logits / temperature) makes the right classes most likely.

    (Guo et al. 2017, section 4.2.)

    predictions: those for texts that the model was not trained on.
    """
    losses = torch.zeros(len(TEMPERATURES), dtype=torch.float64)
    for logits, right in predictions:
        for index, temperature in enumerate(TEMPERATURES.tolist()):
            losses[index] += float(torch.nn.functional.cross_entropy(logits / temperature, right, reduction="sum"))
    return round(float(TEMPERATURES[losses.argmin()]), 4)


def reliability(predictions: Predictions, parts: int = 10) -> dict[str, Any]:
    """Compare the probability of the likeliest class with how often it is right, in groups of equal size.

    The predictions are sorted by that probability and divided into `parts` groups. The result holds their number
    ("predictions"), the mean probability and the share of right answers in each group ("parts"), and the mean distance
    between these two numbers ("error": expected calibration error, Naeini et al. 2015).
    """
    rows = []
    for logits, classes in predictions:
        most = logits.softmax(-1).max(-1)
        rows.append(torch.stack([most.values.double(), (most.indices == classes).double()]).cpu().numpy())
    sure, right = np.concatenate(rows, axis=1)
    groups = np.array_split(np.argsort(sure, kind="stable"), parts)
    means = [(float(sure[group].mean()), float(right[group].mean()), len(group)) for group in groups]
    error = sum(abs(probability - share) * count for probability, share, count in means) / len(sure)
    return {
        "predictions": len(sure),
        "error": round(error, 4),
        "parts": [{"probability": round(probability, 4), "right": round(share, 4)} for probability, share, _ in means],
    }
