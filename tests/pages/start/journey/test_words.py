"""What the journey says is true of the run: each sentence's claims, both ways, over the settings."""

import re
from typing import Any

import numpy as np
import pytest

from core.topics.journey import pictures, stages, words
from core.topics.journey.records import Journey
from core.topics.shared import loading
from core.topics.shared.open_run import open_run
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.compute.cache import trained
from pages.shell.run_plan import DEFAULTS, make_run
from pages.start.journey import queries

TEXT = "the cat sat on the dog"
TWO = {"kind": "encoder-decoder"}
SELF, CROSS = HeadAddress("decoder"), HeadAddress("decoder", cross=True)


def told(place: HeadAddress | None = None, text: str = TEXT, **chosen: Any) -> tuple[Run, Journey]:
    run = make_run(DEFAULTS | chosen, text, "a dog")
    model, tokenizer = open_run(run)
    return run, stages.journey(model, tokenizer, run, place or HeadAddress(run.config.stacks[0]))


def titles(shown: list[Any]) -> list[str]:
    return [tile.title for tile in shown]


def value(record: Journey, name: str) -> np.ndarray:
    return record.stages[name].values


@pytest.mark.parametrize(
    ("chosen", "place", "start"),
    [
        ({}, None, "6 pieces, each"),
        ({"mask": ("padding",), "pads": 5}, None, "6 pieces and 5 padding tokens after them, each"),
        ({"mask": ("padding",), "pads": 1}, None, "6 pieces and 1 padding token after them, each"),
        ({"kind": "decoder", "mask": ("causal",), "pads": 5}, None, "6 pieces, each"),
        (TWO, SELF, "2 pieces after a start token, each"),
        (TWO | {"mask": ("padding",), "pads": 2}, SELF, "2 pieces after a start token, each"),
        (TWO | {"mask": ("padding",), "pads": 2}, None, "6 pieces and 2 padding tokens after them, each"),
    ],
)
def test_tokens_count_the_pieces_of_the_text_alone(
    chosen: dict[str, Any], place: HeadAddress | None, start: str
) -> None:
    run, record = told(place, **chosen)
    assert f"cut into **tokens**: {start}" in words.tokens(run, record)


def test_the_tokens_that_a_trained_model_reads_round_the_text_are_counted_apart() -> None:
    letters = {"toy-copy": "6 pieces after a start token, each", "toy-reverse": "6 pieces before an end token, each"}
    for name, said in letters.items():
        run = make_run(DEFAULTS, "abcdef", "fedcba", trained(name))
        assert said in words.tokens(run, queries.journey(run, HeadAddress(run.config.stacks[0])))


def test_a_classifier_judges_by_the_mean() -> None:
    run = make_run(DEFAULTS, TEXT, "", trained("sentiment"))
    assert words.output(run, queries.journey(run, HeadAddress()), "verdict").endswith(
        "these rows and gives each class its chance."
    )


def test_one_piece_is_one() -> None:
    assert "1 piece and 2 padding tokens after it" in words.tokens(*told(text="cat", mask=("padding",), pads=2))


@pytest.mark.parametrize("positions", ["sinusoidal", "rotary"])
def test_the_embedding_shown_is_the_row_of_the_table_times_the_root_of_d_model(positions: str) -> None:
    run, record = told(pos=positions)
    model = loading.fresh_model(run.config, run.placement)
    rows = model.embed.weight.detach().numpy()[list(record.tokens.ids)]
    np.testing.assert_allclose(value(record, "embed"), rows * 8, rtol=1e-5)
    assert "multiplied by 8, the square root of 64." in words.vectors(run, record)
    assert titles(pictures.entering(run, record))[0].startswith("embedding × 8")


def test_the_first_cards_use_no_letter_for_a_size_and_the_legend_of_shapes_says_each() -> None:
    run, record = told(d=36, h=4, ff=100)
    said = (words.tokens(run, record), words.vectors(run, record), words.feed_forward(run, record))
    assert not any(re.search(r"√|\b[LDEF]\b", each) for each in said)
    stages = record.stages
    legend = words.shapes(run)
    assert f"d_model, {stages['embed'].shape[1]})" in legend and f"one head ({stages['q'].shape[1]})" in legend
    assert f"layer ({stages['ffn_hidden'].shape[1]})" in legend
    assert "one head (9 and 5)" in words.shapes(told(d=36, h=4, dv=5)[0])


