"""Writing token by token: each step is the model's own, the ways of choosing agree where they must."""

import copy
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from core.checkpoints import shipped
from core.decoding.beam import length_penalty
from core.decoding.sampling import GREEDY, Sampling
from core.device import Placement
from core.model.config import TransformerConfig
from core.model.transformer import Transformer, build
from core.text.special import BOS, EOS, TextFormat
from core.text.tokenizer import Tokenizer
from core.topics.generate import setup
from core.topics.generate import texts as text_verbs
from core.topics.generate import views as view_verbs
from core.topics.generate.samples import samples
from core.topics.shared import loading
from core.tracing.run import Run
from tests.core.decoding.slow_beam import hypotheses, slow_beam_search

texts: Any = text_verbs
views: Any = view_verbs
CPU = Placement("cpu", "float32")
DRAWN = Sampling(0.9, 50, 0.95, seed=5)
ENGLISH = "the black cat sleeps on the red chair ."


def fresh(architecture: str = "decoder", **more):
    config = replace(TransformerConfig(architecture, 1000, 16, 2, 2, max_length=40), **more)
    run = Run("The cat sat", config, "Le chat", "unigram-1000", format=TextFormat(end=architecture != "decoder"))
    return build(config), Tokenizer.load("unigram-1000"), run


def trained(name, text):
    found = shipped.read(name)
    run = Run(text, found.config, source=found.source, format=found.format)
    return shipped.load(name, CPU), shipped.tokenizer(name), run


@pytest.fixture(scope="module")
def translator() -> Any:
    return trained("translator", ENGLISH)


def written(steps) -> list[int]:
    return [each.chosen for each in steps]


@pytest.mark.parametrize("architecture", ["decoder", "encoder-decoder"])
@pytest.mark.parametrize("sampling", [GREEDY, DRAWN])
def test_a_step_by_itself_is_that_of_the_whole_text(architecture, sampling):
    model, tokenizer, run = fresh(architecture)
    for found in texts.generate(model, tokenizer, run, sampling, max_tokens=6):
        alone = texts.step(model, tokenizer, run, found.ids, sampling, found.number)
        assert (alone.chosen, alone.draw, alone.pieces) == (found.chosen, found.draw, found.pieces)
        for ours, theirs in zip(alone.stages, found.stages, strict=True):
            assert ours.kept == theirs.kept
            np.testing.assert_allclose(ours.probabilities, theirs.probabilities, atol=1e-5)


def test_the_numbers_of_a_step_are_the_models():
    model, tokenizer, run = fresh()
    ids = setup.start_ids(tokenizer, run)
    found = texts.step(model, tokenizer, run, ids, Sampling(0.5, 3, seed=1))
    with torch.no_grad():
        own = torch.softmax(model(target=torch.tensor([ids]))[0, -1].double(), -1).numpy()
    np.testing.assert_allclose(found.stages[0].probabilities, own, atol=1e-6)
    three = np.sort(np.argsort(-own)[:3])
    assert set(np.flatnonzero(found.stages[-1].probabilities)) == set(three)
    squared = own[three] ** 2
    np.testing.assert_allclose(found.stages[-1].probabilities[three], squared / squared.sum(), atol=1e-5)
    assert found.own == pytest.approx(own[found.chosen], abs=1e-6)
    assert found.surprisal == pytest.approx(-math.log2(own[found.chosen]), abs=1e-4)
    assert found.entropy == pytest.approx(float(-(own * np.log2(own)).sum()), abs=1e-4)
    assert [each.id for each in found.likeliest(3)] == sorted(three, key=lambda i: -own[i])


