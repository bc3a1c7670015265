"""What the page Translate reads: averaged alignments, changed tokens, what is forced, the tree's places."""

from typing import Any

import numpy as np
import pytest

from core.analysis.alignment import averaged, changed
from core.charts.beam_tree import beam_tree_data, beam_tree_spec
from core.explorer.translate.interventions import ablate_heads, force_attention
from core.model.config import TransformerConfig


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
    assert [(e.key, e.action, e.head) for e in ablate_heads(1, (0, 3)).edits] == [
        ("decoder.1.cross.z", "zero", 0),
        ("decoder.1.cross.z", "zero", 3),
    ]
    with pytest.raises(ValueError, match="source token 3 cannot be looked at: there are 3"):
        force_attention(config, 0, 3, 3, 0, 0, "all")


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
