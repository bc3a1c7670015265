"""core.topics.block.questions: each answer is the one that the recorded vectors give."""

import numpy as np
import pytest

from core.model.config import TransformerConfig
from core.model.transformer import build
from core.topics.block import questions
from core.tracing.run import Run, execute, prepare
from tests.core.topics.questions import asked

TEXTS = ("The hungry wolf ran through the dark forest", "My grandmother baked a cake, and the cat ate the cake.")
every_text = pytest.mark.parametrize("text", TEXTS)


def recorded(text: str, *sites: str) -> list[np.ndarray]:
    """The vectors (N, D) of the last word, which may stand before a full stop, at some sites, layer by layer."""
    model, tokenizer, run = asked("storyteller", text)
    trace = execute(model, run, prepare(run, tokenizer), sites)
    return [trace.stack(site, "decoder")[:, 0, -2 if text.endswith(".") else -1].numpy() for site in sites]


@every_text
def test_each_part_adds_to_the_vector(text: str) -> None:
    truth = questions.effect_on_vector(*asked("storyteller", text))
    before, attention, middle, feed_forward, after = recorded(
        text, "resid_pre", "attn_out", "resid_mid", "ffn_out", "resid_post"
    )
    assert np.allclose(before + attention, middle, atol=1e-3) and np.allclose(middle + feed_forward, after, atol=1e-3)
    assert truth.answer == "adds" and truth.facts["parts"] == 12
    assert truth.facts["start"] == pytest.approx(np.linalg.norm(before[0]), rel=1e-4)
    assert truth.facts["end"] == pytest.approx(np.linalg.norm(after[-1]), rel=1e-4)
    assert truth.facts["first_size"] == pytest.approx(np.linalg.norm(attention[0]), rel=1e-4)


@every_text
def test_the_longest_addition_is_the_largest_norm(text: str) -> None:
    truth = questions.largest_addition(*asked("storyteller", text))
    sizes = np.stack([np.linalg.norm(added, axis=-1) for added in recorded(text, "attn_out", "ffn_out")])
    part, layer = np.unravel_index(int(sizes.argmax()), sizes.shape)
    assert truth.labels[truth.answer] == f"{('attention', 'feed-forward')[part]} {layer + 1}"
    assert len(truth.labels) == 12 and truth.labels[:3] == ("attention 1", "feed-forward 1", "attention 2")
    assert [truth.facts["best_size"], truth.facts["least_size"]] == pytest.approx([sizes.max(), sizes.min()], rel=1e-4)
    before = recorded(text, ("resid_pre", "resid_mid")[part])[0][layer]
    assert truth.facts["before_length"] == pytest.approx(np.linalg.norm(before), rel=1e-4)


def test_a_piece_of_the_last_word_is_named_as_a_piece() -> None:
    for question in (questions.effect_on_vector, questions.largest_addition, questions.spread_after_norm):
        truth = question(*asked("storyteller", "I hate Mondays!!!"))
        assert truth.facts["token"] == "“·s” (of “Mondays”)"


@every_text
def test_a_norm_makes_the_spread_one(text: str) -> None:
    truth = questions.spread_after_norm(*asked("storyteller", text))
    (after,) = recorded(text, "resid_post")
    assert truth.answer == pytest.approx(1, abs=1e-4) and truth.facts["numbers"] == 320
    assert truth.facts["last_before"] == pytest.approx(after[-1].std(), rel=1e-4)


def decoder(**others: object) -> tuple[TransformerConfig, Run]:
    config = TransformerConfig(vocab_size=8000, d_model=16, heads=2, layers=2, architecture="decoder", **others)  # type: ignore[arg-type]
    return config, Run("the old king", config)


def test_without_residual_connections_each_part_replaces_the_vector() -> None:
    config, run = decoder(norm_position="pre", residual=False)
    truth = questions.effect_on_vector(build(config), asked("translator", "the")[1], run)
    assert truth.answer == "replaces"


def test_texts_and_models_that_do_not_suit_the_question_are_refused() -> None:
    with pytest.raises(ValueError, match="at least two words"):
        questions.spread_after_norm(*asked("storyteller", "Hi"))
    config, run = decoder(norm_position="post")
    with pytest.raises(ValueError, match="no norm follows"):
        questions.effect_on_vector(build(config), asked("translator", "the")[1], run)
    config, run = decoder(norm_position="pre")
    many = TransformerConfig(**{**vars(config), "layers": 13})
    with pytest.raises(ValueError, match="at most 24 parts"):
        questions.largest_addition(build(many), asked("translator", "the")[1], Run("the old king", many))
