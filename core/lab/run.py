"""A run of the lab: a small transformer that is trained step by step, kept, put back, and trained to a step again.

Everything that a step does follows from the recipe's seed and the number of the step: its rows, its dropout, its
learning rate. So a run that is put back to a step goes on to the same weights, bit for bit on the same kind of
processor; on another kind, sums may be rounded otherwise.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from zlib import crc32

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.lab.recipe import Recipe
from core.lab.task import Rows
from core.model.layers import initialise
from core.model.tap import Check
from core.model.transformer import Transformer, build
from core.optim.step import make_optimizer, train_step
from core.text.special import BOS, EOS, PAD
from core.tracing.trace import trace

MOMENTS = ("exp_avg", "exp_avg_sq")
SITES = ("embed", "q", "k", "v", "scores", "z", "resid_post", "final", "logits")  # looked at when a loss is not finite
_DROPOUT = RLock()  # dropout draws from torch's one generator: runs of several visitors take turns


class Diverged(ArithmeticError):
    """The error for a run with a number that is infinite or none at all.

    step: the number of the step that failed, counted from 1; the run is put back to the state before it.
    tensor: the first tensor with such a number: a site of the forward pass, or a weight.
    """

    def __init__(self, step: int, tensor: str) -> None:
        super().__init__(
            f"At step {step:,} {tensor} is not finite any more: it holds infinity, or a value that is no number. "
            f"Step {step - 1:,} is the last good one."
        )
        self.step = step
        self.tensor = tensor


@dataclass(frozen=True, eq=False)
class RunState:
    """The state of a run after some steps.

    weights: by the names of the model's parameters.
    moments: the optimizer's two moments, "exp_avg/NAME" and "exp_avg_sq/NAME"; empty before the first step, and in a
        state that holds the weights alone.
    """

    step: int
    weights: Mapping[str, Tensor]
    moments: Mapping[str, Tensor]

    @property
    def resumable(self) -> bool:
        """Whether training can go on from it."""
        return self.step == 0 or bool(self.moments)

    @property
    def nbytes(self) -> int:
        """The bytes of all its tensors."""
        return sum(value.nbytes for part in (self.weights, self.moments) for value in part.values())


class TaskLoss(nn.Module):
    """The summed loss of predicting each asked token from those before it; its tensors are those of `batch_of`.

    The vocabularies of tasks are small, so all scores are held at once: `core.training.objectives.LanguageLoss`, which
    holds those of a part of the positions, takes up to a fifth of a step longer here.
    """

    def __init__(self, model: Transformer) -> None:
        super().__init__()
        self.model = model

    def forward(self, given: Tensor, gold: Tensor, source: Tensor | None = None) -> Tensor:
        logits = self.model(source, given)  # (B, L, V)
        return F.cross_entropy(logits.flatten(0, 1), gold.flatten(), ignore_index=PAD, reduction="sum")


class LabRun:
    """A run that trains by one step at a time.

    recipe: everything that decides the run.
    task: its task, which a pasted text's run keeps even if the text is let go.
    steps: the number of steps that were taken.
    """

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.task = recipe.of
        self.model = fresh_model(recipe)
        self.objective = TaskLoss(self.model)
        self.optimizer = make_optimizer(self.objective, recipe.weight_decay)
        self.steps = 0
        self._names = [name for name, _ in self.model.named_parameters()]
        self._weights = [value.data for value in self.model.parameters()]
        self._before = [value.clone() for value in self._weights]
        self._moments_now: list[Tensor] = []
        self._moments_before: list[Tensor] = []
        self.objective.train()  # which without dropout changes nothing that a pass computes
        self._set_dropout(False)

    def lr(self, step: int) -> float:
        """Return the learning rate of a step, counted from 1: a straight warm-up, then the recipe's."""
        return self.recipe.lr * min(1.0, step / max(self.recipe.warmup, 1))

    def rows(self, step: int) -> Rows:
        """Return the rows of a step, counted from 1: the same whenever it is called."""
        return self.task.draw(np.random.default_rng((self.recipe.seed, step)), self.recipe.batch)

    def batch(self, step: int) -> dict[str, Tensor]:
        """Return the tensors of a step's rows, as `batch_of` says."""
        return batch_of(self.rows(step), self.model.config.has_two_stacks)

    def step(self) -> float:
        """Take one step, and return the mean loss of its rows before it.

        Raises Diverged, with the state before the step in place again, if a number of it is not finite.
        """
        number, recipe = self.steps + 1, self.recipe
        batch = self.batch(number)
        predictions = int((batch["gold"] != PAD).sum())
        with one_thread(), self.random(number):
            self._keep_before()
            self._set_dropout(True)
            loss = train_step(
                self.objective,
                self.optimizer,
                batch,
                self.lr(number),
                weight=1 / max(predictions, 1),
                clip=recipe.clip,
            )
            self._set_dropout(False)
            largest = torch.stack(torch._foreach_norm(self._weights, float("inf")))
        if not (bool(loss.isfinite()) and bool(largest.isfinite().all())):
            raise self._diverged(number, batch)
        self.steps = number
        return float(loss)

    def train_to(self, step: int, check: Check | None = None) -> None:
        """Take steps until so many are taken.

        check: called before each step; it may cancel by raising an exception.

        Raises Diverged.
        """
        while self.steps < step:
            if check is not None:
                check()
            self.step()

    def state(self) -> RunState:
        """Return a copy of the state, from which `restore` goes on to the same weights."""
        moments = {f"{moment}/{name}": value.clone() for moment, name, value in self._moments()}
        return RunState(self.steps, self.weights(), moments)

    def weights(self) -> dict[str, Tensor]:
        """Return a copy of the weights, by the names of the model's parameters."""
        return {name: value.clone() for name, value in zip(self._names, self._weights, strict=True)}

    def restore(self, state: RunState) -> None:
        """Put the run back to a state of the same recipe.

        Raises ValueError if the state does not fit the model, or holds the weights alone.
        """
        if not state.resumable:
            raise ValueError(f"Training cannot go on from step {state.step:,}: only its weights are kept.")
        shapes = {name: tuple(value.shape) for name, value in self.model.named_parameters()}
        if {name: tuple(value.shape) for name, value in state.weights.items()} != shapes:
            raise ValueError("This state belongs to a model of another shape.")
        for name, value in zip(self._names, self._weights, strict=True):
            value.copy_(state.weights[name])
        self.optimizer.state.clear()
        self._moments_now, self._moments_before = [], []
        if state.moments:
            for name, parameter in self.model.named_parameters():
                moments = {moment: state.moments[f"{moment}/{name}"].clone() for moment in MOMENTS}
                self.optimizer.state[parameter] = {"step": torch.tensor(float(state.step)), **moments}
        self.steps = state.step

    def gradients(self) -> dict[str, Tensor]:
        """Return the gradient of the mean loss of the next step's rows, by parameter; not clipped, without dropout."""
        batch = self.batch(self.steps + 1)
        with one_thread():
            loss = self.objective(**batch) / max(int((batch["gold"] != PAD).sum()), 1)
            gradients = torch.autograd.grad(loss, list(self.model.parameters()))
        return dict(zip(self._names, gradients, strict=True))

    def _moments(self) -> Iterator[tuple[str, str, Tensor]]:
        for name, parameter in self.model.named_parameters():
            for moment in MOMENTS:
                if moment in self.optimizer.state[parameter]:
                    yield moment, name, self.optimizer.state[parameter][moment]

    def _keep_before(self) -> None:
        """Copy the weights and the moments, so that a step that fails can be taken back."""
        torch._foreach_copy_(self._before, self._weights)
        if not self._moments_now and self.steps:
            self._moments_now = [value for _, _, value in self._moments()]
            self._moments_before = [value.clone() for value in self._moments_now]
        elif self._moments_now:
            torch._foreach_copy_(self._moments_before, self._moments_now)

    def _set_dropout(self, on: bool) -> None:
        """Turn dropout on or off. Without dropout nothing is done, because it would take a tenth of a millisecond."""
        if self.recipe.dropout:
            self.objective.train(on)

    def _diverged(self, number: int, batch: Mapping[str, Tensor]) -> Diverged:
        """Take a failed step back, and return the error that names the first tensor that is not finite."""
        broken = [name for name, value in zip(self._names, self._weights, strict=True) if not value.isfinite().all()]
        before = {name: value.clone() for name, value in zip(self._names, self._before, strict=True)}
        keys = [f"{moment}/{name}" for moment, name, _ in self._moments()] if number > 1 else []
        moments = dict(zip(keys, self._moments_before, strict=True))  # `restore` copies them
        self.restore(RunState(number - 1, before, moments))
        inputs = batch.get("source"), batch["given"]
        sites = trace(self.model, *inputs, record=SITES, reduce=dict.fromkeys(SITES, _is_finite))
        first = next((key for key, fine in sites.items() if not fine), None)
        return Diverged(number, first or (broken[-1] if broken else "the loss"))

    @contextmanager
    def random(self, step: int) -> Iterator[None]:
        """Within it, dropout draws the numbers of a step."""
        if not self.recipe.dropout:
            yield
            return
        with _DROPOUT:
            before = torch.get_rng_state()
            torch.manual_seed(crc32(f"{self.recipe.seed} {step}".encode()))
            try:
                yield
            finally:
                torch.set_rng_state(before)


