"""What the page Translate reads: averaged alignments, changed tokens, what is forced, the tree's places."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.analysis.alignment import averaged, changed
from core.model.config import TransformerConfig
from core.topics.generate.records import (
    Attentions,
    BeamText,
    GeneratedToken,
    GenerationStep,
    Sample,
    StageRecord,
)
from core.topics.translate.alignment import alignment, last_rows, opening_count
from core.topics.translate.changes import before_and_after, changes
from core.topics.translate.charts import beam_tree_data, beam_tree_spec
from core.topics.translate.interventions import (
    FORCES,
    ablate_heads,
    force_attention,
    hide_token,
    intervention,
    place_among,
)
from core.topics.translate.ways import Way, distinct_texts, translations, ways_table, word_changes


def test_averages_of_heads() -> None:
    patterns = np.random.default_rng(0).dirichlet(np.ones(5), (2, 3, 4))  # (N, H, Q, K)
    np.testing.assert_array_equal(averaged(patterns, 1, 2, "this head"), patterns[1, 2])
    np.testing.assert_allclose(averaged(patterns, 1, 0, "layer"), sum(patterns[1]) / 3)
    np.testing.assert_allclose(averaged(patterns, 0, 0, "all"), sum(patterns.reshape(6, 4, 5)) / 6)
    for over in ("this head", "layer", "all"):
        np.testing.assert_allclose(averaged(patterns, 0, 1, over).sum(-1), 1)
    with pytest.raises(ValueError, match="not over 'some'"):
        averaged(patterns, 0, 0, "some")


@pytest.mark.parametrize(
    ("before", "after", "lost", "new"),
    [
        ([1, 2, 3], [1, 2, 3], set(), set()),
        ([1, 2, 3], [1, 9, 3], {1}, {1}),
        ([1, 2, 3], [1, 2, 7, 8, 3], set(), {2, 3}),
        ([], [4], set(), {0}),
    ],
)
def test_what_changed(before: list[int], after: list[int], lost: set[int], new: set[int]) -> None:
    assert changed(before, after) == (lost, new)


def test_who_is_made_to_look_where() -> None:
    config = TransformerConfig("encoder-decoder", heads=4, layers=3)
    assert [(e.key, e.head, e.row) for e in force_attention(config, 5, 1, 3, 2, 1, "this head").edits] == [
        ("decoder.2.cross.pattern", 1, 5)
    ]
    assert len(force_attention(config, 5, 1, 3, 2, 1, "layer").edits) == 4
    every = force_attention(config, 5, 1, 3, 2, 1, "all").edits
    assert len({(e.key, e.head) for e in every}) == 12 and {e.value for e in every} == {(0.0, 1.0, 0.0)}
    assert [(e.key, e.action, e.head) for e in ablate_heads(config, 1, 3, "this head").edits] == [
        ("decoder.1.cross.z", "zero", 3)
    ]
    assert [e.head for e in ablate_heads(config, 1, 3, "layer").edits] == [0, 1, 2, 3]
    assert len({(e.key, e.head) for e in ablate_heads(config, 1, 3, "all").edits}) == 12
    assert hide_token(2).hidden == (2,) and not hide_token(2).edits
    with pytest.raises(ValueError, match="not in 'some'"):
        ablate_heads(config, 0, 0, "some")
    with pytest.raises(ValueError, match="source token 3 cannot be looked at: there are 3"):
        force_attention(config, 0, 3, 3, 0, 0, "all")


def test_what_is_forced_is_called_by_its_name() -> None:
    config = TransformerConfig("encoder-decoder", heads=4, layers=3)
    found = [intervention(config, what, 5, 1, 3, 2, 1, "layer") for what in FORCES]
    assert found == [
        force_attention(config, 5, 1, 3, 2, 1, "layer"),
        hide_token(1),
        ablate_heads(config, 2, 1, "layer"),
    ]
    with pytest.raises(ValueError, match="not 'shout'"):
        intervention(config, "shout", 5, 1, 3, 2, 1, "layer")


def test_a_place_that_is_not_there_is_the_last() -> None:
    assert [place_among(wanted, 3) for wanted in (None, 0, 2, 9)] == [0, 0, 2, 2] and place_among(4, 0) == 0


@pytest.mark.parametrize(
    ("before", "after", "part"), [([1, 2, 3], [1, 2, 3], None), ([1, 2], [1, 5, 2], 1), ([1, 2], [1], 1), ([], [4], 0)]
)
def test_where_two_texts_part(before: list[int], after: list[int], part: int | None) -> None:
    found = changes(before, after)
    assert found.part == part and (found.lost, found.new) == changed(before, after)
    there = part is not None and part < len(before)
    assert found.place(len(before), 7) == (part if there else 7)


def step(logits: list[float]) -> GenerationStep:
    """A choice among as many tokens as there are logits."""
    stages = (StageRecord("model", np.array(logits, np.float32), len(logits)),)
    likely = tuple((token, f"t{token}") for token in np.argsort(logits)[::-1].tolist())
    return GenerationStep(likely[0][0], likely[0][1], 0, 0, None, False, 0, 0, False, 0, (2,), ("<s>",), stages, likely)


def test_two_choices_at_one_place() -> None:
    before, after = step([9, 8, 7, 6, 5, 4, -5, -6]), step([-6, -5, 1, 2, 3, 4, 5, 6])
    rows = before_and_after(before, after)
    assert [row.piece for row in rows] == ["t7", "t6", "t5", "t4", "t3", "t2", "t1", "t0"]
    np.testing.assert_allclose([row.own for row in rows], before.stages[0].probabilities[::-1])
    np.testing.assert_allclose([row.probability for row in rows], after.stages[0].probabilities[::-1])


def test_the_likeliest_before_a_change_is_shown_however_unlikely_it_is_after_it() -> None:
    before, after = step([9, 8, 7, 6, 5, 4, *[0.0] * 6]), step([-9, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6])
    rows = before_and_after(before, after)
    assert rows[0].piece == "t11" and rows[-1].piece == "t0", "each choice comes first or last, none is left out"


def test_ways_are_measured_in_bits() -> None:
    token = GeneratedToken(5, "a", 1.0, 0.25, None, False, 0.0, 2.0, False)
    found = translations(
        ("beam", BeamText("b c", (0, 3), -3 * math.log(2), -1.0, False)),
        ("greedy", "a a", (token, token)),
        [("sample", Sample("d", (7,), ("d",), -math.log(2), True))],
    )
    assert [(way.name, way.text, way.tokens) for way in found] == [
        ("beam", "b c", 2),
        ("greedy", "a a", 2),
        ("sample", "d", 1),
    ]
    assert [way.surprisal for way in found] == pytest.approx([3, 4, 1])
    assert [way.bits_per_token for way in found] == pytest.approx([1.5, 2, 1])
    table = ways_table(found)
    assert table["how"] == ["beam", "greedy", "sample"] and table["text"] == ["b c", "a a", "d"]
    assert table["surprisal, bits"] == [3, 4, 1] and table["bits a token"] == [1.5, 2, 1]


def attentions(cross: bool = True) -> Attentions:
    """Two layers of three heads; the source has three tokens in two words, the decoder read <s> and three tokens."""
    draw = np.random.default_rng(0).dirichlet
    decoder = np.tril(draw(np.ones(4), (2, 3, 4)))
    return Attentions(
        pieces=("<s>", "a", "b", "c"),
        source_pieces=("x", "y", "z"),
        words=(0, 1, 1, 2),
        word_labels=("<s>", "ab", "c"),
        source_words=(0, 0, 1),
        source_word_labels=("xy", "z"),
        decoder=decoder / decoder.sum(-1, keepdims=True),
        encoder=draw(np.ones(3), (2, 3, 3)) if cross else None,
        cross=draw(np.ones(3), (2, 3, 4)) if cross else None,
    )


def test_a_row_of_cross_attention_bears_the_token_read_and_the_one_it_writes() -> None:
    seen = attentions()
    assert seen.cross is not None
    aligned = alignment(seen, 1, "cross", 1, 2, "this head")
    found = aligned.treated
    np.testing.assert_array_equal(found.pattern, seen.cross[1, 2, :3])
    assert (found.queries, found.keys) == (
        ("0:<s> → a", "1:a → b", "2:b → c"),
        ("0:x", "1:y", "2:z"),
    ) and aligned.allowed.all()
    words = alignment(seen, 1, "cross", 1, 2, "this head", words=True).treated
    assert (words.queries, words.keys) == (("0:<s>", "1:ab"), ("0:xy", "1:z"))
    np.testing.assert_allclose(words.pattern[1, 0], seen.cross[1, 2, 1:3, :2].sum(-1).mean())
    np.testing.assert_allclose(words.pattern.sum(-1), 1)


def test_a_page_opens_with_the_whole_word_that_looks_most_at_a_whole_word() -> None:
    cross = np.zeros((1, 1, 4, 3))
    cross[0, 0] = np.array(
        [[0.1, 0.9, 0], [0, 0.2, 0.8], [0.7, 0, 0.3], [0, 0, 1]]
    )  # read: "(start)", "un", "e", "mot"
    seen = replace(
        attentions(),
        pieces=("(start)", "un", "·e", "mot"),
        word_labels=("(start)", "une", "mot"),
        cross=cross,
    )
    assert opening_count(seen, 1, 0, 0, "all") == 3, "“mot” is written where “z” has 0.3; “un” and “·e” are no words"
    words = replace(seen, words=(0, 1, 2, 3), word_labels=("(start)", "un", "e", "mot"))
    assert opening_count(words, 1, 0, 0, "all") == 2, "where “e” is written, “z” has 0.8; “x” and “·y” are no words"
    assert opening_count(replace(words, word_labels=("(start)", "1", "2", "3")), 1, 0, 0, "all") == 1


def test_each_side_looks_at_itself() -> None:
    seen = attentions()
    decoder, encoder = (alignment(seen, 1, which, 0, 0, "layer") for which in ("decoder", "encoder"))
    np.testing.assert_allclose(decoder.treated.pattern, seen.decoder[0].mean(0))
    assert not decoder.treated.pattern[~decoder.allowed].any() and decoder.allowed.sum() == 10
    np.testing.assert_array_equal(np.isneginf(decoder.drawn[0]), ~decoder.allowed)
    assert decoder.drawn[1:] == decoder.table[1:] == (decoder.treated.queries, decoder.treated.keys)
    np.testing.assert_array_equal(decoder.table[0], decoder.treated.pattern)
    assert decoder.treated.queries == decoder.treated.keys == ("0:<s>", "1:a", "2:b", "3:c") and encoder.allowed.all()
    looks, back = last_rows(seen, 1, 0, "all")
    assert seen.cross is not None
    np.testing.assert_allclose(looks, seen.cross.mean((0, 1))[-1])
    np.testing.assert_allclose(back, seen.decoder.mean((0, 1))[-1])


def test_a_decoder_alone_has_no_cross_attention() -> None:
    with pytest.raises(ValueError, match="no attention 'cross'"):
        alignment(attentions(cross=False), 1, "cross", 0, 0, "all")
    with pytest.raises(ValueError, match="no cross-attention"):
        last_rows(attentions(cross=False), 0, 0, "all")
    with pytest.raises(ValueError, match="no cross-attention"):
        opening_count(attentions(cross=False), 1, 0, 0, "all")


def test_the_places_of_a_tree() -> None:
    def node(index: int, parent: int | None, step: int, fate: str) -> dict[str, Any]:
        return {
            "index": index,
            "parent": parent,
            "step": step,
            "piece": str(index),
            "fate": fate,
            "chance": 0.5,
            "total": -1.0,
            "score": -1.0,
        }

    nodes = [node(0, None, 1, "kept"), node(1, None, 1, "dropped"), node(2, 0, 2, "finished"), node(3, 0, 2, "dropped")]
    data = beam_tree_data(nodes, (0, 2), "<s>")
    assert data["step"].tolist() == [0, 1, 1, 2, 2]
    assert data["place"].tolist() == [0.25, 0, 0.5, 0, 0.5]
    assert data["from"].tolist()[1:] == [0.25, 0.25, 0, 0] and data["above"].tolist()[1:] == [0, 0, 1, 1]
    assert data["fate"].tolist() == ["best", "best", "dropped", "best", "dropped"]
    columns = {part["x"]["field"] for part in beam_tree_spec()["layer"][1:] for part in [part["encoding"]]}
    assert columns <= set(data.columns)


def test_texts_are_compared_word_by_word():
    ways = [
        Way("greedy", "le chat dort", 2.0, 3),
        Way("beam", "le chien dort", 1.0, 3),
        Way("s", "le  chat dort", 3.0, 3),
    ]
    assert {text: [way.name for way in found] for text, found in distinct_texts(ways).items()} == {
        "le chien dort": ["beam"],
        "le chat dort": ["greedy", "s"],
    }
    assert word_changes("le chien dort", "le chat dort") == [(["chien"], ["chat"], 1)]
    assert word_changes("le chien", "le grand chien dort") == [([], ["grand"], 1), ([], ["dort"], 3)]
    assert word_changes("le chien dort", "le chien") == [(["dort"], [], 2)] and word_changes("a b", "a b") == []
