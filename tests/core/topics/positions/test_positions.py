"""A model's own queries, keys and outputs under other positions: against the model itself, loops and papers."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.checkpoints.weights import save
from core.model.config import SCORES, TransformerConfig
from core.model.transformer import Transformer, build
from core.text.tokenizer import Tokenizer
from core.topics.positions.encodings import KINDS, Encoding, encode, nearest, own_table, trained_kinds, wavelengths
from core.topics.positions.far import long_text, pair, turned
from core.topics.positions.readings.terms import read_terms
from core.topics.positions.terms import TERMS, angles, input_weights, terms
from core.topics.shared.places import HeadAddress, attention_module
from core.tracing.run import Run, execute, prepare
from tests.core import oracles, shelf

TEXT = "The cat saw the other cat because it was tired"
TOKENIZER = Tokenizer.load("unigram-1000")


def made(text: str = TEXT, **more: Any) -> tuple[Transformer, Tokenizer, Run]:
    run_more = {key: more.pop(key) for key in ("target", "masks", "pads") if key in more}
    config = TransformerConfig(**{"vocab_size": 1000, "d_model": 16, "heads": 2, "layers": 2} | more)
    model = oracles.fill(build(config)).requires_grad_(False)
    return model, TOKENIZER, Run(text, config, tokenizer="unigram-1000", **run_more)


def test_tables_are_the_papers() -> None:
    np.testing.assert_allclose(encode(Encoding("sinusoidal", 9, 7, 50.0)), oracles.sinusoidal(9, 7, 50.0), atol=1e-6)
    np.testing.assert_array_equal(encode(Encoding("binary", 9, 6)), oracles.binary(9, 6))
    turned_east = oracles.rotate(np.tile([1.0, 0.0], (9, 4)), 50.0)
    np.testing.assert_allclose(encode(Encoding("rotary", 9, 8, 50.0)), turned_east, atol=1e-6)
    slope = oracles.alibi_slopes(6)[4]
    distances = np.abs(np.subtract.outer(np.arange(9), np.arange(9)))
    np.testing.assert_allclose(encode(Encoding("alibi", 9, head=4, heads=6)), -slope * distances, atol=1e-6)
    assert not encode(Encoding("none", 9, 5)).any()


def test_an_encoding_knows_its_angles_its_waves_and_its_nearest_positions() -> None:
    waves = Encoding("sinusoidal", 64, 8, 10.0)
    assert waves.angle(5, 3) == pytest.approx(5 / 10 ** (2 / 8)) == waves.angle(5, 2)
    measured, expected = wavelengths(waves, [0, 3])
    assert expected == pytest.approx([2 * np.pi, 2 * np.pi * 10 ** (2 / 8)]) and measured == pytest.approx(
        expected, rel=0.01
    )
    assert wavelengths(Encoding("learned", 64, 8), [1]) == ([None], [None])
    assert wavelengths(Encoding("binary", 9, 8), [0, 5]) == ([2.0, None], [2.0, 64.0])
    assert nearest(Encoding("none", 4, 3)) == (0, 1, 0.0)


def test_the_learned_table_is_the_one_a_model_of_that_width_and_seed_starts_with() -> None:
    config = TransformerConfig(vocab_size=1000, d_model=16, heads=2, layers=2, positions="learned", seed=7)
    own = own_table(build(config), 20)
    table = encode(Encoding("learned", 512, 16, seed=7))
    assert own is not None and own.shape == (20, 16)
    assert table.var() == pytest.approx(1 / 16, rel=0.05) and own.var() == pytest.approx(1 / 16, rel=0.3)
    assert np.abs(table - encode(Encoding("learned", 512, 16, seed=8))).max() > 0.1
    assert own_table(build(replace(config, positions="rotary")), 20) is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "rotary", "width": 7}, "must be even, not 7"),
        ({"kind": "binary", "length": 65, "width": 6}, "65 positions need 7 bits, but the width is only 6"),
        ({"kind": "roman"}, "'roman' are not one of none, binary"),
    ],
)
def test_encodings_that_do_not_exist_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Encoding(**settings)


def test_trained_models_are_listed_by_their_positions(tmp_path: Path) -> None:
    shelf.fill(tmp_path)
    config = replace(shelf.TINY, architecture="decoder", positions="learned")
    save(tmp_path / "learner", build(config), shelf.card_of("learner", build(config), shelf.LETTERS))
    found = trained_kinds(tmp_path)
    assert (found["learned"], found["rotary"], found["alibi"]) == (("Small learner",), ("Small toy-copy",), ())


# Beyond the length


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_pair_at_its_own_distance_has_the_score_that_the_model_computes(kind: str, score: str) -> None:
    """The text is one token over and over, so a query and a key depend on their positions only."""
    model, tokenizer, run = made("the the the the the the the", positions=kind, score=score)
    ids = prepare(run, tokenizer).rows["encoder"].ids
    assert len(set(ids)) == 1
    seen = execute(model, run, prepare(run, tokenizer), ["encoder.0.scores"])["encoder.0.scores"]
    found = pair(model, tokenizer, run, HeadAddress("encoder", 0, 1), len(ids) - 1, 0, len(ids))
    np.testing.assert_allclose(found.scores, seen[0, 1, :, 0], atol=1e-4)
    assert (found.theory is not None) == (kind not in ("binary", "sinusoidal", "learned") and score == "scaled_dot")
    if found.theory is not None:
        np.testing.assert_allclose(found.scores, found.theory, atol=1e-4)


@pytest.mark.parametrize("kind", ["encoder", "decoder", "encoder-decoder"])
@pytest.mark.parametrize("layer", [0, 1, 2])
def test_vectors_of_a_layer_are_those_of_the_whole_model(kind: str, layer: int) -> None:
    """Later layers are left out where they change nothing: the decoder of two stacks needs all of the encoder."""
    model, tokenizer, run = made(positions="none", architecture=kind, target="a dog ran", layers=3)
    for stack in run.config.stacks:
        place = HeadAddress(stack, layer, 1)
        seen = execute(model, run, prepare(run, tokenizer), [f"{place.prefix}q", f"{place.prefix}k"])
        q, k = (seen[f"{place.prefix}{name}"][0, 1].double().numpy() for name in "qk")
        assert turned(model, tokenizer, run, place, (2, 1), 1, 3, 10.0).unturned == pytest.approx(q[2] @ k[1], abs=1e-6)


def test_learned_positions_end_where_the_table_ends() -> None:
    model, tokenizer, run = made(positions="learned", max_length=32)
    found = pair(model, tokenizer, run, HeadAddress("encoder", 1, 0), 0, 99, 64)
    assert len(found.scores) == 32 == found.limit and found.layer == 0
    with pytest.raises(ValueError, match="learned 32 positions and has no vector"):
        long_text(model, tokenizer, run, HeadAddress("encoder"))


def test_a_turned_pair_has_one_score_wherever_it_stands() -> None:
    model, tokenizer, run = made(positions="none")
    found = turned(model, tokenizer, run, HeadAddress("encoder", 1, 1), (5, 2), 7, 50, 100.0)
    seen = execute(model, run, prepare(run, tokenizer), ["encoder.1.q", "encoder.1.k"])
    q, k = (seen[f"encoder.1.{name}"][0, 1].double().numpy() for name in "qk")
    rows = oracles.rotate(np.repeat(q[5][None], 50, 0), 100.0), oracles.rotate(np.repeat(k[2][None], 50, 0), 100.0)
    np.testing.assert_allclose(found.scores, [rows[0][p + 7] @ rows[1][p] for p in range(43)], atol=1e-9)
    assert np.ptp(found.scores) < 1e-10 and found.theory == pytest.approx(found.scores[0], abs=1e-10)
    assert found.unturned == pytest.approx(q[5] @ k[2])
    with pytest.raises(ValueError, match="a shift by 50 needs more than 50 positions"):
        turned(model, tokenizer, run, HeadAddress("encoder"), (0, 0), 50, 50, 100.0)


@pytest.mark.parametrize("kind", ["rotary", "sinusoidal", "alibi"])
def test_a_long_text_is_the_text_over_and_over_in_one_pass(kind: str) -> None:
    model, tokenizer, run = made(positions=kind, architecture="decoder", max_length=16)
    found = long_text(model, tokenizer, run, HeadAddress("decoder", 1, 1))
    row = prepare(run, tokenizer).rows["decoder"].ids
    ids = torch.tensor([(row * 5)[:32]])
    longer = build(replace(run.config, max_length=32))
    longer.load_state_dict(model.state_dict())
    short = prepare(run, tokenizer)
    assert found.period == len(row) and found.limit == 16 and len(short.rows["decoder"].ids) <= 16
    mask = torch.ones(32, 32, dtype=torch.bool).tril()
    with torch.inference_mode():
        logits = longer.logits(longer.eval().run_stack("decoder", ids, mask))[0].double()
    probabilities = logits.softmax(-1)[torch.arange(31), ids[0, 1:]]
    assert found.surprisal is not None
    np.testing.assert_allclose(found.surprisal[:-1], -np.log2(probabilities.numpy()), atol=1e-3)
    assert np.isnan(found.surprisal[-1])
    assert found.keys[0] == pytest.approx(1) and np.all(found.keys <= np.arange(1, 33) + 1e-3)
    assert model.config.max_length == 16


def test_an_encoder_is_watched_but_predicts_nothing() -> None:
    model, tokenizer, run = made(positions="none", max_length=16)
    found = long_text(model, tokenizer, run, HeadAddress("encoder", 0, 0))
    assert found.surprisal is None and len(found.keys) == 32


def test_cross_attention_has_no_distances() -> None:
    model, tokenizer, run = made(positions="none", architecture="encoder-decoder", target="a dog")
    place = HeadAddress("decoder", 0, 0, cross=True)
    for function, more in ((pair, (0, 0, 5)), (turned, ((0, 0), 1, 5, 10.0)), (long_text, ())):
        with pytest.raises(ValueError, match="share no positions"):
            function(model, tokenizer, run, place, *more)


# Adding


@pytest.mark.parametrize("norm", ["pre", "post", "none"])
@pytest.mark.parametrize("kind", ["layernorm", "rmsnorm"])
@pytest.mark.parametrize("score", ["scaled_dot", "dot", "general"])
def test_the_terms_add_up_to_what_the_model_computed(norm: str, kind: str, score: str) -> None:
    model, tokenizer, run = made(norm_position=norm, norm=kind, score=score)
    found = terms(model, tokenizer, run, HeadAddress("encoder", 1, 1))
    seen = execute(model, run, prepare(run, tokenizer), ["encoder.0.raw_scores"])["encoder.0.raw_scores"]
    np.testing.assert_allclose(found.raw, seen[0, 1].numpy(), atol=1e-6)
    np.testing.assert_allclose(found.values.sum(0), found.raw, atol=1e-4)
    assert found.off < 1e-4 and len(found.values) == len(TERMS)
    np.testing.assert_allclose(found.sizes, np.sqrt((found.values**2).mean((1, 2))), rtol=1e-5)


def test_each_term_is_what_it_says_by_hand() -> None:
    """Without a norm, and with the biases at 0, a term is one product of vectors and matrices."""
    model, tokenizer, run = made("the cat", norm_position="post", positions="sinusoidal")
    attn = attention_module(model, HeadAddress("encoder"))
    with torch.no_grad():
        attn.w_q.bias.zero_()
        attn.w_k.bias.zero_()
    found = terms(model, tokenizer, run, HeadAddress("encoder", 0, 1))
    ids = list(prepare(run, tokenizer).rows["encoder"].ids)
    e = model.embed.weight[ids].detach().double().numpy() * (4.0 if run.config.scale_embeddings else 1.0)
    p = oracles.sinusoidal(len(ids), 16)
    w_q, w_k = (getattr(attn, f"w_{name}").weight[8:].detach().double().numpy().T for name in "qk")
    for n, (left, right) in enumerate([(e, e), (e, p), (p, e), (p, p)]):
        np.testing.assert_allclose(found.values[n], left @ w_q @ (right @ w_k).T, atol=1e-4)
    assert not found.values[4].any()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"positions": "rotary"}, "has rotary positions, which are not added"),
        ({"positions": "none"}, "has no positions, so there is no such sum"),
        ({"score": "additive"}, "passes through tanh"),
    ],
)
def test_scores_that_are_no_such_sum_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        terms(*made(**settings), HeadAddress("encoder"))


def test_angles_are_the_loop_over_tokens_and_positions() -> None:
    model, tokenizer, run = made(max_length=20)
    found = angles(model, tokenizer, run)
    e, p = model.embed.weight.detach().double().numpy(), oracles.sinusoidal(20, 16)
    cosines = np.array([[a @ b / np.linalg.norm(a) / np.linalg.norm(b) for b in p] for a in e if a.any()])
    assert found.own and found.positions == 20 and found.pieces == len(cosines) and found.width == 16
    assert found.mean == pytest.approx(cosines.mean(), abs=1e-6)
    assert found.variance == pytest.approx(cosines.var(), abs=1e-6)
    assert found.largest == pytest.approx(np.abs(cosines).max(), abs=1e-5)
    assert found.position_norm == pytest.approx(np.sqrt(8), abs=1e-5)
    assert not angles(*made(max_length=20, positions="alibi")).own


def test_concatenating_costs_a_matrix_of_its_own() -> None:
    config = TransformerConfig(vocab_size=10, d_model=16, heads=2, layers=1)
    attn = attention_module(build(config), HeadAddress("encoder"))
    weights = sum(getattr(attn, f"w_{name}").weight.numel() for name in "qkv")
    assert input_weights(16, 16, 3 * 16) == (weights, 2 * weights)


def test_the_reading_of_the_terms_is_in_order_of_size() -> None:
    headline, text = read_terms(TERMS, np.array([1.0, 3.0, 2.0, 0.0, 9.0]))
    assert headline == (
        "This head scores two tokens most of all by what the query’s token is and where the key’s stands."
    )
    assert read_terms(TERMS, np.array([1.0, 2.0, 2.0, 3.0, 9.0]))[0].endswith("most of all by where they stand.")
    assert read_terms(TERMS, np.zeros(5))[0] == "All four parts of these scores are 0."
    assert text.startswith("Typical sizes (root mean square): token · position 3.00, position · token 2.00, token")
    assert "Position alone holds 0% of the four squares" in text