def fresh_model(recipe: Recipe) -> Transformer:
    """Return the model with which a run starts, in evaluation mode."""
    model = build(recipe.config)
    initialise(model, recipe.seed, recipe.init)
    return model


def batch_of(rows: Rows, two_stacks: bool = False) -> dict[str, Tensor]:
    """Return the tensors that the objective reads of rows: given and gold, (B, L), gold 0 where nothing is asked.

    two_stacks: for an encoder-decoder, with source (B, S). It reads the question without its mark and with </s> at its
        end; the decoder reads <s> and the answer, and is asked for the answer and </s>.
    """
    if not two_stacks:
        return {"given": torch.from_numpy(rows.given), "gold": torch.from_numpy(rows.gold)}
    ids, asked = torch.from_numpy(rows.ids), torch.from_numpy(rows.asked)
    first = int(rows.asked[0].argmax())
    answer = torch.where(asked, ids, PAD)[:, first:]
    begin, end = (torch.full((len(ids), 1), piece) for piece in (BOS, EOS))
    gold = torch.cat([answer, torch.full_like(end, PAD)], 1)
    gold[torch.arange(len(ids)), asked.sum(1)] = EOS
    return {"source": torch.cat([ids[:, : first - 1], end], 1), "given": torch.cat([begin, answer], 1), "gold": gold}


@contextmanager
def one_thread() -> Iterator[None]:
    """Within it torch computes on one thread: small steps are faster so, and sums are rounded in one order."""
    before = torch.get_num_threads()
    if before > 1:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        if before > 1:
            torch.set_num_threads(before)


def _is_finite(x: Tensor) -> Tensor:
    return x.isfinite().all()
