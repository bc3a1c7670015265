"""The recurrent translators: their cells are torch's, their attention is the paper's."""

import math
from dataclasses import replace

import pytest
import torch
from torch import nn

from core.model.recurrent import AdditiveAttention, GRUCell, RecurrentConfig, build
from core.tracing.step_tap import StepTap


def draw(rng, *shape):
    return torch.randn(shape, generator=rng)


def filled(module, rng):
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(draw(rng, *parameter.shape) / 2)
    return module


def test_a_scan_of_the_cell_is_torchs_gru(rng):
    oracle = filled(nn.GRU(5, 7, batch_first=True), rng)
    cell = GRUCell(5, 7)
    with torch.no_grad():
        for layer, name in ((cell.w, "ih"), (cell.u, "hh")):
            layer.weight.copy_(getattr(oracle, f"weight_{name}_l0"))
            layer.bias.copy_(getattr(oracle, f"bias_{name}_l0"))
    x = draw(rng, 3, 6, 5)
    state, states = torch.zeros(3, 7), []
    for step in range(6):
        state = cell(cell.w(x[:, step]), state)
        states.append(state)
    torch.testing.assert_close(torch.stack(states, 1), oracle(x)[0])


@pytest.mark.parametrize("kind", ["bottleneck", "attention"])
def test_the_encoder_is_torchs_gru_on_texts_of_any_length(kind, rng):
    model = filled(build(RecurrentConfig(kind, 11, 4, 6)), rng)
    both = kind == "attention"
    oracle = nn.GRU(4, 6, batch_first=True, bidirectional=both)
    with torch.no_grad():
        for end, cell in (("", model.forwards), ("_reverse", model.backwards if both else None)):
            if cell is not None:
                for layer, name in ((cell.w, "ih"), (cell.u, "hh")):
                    getattr(oracle, f"weight_{name}_l0{end}").copy_(layer.weight)
                    getattr(oracle, f"bias_{name}_l0{end}").copy_(layer.bias)
    ids, lengths = torch.randint(4, 11, (3, 5), generator=rng), torch.tensor([5, 2, 4])
    mask = torch.arange(5) < lengths[:, None]
    encoded = model.encode(ids, mask)
    memory, last = encoded.memory, encoded.last
    packed = nn.utils.rnn.pack_padded_sequence(model.embed(ids) * 2, lengths, batch_first=True, enforce_sorted=False)
    states, final = oracle(packed)
    right = nn.utils.rnn.pad_packed_sequence(states, batch_first=True)[0]
    torch.testing.assert_close(memory[mask], right[mask])
    torch.testing.assert_close(last, final[-1])


def test_additive_attention_is_the_papers_sum_word_by_word(rng):
    layer = filled(AdditiveAttention(3, 4, 5), rng)
    layer.requires_grad_(False)
    state, memory = draw(rng, 2, 3), draw(rng, 2, 6, 4)
    mask = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    context, weights = layer(state, memory, layer.u(memory), mask)
    for row in range(2):
        scores = []
        for j in range(int(mask[row].sum())):
            inner = [
                math.tanh(
                    sum(float(layer.w.weight[a, i] * state[row, i]) for i in range(3))
                    + sum(float(layer.u.weight[a, i] * memory[row, j, i]) for i in range(4))
                    + float(layer.u.bias[a])
                )
                for a in range(5)
            ]
            scores.append(sum(float(layer.v.weight[0, a]) * inner[a] for a in range(5)))
        exponents = [math.exp(score) for score in scores]
        right = [value / sum(exponents) for value in exponents] + [0.0] * (6 - len(scores))
        torch.testing.assert_close(weights[row], torch.tensor(right))
        torch.testing.assert_close(context[row], sum(right[j] * memory[row, j] for j in range(6)))


@pytest.mark.parametrize("kind", ["bottleneck", "attention"])
def test_padding_changes_nothing_and_later_words_do_not_matter(kind, rng):
    model = filled(build(RecurrentConfig(kind, 11, 4, 6)), rng)
    source, target = torch.randint(4, 11, (2, 5), generator=rng), torch.randint(4, 11, (2, 4), generator=rng)
    mask = torch.ones(2, 5, dtype=torch.bool)
    logits, weights = model(source, target, mask)
    padded = torch.cat([source, torch.zeros(2, 3, dtype=torch.long)], 1)
    wider = torch.cat([mask, torch.zeros(2, 3, dtype=torch.bool)], 1)
    torch.testing.assert_close(model(padded, target, wider)[0], logits)
    torch.testing.assert_close(model(source, target[:, :2], mask)[0], logits[:, :2])
    assert logits.shape == (2, 4, 11)
    if kind == "attention":
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, 4))
        assert (weights[0, 0] - weights[0, 1]).abs().max() > 1e-4  # the decoder's state decides
    else:
        assert weights is None