@pytest.mark.parametrize(
    ("positions", "adds", "says"),
    [
        ("none", False, "told no positions"),
        ("sinusoidal", True, "(**sinusoidal** positions), and the two are added"),
        ("learned", True, "(**learned** positions), and the two are added"),
        ("rotary", False, "not said here but in stage 3 (**rotary** positions)"),
        ("alibi", False, "not said here but in stage 4 (**ALiBi**)"),
    ],
)
def test_where_positions_act(positions: str, adds: bool, says: str) -> None:
    run, record = told(pos=positions)
    assert says in words.vectors(run, record)
    assert ("pos" in record.stages) == adds == ("two are added" in words.vectors(run, record))
    assert ("q_rotated" in record.stages) == (positions == "rotary") == ("↻" in words.projection_words(run, record))


@pytest.mark.parametrize("positions", ["rotary", "alibi"])
def test_positions_between_tokens_do_not_act_in_cross_attention(positions: str) -> None:
    run, record = told(CROSS, **TWO, pos=positions)
    assert "only in self-attention" in words.vectors(run, record)
    said = words.projection_words(run, record) + words.scores(run, record) + words.attention_formula(run, record)
    assert not any(sign in said for sign in ("↻", "ALiBi", "R(", "+ B"))
    np.testing.assert_allclose(value(record, "q") @ value(record, "k").T / 4, value(record, "scores"), atol=1e-5)


@pytest.mark.parametrize("positions", ["sinusoidal", "alibi"])
@pytest.mark.parametrize(
    ("score", "says"),
    [
        ("scaled dot", "dot product, divided by 4, the square root of the 16 numbers of a key"),
        ("dot", "dot product (not scaled)"),
        ("general", "one more table of weights, W (not scaled)"),
        ("additive", "small network makes of the two (not scaled)"),
    ],
)
def test_scores_say_what_they_are_made_of_and_whether_they_are_scaled(score: str, says: str, positions: str) -> None:
    run, record = told(score=score, pos=positions)
    said, title = words.scores(run, record), titles(pictures.scoring(run, record))[1]
    assert says in said
    alibi = positions == "alibi"
    assert alibi == ("less a penalty for the distance" in said) == title.endswith(" + B")
    assert title.startswith("scaled") == (score == "scaled dot")
    factor = 4 if score == "scaled dot" else 1
    difference = value(record, "raw_scores") / factor - value(record, "scores")
    distance = np.abs(np.subtract.outer(range(6), range(6)))
    np.testing.assert_allclose(difference, 0.25 * distance if alibi else 0, atol=1e-5)


@pytest.mark.parametrize(
    ("chosen", "hides", "empties"),
    [
        ({}, False, False),
        ({"mask": ("causal",)}, True, False),
        ({"mask": ("sliding window",), "window": 511}, False, False),
        ({"mask": ("block", "padding"), "block": 1, "pads": 2}, True, True),
        ({"kind": "decoder", "mask": ("block", "padding"), "block": 3, "pads": 3}, True, True),
    ],
)
def test_masks_and_rows_with_nothing_to_attend_to(chosen: dict[str, Any], hides: bool, empties: bool) -> None:
    run, record = told(**chosen)
    assert hides == bool(np.isneginf(value(record, "masked_scores")).any()) == (record.hidden_pairs > 0)
    assert empties == bool((value(record, "pattern").sum(1) == 0).any()) == (record.empty_rows > 0)
    said = words.scores(run, record)
    assert hides == ("hides the striped pairs" in said) == ("+ M" in words.attention_formula(run, record))
    assert titles(pictures.scoring(run, record))[2] == ("masked" if hides else "no mask")
    assert said.endswith("that sum to 1; a row with every pair hidden gets zeros." if empties else "that sum to 1.")
    assert empties == ("takes nothing and stays at zero" in words.mix(run, record))
    assert empties == any("may attend to nothing" in sentence for sentence in words.read_head(record))


@pytest.mark.parametrize("norm", ["post", "pre", "none"])
@pytest.mark.parametrize("residual", [True, False])
def test_what_happens_after_attention_and_the_network(norm: str, residual: bool) -> None:
    run, record = told(norm=norm, residual=residual)
    stream, mid, out = value(record, "stream"), value(record, "resid_mid"), value(record, "resid_post")
    for said, before, result, after in (
        (words.joined(run, record), stream, value(record, "attn_out"), mid),
        (words.feed_forward(run, record), mid, value(record, "ffn_out"), out),
    ):
        assert residual == ("added to what came in" in said)
        assert (norm == "post") == said.endswith("normalised (LayerNorm).")
        expected = before + result if residual else result
        expected = normalised(expected) if norm == "post" else expected
        np.testing.assert_allclose(after, expected, atol=1e-4)
    assert (norm == "pre") == ("row alone, after LayerNorm:" in words.feed_forward(run, record))
    assert (norm == "pre") == ("reads the rows, after LayerNorm," in words.projection_words(run, record))
    np.testing.assert_allclose(value(record, "ffn_in"), normalised(mid) if norm == "pre" else mid, atol=1e-4)
    assert titles(pictures.thinking(run, record))[2] == ("adds" if residual else "result")
    assert ("+" in [tile.before for tile in pictures.joining(run, record)]) == residual


