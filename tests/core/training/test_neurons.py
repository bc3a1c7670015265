"""The texts on which neurons fire: drawn from what models were not trained on, and found as by looking at every one."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from core.checkpoints import shipped
from core.checkpoints.firing import PoolText, load_firing, load_pool
from core.model.masks import CausalMask
from core.training.neurons import EXACT, draw_pool, find_firing, main, reading
from core.training.translation import key, split_pairs

POOL = (
    PoolText("A cat.", "Un chat."),
    PoolText("I saw two dogs in the park.", "J'ai vu deux chiens dans le parc."),
    PoolText("Where is she?", "Où est-elle ?"),
    PoolText("Once upon a time there was a king who had a daughter."),
)


def test_the_texts_are_those_that_were_kept_out(data: Path) -> None:
    pool = draw_pool(data, 0, pairs=12, passages=5)
    pairs = [each for each in pool if each.french]
    assert len(pairs) == 12 and pool[:12] == tuple(pairs) and len(pool) <= 17
    split = split_pairs(data, 0)
    trained = {key(english) for english, _ in split.train}
    known = dict(zip(split.tests["tatoeba"].english, split.tests["tatoeba"].french, strict=True))
    assert all(each.french == known[each.english][0] and key(each.english) not in trained for each in pairs)
    assert pool == draw_pool(data, 0, pairs=12, passages=5) != draw_pool(data, 1, pairs=12, passages=5)


def test_a_neuron_has_the_texts_with_its_largest_activations() -> None:
    about = shipped.read("translator")
    model, tokenizer = shipped.load("translator", EXACT), shipped.tokenizer("translator")
    found = find_firing(model, tokenizer, about, POOL, kept=2)
    tables: dict[str, list[torch.Tensor]] = {"encoder": [], "decoder": []}
    for each in POOL[:3]:  # the last has no translation
        source = torch.tensor([[*tokenizer.encode(each.english).ids, 3]])  # </s>
        target = torch.tensor([[2, *tokenizer.encode(each.french).ids]])  # <s>
        memory = _hidden(model, model.embed(source) * 16 + model.position_table(source.shape[1]), "encoder", tables)
        causal = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).tril()
        x = model.embed(target) * 16 + model.position_table(target.shape[1])
        _hidden(model, x, "decoder", tables, causal, memory)
    for stack, hidden in tables.items():
        largest = torch.stack([each.max(1).values for each in hidden])  # (texts, N, F)
        best = largest.topk(2, 0)
        np.testing.assert_allclose(np.moveaxis(found[stack].activation, -1, 0), best.values, atol=2e-4)
        chosen = found[stack].text[..., 0].astype(int)
        np.testing.assert_allclose(np.take_along_axis(largest.numpy(), chosen[None], 0)[0], best.values[0], atol=2e-4)
        for layer, neuron in ((0, 3), (2, 500)):
            token = int(found[stack].token[layer, neuron, 0])
            at = float(hidden[chosen[layer, neuron]][layer, token, neuron])
            assert at == pytest.approx(float(best.values[0, layer, neuron]), abs=2e-4)


def _hidden(model, x, stack, tables, mask=None, memory=None):
    """The output of a stack; its hidden activations (N, L, F) are added to the tables."""
    rows = []
    for block in getattr(model, stack):
        read = block.norm_attn(x)
        x = x + block.attn(read, read, mask)
        if memory is not None:
            x = x + block.cross(block.norm_cross(x), memory, None)
        rows.append(torch.relu(block.ffn.w_1(block.norm_ffn(x)))[0])
        x = x + block.ffn.w_2(rows[-1])[None]
    tables[stack].append(torch.stack(rows))
    return getattr(model, f"{stack}_norm")(x)


def test_texts_that_begin_alike_are_one_to_a_decoder() -> None:
    about = shipped.read("storyteller-small")
    model, tokenizer = shipped.load(about.name, EXACT), shipped.tokenizer(about.name)
    pool = (PoolText("She went home."), PoolText("She was never so sad before."))
    first, second, both = (
        find_firing(model, tokenizer, about, texts)["decoder"] for texts in (pool[:1], pool[1:], pool)
    )
    opening = (first.token == 0) & (second.token == 0) & (first.activation > 0)  # (N, F, 1), where both fire at "She"
    np.testing.assert_array_equal(both.activation[..., 1:][opening], 0)
    least = np.minimum(first.activation, second.activation)
    np.testing.assert_allclose(both.activation[..., 1:][~opening], least[~opening], rtol=1e-5)
    assert opening.any() and not opening.all() and (both.text[opening[..., 0], 0] == 0).all()


def test_other_models_read_all_texts_alone() -> None:
    run = reading(POOL[1], shipped.read("reader"))
    assert (run.text, run.target, run.masks, run.format.end) == (POOL[1].english, "", (), False)
    run = reading(POOL[1], shipped.read("storyteller"))
    assert (run.masks, run.target) == ((CausalMask(),), "")


def test_the_command_writes_both_files(data: Path, tmp_path: Path) -> None:
    main(["--data", str(data), "--model", "sentiment", "--out", str(tmp_path)])
    about = json.loads((tmp_path / "neuron-texts.json").read_text())
    assert "by way of manythings.org" in about["data"][0]["text"] and about["seed"] == 0
    found = load_firing("sentiment", shipped.read("sentiment").config, tmp_path)
    assert found.read == len(found.pool) == len(load_pool(tmp_path))
    assert found.about["command"] == "python -m core.training neurons --data DIR --model sentiment --seed 0"
    assert found.stacks["encoder"].text.shape == (1, 128, 4)
