"""Sentences and tables about what a layer costs."""

import re

import pytest

from core.model.layer_kinds import LAYER_KINDS, LayerSizes
from core.topics.layer_costs import readings as say
from core.topics.layer_costs.analysis import PowerFit, layer_operations, table_operations


def test_operations_are_compared_in_the_right_direction() -> None:
    assert "4 times more, because n is larger than d" in say.read_layer_costs(512, 128, 100, 400)
    assert "4 times fewer, because n is smaller than d" in say.read_layer_costs(64, 256, 400, 100)
    assert "take the same: 100 operations" in say.read_layer_costs(64, 64, 100, 100)


def test_the_slowest_and_the_quickest_are_named_with_their_spread() -> None:
    said = say.read_layer_times(
        "n", 64, {"recurrent": (9, 10, 12), "self-attention": (1.5, 2, 3), "convolution": (3, 4, 5)}
    )
    assert said == (
        "At n = 64 a pass takes 10 ms (9.0 to 12) through the recurrent layer, the slowest, and 2.0 ms (1.5 to 3.0) "
        "through self-attention, the quickest: a ratio of 5.0."
    )
    assert say.read_layer_times("d", 16, {"recurrent": (1, 2, 3)}).endswith("the recurrent layer.")


def test_times_cross_or_do_not() -> None:
    assert "cross at about n = 99" in say.read_crossing("n", 64, 98.6, "self-attention")
    assert "the recurrent layer takes longer: its n steps" in say.read_crossing("n", 64, None, "recurrent")
    assert say.read_crossing("n", 64, None, "self-attention").endswith("self-attention takes longer.")


def test_the_table_of_exponents_has_a_dash_where_too_little_was_measured() -> None:
    fit = PowerFit(1.5, -0.25, 3.25, 4)
    last = {"recurrent": (32, 2**20), "convolution": (16, 512)}
    fits = {"recurrent": fit, "convolution": None}
    table = say.write_growth("n", fits, fits, last)
    assert "| recurrent | 1.50 | −0.25 to 3.25 | 1.50 | 32 | 1 MiB |" in table
    assert "| convolution | – | – | – | 16 | 512 bytes |" in table


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("n", "d", "k", "r"), [(512, 128, 3, 8), (16, 512, 3, 256), (64, 32, 5, 64)])
def test_each_formula_gives_the_number_beside_it(n: int, d: int, k: int, r: int, exact: bool) -> None:
    sizes = LayerSizes(n, d, k, r)
    counts = {kind: sum(layer_operations(kind, sizes).values()) for kind in LAYER_KINDS}
    counts = counts if exact else {kind: table_operations(kind, sizes) for kind in LAYER_KINDS}
    lines = say.write_layer_costs(exact, {kind: (count, 1, 1) for kind, count in counts.items()}, n, r).splitlines()
    for kind, line in zip(LAYER_KINDS, lines[2:], strict=True):
        term = line.split(" | ")[1].strip("$").removeprefix("O(").removesuffix(")" if not exact else "")
        term = term.replace("\\cdot", "*").replace("^", "**")
        product = re.sub(r"(?<=[\w)])\s*(?=[a-z(])|(?<=[\w)])\s+(?=\d)", "*", term)
        assert eval(product, {"n": n, "d": d, "k": k, "r": r}) == counts[kind], line
