"""A learned table of positions beside the sinusoids, against plain numpy."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from core.checkpoints import weights
from core.checkpoints.real.elsewhere import Elsewhere
from core.model.config import TransformerConfig
from core.model.transformer import build
from core.text.special import TextFormat
from core.text.tokenizer import Tokenizer
from core.topics.positions.learned import beside_sinusoids, learners
from core.topics.positions.readings.learned import read_learnt, read_relative, read_strongest
from core.tracing.run import Run
from tests.core.shelf import PIECES, card_of, fill

CONFIG = TransformerConfig(d_model=6, heads=2, layers=1, positions="learned", max_length=5, vocab_size=1000, seed=4)


def test_all_three_tables_are_those_of_the_model() -> None:
    model = build(CONFIG)
    assert model.positions is not None
    with torch.no_grad():
        model.positions.weight.copy_(torch.arange(30.0).reshape(5, 6) + 1)
    found = beside_sinusoids(model, Tokenizer.load("bpe-1000"), Run("a", CONFIG))
    np.testing.assert_array_equal(found.learnt, np.arange(30).reshape(5, 6) + 1)
    np.testing.assert_array_equal(found.start, build(CONFIG).positions.weight.detach().numpy())
    assert found.sinusoids[2, 3] == pytest.approx(np.cos(2 / 10000 ** (2 / 6)))
    alike, waves = found.cosines["learnt"], found.cosines["sinusoidal"]
    for p in range(5):
        for q in range(5):
            a, b = found.learnt[p], found.learnt[q]
            assert alike[p, q] == pytest.approx(a @ b / np.sqrt((a @ a) * (b @ b)), rel=1e-5)
            same = sum(np.cos((p - q) / 10000 ** (2 * i / 6)) for i in range(3)) / 3
            assert waves[p, q] == pytest.approx(same, abs=1e-5)
    assert found.by_distance["learnt"][2] == pytest.approx(np.mean([alike[0, 2], alike[1, 3], alike[2, 4]]))
    assert [line[0] for line in found.by_distance.values()] == pytest.approx([1, 1, 1])
    assert found.longest == 5
    other = beside_sinusoids(
        model, Tokenizer.load("bpe-1000"), Run("a", CONFIG, source=Elsewhere("gpt2"), format=TextFormat())
    )
    assert other.start is None and set(other.by_distance) == {"learnt", "sinusoidal"}


def test_a_model_without_such_a_table_is_refused() -> None:
    config = replace(CONFIG, positions="sinusoidal")
    with pytest.raises(ValueError, match="sinusoidal: it learnt no table"):
        beside_sinusoids(build(config), Tokenizer.load("bpe-1000"), Run("a", config))


def test_the_models_with_learned_positions_are_found(tmp_path: Path) -> None:
    fill(tmp_path)
    assert learners(tmp_path) == () == learners(tmp_path / "nowhere")
    model = build(CONFIG)
    weights.save(tmp_path / "learner", model, card_of("learner", model, PIECES))
    assert learners(tmp_path) == ("learner",)


def test_the_sentence_says_whether_order_was_learnt() -> None:
    waves, start = np.array([1, 0.9, 0.8]), np.array([1, 0.01, -0.01])
    tables = {"learnt": np.array([1, 0.5, 0.1]), "before training": start, "sinusoidal": waves}
    headline, said = read_learnt("Reader", tables)
    assert headline == "In the table that “Reader” learnt, neighbours are more alike than positions 2 apart."
    assert said.startswith("Neighbours have a mean cosine of 0.50, positions 2 apart 0.10; ")
    assert "before training both were about 0.00. Of sinusoids these are 0.90 and 0.80." in said
    del tables["before training"]
    assert read_learnt("Reader", tables)[1].endswith("positions 2 apart 0.10. Of sinusoids these are 0.90 and 0.80.")
    alike, less = (read_learnt("Reader", tables | {"learnt": np.array([1, near, 0.3])})[0] for near in (0.3, 0.1))
    assert alike == "In the table that “Reader” learnt, neighbours are about as alike as positions 2 apart."
    assert less == "In the table that “Reader” learnt, neighbours are less alike than positions 2 apart."


def test_the_strongest_relative_position_is_named_and_then_measured() -> None:
    assert read_strongest("decoder", 2, -1) == (
        "In the decoder, head 3 changes a score the most: that of a key 1 token before the query."
    )
    assert read_strongest("encoder", 0, 0).endswith("that of the query itself.")
    assert read_relative("encoder", 0, 2, -1.5) == (
        "In the encoder, head 1 has the strongest number: −1.50 on the score of a key 2 tokens behind the query."
    )
