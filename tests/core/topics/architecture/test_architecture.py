"""The sums that the page Architecture shows, from the parts that the core counts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.kv_costs import cache_bytes
from core.analysis.model_sizes import config_sizes
from core.checkpoints import shipped
from core.model.transformer import build, parameter_count
from core.topics.architecture.analysis.training_costs import kept_bytes
from core.topics.architecture.known import TITLES, counted_title, known_models, list_models, project_models
from core.topics.architecture.whole import WholeModel, whole_model
from core.tracing.run import Run, TokenRow
from tests.core.strategies import configs


def read(config, source=3, target=5) -> WholeModel:
    """What is known of a model that reads so many tokens."""
    lengths = {"encoder": source, "decoder": target}
    rows = {stack: TokenRow((4,) * lengths[stack], ("a",) * lengths[stack], (), ()) for stack in config.stacks}
    return whole_model(Run("a", config), rows)


@given(configs())
def test_kinds_and_parts_add_up_to_the_whole(config):
    model = read(config)
    counts, listed = model.counts, model.table
    assert counts.parameters == sum(map(int, listed["parameters"])) == parameter_count(config)
    assert sum(cost.parameters for cost in counts.kinds) == model.parameters
    assert (
        sum(cost.multiply_adds for cost in counts.kinds)
        == sum(map(int, listed["multiply-adds"]))
        == model.multiply_adds
    )
    assert all(shares.sum() == pytest.approx(1) for shares in counts.shares)
    inner = [cost for cost in counts.kinds if cost.name.endswith("scores and mixing")]
    learns = config.score in ("general", "additive") or config.positions == "relative"
    assert all(cost.multiply_adds for cost in inner) and (inner[0].parameters > 0) == learns


@given(configs(), st.integers(1, 4))
def test_training_holds_four_numbers_a_parameter_and_what_is_kept(config, batch):
    """By the bytes of a real model's parameters."""
    held = read(config).training(batch).held.sum(0)
    weights = sum(each.nbytes for each in build(config).parameters())
    kept = sum(kept_bytes(config_sizes(config), 3, 5, batch).values())
    assert held.tolist() == [weights, weights, 2 * weights, kept]


@given(configs(architecture="encoder-decoder"), st.integers(1, 4))
def test_writing_keeps_keys_and_values_now_and_at_the_most(config, batch):
    memory = read(config).writing(batch)
    assert memory.lengths == (5, 8)
    assert memory.kept == tuple(cache_bytes(config, length, 3, batch) for length in (5, 8))
    keys, values = memory.stored[:, 1], memory.stored[:, 2]
    np.testing.assert_allclose(keys / values, config.key_width / config.value_width)
    np.testing.assert_allclose(memory.stored.sum(1), np.array(memory.kept) + memory.weights)
    assert memory.work[0] < memory.work[1]


def test_a_text_as_long_as_can_be_stands_once():
    config = replace(sized(), max_length=5)
    assert read(config).writing(1).lengths == (5,)


def sized():
    return shipped.read("storyteller").config


def test_models_that_were_trained_here_have_the_parameters_of_their_cards():
    models = project_models(shipped.cards())
    assert {known.title for known in models} >= {"Translator", "Storyteller", "Sentiment", "Reader", "Toy copy"}
    assert all(each.parameters == each.known.published for each in known_models(shipped.cards()) if each.known.exact)


def test_a_card_that_cannot_be_read_is_left_out():
    card = shipped.cards()["translator"]
    assert project_models({"broken": replace(card, config={"heads": 3})}) == ()


def test_the_list_has_a_row_for_each_model_with_both_totals():
    rows = list_models(known_models({}))
    assert rows["model"] == list(TITLES) and rows["published"][0] == "65 million"
    assert [apart == 0 for apart in rows["counted − published"]] == [False, False] + [True] * 8


def test_a_known_model_at_a_length_by_hand():
    """GPT-2 small reads no more than 1,024 tokens; 12 layers keep two rows of 768 numbers for each."""
    found = counted_title("GPT-2 small", 5000)
    assert found.length == 1024 and found.cache == 2 * 12 * 2 * 768 * 1024
    assert (found.weights, found.trained) == (2 * 124_439_808, 16 * 124_439_808)
    assert counted_title("BERT base", 64).cache == 0
    base = counted_title("Transformer base", 10)
    assert base.cache == 2 * 6 * 2 * 512 * 20, "the source's keys and values too"
