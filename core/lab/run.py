"""Train a small transformer step by step, and continue from a saved state to the same weights.

Everything that a step does follows from the recipe's seed and the number of the step: its rows, its dropout, its
learning rate. So two runs of one recipe have the same weights after the same number of steps, bit for bit on the same
kind of processor; another kind may round sums differently.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
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
from core.optim.step import NotFinite, make_optimizer, train_step
from core.text.special import BOS, EOS, PAD
from core.tracing.trace import trace

MOMENTS = ("exp_avg", "exp_avg_sq")
SITES = ("embed", "q", "k", "v", "scores", "z", "resid_post", "final", "logits")  # searched when a loss is not finite
_DROPOUT = RLock()  # dropout draws from torch's one generator, so that runs of several visitors take turns


class Diverged(ArithmeticError):
    """The error for a run in which a number is infinite or not a number.

    step: the number of the step that failed, counted from 1; it changed no weight.
    tensor: the first tensor with such a number: a site of the forward pass, a gradient, or the gradient's norm.
    last: the last good step; the one before, if it is not given.
    """

    def __init__(self, step: int, tensor: str, last: int | None = None) -> None:
        self.step, self.tensor = step, tensor
        self.last = step - 1 if last is None else last
        super().__init__(
            f"At step {step:,} {tensor} is not finite any more: it holds infinity, or a value that is no number. "
            f"Step {self.last:,} is the last good one."
        )


@dataclass(frozen=True, eq=False)
class RunState:
    """The state of a run after some steps.

    weights: the weights by the names of the model's parameters.
    moments: the optimizer's two moments, "exp_avg/NAME" and "exp_avg_sq/NAME"; empty before the first step, and in a
        state that holds the weights alone.
    """

    step: int
    weights: Mapping[str, Tensor]
    moments: Mapping[str, Tensor]

    @property
    def resumable(self) -> bool:
        """Whether training can continue from it."""
        return self.step == 0 or bool(self.moments)

    @property
    def nbytes(self) -> int:
        """The bytes of all its tensors."""
        return sum(value.nbytes for part in (self.weights, self.moments) for value in part.values())


class TaskLoss(nn.Module):
    """The summed loss of predicting each answer token from the tokens before it; its tensors are those of `batch_of`.

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
    task: its task; the run of a pasted text keeps the text even if it is dropped elsewhere.
    steps: the number of steps that it has taken.
    """

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.task = recipe.of
        self.model = fresh_model(recipe)
        self.objective = TaskLoss(self.model)
        self.optimizer = make_optimizer(self.objective, recipe.weight_decay)
        self.steps = 0
        self.objective.train()  # which without dropout changes nothing that a pass computes
        self._set_dropout(False)

    def lr(self, step: int) -> float:
        """Return the learning rate of a step, counted from 1: a linear warm-up, then the recipe's."""
        return self.recipe.lr * min(1.0, step / max(self.recipe.warmup, 1))

    def rows(self, step: int) -> Rows:
        """Return the rows of a step, counted from 1; each call returns the same rows."""
        return self.task.draw(np.random.default_rng((self.recipe.seed, step)), self.recipe.batch)

    def batch(self, step: int) -> dict[str, Tensor]:
        """Return the tensors of a step's rows, as `batch_of` says."""
        return batch_of(self.rows(step), self.model.config.has_two_stacks)

    def step(self) -> float:
        """Take one step, and return the mean loss of its rows before it.

        Raises Diverged, with the run still at the step before, if the loss or its gradient is not finite. A step with
        a finite gradient leaves the weights finite: within the limits of a recipe it makes none more than 10¹⁰ times as
        large, and scores, which multiply two matrices, are infinite long before a weight could be.
        """
        number, recipe = self.steps + 1, self.recipe
        batch = self.batch(number)
        predictions = int((batch["gold"] != PAD).sum())
        loss: Tensor | None = None
        with one_thread(), self.random(number):
            self._set_dropout(True)
            with suppress(NotFinite):
                loss = train_step(
                    self.objective,
                    self.optimizer,
                    batch,
                    self.lr(number),
                    weight=1 / max(predictions, 1),
                    clip=recipe.clip,
                    must_be_finite=True,
                )
            self._set_dropout(False)
        if loss is None:
            raise Diverged(number, self._first_not_finite(batch))
        self.steps = number
        return float(loss)

    def train_to(self, step: int, check: Check | None = None) -> None:
        """Train until the run has taken `step` steps; do nothing if it has.

        check: called before each step; it may cancel by raising an exception.

        Raises Diverged.
        """
        while self.steps < step:
            if check is not None:
                check()
            self.step()

    def state(self) -> RunState:
        """Return a copy of the state, from which `restore` continues to the same weights."""
        moments = {
            f"{moment}/{name}": self.optimizer.state[parameter][moment].clone()
            for name, parameter in self.model.named_parameters()
            for moment in MOMENTS
            if moment in self.optimizer.state[parameter]
        }
        return RunState(self.steps, self.weights(), moments)

    def weights(self) -> dict[str, Tensor]:
        """Return a copy of the weights, by the names of the model's parameters."""
        return {name: value.detach().clone() for name, value in self.model.named_parameters()}

    def restore(self, state: RunState) -> None:
        """Set the run to a saved state of the same recipe.

        Raises ValueError if the state does not fit the model.
        """
        assert state.resumable
        parameters = dict(self.model.named_parameters())
        shapes = {name: value.shape for name, value in parameters.items()}
        if {name: value.shape for name, value in state.weights.items()} != shapes:
            raise ValueError("This state belongs to a model of another shape.")
        self.optimizer.state.clear()
        for name, parameter in parameters.items():
            parameter.data.copy_(state.weights[name])
            if state.moments:
                moments = {moment: state.moments[f"{moment}/{name}"].clone() for moment in MOMENTS}
                self.optimizer.state[parameter] = {"step": torch.tensor(float(state.step)), **moments}
        self.steps = state.step

    def gradients(self) -> dict[str, Tensor]:
        """Return the gradient of the mean loss of the next step's rows, by parameter; not clipped, without dropout."""
        batch = self.batch(self.steps + 1)
        with one_thread():
            loss = self.objective(**batch) / max(int((batch["gold"] != PAD).sum()), 1)
            gradients = torch.autograd.grad(loss, list(self.model.parameters()))
        return {name: grad for (name, _), grad in zip(self.model.named_parameters(), gradients, strict=True)}

    def _set_dropout(self, on: bool) -> None:
        """Turn dropout on or off. Without dropout nothing is done, because it would take a tenth of a millisecond."""
        if self.recipe.dropout:
            self.objective.train(on)

    def _first_not_finite(self, batch: Mapping[str, Tensor]) -> str:
        """Return the name of the first tensor of a failed step that is not finite."""
        inputs = batch.get("source"), batch["given"]
        sites = trace(self.model, *inputs, record=SITES, reduce=dict.fromkeys(SITES, _is_finite))
        gradients = {name: value.grad for name, value in self.model.named_parameters() if value.grad is not None}
        named = [
            *(key for key, is_finite in sites.items() if not is_finite),
            *(f"the gradient of {name}" for name, grad in gradients.items() if not _is_finite(grad)),
        ]
        return named[0] if named else "the norm of the gradient"

    @contextmanager
    def random(self, step: int) -> Iterator[None]:
        """Make dropout draw the numbers of a step inside this context."""
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
    """Return the tensors that the objective reads of rows: given and gold, (B, L); gold is 0 outside the answer.

    two_stacks: for an encoder-decoder, with source (B, S). It reads the question without its mark and with </s> at its
        end; the decoder reads <s> and the answer, and predicts the answer and </s>.
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
    """Make torch compute on one thread inside this context: small steps are faster, and sums keep one order."""
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
