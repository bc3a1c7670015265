"""Sentences about neurons, at their ends."""

import pytest

from core.topics.block.readings.neurons import (
    explain_written,
    read_attention_moved,
    read_fires,
    read_fires_on,
    read_same_function,
    read_strongest,
    write_ffn,
    write_moved_parts,
)


def test_what_the_strongest_make() -> None:
    said = read_strongest("“girl”", 10, 1280, -0.123, 730, 4.69)
    assert said == (
        "At “girl” neuron 730 adds most.",
        "Its activation there is 4.69. The 10 strongest of 1,280 together make −0.12 times what the layer adds there.",
    )
    few = ("At “a” neuron 1 adds most.", "Its activation there is 2.00.")
    assert read_strongest("“a”", 3, 3, 0.5, 1, 2) == few
    known = read_strongest("“a”", 3, 3, 0.5, 1, 2, "In 9 other texts it fires most at “b”.")
    assert known[0] == "At “a” neuron 1 adds most. In 9 other texts it fires most at “b”."
    assert read_strongest("“a”", 10, 64, None, 0, 0) == ("At “a” no neuron fires: this layer adds nothing there.",)


def test_where_a_neuron_fires() -> None:
    assert read_fires(7, "“cat”", 2.5, 3, 9) == (
        "In this text neuron 7 fires most at “cat” (2.50), and at 2 of the other 8 at least half as much."
    )
    assert read_fires(7, "“cat”", 2.5, 1, 9).endswith("and at no other token even half as much.")
    assert read_fires(7, "“cat”", 2.5, 1, 1).endswith("(2.50).")
    assert read_fires(7, "“cat”", -0.1, 9, 9) == "Neuron 7 fires nowhere in this text of 9 tokens."
    assert read_fires_on(7, 3000, ["she", "·ed", "she"]).endswith("neuron 7 fires most at “she” and “·ed”.")


@pytest.mark.parametrize(
    ("change", "exact", "said"),
    [
        (0, True, ["gives each word exactly the same numbers."]),
        (
            1e-7,
            True,
            [
                "gives each word the same numbers.",
                "Rounding changes them by 1.0·10⁻⁷ at most.",
            ],
        ),
        (0.5, False, ["gives other numbers.", "They change by 0.500 at most; the largest is 2.00."]),
    ],
)
def test_the_same_function(change: float, exact: bool, said: list[str]) -> None:
    opening = "Fed with the same vectors in another order, the feed-forward layer "
    assert read_same_function(change, 2, exact) == (opening + said[0], *said[1:])


def test_what_attention_knows() -> None:
    assert "mixes tokens" in read_attention_moved(True, False, ()) and "only rounds" in read_attention_moved(
        True, True, ()
    )
    assert read_attention_moved(False, False, ("its mask",)).endswith(
        "Another order changes it too: its mask can tell the places."
    )
    assert "each token attends to itself alone" in read_attention_moved(True, True, ())


def test_formulas_and_the_table_have_this_runs_shapes() -> None:
    assert r"\mathrm{SiLU}" in write_ffn(8, 32, "swiglu") and r"\odot" in write_ffn(8, 32, "swiglu")
    assert r"\underset{32 \times 8}{W_1}" in write_ffn(8, 32, "relu") and r"\odot" not in write_ffn(8, 32, "relu")
    assert write_moved_parts(("feed-forward", "attention"), (0, 1.5), (0, 2)).splitlines()[2] == (
        "| fed in another order | 0 | 1.5 |"
    )
    assert "no last norm" in explain_written(None, False) and "negative" in explain_written("rmsnorm", True)
