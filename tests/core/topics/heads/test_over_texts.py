"""What heads do over many texts: stored links are what the model computes, and random weights get no name."""

from dataclasses import replace

import numpy as np
import pytest

from core.charts.style import INK
from core.checkpoints.firing import load_pool
from core.checkpoints.head_records import WITH_HEADS, attentions, load_heads
from core.model.transformer import build
from core.topics.heads.charts.over_texts import head_scatter_spec
from core.topics.heads.over_texts import context_pattern, contexts, mean_scores, names_over_texts, text_scores
from core.topics.heads.readings.over_texts import read_own_name
from core.topics.shared.open_run import open_run, run_of_model
from core.topics.shared.places import HeadAddress
from core.training.heads import measure, random_level, summarise_attention
from core.training.neurons import EXACT, readable


def test_what_one_head_does_over_many_texts_is_said() -> None:
    said = read_own_name("previous_token", 3, 2, 3000)
    assert said == "Over 3,000 texts, in layer 4 · head 3 a token mostly looks one word back."
    assert read_own_name("", 0, 0, 5) == "Over 5 texts, in layer 1 · head 1 a token mostly does no one plain thing."


def place_in(attention: str, layer: int = 0, head: int = 0) -> HeadAddress:
    return HeadAddress("decoder" if attention == "cross" else attention, layer, head, attention == "cross")


@pytest.mark.parametrize("name", WITH_HEADS)
def test_stored_links_are_what_the_model_computes_now(name: str) -> None:
    run = run_of_model(name, "A cat.", "Un chat.", placement=EXACT)
    model, tokenizer = open_run(run)
    record = load_heads(name, run.config)
    for attention in attentions(run.config):
        for layer, head in ((0, 0), (2, 3)):
            place = place_in(attention, layer, head)
            listed = contexts(record, place)[:3] + contexts(record, place, strongest=False)[::4]
            assert len(listed) == 6 and listed[0].weight >= listed[2].weight and listed[3].weight <= listed[5].weight
            for context in listed:
                found = context_pattern(model, tokenizer, run, place, context)
                live = found.pattern[head, context.query, context.key]
                assert live == pytest.approx(context.weight, abs=1e-3)
                counted = found.allowed.sum(-1) >= 4
                assert live == pytest.approx(found.pattern[head][counted].max(), abs=1e-6)


def test_means_are_those_of_texts_read_one_by_one() -> None:
    run = run_of_model("storyteller", "A cat.", placement=EXACT)
    model, tokenizer = open_run(run)
    assert run.source is not None
    described = run.source.open()[0]
    texts = readable(load_pool(), described)[::500]
    kept = measure(model, tokenizer, described, texts)["decoder"]
    record = summarise_attention(kept, "decoder", {}, 0)
    means = mean_scores(record, "decoder")
    alone = [text_scores(model, tokenizer, replace(run, text=text.english), place_in("decoder")) for _, text in texts]
    for score, found in means.items():
        expected = np.ma.stack([scores[score] for scores in alone]).mean(0)
        np.testing.assert_array_equal(np.ma.getmaskarray(found), np.ma.getmaskarray(expected))
        np.testing.assert_allclose(found.filled(0), expected.filled(0), atol=1e-5)
    assert record.counts[0].sum(-1).max() == len(texts)


@pytest.mark.parametrize("name", ["storyteller", "translator"])
def test_heads_with_random_weights_get_no_name(name: str) -> None:
    run = run_of_model(name, "A cat.", "Un chat.", placement=EXACT)
    assert run.source is not None
    described, tokenizer = run.source.open()
    texts = readable(load_pool(), described)[::150]
    reached = random_level(tokenizer, described, texts)
    for seed in (101, 102):
        drawn = build(replace(described.config, seed=seed))
        for attention, kept in measure(drawn, tokenizer, described, texts).items():
            assert names_over_texts(summarise_attention(kept, attention, reached[attention], 0), attention) == ()


def test_trained_heads_have_names() -> None:
    run = run_of_model("storyteller", "A cat.")
    record = load_heads("storyteller", run.config)
    named = names_over_texts(record.attentions["decoder"], "decoder")
    assert "previous_token" in {head.kind for head in named}


def test_the_names_beside_the_points_follow_the_colour_of_the_page() -> None:
    layers = head_scatter_spec("Entropy", "Distance")["layer"]
    names = [layer["mark"] for layer in layers if layer["mark"]["type"] == "text"]
    assert [name["color"] for name in names] == [INK.to_dict()]
