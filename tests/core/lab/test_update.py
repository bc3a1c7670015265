"""One update taken apart, held against autograd and torch's AdamW."""

import numpy as np
import pytest
import torch

from core.lab.recipe import read_recipe
from core.lab.run import LabRun
from core.lab.update import AdamW, NextUpdate

RECIPES = (
    "sort,layers=2,heads=2,d_model=8,batch=4",
    "induction,d_model=8,batch=4",
    "reverse,d_model=8,batch=4,norm=post,tied=true",
    "repeat,d_model=8,batch=4,norm=none,residual=false,positions=alibi",
    "add,d_model=8,batch=4,dropout=0.1,clip=0.5,weight_decay=0.1",
    "modular,d_model=8,batch=4,d_k=3",
    "repeat,d_model=8,batch=4,norm=post,dropout=0.1",
    "reverse,d_model=8,batch=4,architecture=encoder-decoder",
    "reverse,d_model=8,batch=4,architecture=encoder-decoder,tied=true,norm=post",
)


@pytest.mark.parametrize("text", RECIPES)
def test_the_gradient_of_every_weight_is_the_sum_over_positions(text: str) -> None:
    run = LabRun(read_recipe(text))
    for _ in range(2):
        run.step()
    update = NextUpdate(run)
    for name, gradient in update.gradients.items():
        sums = [update.weight(name, index).gradient for index in np.ndindex(*gradient.shape)]
        assert sums == pytest.approx(gradient.flatten().tolist(), rel=1e-4, abs=1e-6), name
        assert any(sums), name


def test_a_weight_of_both_stacks_has_the_positions_of_both_texts() -> None:
    run = LabRun(read_recipe("reverse,architecture=encoder-decoder,d_model=8,batch=4"))
    update, batch = NextUpdate(run), run.batch(1)
    sizes = batch["source"].shape[1], batch["given"].shape[1]
    token = int(batch["given"][0, 1])
    pulls = update.weight("embed.weight", (token, 0)).contributions
    assert pulls.shape == (4, sum(sizes))
    read = np.concatenate([batch["source"].numpy(), batch["given"].numpy()], 1)
    assert not pulls[read != token].any() and pulls[read == token].all()
    assert update.weight("encoder.0.attn.w_q.weight", (0, 0)).contributions.shape == (4, sizes[0])
    assert update.weight("decoder.0.cross.w_k.weight", (0, 0)).contributions.shape == (4, sizes[0])
    assert update.weight("decoder.0.cross.w_q.weight", (0, 0)).contributions.shape == (4, sizes[1])


@pytest.mark.parametrize("text", RECIPES)
def test_the_new_value_is_that_of_the_step(text: str) -> None:
    run = LabRun(read_recipe(text))
    for _ in range(2):
        run.step()
    update, rng, found = NextUpdate(run), np.random.default_rng(1), []
    for name, gradient in update.gradients.items():
        large = np.argwhere(gradient.abs().numpy() > 1e-4)  # Adam makes steps of the rounding of a gradient of 0
        if len(large):
            found.append(update.weight(name, tuple(int(place) for place in rng.choice(large))))
    run.step()
    new = dict(run.model.named_parameters())
    assert len(found) > 10
    for weight in found:
        assert weight.adam.new == pytest.approx(float(new[weight.name].detach()[weight.index]), abs=2e-6), weight.name


def test_three_steps_of_two_weights_by_hand() -> None:
    """Against torch's AdamW, and the first step against numbers worked out on paper."""
    lr, beta1, beta2, eps, decay = 0.1, 0.9, 0.99, 1e-8, 0.5
    weights = torch.nn.Parameter(torch.tensor([1.0, -2.0], dtype=torch.float64))
    optimizer = torch.optim.AdamW([weights], lr, (beta1, beta2), eps, decay)
    moments = [(0.0, 0.0), (0.0, 0.0)]
    for step, gradients in enumerate(([0.5, -4.0], [0.1, 2.0], [-1.0, 0.0]), 1):
        old = weights.tolist()
        weights.grad = torch.tensor(gradients, dtype=torch.float64)
        optimizer.step()
        for place in (0, 1):
            one = AdamW(step, lr, beta1, beta2, eps, decay, old[place], gradients[place], *moments[place])
            moments[place] = (one.m, one.v)
            assert one.new == pytest.approx(float(weights[place].detach()), abs=1e-12)
            if step == 1:  # m̂ = g and v̂ = g², so the first step is lr, whatever the size of the gradient
                assert one.moved == pytest.approx(0.1 * np.sign(gradients[place]))
                assert one.decayed == pytest.approx(0.05 * old[place])
    # Step 2 of the first weight: m̂ = 0.055 / 0.19 and v̂ = 0.002575 / 0.0199.
    # Step 3: m̂ = −0.0505 / 0.271 and v̂ = 0.01254925 / 0.029701.
    by_hand = 1 - 0.05 - 0.1
    by_hand -= 0.05 * by_hand + 0.1 * 0.289474 / 0.359718
    by_hand -= 0.05 * by_hand + 0.1 * -0.186347 / 0.650015
    assert float(weights[0].detach()) == pytest.approx(by_hand, abs=1e-6)


def test_weights_that_are_not_there_are_refused() -> None:
    update = NextUpdate(LabRun(read_recipe("sort,layers=1,heads=1,d_model=8,batch=2")))
    with pytest.raises(ValueError, match="no weight"):
        update.weight("decoder.9.attn.w_q.weight", (0, 0))
    with pytest.raises(ValueError, match="shape"):
        update.weight("decoder.0.attn.w_q.weight", (8, 0))
    with pytest.raises(ValueError, match="shape"):
        update.weight("decoder.0.attn.w_q.weight", (-1, 0))


def test_explaining_takes_no_step() -> None:
    run = LabRun(read_recipe("sort,layers=1,heads=1,d_model=8,batch=2,dropout=0.2"))
    run.step()
    before = run.state()
    NextUpdate(run).weight("embed.weight", (4, 0))
    after = run.state()
    assert all(torch.equal(before.weights[name], value) for name, value in after.weights.items())
    assert all(torch.equal(before.moments[name], value) for name, value in after.moments.items())
    assert not run.model.training