def test_the_bottleneck_sees_the_source_through_its_last_state_alone(rng):
    model = filled(build(RecurrentConfig("bottleneck", 11, 4, 6)), rng)
    target, mask = torch.tensor([[2, 5, 6]]), torch.ones(1, 4, dtype=torch.bool)
    source = model.encode(torch.tensor([[4, 5, 6, 7]]), mask)
    changed = model.decode(target, replace(source, memory=source.memory + 1))[0]
    torch.testing.assert_close(model.decode(target, source)[0], changed)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"kind": "lstm"}, "kind 'lstm' is not one of bottleneck, attention"),
        ({"units": 0}, "units must be at least 1, not 0"),
        ({"dropout": 1.0}, "dropout must be at least 0 and below 1, not 1.0"),
    ],
)
def test_a_config_that_cannot_be_built_is_refused(values, words):
    with pytest.raises(ValueError, match=words):
        RecurrentConfig(**values)


def test_too_long_a_text_is_refused():
    model = build(RecurrentConfig(max_length=3, vocab_size=11, d_model=4, units=4))
    with pytest.raises(ValueError, match="4 tokens are more than this model's max_length of 3"):
        model(
            torch.ones(1, 4, dtype=torch.long), torch.ones(1, 1, dtype=torch.long), torch.ones(1, 4, dtype=torch.bool)
        )


def test_equal_configs_build_equal_models_and_dropout_acts_in_training_only():
    models = [build(RecurrentConfig(vocab_size=11, d_model=4, units=4, dropout=0.5, seed=s)) for s in (1, 1, 2)]
    assert torch.equal(models[0].embed.weight, models[1].embed.weight)
    assert not torch.equal(models[0].embed.weight, models[2].embed.weight)
    given = torch.tensor([[4, 5]]), torch.tensor([[2, 6]]), torch.ones(1, 2, dtype=torch.bool)
    assert torch.equal(models[0](*given)[0], models[0](*given)[0])
    models[0].train()
    assert not torch.equal(models[0](*given)[0], models[0](*given)[0])


def seen_by(model, ids, target, tap):
    with torch.no_grad():
        return model(ids, target, torch.ones_like(ids, dtype=torch.bool), tap)


def test_the_tap_sees_every_state_gate_and_weight(rng):
    model = filled(build(RecurrentConfig("attention", 11, 4, 6)), rng)
    ids, target = torch.tensor([[4, 5, 6, 7]]), torch.tensor([[2, 8, 9]])
    tap = StepTap()
    _, weights = seen_by(model, ids, target, tap)
    encoded = model.encode(ids, torch.ones_like(ids, dtype=torch.bool))
    both = torch.cat([tap.steps("forwards.state"), tap.steps("backwards.state")], -1)
    torch.testing.assert_close(both, encoded.memory)
    torch.testing.assert_close(tap.steps("backwards.state")[:, 0], encoded.last)
    torch.testing.assert_close(tap.steps("decoder.pattern"), weights)
    torch.testing.assert_close(tap.steps("decoder.scores").softmax(-1), weights)
    before = torch.cat([torch.zeros(1, 1, 6), tap.steps("forwards.state")[:, :-1]], 1)
    kept, new = tap.steps("forwards.update"), tap.steps("forwards.candidate")
    torch.testing.assert_close(tap.steps("forwards.state"), kept * before + (1 - kept) * new)


def test_forced_weights_take_the_place_of_the_models(rng):
    model = filled(build(RecurrentConfig("attention", 11, 4, 6)), rng)
    ids, target = torch.tensor([[4, 5, 6, 7]]), torch.tensor([[2, 8, 9]])
    plain, before = seen_by(model, ids, target, StepTap())
    forced, after = seen_by(model, ids, target, StepTap({1: (0.0, 1.0, 0.0, 0.0)}))
    assert after[0, 1].tolist() == [0, 1, 0, 0]
    torch.testing.assert_close(after[:, 0], before[:, 0])
    torch.testing.assert_close(forced[:, 0], plain[:, 0])
    assert not torch.allclose(forced[:, 1], plain[:, 1])
    memory = model.encode(ids, torch.ones_like(ids, dtype=torch.bool)).memory
    context, _ = model.attend(torch.zeros(1, 6), memory, model.attend.u(memory), ids > 0, StepTap({0: (0, 0, 1.0, 0)}))
    torch.testing.assert_close(context, memory[:, 2])


@pytest.mark.parametrize("weights", [(0.5, 0.2), (1.5, -0.5)])
def test_weights_that_are_none_are_refused(weights):
    with pytest.raises(ValueError, match="sum to 1; those of step 0"):
        StepTap({0: weights})


def test_weights_of_another_length_are_refused(rng):
    model = filled(build(RecurrentConfig("attention", 11, 4, 6)), rng)
    with pytest.raises(ValueError, match="2 weights do not fit 3 words"):
        seen_by(model, torch.tensor([[4, 5, 6]]), torch.tensor([[2]]), StepTap({0: (0.5, 0.5)}))
