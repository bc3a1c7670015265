"""What pages take from the records of heads: treated patterns, single scores, and changes as they are listed."""

from typing import Any

import numpy as np
import pytest

from core.analysis.heads import HEADS_COMPARED
from core.explorer.heads import all_heads
from core.explorer.heads.records import Ablation, Behaviours, Changes, Patterns, StackChange
from core.explorer.heads.treatment import HIDEABLE, query_of, row_of, treated
from core.explorer.shared import loading
from core.explorer.shared.places import Place
from core.model.config import TransformerConfig
from core.text.tokenizer import Tokenizer
from core.tracing.run import Run, TokenRow

TOKENIZER = Tokenizer.load("unigram-1000")
WEIGHTS = np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5], [0.1, 0.1, 0.8]], dtype=np.float32)


ROW = TokenRow((5, 6, 7), ("un", "do", "."), (0, 0, 1), ("undo", "."))
RECORD = Patterns(ROW, ROW, np.stack([WEIGHTS, WEIGHTS[::-1]]))


def test_one_head_or_several_are_treated_alike() -> None:
    several = treated(RECORD, range(2), ("punctuation",), least=0.2)
    for head in range(2):
        np.testing.assert_array_equal(treated(RECORD, head, ("punctuation",), least=0.2).pattern, several.pattern[head])
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
    return run, all_heads.behaviours(loading.fresh_model(config, run.placement), TOKENIZER, run, Place(layer=layer))


def test_it_is_known_how_many_rows_were_compared() -> None:
    _, short = behaviours("the cat", heads=2, layers=1)
    assert short.rows == len(short.queries) and not short.sampled
    _, long = behaviours("cat " * 100, heads=2, layers=1)
    assert long.rows == 64 < len(long.queries) and long.sampled


def test_the_layer_counts_only_where_the_heads_are_too_many() -> None:
    few, first = behaviours("the cat", heads=2, layers=2)
    assert all_heads.compared_layer(few, Place(layer=1)) == 0
    np.testing.assert_array_equal(first.alike, behaviours("the cat", 1, heads=2, layers=2)[1].alike)
    many, _ = behaviours("the cat", 2, heads=16, layers=4)
    assert many.config.heads * many.config.layers > HEADS_COMPARED
    assert all_heads.compared_layer(many, Place(layer=2)) == 2


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