def test_seeds_and_samples():
    model, tokenizer, run = fresh()
    drawn = [written(texts.generate(model, tokenizer, run, Sampling(seed=s), max_tokens=8)) for s in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    batch = samples(model, tokenizer, run, DRAWN, 3, max_tokens=8)
    one_by_one = [
        tuple(written(texts.generate(model, tokenizer, run, DRAWN, max_tokens=8, sample=n))) for n in range(3)
    ]
    assert [each.ids for each in batch] == one_by_one
    for each in batch:
        scored = texts.score_text(model, tokenizer, run, each.ids)
        assert each.log_probability == pytest.approx(sum(math.log(s.probability) for s in scored), abs=1e-3)


def test_a_cold_sample_is_greedy(translator: Any):
    greedy = written(texts.generate(*translator, GREEDY))
    assert written(texts.generate(*translator, Sampling(1e-4))) == greedy
    assert greedy[-1] == EOS


def test_a_forced_token_is_written_and_the_rest_follows_from_it(translator: Any):
    steps = list(texts.generate(*translator, GREEDY, forced=((1, 500),)))
    assert steps[1].forced and steps[1].chosen == 500 and steps[1].draw is None
    assert steps[2].ids == (*steps[0].ids, steps[0].chosen, 500)
    with pytest.raises(ValueError, match="token 9999 cannot be written: the vocabulary has ids 0 to 7,999"):
        list(texts.generate(*translator, GREEDY, forced=((0, 9999),)))


def test_a_cache_has_room_for_what_is_written_and_no_more(monkeypatch):
    model, tokenizer, run = fresh()
    start, room = setup.start_ids(tokenizer, run), list[int]()
    make = Transformer.cache

    def noted(model: Transformer, batch: int, most: int) -> Any:
        room.append(most)
        return make(model, batch, most)

    monkeypatch.setattr(Transformer, "cache", noted)
    samples(model, tokenizer, run, DRAWN, 3, max_tokens=8)
    list(texts.generate(model, tokenizer, run, GREEDY, max_tokens=8, written=(7, 8)))
    texts.beam(model, tokenizer, run, 3, max_tokens=8)
    texts.step(model, tokenizer, run, start)
    assert [each - len(start) for each in room] == [8, 10, 8, 0]


def test_a_full_context_ends_the_text():
    model, tokenizer, run = fresh()
    start = len(setup.start_ids(tokenizer, run))
    steps = list(texts.generate(model, tokenizer, run, Sampling(seed=2), max_tokens=99))
    assert len(steps) <= 40 - start + 1 and steps[-1].ended
    batch = samples(model, tokenizer, run, Sampling(seed=2), 1, max_tokens=99)
    assert batch[0].ids == tuple(written(steps))
    with pytest.raises(ValueError, match="the model reads 1 to 40 tokens, not 41"):
        texts.step(model, tokenizer, run, (5,) * 41)


def test_teacher_forcing_gives_the_chances_of_free_running(translator: Any):
    steps = list(texts.generate(*translator, GREEDY))
    scored = texts.score_text(*translator, tuple(written(steps)))
    assert [each.rank for each in scored] == [1] * len(steps)
    np.testing.assert_allclose([s.probability for s in scored], [s.own for s in steps], atol=1e-5)


@pytest.mark.parametrize("width", [1, 3, 4])
def test_the_tree_finds_what_beam_search_finds(width, translator: Any):
    model, tokenizer, run = translator
    tree = texts.beam(model, tokenizer, run, width, 0.6, max_tokens=30)
    source = [loading.check(replace(run, target="x"), tokenizer).rows["encoder"].ids]

    def logits(ids):
        return model(torch.tensor(source), torch.tensor([ids]))[0, -1]

    with torch.no_grad():
        expected = hypotheses(*slow_beam_search(logits, 30, width, 0.6), width)
    ours = [tuple(tree.nodes[i].id for i in each.path) for each in tree.hypotheses]
    assert [ids[:-1] if ids[-1] == EOS else ids for ids in ours] == [each.ids for each in expected]
    assert [each.cut for each in tree.hypotheses] == [each.cut for each in expected]
    np.testing.assert_allclose([h.score for h in tree.hypotheses], [h.score for h in expected], atol=1e-4)
    if width == 1:
        assert list(ours[0]) == written(texts.generate(model, tokenizer, run, GREEDY, max_tokens=30))


def test_a_text_that_the_limit_cuts_is_a_hypothesis_and_says_so(translator: Any):
    tree = texts.beam(*translator, width=3, max_tokens=3)
    assert all(each.cut and len(each.path) == 3 for each in tree.hypotheses) and len(tree.hypotheses) == 3
    assert {tree.nodes[each.path[-1]].fate for each in tree.hypotheses} == {"cut"}
    whole = texts.beam(*translator, width=3, max_tokens=40)
    assert not any(each.cut for each in whole.hypotheses)


def test_an_overflowing_model_is_a_clear_mistake_in_a_beam_too():
    model, tokenizer, run = fresh()
    broken = copy.deepcopy(model)
    with torch.no_grad():
        broken.embed.weight.fill_(float("inf"))
    with pytest.raises(ValueError, match="The numbers overflow"):
        texts.beam(broken, tokenizer, run)


def test_the_tree_adds_up(translator: Any):
    tree = texts.beam(*translator, width=3, alpha=0.8)
    for node in tree.nodes:
        above = tree.nodes[node.parent] if node.parent is not None else None
        assert node.total == pytest.approx((above.total if above else 0.0) + node.log_probability, abs=1e-4)
        assert node.score == pytest.approx(node.total / length_penalty(node.step, 0.8), rel=1e-6)
        assert node.step == (above.step + 1 if above else 1)
        assert above is None or above.fate == "kept"
    for number in range(1, tree.nodes[-1].step + 1):
        level = [node for node in tree.nodes if node.step == number]
        assert sum(node.fate == "kept" for node in level) <= 3 and len(level) <= 6
        dropped = [node.total for node in level if node.fate == "dropped" and node.id != EOS]
        kept = [node.total for node in level if node.fate == "kept"]
        assert not kept or not dropped or min(kept) >= max(dropped)
    scores = [each.score for each in tree.hypotheses]
    assert scores == sorted(scores, reverse=True) and len(scores) == 3


def test_cached_and_uncached_write_the_same_text():
    for name, text in (("translator", ENGLISH), ("storyteller", "Once upon a time there was a king")):
        model, tokenizer, run = trained(name, text)
        steps = list(texts.generate(model, tokenizer, run, GREEDY, max_tokens=30))
        for each in steps[::5]:
            alone = texts.step(model, tokenizer, run, each.ids)
            assert alone.chosen == each.chosen
            np.testing.assert_allclose(alone.stages[0].logits, each.stages[0].logits, atol=2e-4)


def test_the_lens_ends_in_the_models_own_prediction():
    model, tokenizer, run = fresh(norm_position="pre")
    ids = setup.start_ids(tokenizer, run)
    found = views.lens(model, tokenizer, run, ids)
    with torch.no_grad():
        probabilities = model(target=torch.tensor([ids]))[0].softmax(-1)
    np.testing.assert_allclose(found.probability[-1], probabilities.max(-1).values, atol=1e-5)
    assert found.best[-1] == tokenizer.labels(probabilities.argmax(-1).tolist())
    np.testing.assert_allclose(
        found.chosen[-1, :-1], probabilities[:-1].gather(1, torch.tensor(ids[1:])[:, None])[:, 0]
    )
    assert np.isnan(found.chosen[:, -1]).all() and found.probability.shape == (3, len(ids))


def test_a_look_is_the_last_row():
    model, tokenizer, run = fresh("encoder-decoder")
    ids = (BOS, 300, 301)
    whole: Any = views.attentions(model, tokenizer, run, ids)
    last: Any = views.look(model, tokenizer, run, ids)
    assert np.array_equal(last.self_pattern, whole.decoder[:, :, -1])
    assert np.array_equal(last.cross_pattern, whole.cross[:, :, -1])
    assert np.triu(whole.decoder[0, 0], 1).max() == 0


def test_words_of_a_written_text(translator: Any):
    ids = tuple(written(texts.generate(*translator, GREEDY)))
    seen: Any = views.attentions(*translator, (BOS, *ids))
    assert seen.word_labels == ("(start)", "Le", "chat", "noir", "dort", "sur", "la", "chaise", "rouge", ".", "(end)")
    assert len(seen.words) == len(seen.pieces) and max(seen.words) == len(seen.word_labels) - 1
    broken = views.attentions(*translator, (BOS, 4 + 0xF0, EOS, 7))
    assert broken.words == (0, 1, 2, 3)


def test_cross_attention_is_that_of_torchs_decoder_layer():
    config = TransformerConfig("encoder-decoder", 50, 16, 4, 1, d_ff=32, seed=3)
    block: Any = build(config).get_submodule("decoder.0")
    theirs: Any = nn.TransformerDecoderLayer(16, 4, 32, dropout=0.0, batch_first=True).eval()
    with torch.no_grad():
        for ours, mine in ((block.attn, theirs.self_attn), (block.cross, theirs.multihead_attn)):
            mine.in_proj_weight.copy_(torch.cat([ours.w_q.weight, ours.w_k.weight, ours.w_v.weight]))
            mine.in_proj_bias.copy_(torch.cat([ours.w_q.bias, ours.w_k.bias, ours.w_v.bias]))
            mine.out_proj.load_state_dict(ours.w_o.state_dict())
        for ours, mine in (
            (block.norm_attn, theirs.norm1),
            (block.norm_cross, theirs.norm2),
            (block.norm_ffn, theirs.norm3),
            (block.ffn.w_1, theirs.linear1),
            (block.ffn.w_2, theirs.linear2),
        ):
            mine.load_state_dict(ours.state_dict())
        x, memory = torch.randn(2, 5, 16), torch.randn(2, 7, 16)
        causal = torch.ones(5, 5, dtype=torch.bool).tril()
        blind = torch.tensor([[False] * 7, [False] * 4 + [True] * 3])
        found = block(x, causal, memory, ~blind[:, None, None])
        expected = theirs(x, memory, tgt_mask=~causal, memory_key_padding_mask=blind)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)
