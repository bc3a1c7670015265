"""Three architectures of the same sizes: their totals are those of real modules, and what is missing has a gap."""

from dataclasses import replace

import pytest

from core.model.config import ARCHITECTURES, TransformerConfig
from core.model.transformer import parameter_count
from core.topics.architecture.three import three_models
from core.topics.architecture.whole import whole_model
from core.tracing.run import Run
from tests.core.topics.architecture.test_drawn_model import ROW

CONFIGS = [
    TransformerConfig("encoder"),
    TransformerConfig("decoder", norm_position="pre", tied=False, positions="learned", layers=1),
    TransformerConfig("encoder-decoder", norm_position="none", residual=False, positions="rotary"),
]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.architecture)
def test_totals_are_those_of_the_real_modules_and_the_boxes_add_up_to_them(config: TransformerConfig) -> None:
    rows = dict.fromkeys(config.stacks, ROW)
    found = three_models(whole_model(Run("a", config), rows))
    assert [each.architecture for each in found] == list(ARCHITECTURES)
    for each in found:
        assert each.parameters == parameter_count(replace(config, architecture=each.architecture))
        framed = [rank.boxes[0] for pile in each.plan.piles for rank in pile.ranks if rank.frame]
        inside = sum(box.parameters for box in framed)
        assert each.plan.parameters + (config.layers - 1) * inside == each.parameters
        frames = {rank.frame.key: rank.frame for pile in each.plan.piles for rank in pile.ranks if rank.frame}
        assert sum(frame.parameters for frame in frames.values()) == inside


def test_what_one_lacks_is_a_gap_where_another_has_it_and_no_line_ends_there() -> None:
    encoder, decoder, both = three_models(whole_model(Run("a", CONFIGS[0]), {"encoder": ROW}))
    gaps = {
        each.architecture: [box.title for box in each.plan.boxes if box.kind == "gap"]
        for each in (encoder, decoder, both)
    }
    assert gaps == {
        "encoder": ["no cross-attention", "no unembedding"],
        "decoder": ["no cross-attention"],
        "encoder-decoder": ["no cross-attention", "no unembedding"],
    }
    for each in (encoder, decoder, both):
        missing = {box.key for box in each.plan.boxes if box.kind == "gap"}
        ends = {end for edge in each.plan.edges for end in (edge.source, edge.target)}
        assert ends <= each.plan.named.keys() and not ends & missing
    assert [(edge.source, edge.target) for edge in both.plan.edges if edge.kind == "memory"] == [
        ("encoder.0.norms", "decoder.0.cross")
    ]
