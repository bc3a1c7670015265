"""What pages take from the records of heads: treated patterns, single scores, and changes as they are listed."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.analysis.heads import HEADS_COMPARED
from core.model.config import TransformerConfig
from core.text.tokenizer import Tokenizer
from core.topics.heads import all_heads, switches
from core.topics.heads.changes import Ablation, Changes, StackChange
from core.topics.heads.records import Behaviours, Contributions, Mixing, Patterns, Projections
from core.topics.heads.treatment import HIDEABLE, hatched, query_of, row_of, treated
from core.topics.shared import loading
from core.topics.shared.places import HeadAddress
from core.tracing.edits import ablate_head
from core.tracing.run import Run, TokenRow

TOKENIZER = Tokenizer.load("unigram-1000")
WEIGHTS = np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5], [0.1, 0.1, 0.8]], dtype=np.float32)


ROW = TokenRow((5, 6, 7), ("un", "do", "."), (0, 0, 1), ("undo", "."))
RECORD = Patterns(ROW, ROW, np.stack([WEIGHTS, WEIGHTS[::-1]]), np.ones((3, 3), bool))


def test_one_head_or_several_are_treated_alike() -> None:
    several = treated(RECORD, range(2), ("punctuation",), min_weight=0.2)
    for head in range(2):
        np.testing.assert_array_equal(
            treated(RECORD, head, ("punctuation",), min_weight=0.2).pattern, several.pattern[head]
        )
    np.testing.assert_allclose(several.pattern[0], [[2 / 3, 1 / 3, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]], atol=1e-6)
    np.testing.assert_array_equal(treated(RECORD, 0).pattern, WEIGHTS)
    with pytest.raises(ValueError, match="verbs"):
        treated(RECORD, 0, ("verbs",))
    assert "punctuation" in HIDEABLE


def test_pieces_are_merged_into_words() -> None:
    shown = treated(RECORD, 0, merged=True)
    np.testing.assert_allclose(shown.pattern, [[(0.75 + 0.5) / 2, (0.25 + 0.5) / 2], [0.2, 0.8]], atol=1e-6)
    assert shown.keys == ("0:undo", "1:.")


def test_a_token_is_found_in_its_row() -> None:
    assert [row_of(RECORD, token, True) for token in (0, 1, 2, 3, None)] == [0, 0, 1, None, None]
    assert [row_of(RECORD, token, False) for token in (0, 1, 2, 3, None)] == [0, 1, 2, None, None]
    assert [query_of(RECORD, row, True) for row in (0, 1)] == [0, 2]
    assert query_of(RECORD, 2, False) == 2


def behaviours(text: str, layer: int = 0, **sizes: Any) -> tuple[Run, Behaviours]:
    config = TransformerConfig(vocab_size=TOKENIZER.vocab_size, d_model=32, **sizes)
    run = Run(text, config, tokenizer="unigram-1000")
    return run, all_heads.behaviours(
        loading.fresh_model(config, run.placement), TOKENIZER, run, HeadAddress(layer=layer)
    )


def test_it_is_known_how_many_rows_were_compared() -> None:
    _, short = behaviours("the cat", heads=2, layers=1)
    assert short.rows == len(short.queries) and not short.sampled
    _, long = behaviours("cat " * 100, heads=2, layers=1)
    assert long.rows == 64 < len(long.queries) and long.sampled


def test_the_layer_counts_only_where_the_heads_are_too_many() -> None:
    few, first = behaviours("the cat", heads=2, layers=2)
    assert all_heads.compared_layer(few, HeadAddress(layer=1)) == 0
    np.testing.assert_array_equal(first.alike, behaviours("the cat", 1, heads=2, layers=2)[1].alike)
    many, _ = behaviours("the cat", 2, heads=16, layers=4)
    assert many.config.heads * many.config.layers > HEADS_COMPARED
    assert all_heads.compared_layer(many, HeadAddress(layer=2)) == 2


def test_changes_are_listed_for_every_stack() -> None:
    encoder = StackChange("encoder", ("0:a", "1:b"), np.array([0.1]), np.array([0.2, 0.3]))
    decoder = StackChange("decoder", ("0:c",), np.array([0.4]), np.array([0.5]))
    both = Ablation((encoder, decoder), {}, np.array([0.6]), ())
    assert both.layers.labels == ("encoder layer 1", "decoder layer 1")
    assert both.layers.values.tolist() == [0.1, 0.4]
    assert both.tokens.labels == ("encoder 0:a", "encoder 1:b", "decoder 0:c")
    assert both.tokens.values.tolist() == [0.2, 0.3, 0.5]
    assert both.guesses is not None and both.guesses.labels == ("0:c",) and both.guesses.values.tolist() == [0.6]
    alone = Ablation((encoder,), {}, None, ())
    assert alone.layers.labels == ("layer 1",) and alone.tokens.labels == ("0:a", "1:b") and alone.guesses is None


def test_the_largest_changes_keep_the_order_of_the_text() -> None:
    changes = Changes(np.array([0.3, 0.1, 0.9]), ("a", "b", "c")).largest(2)
    assert changes.labels == ("a", "c") and changes.values.tolist() == [0.3, 0.9]


def test_projections_stand_below_each_other_with_empty_cells_where_they_are_narrow() -> None:
    q = np.arange(12, dtype=np.float32).reshape(2, 3, 2) - 8
    projected = Projections(ROW, ROW, q, q + 1, q[..., :1])
    values, rows, columns = projected.table(1)
    np.testing.assert_array_equal(values[:6], np.concatenate([q[1], q[1] + 1]))
    np.testing.assert_array_equal(values[6:, 0], q[1, :, 0])
    assert np.isnan(values[6:, 1]).all() and list(columns) == ["0", "1"]
    assert list(rows) == [f"{letter} {label}" for letter in "qkv" for label in ROW.labels]
    assert [each.limit for each in projected.each] == [8.0, 7.0, 8.0]


def added(heads: int, every: bool = True) -> Contributions:
    parts = np.arange(heads * 12, dtype=np.float32).reshape(heads, 3, 4)
    shares = np.full((heads, 3), 1 / heads)
    whole = (parts if every else None, np.zeros(4), parts.sum(0), 0.0, shares, shares[:, 0])
    return Contributions(ROW, parts[..., :2], parts[0], parts[1:].sum(0), *whole)


@pytest.mark.parametrize(("heads", "every"), [(3, True), (3, False), (2, True), (1, True), (1, False)])
def test_a_sum_is_written_with_all_its_terms(heads: int, every: bool) -> None:
    record = added(heads, every)
    terms = record.summands(0)
    names = ["head 1"] if heads == 1 else ["head 1", "all other heads together"]
    names = record.heads if every else names
    assert [term.name for term in terms] == [*names, "b_O, all zeros here", "attn_out"]
    assert [term.sign for term in terms] == ["", *["+"] * len(names), "="]
    np.testing.assert_array_equal(sum(term.values for term in terms[:-1]), terms[-1].values)
    assert [len(term.rows) for term in terms] == [*[3] * len(names), 0, 3]
    assert terms[-1].largest == record.attn_out.max()


def test_the_concatenation_and_the_shares_have_a_label_for_each_row_and_column() -> None:
    record = added(2)
    values, rows, columns = record.joined
    np.testing.assert_array_equal(values, np.concatenate([record.z[0], record.z[1]], axis=1))
    assert rows == ROW.labels and list(columns) == ["head 1, 0", "head 1, 1", "head 2, 0", "head 2, 1"]
    assert record.shares == (record.by_token, ["head 1", "head 2"], ROW.labels)
    named = replace(record, b_o=np.ones(4)).summands(0)
    assert named[-2].name == "b_O, added to every row"


def test_scores_are_listed_by_layer_and_by_head() -> None:
    _, record = behaviours("cat dog", heads=2, layers=3)
    values, rows, columns = record.scores("induction")
    assert values.shape == (3, 2) and np.isnan(values).all()
    assert rows == ["layer 1", "layer 2", "layer 3"] and columns == ["head 1", "head 2"]
    every, heads, names = record.every_score
    np.testing.assert_array_equal(every[:, 0], record.table.entropy.ravel())
    assert heads[3] == "layer 2 · head 2" and names[0] == "Entropy (bits)" and every.shape == (6, len(names))
    assert record.names[:3] == ["1·1", "1·2", "2·1"]


def test_layers_are_shown_at_once_where_they_are_not_too_many() -> None:
    few, many = (Mixing(ROW, ROW, np.zeros((3, n, n)), np.ones((n, n), bool)) for n in (3, 300))
    assert few.layers_at_once(1) == [0, 1, 2] and many.layers_at_once(1) == [1]


def test_changes_are_tables_with_labels() -> None:
    values, rows, columns = Changes(np.array([0.3, 0.1]), ("a", "b")).table
    assert values.tolist() == [[0.3], [0.1]] and rows == ("a", "b") and columns == ["change"]
    late = np.ma.masked_array([[0.0, 0.0], [0.2, 0.1]], mask=[[True, True], [False, False]])
    reached = np.ma.masked_array([[0.5, 0.6]], mask=False)
    both = Ablation((), {"encoder": late, "cross": reached}, None, (("cat", 0.5, 0.25),))
    values, rows, columns = both.patterns
    assert rows == ["encoder layer 1", "encoder layer 2", "cross layer 1"] and columns == ["head 1", "head 2"]
    assert np.isnan(values[0]).all() and values[1:].tolist() == [[0.2, 0.1], [0.5, 0.6]] and both.comes_late
    alone = replace(both, per_head={"encoder": reached})
    assert alone.patterns[1] == ["layer 1"] and not alone.comes_late
    probabilities, names, when = both.likeliest
    assert probabilities.tolist() == [[0.5, 0.25]] and names == ["1. cat"] and when == ["before", "after"]


def test_heads_are_switched_by_their_names() -> None:
    assert switches.short_names(2, 2) == ("L1H1", "L1H2", "L2H1", "L2H2")
    assert switches.heads_named(("L3H1", "L1H12", "L9H1", "L1H13"), 3, 12) == [(2, 0), (0, 11)]
    assert switches.toggled(("L1H1",), 1, 2) == ["L1H1", "L2H3"]
    assert switches.toggled(("L1H1", "L2H3"), 0, 0) == ["L2H3"]
    place = HeadAddress("decoder", cross=True)
    sizes = TransformerConfig("encoder-decoder", layers=2)
    edits = switches.silencing(sizes, place, [(1, 0), (0, 2)])
    assert edits == (ablate_head(sizes, 0, 2, cross=True), ablate_head(sizes, 1, 0, cross=True))


def test_hidden_cells_are_hatched_and_two_words_only_where_all_their_cells_are() -> None:
    causal = Patterns(ROW, ROW, RECORD.pattern, np.tri(3, dtype=bool))
    pieces, words = (hatched(causal, treated(causal, 0, merged=merged)) for merged in (False, True))
    np.testing.assert_array_equal(np.isneginf(pieces), ~np.tri(3, dtype=bool))
    np.testing.assert_array_equal(np.isneginf(words), [[False, True], [False, False]])
