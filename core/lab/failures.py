"""List runs that fail on purpose, each with the tensor that shows why."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.lab.live import trained_to
from core.lab.measured import probe, probe_patterns
from core.lab.recipe import Recipe, read_recipe
from core.lab.run import fresh_model, one_thread
from core.model.transformer import Transformer
from core.tracing.trace import trace


@dataclass(frozen=True)
class Failure:
    """A recipe that fails, and a healthy one that differs in one setting.

    title: the failure, in a few words.
    recipe, healthy: the two recipes, as `core.lab.recipe.write_recipe` writes them.
    tensor: the name of the site or the weight that shows why; "…" means any layer.
    number: number(recipe, model) computes one number from that tensor.
    limit: separates the failing run's number from the healthy run's.
    above: whether the failing run's number is above the limit; otherwise it is below.
    sentence: the explanation, with {number}.
    """

    name: str
    title: str
    recipe: str
    healthy: str
    tensor: str
    number: Callable[[Recipe, Transformer], float]
    limit: float
    above: bool
    sentence: str

    @property
    def failing(self) -> Recipe:
        """The recipe that fails."""
        return read_recipe(self.recipe)


@dataclass(frozen=True)
class Diagnosis:
    """What the tensor of a failure shows in one model.

    is_shown: whether its number is on the failing side of the limit.
    """

    tensor: str
    number: float
    is_shown: bool
    sentence: str


def diagnosis_at(recipe: Recipe, step: int, name: str) -> Diagnosis:
    """Train a run from the start to a step, and return what the tensor of a failure, by its name, shows there.

    Raises `core.lab.run.Diverged`.
    """
    return diagnose(FAILURES[name], recipe, trained_to(recipe, step).model)


def diagnose(failure: Failure, recipe: Recipe, model: Transformer) -> Diagnosis:
    """Return what the tensor of a failure shows in the model of a run."""
    with one_thread(), torch.no_grad():
        number = failure.number(recipe, model)
    shown = number > failure.limit if failure.above else number < failure.limit
    return Diagnosis(failure.tensor, number, shown, failure.sentence.format(number=number))


def key_difference(recipe: Recipe, model: Transformer) -> float:
    """Return how far the first layer's keys of one token at different places are apart, as a share of their norm."""
    token = int(probe(recipe.of)[0][0])
    keys = _sites(model, np.full(6, token), "decoder.0.k")  # (1, H, L, E)
    spread = (keys - keys.mean(2, keepdim=True)).norm(dim=-1).max()
    return float(spread / keys.norm(dim=-1).mean())


def greatest_weight(recipe: Recipe, model: Transformer) -> float:
    """Return the greatest weight in a row of a pattern, averaged over all heads and the rows after the third."""
    return float(probe_patterns(model, recipe.of)[:, :, 3:].max(-1).mean())


def query_growth(recipe: Recipe, model: Transformer) -> float:
    """Return how many times as large the norm of the first layer's W_Q is as at the start of the run."""
    name = "decoder.0.attn.w_q.weight"
    start, now = (each.get_parameter(name).norm() for each in (fresh_model(recipe), model))
    return float(now / start)


def alikeness(recipe: Recipe, model: Transformer) -> float:
    """Return the mean cosine of the last layer's output at two positions of the probe, at the start of the run."""
    ids, answering = probe(recipe.of)
    key = f"decoder.{recipe.layers - 1}.resid_post"
    out = trace(fresh_model(recipe), None, torch.from_numpy(ids)[None], record=[key])[key][0]  # (L, D)
    rows = F.normalize(out[torch.from_numpy(answering)], dim=-1)
    cosines = rows @ rows.T
    return float((cosines.sum() - cosines.trace()) / (len(rows) * (len(rows) - 1)))


def certainty(recipe: Recipe, model: Transformer) -> float:
    """Return the mean, over held-out rows, of the distance from ½ of the probability of the right first token."""
    rows = recipe.of.held_out_rows()
    first = rows.asked.argmax(1)
    place = np.arange(len(rows))
    chances = model(None, torch.from_numpy(rows.given)).softmax(-1).numpy()[place, first - 1]  # (B, V)
    return float(np.abs(chances[place, rows.ids[place, first]] - 0.5).mean())


FAILURES: Mapping[str, Failure] = MappingProxyType(
    {
        failure.name: failure
        for failure in (
            Failure(
                "no-positions",
                "Reverse without positions",
                "reverse,positions=none,steps=600",
                "reverse,steps=600",
                "decoder.0.k",
                key_difference,
                0.001,
                False,
                "Without positions, the first layer gives one letter the same key wherever it stands (at six places "
                "they differ by {number:.2%}): no head of it can ask for a place.",
            ),
            Failure(
                "not-scaled",
                "Scores not scaled at a large d_k",
                "sort,d_k=256,scaled=false,steps=200",
                "sort,d_k=256,steps=200",
                "decoder.….pattern",
                greatest_weight,
                0.8,
                True,
                "The greatest weight of a row is {number:.2f} on average: scores of 256 products are so large that the "
                "softmax picks one key, and hardly any gradient passes through it.",
            ),
            Failure(
                "too-fast",
                "A learning rate ten times too large",
                "induction,lr=0.03,steps=1000",
                "induction,steps=1000",
                "decoder.0.attn.w_q.weight",
                query_growth,
                2.0,
                True,
                "The first layer's W_Q is {number:.1f} times as large as at the start: the steps were so long that the "
                "softmax picks one key, and hardly any gradient leads back.",
            ),
            Failure(
                "no-residual",
                "Eight layers without residual",
                "sort,layers=8,residual=false,steps=200",
                "sort,layers=8,steps=200",
                "decoder.7.resid_post",
                alikeness,
                0.99,
                True,
                "At the start the last layer's output at two positions has a cosine of {number:.3f} on average: "
                "without the residual stream each layer averages over tokens, and what tells them apart is lost.",
            ),
            Failure(
                "no-scratch",
                "Parity without steps in between",
                "parity,steps=2000",
                "parity-steps,steps=2000",
                "logits",
                certainty,
                0.1,
                False,
                "The chance of the right bit is {number:.2f} away from ½ on average: no single bit of the question "
                "tells anything of the answer, so the gradient points nowhere.",
            ),
        )
    }
)


def _sites(model: Transformer, ids: np.ndarray, key: str) -> Tensor:
    return trace(model, None, torch.from_numpy(ids)[None], record=[key])[key]