def normalised(rows: np.ndarray) -> np.ndarray:
    return (rows - rows.mean(1, keepdims=True)) / np.sqrt(rows.var(1, keepdims=True) + 1e-5)


def test_one_head_is_one_and_more_are_laid_side_by_side() -> None:
    alone, several = words.joined(*told(h=1)), words.joined(*told(h=2))
    assert "one head. Its mix is multiplied by W_O" in alone and "heir" not in alone
    assert "2 heads" in several and "Their mixes are laid side by side and multiplied" in several


@pytest.mark.parametrize(
    ("chosen", "place", "between"),
    [({}, None, False), ({"kind": "decoder"}, None, False), (TWO, None, False), (TWO, SELF, True), (TWO, CROSS, False)],
)
def test_the_network_reads_stage_6_unless_cross_attention_comes_between(
    chosen: dict[str, Any], place: HeadAddress | None, between: bool
) -> None:
    run, record = told(place, **chosen)
    assert between == words.feed_forward(run, record).startswith("**Cross-attention** comes in between")
    assert between != np.array_equal(value(record, "resid_mid"), value(record, "ffn_in"))


@pytest.mark.parametrize(
    ("chosen", "place", "says"),
    [
        ({}, None, "Stages 3 to 7 happen in each of 3 layers. Out comes one row for each token"),
        ({"n": 1, "norm": "pre"}, None, "There is one layer; then comes a last LayerNorm. Out comes"),
        (TWO, None, "The decoder's cross-attention reads these rows."),
        (TWO, SELF, "each of 3 layers, attention twice, to itself and to the encoder's text. The row of the last"),
        (TWO | {"n": 1}, CROSS, "There is one layer with attention twice, to itself and to the encoder's text."),
        ({"kind": "decoder"}, None, "The row of the last token is compared with all 8,000 pieces: these 10 are"),
        ({"kind": "decoder", "mask": ("padding",), "pads": 2}, None, "The row of the last token before the padding"),
    ],
)
def test_what_comes_out(chosen: dict[str, Any], place: HeadAddress | None, says: str) -> None:
    run, record = told(place, **chosen)
    assert says in words.output(run, record)
    assert (len(record.next_pieces) == 10) == (record.place.stack == "decoder")


@pytest.mark.parametrize(
    ("chosen", "inner"),
    [
        ({}, r"\frac{Q K^\top}{\sqrt{16}}"),
        ({"score": "dot", "pos": "alibi"}, r"Q K^\top + B"),
        ({"score": "general", "pos": "rotary"}, r"R(Q)\,W R(K)^\top"),
        ({"score": "additive", "pos": "rotary"}, r"v^\top \tanh(W R(q_i) + U R(k_j))"),
        ({"pos": "rotary", "mask": ("causal",)}, r"\frac{R(Q) R(K)^\top}{\sqrt{16}} + M"),
        ({"pos": "alibi", "mask": ("causal",), "dk": 9}, r"\frac{Q K^\top}{\sqrt{9}} + B + M"),
        (TWO | {"mask": ("as built",), "attention": "cross"}, r"\frac{Q K^\top}{\sqrt{16}}"),
    ],
)
def test_the_formula_follows_score_positions_and_mask(chosen: dict[str, Any], inner: str) -> None:
    place = CROSS if chosen.pop("attention", None) else None
    run, record = told(place, **chosen)
    written = words.attention_formula(run, record)
    assert rf"\left({inner}\right) V" in written
    assert (r"B_{ij} = -0.25\,|i-j|" in written) == ("+ B" in inner)
    assert (r"M_{ij}" in written) == ("+ M" in inner)
    (queries, keys), width = record.stages["pattern"].shape, record.stages["v"].shape[1]
    assert written.endswith(rf"({queries}\times{keys})\cdot({keys}\times{width}) = ({queries}\times{width})")
