"""What a head looks for, against the keys and scores that a first layer has."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.config import TransformerConfig
from core.model.transformer import build
from core.topics.circuits.looked_for import looked_for
from core.topics.shared.places import HeadAddress
from core.tracing.run import execute, prepare
from tests.core.strategies import configs, parts_of_others
from tests.core.topics.circuits.test_attribution import LETTERS, run_of

FIRST = {"positions": "rotary", "token_types": 0}


@given(
    st.one_of(configs(positions="rotary"), parts_of_others(**FIRST)).filter(lambda config: "dot" in config.score),
    st.integers(0, 3),
)
def test_scores_by_distance_are_those_of_the_run(config: TransformerConfig, token: int) -> None:
    run = run_of(config)
    stack = run.config.stacks[-1]
    token = min(token, len(prepare(run, LETTERS).rows[stack]) - 1)
    model, head = build(run.config), run.config.heads - 1
    found = looked_for(model, LETTERS, run, HeadAddress(stack, 0, head), token)
    key = f"{stack}.0.scores"
    scores = execute(model, run, prepare(run, LETTERS), [key])[key][0, head, token].double().numpy()
    assert found.by_distance is not None
    if found.looked_at <= token:
        expected = scores[found.looked_at]
        assert found.by_distance[token - found.looked_at] == pytest.approx(expected, rel=1e-3, abs=1e-4)


@given(configs(positions="none", qk_norm=False).filter(lambda config: config.score != "additive"), st.data())
def test_a_first_layer_makes_its_queries_and_keys_from_bare_embeddings(
    config: TransformerConfig, data: st.DataObject
) -> None:
    run = run_of(config)
    stack = run.config.stacks[-1]
    inputs = prepare(run, LETTERS)
    token = data.draw(st.integers(0, len(inputs.rows[stack]) - 1))
    model, head = build(run.config), run.config.heads - 1
    found = looked_for(model, LETTERS, run, HeadAddress(stack, 0, head), token)
    assert found.here == found.bare and found.by_distance is None
    np.testing.assert_allclose(found.here_by, found.bare_by, rtol=1e-3, atol=1e-4)
    key = f"{stack}.0.scores"
    scores = execute(model, run, inputs, [key])[key][0, head, token].double().numpy()
    labels = LETTERS.labels(inputs.rows[stack].ids)
    shown = [index for index, label in enumerate(labels) if label in found.here]
    for index in shown[1:]:
        apart = scores[index] - scores[shown[0]]
        places = [found.here.index(labels[each]) for each in (index, shown[0])]
        assert apart == pytest.approx(found.here_by[places[0]] - found.here_by[places[1]], rel=1e-3, abs=1e-4)


def test_what_has_no_key_is_a_sentence() -> None:
    run = run_of(TransformerConfig("encoder-decoder", d_model=8, heads=2, layers=1))
    model = build(run.config)
    with pytest.raises(ValueError, match="keys of cross-attention"):
        looked_for(model, LETTERS, run, HeadAddress("decoder", 0, 0, True), 0)
    with pytest.raises(ValueError, match="There is no token 99"):
        looked_for(model, LETTERS, run, HeadAddress("decoder"), 99)
    run = replace(run, config=replace(run.config, score="additive"))
    with pytest.raises(ValueError, match="Additive scores"):
        looked_for(build(run.config), LETTERS, run, HeadAddress("decoder"), 0)
