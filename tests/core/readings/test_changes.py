"""A change of a setting in words: only what changed is said, and heads that share out d_model are told so."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pytest

from core.model.config import TransformerConfig
from core.readings.changes import read_setting_change, read_value
from core.topics.shared.glance import sizes_of
from core.tracing.run import Run


@dataclass(frozen=True)
class Model:
    sizes: MappingProxyType[str, str | int]
    parameters: int


def model(parameters: int, **config: Any) -> Model:
    return Model(MappingProxyType(sizes_of(Run("", TransformerConfig(**config)))), parameters)


def test_heads_share_out_d_model() -> None:
    said = read_setting_change("Heads", model(9000, heads=4), model(9000, heads=8))
    assert said == "d_k 16 → 8, d_v 16 → 8; still 9,000 parameters: heads only split d_model."


def test_heads_of_a_width_of_their_own_do_not() -> None:
    said = read_setting_change("Heads", model(1000, heads=4, d_k=16, d_v=16), model(1200, heads=8, d_k=16, d_v=16))
    assert (
        said
        == "all W_Q of a layer 64 × 64 → 64 × 128, all W_V of a layer 64 × 64 → 64 × 128; parameters 1,000 → 1,200."
    )


def test_what_is_wider_is_said_with_its_shapes() -> None:
    said = read_setting_change("d_k", model(1000), model(1200, d_k=32))
    assert said == "all W_Q of a layer 64 × 64 → 64 × 128; parameters 1,000 → 1,200."
    assert "d_ff 256 → 512" in read_setting_change("d_model", model(1, d_model=64), model(2, d_model=128))


def test_where_nothing_changes_that_is_said() -> None:
    assert read_setting_change("Seed", model(1000), model(1000)) == "No shape changes; still 1,000 parameters."


@pytest.mark.parametrize(
    ("value", "said"),
    [(True, "on"), (("as built", "block"), "as built and block"), ([], "none"), (None, "empty"), (1024, "1,024")],
)
def test_values(value: object, said: str) -> None:
    assert read_value(value) == said
