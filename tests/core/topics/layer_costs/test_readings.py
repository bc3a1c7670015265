"""Sentences and tables about what a layer costs."""

import re

import pytest

from core.model.layer_kinds import LAYER_KINDS, LayerSizes
from core.topics.layer_costs import readings as say
from core.topics.layer_costs.analysis import PowerFit, layer_operations, table_operations


def test_operations_are_compared_in_the_right_direction() -> None:
    assert say.read_layer_costs(512, 128, 100, 400) == (
        "Self-attention takes 4 times as many operations as a recurrent layer, because there are more positions than "
        "numbers in a vector.",
        "With n = 512 and d = 128, a recurrent layer takes 100 operations and self-attention 400: 4 times as many, "
        "because n is larger than d.",
    )
    assert say.read_layer_costs(64, 256, 400, 100) == (
        "A recurrent layer takes 4 times as many operations as self-attention, because there are fewer positions than "
        "numbers in a vector.",
        "With n = 64 and d = 256, self-attention takes 100 operations and a recurrent layer 400: 4 times as many, "
        "because n is smaller than d.",
    )
    assert say.read_layer_costs(64, 64, 100, 100) == (
        "Self-attention and a recurrent layer take equally many operations: a vector has as many numbers as there are "
        "positions.",
        "At n = d = 64 each takes 100 operations.",
    )


def test_self_attention_is_compared_with_the_longest_path() -> None:
    reached = {"recurrent": (1, 0.001), "convolution": (16, 0.5), "self-attention": (1, 0.25)}
    headline, told = say.read_paths(32, reached)
    assert headline == (
        "The last position hears of the first after 1 layer of self-attention, but only after 16 of convolution."
    )
    assert told == (
        "The last of 32 outputs depends on the first input after 1 recurrent layer, 16 convolution layers, 1 "
        "self-attention layer. The gradient is then largest for the convolution layer (0.50) and smallest for the "
        "recurrent layer (0.0010)."
    )
    alike = say.read_paths(3, reached | {"convolution": (1, 0.5)})
    assert alike[0] == "After 1 layer of any kind, the last position hears of the first."


def test_before_a_measurement_the_operations_are_compared() -> None:
    operations = {"recurrent": 600.0, "convolution": 100.0, "self-attention": 1234.0}
    assert say.read_counted_layers("n", 2048, operations) == (
        "For a text of 2,048 tokens self-attention takes 12 times as many operations as the convolution layer. Is it "
        "slower too? Measure it."
    )
    assert say.read_counted_layers("d", 512, {"recurrent": 600.0}) == (
        "With vectors of 512 numbers the recurrent layer takes 600 operations. How long is that? Measure it."
    )


def test_the_slowest_and_the_quickest_are_named_with_their_spread() -> None:
    said = say.read_layer_times(
        "n", 64, {"recurrent": (9, 10, 12), "self-attention": (1.5, 2, 3), "convolution": (3, 4, 5)}
    )
    assert said == (
        "At n = 64 a pass takes 10 ms (9.0 to 12) through the recurrent layer, the slowest, and 2.0 ms (1.5 to 3.0) "
        "through self-attention, the quickest: a ratio of 5.0."
    )
    assert say.read_layer_times("d", 16, {"recurrent": (1, 2, 3)}).endswith("the recurrent layer.")


def test_the_slowest_is_compared_with_the_quickest() -> None:
    milliseconds = {"recurrent": (9, 10, 12), "self-attention": (1.5, 2, 3), "convolution": (3, 4, 5)}
    assert say.read_slowest("n", 64, milliseconds) == (
        "For a text of 64 tokens the recurrent layer takes 5 times as long as self-attention."
    )
    assert say.read_slowest("d", 16, {"recurrent": (1, 2, 3)}) == (
        "With vectors of 16 numbers the recurrent layer takes 2.0 ms."
    )


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
