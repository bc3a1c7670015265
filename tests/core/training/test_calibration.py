"""The temperature that mends a model's probabilities, and how often it is right at each."""

import numpy as np
import pytest
import torch

from core.training.calibration import calibrate, fit_temperature, reliability


def drawn(sharpness: float, count: int = 4000) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Logits of which the softmax is the true chance of each class, made sharper by this factor."""
    made = torch.Generator().manual_seed(3)
    logits = 2 * torch.randn(count, 5, generator=made)
    classes = torch.multinomial(logits.softmax(-1), 1, generator=made)[:, 0]
    return [(sharpness * part, right) for part, right in zip(logits.chunk(7), classes.chunk(7), strict=True)]


@pytest.mark.parametrize("sharpness", [0.8, 1.0, 2.5])
def test_the_temperature_undoes_what_made_the_logits_sharper(sharpness: float) -> None:
    found = fit_temperature(drawn(sharpness))
    assert found == pytest.approx(sharpness, rel=0.05)
    assert reliability((logits / found, right) for logits, right in drawn(sharpness))["error"] < 0.02


def test_reliability_of_four_predictions_by_hand() -> None:
    sure = np.array([0.6, 0.7, 0.8, 0.9])
    logits = torch.from_numpy(np.log(np.stack([sure, 1 - sure], 1)))
    found = reliability([(logits, torch.tensor([0, 1, 0, 0]))], parts=2)
    assert found["parts"] == [{"probability": 0.65, "right": 0.5}, {"probability": 0.85, "right": 1.0}]
    assert found["predictions"] == 4 and found["error"] == pytest.approx(0.15)


def test_a_calibrated_model_needs_no_further_temperature() -> None:
    class Drawn:
        def predictions(self, model: torch.nn.Linear, test: bool) -> list[tuple[torch.Tensor, torch.Tensor]]:
            return [(model.weight * logits, right) for logits, right in drawn(2.5)]

        def divide_logits(self, model: torch.nn.Linear, temperature: float) -> None:
            model.weight.data /= temperature

    model = torch.nn.Linear(1, 1, bias=False)
    model.weight.data.fill_(1)
    model.requires_grad_(False)
    said = calibrate(Drawn(), model)
    assert f"divided by {1 / float(model.weight):g}," in said
    assert fit_temperature(Drawn().predictions(model, test=False)) == pytest.approx(1, abs=0.01)
